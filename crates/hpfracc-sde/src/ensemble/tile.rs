use crate::SdeError;
use crate::error::same_length;
use crate::noise::{Gaussian, Noise, NoiseProcess, Tile};
use crate::{Equation, Stepper, StochasticProblem, StochasticScheme, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;
use pulp::{Arch, Simd, WithSimd};

/// A problem, a scheme and a noise on equal steps, checked against each other: solves tiles of paths
/// from start to end.
///
/// Noise stands behind a pointer: it is asked for increments once a step, and with a type of its own the
/// solve would be compiled again for every noise.
pub(crate) struct Tiles<'a, T, S, P> {
    problem: &'a StochasticProblem<T, S>,
    stepper: P,
    noise: &'a dyn Noise<T>,
    /// The number of the first path of the ensemble.
    first_path: u64,
    steps: usize,
    h: f64,
    arch: Arch,
}

/// Paths of a tile: enough for the widest registers to be kept busy, few enough for a cache.
const LANES: usize = 256;

/// Bytes of noise that a tile may hold.
const CACHE: usize = 1 << 22;

/// Bytes of the memory of a scheme, which is read again at every step. Tiles of 64 lanes are up to three
/// times as quick as wider ones where all steps are remembered (bench group `sde/memory`); narrower ones
/// leave registers idle.
const MEMORY: usize = 1 << 17;
const FEW_LANES: usize = 64;

/// Paths times steps between two looks at the outside world: tens of microseconds where drift and
/// diffusion are formulas.
const PAUSE: usize = 1 << 14;

/// Paths of a tile, of so many that are divided among so many shards: a multiple of 16. For each path it
/// holds so many bytes that a step passes by, of noise or of states, and so many of memory. Few
/// paths leave shards empty: steps of narrow tiles cost more for each path.
pub(crate) fn lanes((paths, shards): (usize, usize), passing: usize, memory: usize) -> usize {
    let room = (CACHE / passing.max(1)).min((MEMORY / memory.max(1)).max(FEW_LANES));
    let most = LANES.min(room.next_multiple_of(16)).max(16);
    paths.div_ceil(shards).next_multiple_of(16).max(LANES / 4).min(most)
}

/// The laws of the noise, which fits the problem, as the scheme's calculus does.
///
/// # Errors
/// [`SdeError::Length`], and what does not fit.
pub(crate) fn admitted<T, S, C>(
    problem: &StochasticProblem<T, S>,
    scheme: &C,
    noise: &dyn Noise<T>,
) -> Result<Vec<NoiseProcess>, SdeError>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    C: StochasticScheme<T>,
{
    let system = problem.system();
    let noises = system.noise_kind().noises(system.dim());
    same_length("the noise", noise.components(), noises)?;
    let processes: Vec<NoiseProcess> =
        (0..noises).map(|component| noise.process(component)).collect();
    problem.admit(scheme.name(), scheme.calculus(), &processes)?;
    Ok(processes)
}

/// What a scheme has to know of a problem on so many steps.
pub(crate) fn equation<'e, T: Gaussian, S: StochasticSystem<T>>(
    problem: &'e StochasticProblem<T, S>,
    processes: &'e [NoiseProcess],
    steps: usize,
) -> Equation<'e> {
    let system = problem.system();
    Equation {
        dim: system.dim(),
        noise_kind: system.noise_kind(),
        orders: problem.orders(),
        processes,
        additive: system.additive() || processes.is_empty(),
        additive_in: problem.additive_in(),
        commutative: system.commutative(),
        steps,
        h: (problem.t1() - problem.t0()) / steps as f64,
    }
}

/// What a tile does besides its steps.
pub(crate) struct Attention<'a, T> {
    /// Takes `(index of the saved node, values)`.
    pub(crate) record: &'a mut dyn FnMut(usize, Rows<'_, T>),
    /// Is told, now and then, how many times path and step went since; an error ends the tile.
    pub(crate) pause: &'a mut dyn FnMut(usize) -> Result<(), SdeError>,
}

/// Solves tiles of paths, whatever system, scheme and noise: what collects paths is compiled once for each
/// scalar, and not again for each of them.
pub(crate) trait SolveTiles<T: Gaussian>: Send + Sync {
    /// Solves a tile up to the last of the nodes in `saved`, which rise.
    ///
    /// # Errors
    /// [`SdeError::PathNotFinite`], those of the noise, and what ends a pause.
    fn solve(
        &self,
        paths: (usize, usize),
        saved: &[usize],
        attention: Attention<'_, T>,
    ) -> Result<(), SdeError>;

    /// Paths of a tile, of so many that are divided among so many shards: a multiple of 16.
    fn lanes(&self, paths: usize, shards: usize) -> usize;

    /// A tile of paths, whose first is counted from that of the ensemble.
    fn tile(&self, path: usize, lanes: usize) -> Tile;

    /// Steps from start to end.
    fn steps(&self) -> usize;

    /// Components of the system.
    fn dim(&self) -> usize;

    /// What a problem consists of besides functions: the ends of its interval, its starts and its orders.
    fn numbers(&self) -> Vec<f64>;

    /// What drives the paths.
    fn noise(&self) -> &dyn Noise<T>;
}

impl<'a, T, S, P> Tiles<'a, T, S, P>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    P: Stepper<T>,
{
    /// # Errors
    /// What of them does not fit together.
    pub(crate) fn new<C: StochasticScheme<T, Stepper = P>>(
        problem: &'a StochasticProblem<T, S>,
        scheme: &C,
        noise: &'a dyn Noise<T>,
        (first_path, steps): (u64, usize),
    ) -> Result<Self, SdeError> {
        let processes = admitted(problem, scheme, noise)?;
        let equation = equation(problem, &processes, steps);
        let (h, stepper) = (equation.h, scheme.prepare(&equation)?);
        Ok(Self { problem, stepper, noise, first_path, steps, h, arch: Arch::new() })
    }

