//! Delays and histories of equations.

use super::EquationProblemError;
use super::layout::Layout;
use super::parameter_derivatives::ParameterDerivatives;
use crate::Delays;
use hpfracc_equation::derive::{self, JacobianEntry};
use hpfracc_equation::{Equation, Graph, Id, Input, Program, Scratch, Symbol};
use std::cell::RefCell;

/// Delays of an equation.
pub(super) enum EquationDelays {
    Constant(Vec<f64>),
    Varying(Expressions),
}

impl EquationDelays {
    pub(super) fn new(equation: &Equation, layout: &Layout) -> Result<Self, EquationProblemError> {
        let varying = |number: u32| {
            let symbol = equation.symbols().get(number as usize);
            !matches!(symbol, Some(Symbol::Parameter(_)))
        };
        let depends = equation.graph().depends(varying);
        let constant = equation.values(equation.delays());
        if equation.delays().iter().any(|delay| depends[delay.index()]) {
            return Ok(Self::Varying(Expressions::new(equation, equation.delays(), layout)?));
        }
        Ok(Self::Constant(constant))
    }
}

impl Delays for EquationDelays {
    fn count(&self) -> usize {
        match self {
            Self::Constant(delays) => delays.len(),
            Self::Varying(expressions) => expressions.count(),
        }
    }

    fn delays(&self, t: f64, y: &[f64], out: &mut [f64]) {
        match self {
            Self::Constant(delays) => out.copy_from_slice(delays),
            Self::Varying(expressions) => expressions.evaluate(t, y, out),
        }
    }

    fn constant(&self) -> Option<&[f64]> {
        match self {
            Self::Constant(delays) => Some(delays),
            Self::Varying(_) => None,
        }
    }
}

/// Expressions of time, components and parameters.
pub(super) struct Expressions {
    program: Program<f64>,
    work: RefCell<(Vec<f64>, Scratch<f64>)>,
}

impl Expressions {
    pub(super) fn new(
        equation: &Equation,
        roots: &[Id],
        layout: &Layout,
    ) -> Result<Self, EquationProblemError> {
        Self::of(equation.graph(), roots, layout)
    }

    fn of(graph: &Graph, roots: &[Id], layout: &Layout) -> Result<Self, EquationProblemError> {
        let lagged = |number: u32| {
            let input = layout.inputs.get(number as usize);
            matches!(input, Some(Input::Row(row)) if *row >= layout.dim())
        };
        let depends = graph.depends(lagged);
        if roots.iter().any(|root| depends[root.index()]) {
            return Err(EquationProblemError::Lagged);
        }
        let program = Program::new(graph, roots, &layout.inputs)?;
        let uniforms = [&[0.0], &layout.parameters[..]].concat();
        Ok(Self { program, work: RefCell::new((uniforms, Scratch::new())) })
    }

    pub(super) fn count(&self) -> usize {
        self.program.roots()
    }

    /// Number of parameters.
    fn parameters(&self) -> usize {
        self.work.borrow().0.len() - 1
    }

    /// Writes their values at a time and a state.
    pub(super) fn evaluate(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let (uniforms, scratch) = &mut *self.work.borrow_mut();
        uniforms[0] = t;
        self.program.run_scalar(y, uniforms, out, scratch);
    }
}

/// Expressions of time and parameters: values of all components before t0. The lower derivatives have
/// none, and no equation reads them.
pub(super) struct History {
    expressions: Expressions,
    constants: Vec<f64>,
    /// Components with a history.
    components: Vec<usize>,
    values: RefCell<Vec<f64>>,
}

impl History {
    pub(super) fn new(equation: &Equation, layout: &Layout) -> Result<Self, EquationProblemError> {
        let (components, roots) = histories(equation);
        // Only time and parameters occur, which are uniform.
        debug_assert!(equation.symbols().iter().zip(&layout.inputs).all(|(symbol, input)| {
            matches!(symbol, Symbol::Time | Symbol::Parameter(_))
                == matches!(input, Input::Uniform(_))
        }));
        let expressions = Expressions::new(equation, &roots, layout)?;
        let constants = layout.initial.first().cloned().unwrap_or_default();
        let values = RefCell::new(vec![0.0; components.len()]);
        Ok(Self { expressions, constants, components, values })
    }

    /// Writes the components at a time before t0: the initial values where there is no history.
    pub(super) fn write(&self, t: f64, y: &mut [f64]) {
        let values = &mut *self.values.borrow_mut();
        self.expressions.evaluate(t, &self.constants, values);
        y.copy_from_slice(&self.constants);
        self.components.iter().zip(values).for_each(|(k, value)| y[*k] = *value);
    }
}

/// Components with a history, and their histories.
fn histories(equation: &Equation) -> (Vec<usize>, Vec<Id>) {
    let states = equation.states().iter().enumerate();
    states.filter_map(|(k, state)| Some((k, state.history()?))).unzip()
}

/// Derivatives of a [`History`] with respect to the parameters, then time.
pub(super) struct HistoryDerivatives {
    expressions: Expressions,
    entries: Vec<JacobianEntry>,
    /// Row by row, those of components without a history.
    constants: Vec<f64>,
    components: Vec<usize>,
    values: RefCell<Vec<f64>>,
}

impl HistoryDerivatives {
    pub(super) fn new(
        equation: &Equation,
        layout: &Layout,
        derivatives: &ParameterDerivatives,
    ) -> Result<Self, EquationProblemError> {
        let (components, roots) = histories(equation);
        let mut graph = equation.graph().clone();
        let variables = layout.parameter_and_time_variables();
        let entries = derive::jacobian(&mut graph, &roots, &variables)?;
        let values: Vec<Id> = entries.iter().map(|entry| entry.value).collect();
        let expressions = Expressions::of(&graph, &values, layout)?;
        let columns = variables.len();
        let mut constants = vec![0.0; layout.dim() * columns];
        for (component, row) in constants.chunks_exact_mut(columns).enumerate() {
            if !components.contains(&component) {
                let from = &derivatives.initial[component * (columns - 1)..][..columns - 1];
                row[..columns - 1].copy_from_slice(from);
            }
        }
        let values = RefCell::new(vec![0.0; entries.len()]);
        Ok(Self { expressions, entries, constants, components, values })
    }

    /// Writes a row for each component.
    pub(super) fn write(&self, t: f64, rows: &mut [f64]) {
        let values = &mut *self.values.borrow_mut();
        self.expressions.evaluate(t, &[], values);
        rows.copy_from_slice(&self.constants);
        let columns = self.expressions.parameters() + 1;
        for (entry, value) in self.entries.iter().zip(values) {
            rows[self.components[entry.row] * columns + entry.column] = *value;
        }
    }
}
