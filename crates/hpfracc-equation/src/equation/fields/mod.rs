mod orders;

pub(crate) use orders::{OrderKind, OrderPlace};
pub use orders::{OrderTerm, Orders};

use super::{Equation, Event, Named, Parameter, ParameterError, State, Symbol};
use crate::graph::{Graph, Id};

/// Equations of fields, functions of time and of coordinates in space.
///
/// The text is that of an [`Equation`] in which the unknowns are fields. It has these operators of any
/// expression in addition, and initial values may depend on the coordinates:
///
/// | text | meaning |
/// |---|---|
/// | `lap(u)` | Laplacian, the sum of the second derivatives |
/// | `(-lap)^s(u)` | power of the positive operator -lap, 0 < s <= 2, in the definition of the solver |
/// | `lap^s(u)` | `-(-lap)^s(u)`, 0 < s <= 1, with the sign of diffusion |
/// | `div(k grad(u))` | divergence of fluxes, k an expression of coordinates and fields |
/// | `div([f, g])` | divergence of a vector; in one dimension `div(f)` |
/// | `grad(u)`, `grad_x(u)` | derivative in one dimension, and along a coordinate in several |
/// | `integral(u)`, `mean(u)` | numbers of a whole field |
/// | `max(u)`, `min(u)` | likewise, in events and shown quantities |
///
/// Derivatives in time are Caputo's, of one field in an equation:
///
/// | text | meaning |
/// |---|---|
/// | `D^0.8 u + 0.5 D^0.3 u = ...` | several orders with positive weights |
/// | `D^(0.6 + 0.2 t) u = ...` | a variable order, that of the present time |
/// | `int(2 a D^a u, a in [0.2, 1]) = ...` | a distributed order with a density of a |
///
/// Noise is white in space and time and additive, `+ 0.1 dW/dt`, a noise for each field. Events,
/// `when max(u) = 2 rising: stop`, and shown quantities, `show mass = integral(u)`, are those of
/// [`Equation`].
///
/// Operators may contain others. All of them become variables of the graph, the
/// [`applied`](Self::applied) ones, which a solver computes in their order.
///
/// ```
/// use hpfracc_equation::{FieldEquation, SpatialOperation};
///
/// let text = "D^alpha u = kappa lap(u) + u - u^3; alpha = 0.6; kappa = 0.1; u(0) = sin(pi x)";
/// let equation = FieldEquation::parse(text, &["x"])?;
/// assert_eq!(equation.fields()[0].name(), "u");
/// assert_eq!(equation.applied().len(), 1);
/// assert!(matches!(equation.applied()[0].operation, SpatialOperation::Laplacian { .. }));
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FieldEquation {
    /// Its states are the coordinates, the fields, and the applied operators. The drift of an applied
    /// one is what it is applied to, its initial value the exponent or coefficient.
    pub(crate) equation: Equation,
    pub(crate) coordinates: usize,
    pub(crate) operations: Vec<AppliedKind>,
    /// Derivatives in time of each field.
    pub(crate) orders: Vec<Vec<OrderPlace>>,
}

/// Sort of an applied operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AppliedKind {
    Laplacian,
    Gradient(usize),
    Diffusion,
    Integral,
    Mean,
    Largest,
    Smallest,
}

impl AppliedKind {
    /// Whether its value is one number, the same at all points.
    pub(crate) fn is_reduction(self) -> bool {
        matches!(self, Self::Integral | Self::Mean | Self::Largest | Self::Smallest)
    }
}

/// Number of a whole field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// `integral(u)`; on a graph the sum with the weights of its Laplacian.
    Integral,
    /// `mean(u)`
    Mean,
    /// `max(u)`, in events and shown quantities.
    Largest,
    /// `min(u)`, likewise.
    Smallest,
}

/// Operator in space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpatialOperation {
    /// `-(-lap)^exponent`; the exponent is an expression of constants and parameters.
    Laplacian {
        /// Exponent, 1 for the Laplacian.
        exponent: Id,
    },
    /// Derivative along a coordinate.
    Gradient {
        /// Number of the coordinate, from 0.
        axis: usize,
    },
    /// `div(coefficient grad(...))`.
    Diffusion {
        /// Coefficient, an expression of coordinates, fields and operators applied before.
        coefficient: Id,
    },
    /// A number of the whole field, the same at all points.
    Reduction(Reduction),
}

/// Operator in space with the expression that it is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The operator.
    pub operation: SpatialOperation,
    /// The expression, of time, coordinates, fields, parameters and operators applied before.
    pub of: Id,
}

impl FieldEquation {
    /// Fields, with their equations. Initial values may depend on the coordinates; without them the
    /// start is given as numbers.
    pub fn fields(&self) -> &[State] {
        &self.equation.states[self.coordinates..self.first_applied()]
    }

    /// Names of the coordinates.
    pub fn coordinates(&self) -> Vec<&str> {
        self.equation.states[..self.coordinates].iter().map(State::name).collect()
    }