    /// The time of a node.
    fn time(&self, node: usize) -> f64 {
        self.problem.t0() + node as f64 * self.h
    }
}

impl<T, S, P> SolveTiles<T> for Tiles<'_, T, S, P>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    P: Stepper<T>,
{
    fn lanes(&self, paths: usize, shards: usize) -> usize {
        let (noise, memory) =
            (self.noise.bytes_per_path(self.steps), self.stepper.bytes_per_path());
        lanes((paths, shards), noise, memory)
    }

    fn tile(&self, path: usize, lanes: usize) -> Tile {
        Tile { first_path: self.first_path + path as u64, lanes, steps: self.steps, h: self.h }
    }

    fn steps(&self) -> usize {
        self.steps
    }

    fn dim(&self) -> usize {
        self.problem.system().dim()
    }

    fn numbers(&self) -> Vec<f64> {
        let problem = self.problem;
        numbers([problem.t0(), problem.t1()], problem.starts().iter(), problem.orders())
    }

    fn noise(&self) -> &dyn Noise<T> {
        self.noise
    }

    fn solve(
        &self,
        (path, lanes): (usize, usize),
        saved: &[usize],
        attention: Attention<'_, T>,
    ) -> Result<(), SdeError> {
        let Attention { record, pause } = attention;
        let tile = self.tile(path, lanes);
        let (system, stepper) = (self.problem.system(), &self.stepper);
        let mut increments = self.noise.increments(tile, stepper.integrals())?;
        let mut x = vec![T::zero(); system.dim() * lanes];
        self.problem.write_start(path, RowsMut::new(&mut x, lanes));
        let rows = system.noise_kind().noises(system.dim()) + stepper.integrals().len();
        let mut dz = vec![T::zero(); rows * lanes];
        let mut state = stepper.start_tile(tile);
        let last = saved.last().copied().unwrap_or(0);
        let mut saved = saved.iter().enumerate().peekable();
        let apart = (PAUSE / lanes).max(1);
        let mut since = 0;
        for n in 0..=last {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n) {
                record(time, Rows::new(&x, lanes));
            }
            if n == last {
                break;
            }
            increments.write(n, RowsMut::new(&mut dz, lanes));
            let (x, dz, t) = (&mut x[..], Rows::new(&dz, lanes), self.time(n));
            let broken = self.arch.dispatch(Step { stepper, system, state: &mut state, t, x, dz });
            if let Some(failure) = stepper.failure(&state) {
                return Err(failure.error(tile, n, t));
            }
            finite(broken, n, self.problem.t0(), tile)?;
            since += 1;
            if since == apart {
                pause(since * lanes)?;
                since = 0;
            }
        }
        pause(since * lanes)
    }
}

/// Whatever the system is.
fn numbers<'t, T: Gaussian>(
    ends: [f64; 2],
    starts: impl Iterator<Item = &'t T>,
    orders: &[f64],
) -> Vec<f64> {
    ends.into_iter().chain(starts.map(|x| x.widen())).chain(orders.iter().copied()).collect()
}

/// One step of a tile, compiled for each instruction set: nothing around it is, because that would cost a
/// compiler three times the work and save a processor some nanoseconds a step. Gives where the first value
/// is that is not finite, if there is one.
pub(crate) struct Step<'s, T: Gaussian, S, P: Stepper<T>> {
    pub(crate) stepper: &'s P,
    pub(crate) system: &'s S,
    pub(crate) state: &'s mut P::State,
    pub(crate) t: f64,
    pub(crate) x: &'s mut [T],
    pub(crate) dz: Rows<'s, T>,
}

impl<T, S, P> WithSimd for Step<'_, T, S, P>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    P: Stepper<T>,
{
    type Output = Option<usize>;

    #[inline(always)]
    fn with_simd<A: Simd>(self, _: A) -> Self::Output {
        let Self { stepper, system, state, t, x, dz } = self;
        stepper.step(system, state, t, RowsMut::new(x, dz.lanes()), dz);
        not_finite(x)
    }
}

/// A value that is not finite ends the solve where it appears.
pub(crate) fn finite(
    broken: Option<usize>,
    step: usize,
    t0: f64,
    tile: Tile,
) -> Result<(), SdeError> {
    match broken {
        None => Ok(()),
        Some(position) => Err(SdeError::PathNotFinite {
            path: tile.first_path + (position % tile.lanes) as u64,
            component: position / tile.lanes,
            step,
            t: t0 + (step + 1) as f64 * tile.h,
        }),
    }
}

/// Where the first value is that is not finite, if there is one.
#[inline(always)]
pub(crate) fn not_finite<T: Gaussian>(x: &[T]) -> Option<usize> {
    // 0 x is 0 for numbers and NaN for all else. Sums side by side, as in a register.
    let mut sums = [T::zero(); 16];
    let parts = x.chunks_exact(sums.len());
    let mut sum = parts.remainder().iter().fold(T::zero(), |sum, &x| sum + x * T::zero());
    for part in parts {
        for (sum, &x) in sums.iter_mut().zip(part) {
            *sum += x * T::zero();
        }
    }
    sum = sums.iter().fold(sum, |sum, &lane| sum + lane);
    if sum == T::zero() { None } else { x.iter().position(|x| !x.widen().is_finite()) }
}

/// So many zeros, in the memory that there is.
pub(crate) fn zeros<T: Real>(values: &mut Vec<T>, len: usize) {
    values.clear();
    values.resize(len, T::zero());
}
