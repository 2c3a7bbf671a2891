use crate::Result;
use crate::functions::function::Target;

/// A function of an operator, prepared for a method. Vectors are orthogonal to the null space if the
/// function is a power.
pub(crate) trait Plan: Send + Sync {
    /// Writes `y = f(A) x`, or the derivative.
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()>;

    /// Method and parameters.
    fn explain(&self) -> String;

    /// Bound or estimate of the error, see `OperatorFunction::error_bound`.
    fn error(&self) -> f64;
}
