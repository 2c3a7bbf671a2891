mod functions;
mod random_start;
mod stop_event;
mod stopped_paths;

pub use functions::{ScalarFunctions, StateFunctions};
pub use random_start::InitialDistribution;
pub use stop_event::{PathStop, StopEvent};
pub(crate) use stopped_paths::StoppedPaths;

use super::{Calculus, NoiseKind, StochasticSystem};
use crate::SdeError;
use crate::error::{in_range, same_length};
use crate::noise::NoiseProcess;
use hpfracc_lanes::RowsMut;
use hpfracc_types::Real;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use random_start::RandomStart;
use std::sync::Arc;

/// A checked stochastic initial value problem: a system, an interval and initial values.
///
/// ```
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_sde::{
///     NoiseKind, Ensemble, EulerMaruyama, Moments, StochasticProblem, StochasticSystem,
/// };
///
/// /// dX = -X dt + dW/2, for many paths at a time: a row of lanes for each component.
/// struct Returning;
///
/// impl StochasticSystem<f64> for Returning {
///     fn dim(&self) -> usize {
///         1
///     }
///     fn noise_kind(&self) -> NoiseKind {
///         NoiseKind::Diagonal
///     }
///     fn drift(&self, _t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
///         f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
///     }
///     fn diffusion(&self, _t: f64, _x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
///         g[0].fill(0.5);
///     }
/// }
///
/// let problem = StochasticProblem::new(Returning, (0.0, 1.0), &[1.0])?;
/// let noise = Brownian::new(7, 1)?; // seed, components
/// let found = Ensemble::new(10_000, 100)?.solve(&problem, &EulerMaruyama, &noise, &Moments)?;
/// assert!((found.mean[[0, 0]] - (-1f64).exp()).abs() < 0.02);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StochasticProblem<T, S> {
    system: S,
    data: Arc<ProblemData<T>>,
}

/// All of a problem but its coefficient functions.
#[derive(Debug, Clone)]
pub(crate) struct ProblemData<T> {
    pub(crate) t0: f64,
    pub(crate) t1: f64,
    /// By path and component; a single row if all paths have the same initial values.
    pub(crate) starts: Array2<T>,
    per_path: bool,
    /// In place of the values of some components.
    pub(crate) random: Vec<RandomStart>,
    pub(crate) orders: Vec<f64>,
    /// For each noise, whether it is [additive](StochasticSystem::additive_in).
    pub(crate) additive_in: Vec<bool>,
    calculus: Calculus,
    /// Events that stop a path.
    pub(crate) stops: Vec<StopEvent<T>>,
}

