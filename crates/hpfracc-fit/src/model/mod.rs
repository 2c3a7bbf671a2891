//! Models: functions of columns of data and of parameters, with derivatives.

mod bound;
#[cfg(feature = "ode")]
mod equation;
#[cfg(feature = "pde")]
mod fields;
mod formula;
mod function;
#[cfg(feature = "ode")]
mod nodes;
mod separable;

pub use bound::Bound;
#[cfg(feature = "ode")]
pub use equation::EquationModel;
#[cfg(feature = "pde")]
pub use fields::FieldModel;
pub use formula::FormulaModel;
pub use function::{Function, FunctionModel};
pub use separable::Separable;

use crate::FitError;
use std::fmt::Debug;

/// Values of a parameter at which a search for a start begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Grid {
    /// These.
    Values(Vec<f64>),
    /// Equal ratios over the range of the positive values of an input: a time of decay.
    Like {
        /// Index of the input.
        input: usize,
    },
    /// Inverse values of [`Like`](Self::Like): a rate, or the time constant of a spectrum.
    Inverse {
        /// Index of the input.
        input: usize,
    },
    /// Equal ratios over the range of `factor x^power |y|^response_power` in the rows of the data, of an input x and the
    /// norm of the responses: a resistance or a modulus, a capacitance, a diffusion coefficient.
    Powers {
        /// Factor.
        factor: f64,
        /// Index of the input.
        input: usize,
        /// Power of the input.
        power: f64,
        /// Power of the norm of the responses.
        response_power: f64,
    },
}

/// Parameter that a model declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: Option<String>,
    /// Default start.
    pub start: Option<f64>,
    /// Smallest value.
    pub lower: f64,
    /// Largest value.
    pub upper: f64,
    /// Whether its logarithm is fitted: a positive scale, of which the relative size matters.
    pub logarithmic: bool,
    /// Where a search for a start begins, unless the parameter is linear or has a start.
    pub grid: Option<Grid>,
}

impl Declared {
    /// Parameter of any value.
    pub fn new(name: &str) -> Self {
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        Self {
            name: name.to_owned(),
            unit: None,
            start: None,
            lower,
            upper,
            logarithmic: false,
            grid: None,
        }
    }
}

/// Function of columns of data (inputs) and of parameters, with one result (response) or more for each row.
///
/// [`FormulaModel`] makes one of a text, [`Function`] of a function in Rust, `EquationModel` (feature `ode`) of a fractional
/// differential equation, `FieldModel` (feature `pde`) of a fractional partial differential equation.
pub trait Model: Debug + Send + Sync {
    /// Parameters.
    fn parameters(&self) -> &[Declared];

    /// Number of inputs.
    fn inputs(&self) -> usize;

    /// Number of responses.
    fn responses(&self) -> usize;

    /// Indices of parameters in which all responses are affine, jointly: their derivatives depend on none of these.
    fn linear(&self) -> &[usize] {
        &[]
    }

    /// Structure of a model whose [`Bound::mixed`] has derivatives of the columns of its linear parameters: a fit projects
    /// these out. None by default.
    fn separable(&self) -> Option<&Separable> {
        None
    }

    /// The model for these values of the parameters.
    ///
    /// # Errors
    /// [`FitError`] if the model has no values there; a step of a fit to such values is rejected.
    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError>;

    /// Bytes that a thread keeps to evaluate the model in blocks of rows, as far as they are known.
    fn bytes_per_thread(&self) -> usize {
        0
    }

    /// The model with half of its steps, if it is the numerical solution of an equation.
    fn refined(&self) -> Option<Box<dyn Model + '_>> {
        None
    }
}
