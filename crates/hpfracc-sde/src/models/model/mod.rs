mod observed;

pub use observed::{Observed, ObservedShard};

use super::{Definition, Variate};
use crate::SdeError;
use crate::noise::Noise;
use crate::{Collect, Ensemble, StochasticProblem, StochasticScheme, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// A process ready to be simulated: the equation with its numbers, the noise that drives it, and
/// the scheme that suits both.
///
/// [`simulate`](Self::simulate) puts the parts together:
///
/// ```
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::{Ensemble, Moments};
///
/// let model = OrnsteinUhlenbeck::default().sigma(0.5)?;
/// let ensemble = Ensemble::new(10_000, 100)?;
/// let found = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
///
/// let error = (model.variance(1.0) / 10_000.0).sqrt();
/// assert!((found.mean[[0, 0]] - model.mean(1.0)).abs() < 4.0 * error);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub trait Model: Copy + Sync {
    /// Its description.
    const DEFINITION: Definition;

    /// Its coefficients.
    type System<T: Variate>: StochasticSystem<T>;
    /// The noise that drives it.
    type Noise<T: Variate>: Noise<T>;
    /// The scheme that solves it.
    type Scheme<T: Variate>: StochasticScheme<T>;

    /// The equation on an interval.
    ///
    /// # Errors
    /// [`SdeError::Interval`] if there is none; [`SdeError::InitialNotFinite`] if the start is
    /// outside the range of T.
    fn problem<T: Variate>(
        &self,
        interval: (f64, f64),
    ) -> Result<StochasticProblem<T, Self::System<T>>, SdeError>;

    /// The noise of a seed.
    ///
    /// # Errors
    /// Those of the noise.
    fn noise<T: Variate>(&self, seed: u64) -> Result<Self::Noise<T>, SdeError>;

    /// The scheme that is recommended for it.
    fn scheme<T: Variate>(&self) -> Self::Scheme<T>;

    /// Exact mean and variance of each observable at time `t` after the start, where there are
    /// formulas.
    ///
    /// # Errors
    /// [`SdeError::Special`] where a Mittag-Leffler function cannot be evaluated.
    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError>;

    /// Writes what the paths show, a row for each observable, so long after the start. By default
    /// it is the state itself.
    fn observe<T: Variate>(&self, elapsed: f64, state: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        let _ = elapsed;
        observed.as_mut_slice().copy_from_slice(state.as_slice());
    }

    /// Solves an ensemble and collects its observables.
    ///
    /// # Errors
    /// Those of [`Ensemble::solve`], and of the parts; [`SdeError::ObservableNotFinite`].
    fn simulate<T: Variate, K: Collect<T>>(
        &self,
        ensemble: &Ensemble<'_>,
        interval: (f64, f64),
        seed: u64,
        collector: &K,
    ) -> Result<K::Output, SdeError> {
        let (problem, noise) = (self.problem::<T>(interval)?, self.noise::<T>(seed)?);
        let collector = Observed::new(self, interval.0, collector);
        let found = ensemble.solve(&problem, &self.scheme::<T>(), &noise, &collector)?;
        collector.check(&ensemble.layout(problem.data(), problem.system().dim())?.0)?;
        Ok(found)
    }
}

/// Exact moments of one observable at one time; `None` where there is no formula.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Known {
    /// The mean.
    pub mean: Option<f64>,
    /// The variance.
    pub variance: Option<f64>,
}

impl Known {
    pub(super) fn both(mean: f64, variance: f64) -> Self {
        Self { mean: Some(mean), variance: Some(variance) }
    }

    pub(super) fn mean(mean: f64) -> Self {
        Self { mean: Some(mean), variance: None }
    }
}