/// Initial values of the paths of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InitialValues<'a, T> {
    /// The same for all paths.
    Common(ArrayView1<'a, T>),
    /// For each path of the ensemble, by path and component.
    Each(ArrayView2<'a, T>),
    /// The same for all paths, but for components with [random values](StochasticProblem::with_random_start).
    Random(ArrayView1<'a, T>),
}

impl<T: Real, S: StochasticSystem<T>> StochasticProblem<T, S> {
    /// `dX = f(t, X) dt + g(t, X) dZ` on [t0, t1] with X(t0) = `start` for all paths, in whose
    /// precision it will be solved.
    ///
    /// # Errors
    /// [`SdeError::Interval`], [`SdeError::Empty`], [`SdeError::Length`] or
    /// [`SdeError::InitialNotFinite`], as their names say; [`SdeError::OutOfRange`] if more
    /// [leading](super::NoiseKind::LeadingDiagonal) components have noise than there are.
    pub fn new(system: S, interval: (f64, f64), start: &[T]) -> Result<Self, SdeError> {
        Self::checked(system, interval, ArrayView1::from(start).insert_axis(Axis(0)), false)
    }

    /// The same with initial values for each path, by path and component: path k of an ensemble,
    /// whatever its [number](super::Ensemble::starting_at), starts at row k, and an ensemble of
    /// another number of paths is refused.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`SdeError::InitialNotFinite`] names the first such component
    /// and not its path; [`SdeError::OutOfRange`] for no path.
    pub fn with_starts(
        system: S,
        interval: (f64, f64),
        starts: ArrayView2<'_, T>,
    ) -> Result<Self, SdeError> {
        in_range(starts.nrows() > 0, "the number of starts", 0.0, "at least 1")?;
        Self::checked(system, interval, starts, true)
    }

    fn checked(
        system: S,
        (t0, t1): (f64, f64),
        starts: ArrayView2<'_, T>,
        per_path: bool,
    ) -> Result<Self, SdeError> {
        if !(t0.is_finite() && t0 < t1 && (t1 - t0).is_finite()) {
            return Err(SdeError::Interval { t0, t1 });
        }
        if system.dim() == 0 {
            return Err(SdeError::Empty);
        }
        if let NoiseKind::LeadingDiagonal { noises } = system.noise_kind() {
            let (what, expected) =
                ("the number of leading noises", "at most the number of components");
            in_range(noises <= system.dim(), what, noises as f64, expected)?;
        }
        same_length("the start of the paths", starts.ncols(), system.dim())?;
        for ((_, component), value) in starts.indexed_iter() {
            let value = value.widen();
            if !value.is_finite() {
                return Err(SdeError::InitialNotFinite { component, value });
            }
        }
        let (orders, noises) = (vec![1.0; system.dim()], system.noise_kind().noises(system.dim()));
        let additive_in = (0..noises).map(|noise| system.additive_in(noise)).collect();
        let starts = starts.to_owned();
        let calculus = Calculus::Ito;
        let (random, stops) = (vec![], vec![]);
        let data =
            ProblemData { t0, t1, starts, per_path, random, orders, additive_in, calculus, stops };
        Ok(Self { system, data: Arc::new(data) })
    }

    /// The same problem with a random initial value of a component, in place of that which it has: one for
    /// each path, independent of all others and of the noise.
    ///
    /// The value of a path depends on the seed, the component and the number of the path alone, so that it
    /// is the same in each part of an ensemble. It is drawn in double precision and rounded.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a component that does not exist, and for numbers that are not finite, a
    /// negative standard deviation, or ends in the wrong order.
    pub fn with_random_start(
        mut self,
        component: usize,
        distribution: InitialDistribution,
        seed: u64,
    ) -> Result<Self, SdeError> {
        let (what, expected) =
            ("the component of a random start", "below the number of components");
        in_range(component < self.data.orders.len(), what, component as f64, expected)?;
        let start = RandomStart::new(component, distribution, seed)?;
        let random = &mut Arc::make_mut(&mut self.data).random;
        random.retain(|known| known.component != component);
        random.push(start);
        Ok(self)
    }

    /// The same problem with Caputo derivatives of these orders on the left: one for all
    /// components, or one for each.
    ///
    /// # Errors
    /// [`SdeError::Length`] for another number of orders, [`SdeError::Order`] for one that is not
    /// positive and finite. Schemes refuse orders that they do not take.
    pub fn of_orders(mut self, orders: &[f64]) -> Result<Self, SdeError> {
        if orders.len() != 1 {
            same_length("the list of orders", orders.len(), self.data.orders.len())?;
        }
        for (component, order) in Arc::make_mut(&mut self.data).orders.iter_mut().enumerate() {
            let alpha = orders[component.min(orders.len() - 1)];
            if !(alpha.is_finite() && alpha > 0.0) {
                return Err(SdeError::Order { component, alpha });
            }
            *order = alpha;
        }
        Ok(self)
    }

    /// The same problem with a further event that stops a path.
    #[must_use]
    pub fn stopping_when(mut self, event: StopEvent<T>) -> Self {
        Arc::make_mut(&mut self.data).stops.push(event);
        self
    }

    /// Events that stop a path.
    pub fn stop_events(&self) -> &[StopEvent<T>] {
        &self.data.stops
    }

    /// The same problem with Stratonovich's integrals over Brownian motion instead of Ito's.
    pub fn stratonovich(mut self) -> Self {
        Arc::make_mut(&mut self.data).calculus = Calculus::Stratonovich;
        self
    }

    /// The calculus of the integrals over noise.
    pub fn calculus(&self) -> Calculus {
        self.data.calculus
    }

    /// The orders of the components.
    pub fn orders(&self) -> &[f64] {
        &self.data.orders
    }

    /// The coefficients.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Start of the interval.
    pub fn t0(&self) -> f64 {
        self.data.t0
    }

    /// End of the interval.
    pub fn t1(&self) -> f64 {
        self.data.t1
    }

    /// The initial values.
    pub fn start(&self) -> InitialValues<'_, T> {
        let starts = &self.data.starts;
        if self.data.per_path {
            InitialValues::Each(starts.view())
        } else if !self.data.random.is_empty() {
            InitialValues::Random(starts.row(0))
        } else {
            InitialValues::Common(starts.row(0))
        }
    }

    pub(crate) fn data(&self) -> &ProblemData<T> {
        &self.data
    }

    /// The same problem with another value for its system.
    pub(crate) fn with_system<R>(&self, system: R) -> StochasticProblem<T, R> {
        StochasticProblem { system, data: Arc::clone(&self.data) }
    }
}

impl<T: Real> ProblemData<T> {
    /// Refuses a scheme whose limit is not the solution with these processes.
    ///
    /// # Errors
    /// [`SdeError::OtherCalculus`], [`SdeError::RoughNoise`].
    pub(crate) fn admit(
        &self,
        scheme: &'static str,
        by_scheme: Calculus,
        processes: &[NoiseProcess],
    ) -> Result<(), SdeError> {
        let multiplied = || {
            let processes = processes.iter().enumerate();
            processes.filter(|(noise, _)| !self.additive_in[*noise])
        };
        for (component, process) in multiplied() {
            if let NoiseProcess::Fractional { hurst } = *process
                && hurst <= 0.5
            {
                return Err(SdeError::RoughNoise { component, hurst });
            }
        }
        let by_equation = self.calculus;
        if by_equation != by_scheme && multiplied().any(|(_, process)| process.has_two_calculi()) {
            return Err(SdeError::OtherCalculus { scheme, by_scheme, by_equation });
        }
        Ok(())
    }

    /// Refuses an ensemble whose number of paths is not that of the initial values.
    ///
    /// # Errors
    /// [`SdeError::Length`].
    pub(crate) fn admit_paths(&self, paths: usize) -> Result<(), SdeError> {
        if self.per_path {
            same_length("the list of starts, by path,", self.starts.nrows(), paths)?;
        }
        Ok(())
    }

    /// Writes the initial values of the paths from `path` on, counted from the first of the
    /// ensemble, which has the number `number` itself.
    pub(crate) fn write_start(&self, (path, number): (usize, u64), mut x: RowsMut<'_, T>) {
        for (component, starts) in self.starts.columns().into_iter().enumerate() {
            if self.per_path {
                let (_, starts) = starts.split_at(Axis(0), path);
                x[component].iter_mut().zip(&starts).for_each(|(x, start)| *x = *start);
            } else {
                x[component].fill(starts[0]);
            }
        }
        for random in &self.random {
            for (number, x) in (number..).zip(&mut x[random.component]) {
                *x = T::narrow(random.draw(number));
            }
        }
    }
}
