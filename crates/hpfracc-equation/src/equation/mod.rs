//! Equations: expressions with the meaning of their variables.

mod changes;
mod event;
mod fields;
mod formula;
mod net;
mod noise;
mod parameter;
mod roots;
mod same;
mod state;
mod symbol;
mod tables;
mod values;

pub use event::{Action, Direction, Event};
pub use fields::{
    Applied, FieldEquation, FieldVariables, OrderTerm, Orders, Reduction, SpatialOperation,
};
pub(crate) use fields::{AppliedKind, OrderKind, OrderPlace};
pub use formula::{Formula, NoComplexFunction};
pub use net::Net;
pub use noise::{Correlation, Distribution, Jump, NoiseSource, Process, RandomStart};
pub use parameter::{Parameter, Range};
pub use state::{Calculus, Derivative, NoiseTerm, State};
pub use symbol::Symbol;
pub use tables::TableOfData;
pub(crate) use tables::TableSource;
pub use values::ParameterError;

use crate::graph::{Graph, Id};

/// Expression with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub(crate) name: String,
    pub(crate) value: Id,
}

impl Named {
    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Expression.
    pub fn value(&self) -> Id {
        self.value
    }
}

/// System of ordinary, fractional, delayed or stochastic differential equations.
///
/// All expressions are nodes of one graph, whose variables are [`Symbol`]s. Two equations are equal if
/// they have the same parts under the same names and the same expressions, whatever the numbers of
/// their nodes.
///
/// ```
/// use hpfracc_equation::Equation;
///
/// let equation = Equation::parse("D^0.9 y = r y (1 - y); r = 2 in (0, 10]; y(0) = 0.1")?;
/// assert_eq!(equation.states()[0].name(), "y");
/// assert_eq!(equation.parameter("r").unwrap().value(), 2.0);
/// assert_eq!(equation.with_value("r", 3.0)?.parameter("r").unwrap().value(), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Equation {
    pub(crate) graph: Graph,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) states: Vec<State>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) definitions: Vec<Named>,
    pub(crate) nets: Vec<Net>,
    pub(crate) delays: Vec<Id>,
    pub(crate) noises: Vec<NoiseSource>,
    pub(crate) correlations: Vec<Correlation>,
    pub(crate) events: Vec<Event>,
    pub(crate) shown: Vec<Named>,
    pub(crate) interval: Option<[Id; 2]>,
    pub(crate) tables: Vec<TableOfData>,
    /// Expressions of derivatives in time, of equations of fields alone.
    pub(crate) of_orders: Vec<Id>,
}

impl Equation {
    /// Graph of all expressions.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Meanings of the variables of the graph: time, the states, the parameters, then lagged states and
    /// lower derivatives.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Components of the state.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Named quantities that depend on parameters, time or the state.
    pub fn definitions(&self) -> &[Named] {
        &self.definitions
    }

    /// Networks.
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// Delays, expressions of constants, parameters, time and the state.
    pub fn delays(&self) -> &[Id] {
        &self.delays
    }

    /// Noises.
    pub fn noises(&self) -> &[NoiseSource] {
        &self.noises
    }

    /// Correlations of noises; all others are independent.
    pub fn correlations(&self) -> &[Correlation] {
        &self.correlations
    }

    /// Events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Quantities to show beside the state.
    pub fn shown(&self) -> &[Named] {
        &self.shown
    }

    /// Interval of time, expressions of constants and parameters.
    pub fn interval(&self) -> Option<[Id; 2]> {
        self.interval
    }

    /// Tables of data.
    pub fn tables(&self) -> &[TableOfData] {
        &self.tables
    }

    /// Index of a component of the state.
    pub fn state_index(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// Indices of the states whose exact solution is a shown quantity, `exact_x` of the state x, with the index of that
    /// quantity.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    ///
    /// let equation = Equation::parse("y' = -y; y(0) = 1; show half = y/2; show exact_y = exp(-t)")?;
    /// assert_eq!(equation.exact_solutions(), [(0, 1)]);
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    pub fn exact_solutions(&self) -> Vec<(usize, usize)> {
        let state = |shown: &Named| self.state_index(shown.name.strip_prefix("exact_")?);
        let shown = self.shown.iter().enumerate();
        shown.filter_map(|(k, shown)| Some((state(shown)?, k))).collect()
    }

    /// Parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Number of the variable that is this symbol.
    pub fn variable(&self, symbol: Symbol) -> Option<u32> {
        let known = match symbol {
            Symbol::Time => Some(0),
            Symbol::State(k) => Some(1 + k),
            Symbol::Parameter(k) => Some(1 + self.states.len() + k),
            Symbol::Lagged { .. } | Symbol::LowerDerivative { .. } => {
                self.symbols.iter().position(|s| *s == symbol)
            }
        };
        known.filter(|k| self.symbols.get(*k) == Some(&symbol)).map(|k| k as u32)
    }
}
