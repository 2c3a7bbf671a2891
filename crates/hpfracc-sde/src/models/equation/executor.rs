use super::{EquationModel, EquationModelError, noise};
use crate::ensemble::{PathRecorder, Recorder};
use crate::models::Variate;
use crate::noise::{CompoundPoisson, StableDistribution, time_integral};
use crate::{Collect, Ensemble, MemoryRecurrence, StochasticScheme};
use hpfracc_equation::{Equation, Execute, Id};
use hpfracc_types::Real;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Paths of an equation, for an executor that solves them. Numbers of the scheme are those of the CPU in the precision of
/// the ensemble.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PathTask<'a> {
    /// The equation.
    pub equation: &'a Equation,
    /// Rows of the diffusion; `None` is zero.
    pub diffusion: &'a [Option<Id>],
    /// For each component the noises that act on it, each with its row of the diffusion, in the order in which they
    /// are added.
    pub acting: Vec<Vec<(usize, usize)>>,
    /// Noises, by their indices in [`Equation::noises`].
    pub noises: &'a [usize],
    /// Correlated Brownian motions as sums of independent ones, each with its factor; `None` where they are independent.
    pub factors: Option<Vec<Vec<(usize, f64)>>>,
    /// Hurst exponents of the fractional Brownian motions, which follow the Brownian ones.
    pub hurst: Vec<f64>,
    /// Distributions of the stable noises, which follow the Brownian and the fractional ones.
    pub stable: Vec<StableDistribution>,
    /// Processes of jumps, which follow the stable noises.
    pub jumps: Vec<CompoundPoisson>,
    /// Factors of the normal of an increment, and of a further one, in the integral `int (t + h - s) dW(s)` over a step, if
    /// the scheme takes it of each noise.
    pub time_integral: Option<[f64; 2]>,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Memories of the components of a fractional scheme: `None` of a component of order 1, and where memories are no
    /// sums of exponentials.
    pub memories: Option<Vec<Option<MemoryRecurrence<f64>>>>,
    /// Whether no row of the diffusion depends on the state.
    pub additive: bool,
    /// Seed of the noise.
    pub seed: u64,
    /// Number of the first path, which selects its noise.
    pub first_path: u64,
    /// Number of paths.
    pub paths: usize,
    /// Number of steps of the interval, on which fractional noise depends.
    pub steps: usize,
    /// Start of the interval.
    pub t0: f64,
    /// Length of a step.
    pub h: f64,
    /// Nodes that are saved, increasing. No step is needed beyond the last one.
    pub saved: &'a [usize],
}

/// Solves the paths of equations outside of this crate, such as on a GPU, in a precision.
pub trait PathExecutor<T> {
    /// Error of a solve.
    type Error: From<EquationModelError>;

    /// Solves all paths of a task. An error of the recorder ends the solve and is returned.
    ///
    /// # Errors
    /// As the executor says.
    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), Self::Error>;
}

/// A [`PathExecutor`] that does not block, such as a GPU in a browser.
pub trait AsyncPathExecutor<T> {
    /// Error of a solve.
    type Error: From<EquationModelError>;

    /// As [`PathExecutor::solve`], with a future that is ready when all is recorded.
    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> impl Future<Output = Result<(), Self::Error>>;
}

/// A blocking executor, whose futures are ready at once.
struct Blocking<'x, X>(&'x X);

impl<T, X: PathExecutor<T>> AsyncPathExecutor<T> for Blocking<'_, X> {
    type Error = X::Error;

    async fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), X::Error> {
        self.0.solve(task, recorder)
    }
}

/// Output of a future that is ready when it is first polled.
fn ready<R>(future: impl Future<Output = R>) -> R {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("futures of a blocking executor do not wait"),
    }
}

/// Memories in double precision.
fn widened<T: Real>(
    memories: Vec<Option<MemoryRecurrence<T>>>,
) -> Vec<Option<MemoryRecurrence<f64>>> {
    memories.into_iter().map(|memory| memory.map(MemoryRecurrence::widened)).collect()
}

impl EquationModel {
    /// Solves an ensemble with a scheme on an executor and collects the observables. Everything that
    /// [`simulate_with`](Self::simulate_with) refuses is refused before the executor is called.
    ///
    /// # Errors
    /// Those of [`simulate_with`](Self::simulate_with) and of the executor.
    pub fn simulate_on<T: Variate + Execute, X, S, K>(
        &self,
        executor: &X,
        scheme: &S,
        ensemble: (&Ensemble<'_>, u64),
        collector: &K,
    ) -> Result<K::Output, X::Error>
    where
        X: PathExecutor<T>,
        S: StochasticScheme<T>,
        K: Collect<T>,
    {
        ready(self.simulate_on_async(&Blocking(executor), scheme, ensemble, collector))
    }

    /// As [`simulate_on`](Self::simulate_on), on an executor that does not block. Noise and starts are computed when the future
    /// is first polled.
    ///
    /// # Errors
    /// Those of [`simulate_on`](Self::simulate_on).
    pub async fn simulate_on_async<T: Variate + Execute, X, S, K>(
        &self,
        executor: &X,
        scheme: &S,
        (ensemble, seed): (&Ensemble<'_>, u64),
        collector: &K,
    ) -> Result<K::Output, X::Error>
    where
        X: AsyncPathExecutor<T>,
        S: StochasticScheme<T>,
        K: Collect<T>,
    {
        let collector = self.observed(collector)?;
        let (problem, process) = (self.problem::<T>(seed)?, self.noise::<T>(seed)?);
        let run = ensemble.run(&problem, scheme, &*process, &collector);
        let run = run.map_err(EquationModelError::from)?;
        let dim = self.equation.states().len();
        let processes = noise::processes(&self.equation, &self.columns);
        let h = (self.interval.1 - self.interval.0) / ensemble.steps as f64;
        let task = PathTask {
            equation: &self.equation,
            diffusion: &self.columns.entries,
            acting: (0..dim).map(|i| self.columns.kind.acting(i).collect()).collect(),
            noises: &self.columns.noises,
            factors: noise::factors(&self.equation, &self.columns)?,
            hurst: processes.hurst,
            stable: processes.stable,
            jumps: processes.jumps,
            time_integral: run
                .tiles
                .takes_time_integrals()
                .then(|| time_integral::<T>(h).map(T::widen)),
            scheme: scheme.name(),
            memories: run.tiles.recurrences().map(widened),
            additive: self.columns.additive_in.iter().all(|additive| *additive),
            seed,
            first_path: run.layout.first_path,
            paths: run.layout.paths,
            steps: ensemble.steps,
            t0: self.interval.0,
            h,
            saved: &run.saved,
        };
        let mut recorder = Recorder::new(&run, problem.data());
        let solved = executor.solve(&task, &mut recorder).await;
        if let Some(path) = recorder.broken() {
            // An executor knows the saved node; the same path on the CPU tells the step.
            let alone = Ensemble::new(1, ensemble.steps).map(|alone| alone.starting_at(path));
            let alone =
                alone.and_then(|alone| alone.solve(&problem, scheme, &*process, &collector));
            alone.map_err(EquationModelError::from)?.map_err(EquationModelError::from)?;
        }
        solved?;
        Ok(recorder.finish().map_err(EquationModelError::from)?)
    }
}
