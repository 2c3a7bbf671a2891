use super::StochasticSystem;
use crate::SolveError;
use crate::error::{out_of_range, same_length};
use hpfracc_types::Real;

/// A stochastic initial value problem, checked: a system, an interval, and where all paths start.
#[derive(Debug, Clone)]
pub struct StochasticProblem<S> {
    system: S,
    t0: f64,
    t1: f64,
    start: Vec<f64>,
}

impl<S> StochasticProblem<S> {
    /// `dX = f(t, X) dt + g(t, X) dZ` on [t0, t1] with X(t0) = `start` for all paths.
    ///
    /// # Errors
    /// [`SolveError::Interval`], [`SolveError::Empty`], [`SolveError::Length`] or
    /// [`SolveError::InitialNotFinite`], for what their names say; [`SolveError::OutOfRange`] if the
    /// system has no noise.
    pub fn new<T: Real>(system: S, (t0, t1): (f64, f64), start: &[f64]) -> Result<Self, SolveError>
    where
        S: StochasticSystem<T>,
    {
        if !(t0.is_finite() && t0 < t1 && (t1 - t0).is_finite()) {
            return Err(SolveError::Interval { t0, t1 });
        }
        if system.dim() == 0 {
            return Err(SolveError::Empty);
        }
        if system.coupling().noises(system.dim()) == 0 {
            return Err(out_of_range("the number of noises", 0.0, "at least 1"));
        }
        same_length("the start of the paths", start.len(), system.dim())?;
        for (component, &value) in start.iter().enumerate() {
            if !T::narrow(value).widen().is_finite() {
                return Err(SolveError::InitialNotFinite { derivative: 0, component, value });
            }
        }
        Ok(Self { system, t0, t1, start: start.to_vec() })
    }

    /// The coefficients.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Where the interval starts.
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// Where it ends.
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// Where all paths start.
    pub fn start(&self) -> &[f64] {
        &self.start
    }
}
