use std::error::Error;

/// Error of a density that cannot be evaluated at all.
pub type DensityError = Box<dyn Error + Send + Sync>;

/// A probability density of several parameters, by its logarithm and gradient.
///
/// The density needs no normalisation. A value or a gradient that is not finite is a density of
/// zero: the step there is rejected and counted as a divergence. An error ends the run, and is for
/// what makes every further evaluation meaningless, such as data that cannot be read.
pub trait LogDensity: Sync {
    /// Number of parameters.
    fn dim(&self) -> usize;

    /// Names of the parameters, for messages; their numbers, from 0, by default.
    fn names(&self) -> Vec<String> {
        (0..self.dim()).map(|parameter| parameter.to_string()).collect()
    }

    /// Returns the logarithm of the density at `position` and writes its derivatives with respect
    /// to the parameters to `gradient`, both of length [`dim`](Self::dim).
    ///
    /// # Errors
    /// Any error ends the run with [`SampleError::Density`](super::SampleError::Density).
    fn value_and_gradient(
        &self,
        position: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, DensityError>;
}

impl<D: LogDensity + ?Sized> LogDensity for &D {
    fn dim(&self) -> usize {
        (**self).dim()
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }

    fn value_and_gradient(
        &self,
        position: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, DensityError> {
        (**self).value_and_gradient(position, gradient)
    }
}

/// The density of a closure that returns the logarithm and writes the gradient.
///
/// ```
/// use hpfracc_fit::sample::{DensityFn, LogDensity};
///
/// let normal = DensityFn::new(1, |x: &[f64], gradient: &mut [f64]| {
///     gradient[0] = -x[0];
///     -x[0] * x[0] / 2.0
/// });
/// let mut gradient = [0.0];
/// assert_eq!(normal.value_and_gradient(&[3.0], &mut gradient).unwrap(), -4.5);
/// assert_eq!(gradient, [-3.0]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DensityFn<F> {
    dim: usize,
    function: F,
}

impl<F: Fn(&[f64], &mut [f64]) -> f64 + Sync> DensityFn<F> {
    /// A density of `dim` parameters.
    pub fn new(dim: usize, function: F) -> Self {
        Self { dim, function }
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64 + Sync> LogDensity for DensityFn<F> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn value_and_gradient(
        &self,
        position: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, DensityError> {
        Ok((self.function)(position, gradient))
    }
}