    /// Operators in the order in which they can be computed.
    pub fn applied(&self) -> Vec<Applied> {
        let states = &self.equation.states[self.first_applied()..];
        let applied = |(state, kind): (&State, &AppliedKind)| {
            let operand = state.initial.first().copied().flatten().unwrap_or(state.drift);
            let operation = match *kind {
                AppliedKind::Laplacian => SpatialOperation::Laplacian { exponent: operand },
                AppliedKind::Gradient(axis) => SpatialOperation::Gradient { axis },
                AppliedKind::Diffusion => SpatialOperation::Diffusion { coefficient: operand },
                AppliedKind::Integral => SpatialOperation::Reduction(Reduction::Integral),
                AppliedKind::Mean => SpatialOperation::Reduction(Reduction::Mean),
                AppliedKind::Largest => SpatialOperation::Reduction(Reduction::Largest),
                AppliedKind::Smallest => SpatialOperation::Reduction(Reduction::Smallest),
            };
            Applied { operation, of: state.drift }
        };
        states.iter().zip(&self.operations).map(applied).collect()
    }

    /// Text of an applied operator, such as `lap(u)`.
    ///
    /// # Panics
    /// If there is no such operator.
    pub fn applied_name(&self, k: usize) -> &str {
        self.equation.states[self.first_applied() + k].name()
    }

    /// Graph of all expressions.
    pub fn graph(&self) -> &Graph {
        self.equation.graph()
    }

    /// Parameters.
    pub fn parameters(&self) -> &[Parameter] {
        self.equation.parameters()
    }

    /// Events of numbers of whole fields; the states of assigned ones are [fields](Self::jumping_field).
    pub fn events(&self) -> &[Event] {
        self.equation.events()
    }

    /// Number of the field that an event assigns, from the index of its state.
    pub fn jumping_field(&self, state: usize) -> usize {
        state - self.coordinates
    }

    /// Factor of the noise of a field, an expression of constants and parameters.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn noise(&self, field: usize) -> Option<Id> {
        self.fields()[field].noise().first().map(|term| term.coefficient())
    }

    /// Quantities to show beside the fields, at each point or of whole fields.
    pub fn shown(&self) -> &[Named] {
        self.equation.shown()
    }

    /// Interval of time, expressions of constants and parameters.
    pub fn interval(&self) -> Option<[Id; 2]> {
        self.equation.interval()
    }

    /// Numbers of the variables of the graph: of time first, then of the coordinates, the fields, the
    /// applied operators, and the parameters.
    pub fn variables(&self) -> FieldVariables {
        let states = |from: usize, to: usize| -> Vec<u32> {
            (from..to).filter_map(|k| self.equation.variable(Symbol::State(k))).collect()
        };
        let parameters = 0..self.parameters().len();
        FieldVariables {
            coordinates: states(0, self.coordinates),
            fields: states(self.coordinates, self.first_applied()),
            applied: states(self.first_applied(), self.equation.states.len()),
            parameters: parameters
                .filter_map(|k| self.equation.variable(Symbol::Parameter(k)))
                .collect(),
        }
    }

    /// Equation with another value of a parameter.
    ///
    /// # Errors
    /// As [`Equation::set`].
    pub fn with_value(mut self, name: &str, value: f64) -> Result<Self, ParameterError> {
        self.equation.set(name, value)?;
        Ok(self)
    }

    /// Equation with these orders: one for all fields, or one for each. Of several derivatives in time
    /// the first has it, the highest one; a variable or distributed order is replaced.
    ///
    /// # Errors
    /// As [`Equation::with_orders`].
    pub fn with_orders(mut self, orders: &[f64]) -> Result<Self, ParameterError> {
        let expected = self.orders.len();
        if orders.len() != 1 && orders.len() != expected {
            return Err(ParameterError::Orders { found: orders.len(), expected });
        }
        for field in 0..expected {
            self.set_order(field, orders[field.min(orders.len() - 1)]);
        }
        self.equation.check_orders("order", orders[0])?;
        Ok(self)
    }

    /// Values of expressions of constants and parameters; NaN if they depend on anything else.
    pub fn values(&self, expressions: &[Id]) -> Vec<f64> {
        self.equation.values(expressions)
    }

    /// Text of an expression.
    pub fn expression(&self, root: Id) -> String {
        self.equation.expression(root)
    }

    fn first_applied(&self) -> usize {
        self.equation.states.len() - self.operations.len()
    }
}

/// Numbers of the variables of a [`FieldEquation`]; that of time is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldVariables {
    /// Of the coordinates.
    pub coordinates: Vec<u32>,
    /// Of the fields.
    pub fields: Vec<u32>,
    /// Of the applied operators.
    pub applied: Vec<u32>,
    /// Of the parameters.
    pub parameters: Vec<u32>,
}
