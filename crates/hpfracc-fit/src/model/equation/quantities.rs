//! Quantities of an equation that are observed: functions of time, states and parameters.

use crate::FitError;
use hpfracc_equation::{
    Arch, Equation, Graph, Id, Input, Program, Rows, RowsMut, Simplify, Symbol, derive,
};

/// Values of the quantities and their derivatives with respect to states and parameters.
#[derive(Debug)]
pub(super) struct Quantities {
    /// Values, then the entries of the derivatives.
    program: Program<f64>,
    count: usize,
    /// Quantity and argument, states before parameters, of each derivative that is not zero.
    entries: Vec<(usize, usize)>,
}

/// States and observed quantities at some times.
pub(super) struct States<'a> {
    pub(super) times: &'a [f64],
    /// State by state.
    pub(super) states: &'a [f64],
    /// Of the equation, in its order.
    pub(super) parameters: &'a [f64],
}

impl Quantities {
    /// Quantities by their names: states, shown quantities and definitions.
    ///
    /// # Errors
    /// [`FitError::Quantity`] for other names and for quantities of lagged states or lower derivatives.
    pub(super) fn new(equation: &Equation, names: &[&str]) -> Result<Self, FitError> {
        if names.is_empty() {
            return Err(FitError::Empty { what: "quantities of the equation" });
        }
        let mut graph = equation.graph().clone();
        let ids = names.iter().map(|name| find(equation, &mut graph, name));
        let roots: Vec<Id> = ids.collect::<Result<_, _>>()?;
        let of_symbol = |symbol| equation.variable(symbol).unwrap_or(u32::MAX);
        let states = (0..equation.states().len()).map(|k| of_symbol(Symbol::State(k)));
        let parameters = (0..equation.parameters().len()).map(|k| of_symbol(Symbol::Parameter(k)));
        let variables: Vec<u32> = states.chain(parameters).collect();
        let entries = derive::jacobian(&mut graph, &roots, &variables)?;
        let all: Vec<Id> = roots.iter().copied().chain(entries.iter().map(|e| e.value)).collect();
        let (graph, all) = Simplify::default().run(&graph, &all);
        let input = |symbol: &Symbol| match *symbol {
            Symbol::State(k) => Input::Row(1 + k),
            Symbol::Parameter(k) => Input::Uniform(1 + k),
            // Time differs from row to row; the others do not occur.
            _ => Input::Row(0),
        };
        let inputs: Vec<Input> = equation.symbols().iter().map(input).collect();
        Ok(Self {
            program: Program::new(&graph, &all, &inputs)?,
            count: roots.len(),
            entries: entries.iter().map(|entry| (entry.row, entry.column)).collect(),
        })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Runs a function with the values, a row each, and the derivatives that are not zero.
    pub(super) fn evaluate(&self, at: &States<'_>) -> Evaluated<'_> {
        let lanes = at.times.len();
        let rows = [at.times, at.states].concat();
        let mut out = vec![0.0; self.program.roots() * lanes];
        let none = RowsMut::new(&mut [], lanes);
        let to = [RowsMut::new(&mut out, lanes), none];
        self.program.run_shared(Arch::new(), Rows::new(&rows, lanes), (0.0, at.parameters), to);
        Evaluated { of: self, lanes, rows: out }
    }
}

/// Quantities at some times.
pub(super) struct Evaluated<'q> {
    of: &'q Quantities,
    lanes: usize,
    rows: Vec<f64>,
}

impl Evaluated<'_> {
    /// Values, quantity by quantity.
    pub(super) fn values(&self) -> &[f64] {
        &self.rows[..self.of.count * self.lanes]
    }

    /// Derivatives that are not zero: quantity, argument (states before parameters), and a number for each time.
    pub(super) fn derivatives(&self) -> impl Iterator<Item = (usize, usize, &[f64])> {
        let columns = self.rows[self.values().len()..].chunks_exact(self.lanes);
        self.of
            .entries
            .iter()
            .zip(columns)
            .map(|(&(quantity, argument), column)| (quantity, argument, column))
    }
}

/// Root of a quantity.
fn find(equation: &Equation, graph: &mut Graph, name: &str) -> Result<Id, FitError> {
    let error = |reason: String| FitError::Quantity { name: name.to_owned(), reason };
    if let Some(k) = equation.state_index(name) {
        let variable = equation.variable(Symbol::State(k));
        return variable.map(|v| graph.variable(v)).ok_or_else(|| error("no variable".to_owned()));
    }
    let mut named = equation.shown().iter().chain(equation.definitions());
    let Some(found) = named.find(|named| named.name() == name) else {
        let states = equation.states().iter().map(|state| state.name());
        let others = equation.shown().iter().chain(equation.definitions());
        let known: Vec<&str> = states.chain(others.map(|named| named.name())).collect();
        return Err(error(format!("the equation has {}", known.join(", "))));
    };
    let unknown = |number: u32| {
        let symbol = equation.symbols().get(number as usize);
        matches!(symbol, Some(Symbol::Lagged { .. } | Symbol::LowerDerivative { .. }))
    };
    if equation.graph().depends(unknown)[found.value().index()] {
        let reason = "observed quantities are functions of time, states and parameters, without lagged states \
                      and derivatives";
        return Err(error(reason.to_owned()));
    }
    Ok(found.value())
}
