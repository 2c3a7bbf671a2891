use super::declared::Declared;
use super::separable::Separable;
use crate::FitError;
use hpfracc_lanes::{Rows, RowsMut};
use std::fmt::Debug;

/// Model for values of the parameters: `lanes` rows of data at a time.
pub trait Bound: Send + Sync {
    /// Writes the responses, a row of `out` each, for the rows of `inputs`.
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);

    /// Writes the responses, then the derivatives of the first response with respect to all parameters, then of the
    /// second.
    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);

    /// Writes the responses, then the derivatives of the first response with respect to all parameters and its second
    /// derivatives with respect to the pairs of [`Separable::mixed`](super::Separable::mixed), then those of the second.
    /// Only models with that structure have it; by default the same as [`derivatives`](Self::derivatives).
    fn mixed(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.derivatives(inputs, out);
    }
}

/// Function of columns of data (inputs) and of parameters, with one result (response) or more for each row.
///
/// [`FormulaModel`](super::FormulaModel) makes one of a text, [`Function`](super::Function) of a function in Rust,
/// `EquationModel` (feature `ode`) of a fractional differential equation, `FieldModel` (feature `pde`) of a fractional
/// partial differential equation.
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
