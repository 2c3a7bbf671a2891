use crate::error::require;
use crate::{Result, SpatialError};

/// When an iterative solver stops.
///
/// Right-hand sides of a norm below 1e-162, whose square underflows, have the solution 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// Norm of the residual relative to that of the right-hand side.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub iterations: usize,
}

impl Default for Stopping {
    /// 1e-12 and 10 000 iterations.
    fn default() -> Self {
        Self { tolerance: 1e-12, iterations: 10_000 }
    }
}

impl Stopping {
    /// The same, if its numbers are in their ranges.
    pub(crate) fn checked(self) -> Result<Self> {
        let inside = self.tolerance > 0.0 && self.tolerance < 1.0;
        require(inside, "tolerance of the residual", self.tolerance, "above 0 and below 1")?;
        let iterations = self.iterations as f64;
        require(self.iterations > 0, "number of iterations", iterations, "at least 1")?;
        Ok(self)
    }
}

/// Iterations taken by a solver and the residual it has reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// Number of iterations, each with one product.
    pub iterations: usize,
    /// Norm of the residual relative to that of the right-hand side: that of the recurrence of
    /// conjugate gradients, by its definition for [`Gmres`](crate::Gmres).
    pub residual: f64,
}

impl Convergence {
    /// Of the right-hand side 0.
    pub(crate) const AT_ONCE: Self = Self { iterations: 0, residual: 0.0 };

    /// The error of a solver that has not got further than this.
    pub(crate) fn failure(self, what: &'static str) -> SpatialError {
        let Self { iterations, residual } = self;
        SpatialError::NotConverged { what, iterations, residual }
    }
}
