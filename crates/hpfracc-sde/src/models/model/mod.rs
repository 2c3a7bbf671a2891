mod observed;
mod variate;

pub use observed::{Observed, ObservedShard};
pub use variate::Variate;

use super::Definition;
use crate::noise::Noise;
use crate::{
    Collect, Ensemble, NoiseKind, SdeError, StochasticProblem, StochasticScheme, StochasticSystem,
};
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

    /// How noise acts: by default, each component has a noise of its own.
    const NOISE_KIND: NoiseKind = NoiseKind::Diagonal;
    /// For each noise, whether it is [additive](StochasticSystem::additive_in).
    const ADDITIVE: &'static [bool] = &[false];
    /// Whether the noises [commute](StochasticSystem::commutative).
    const COMMUTATIVE: bool = true;

    /// The noise that drives it.
    type Noise<T: Variate>: Noise<T>;
    /// The scheme that solves it.
    type Scheme<T: Variate>: StochasticScheme<T> + Default;

    /// The initial values of the state.
    fn start(&self) -> Vec<f64>;

    /// The orders of the components, or that of all of them: by default 1.
    fn orders(&self) -> Vec<f64> {
        vec![1.0]
    }

    /// Writes the drift at the time `elapsed` after the start, a row for each component.
    fn drift<T: Variate>(&self, elapsed: f64, x: Rows<'_, T>, f: RowsMut<'_, T>);

    /// Writes the diffusion at the time `elapsed` after the start, in the rows of
    /// [`NOISE_KIND`](Self::NOISE_KIND).
    fn diffusion<T: Variate>(&self, elapsed: f64, x: Rows<'_, T>, g: RowsMut<'_, T>);

    /// The equation on an interval.
    ///
    /// # Errors
    /// [`SdeError::Interval`] if there is none; [`SdeError::InitialNotFinite`] if the start is
    /// outside the range of T.
    fn problem<T: Variate>(
        &self,
        interval: (f64, f64),
    ) -> Result<StochasticProblem<T, ModelSystem<Self>>, SdeError> {
        let start: Vec<T> = self.start().into_iter().map(T::narrow).collect();
        let system = ModelSystem { model: *self, t0: interval.0, dim: start.len() };
        StochasticProblem::new(system, interval, &start)?.of_orders(&self.orders())
    }

    /// The noise of a seed.
    ///
    /// # Errors
    /// Those of the noise.
    fn noise<T: Variate>(&self, seed: u64) -> Result<Self::Noise<T>, SdeError>;

    /// The scheme that is recommended for it.
    fn scheme<T: Variate>(&self) -> Self::Scheme<T> {
        Self::Scheme::default()
    }

    /// Exact mean and variance of each observable at time `t` after the start, where there are
    /// formulas.
    ///
    /// # Errors
    /// [`SdeError::Special`] where a Mittag-Leffler function cannot be evaluated.
    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError>;

    /// Writes the observables at the time `elapsed` after the start, a row for each: by default the
    /// first components of the state.
    fn observe<T: Variate>(&self, elapsed: f64, state: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        let _ = elapsed;
        let observed = observed.as_mut_slice();
        observed.copy_from_slice(&state.as_slice()[..observed.len()]);
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
        ensemble.solve(&problem, &self.scheme::<T>(), &noise, &collector)?
    }
}

/// The equation of a model for paths that start at t0.
#[derive(Debug, Clone, Copy)]
pub struct ModelSystem<M> {
    model: M,
    t0: f64,
    dim: usize,
}

impl<T: Variate, M: Model> StochasticSystem<T> for ModelSystem<M> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        M::NOISE_KIND
    }

    fn additive(&self) -> bool {
        M::ADDITIVE.iter().all(|additive| *additive)
    }

    fn additive_in(&self, noise: usize) -> bool {
        M::ADDITIVE[noise]
    }

    fn commutative(&self) -> bool {
        M::COMMUTATIVE
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        self.model.drift(t - self.t0, x, f);
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        self.model.diffusion(t - self.t0, x, g);
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
