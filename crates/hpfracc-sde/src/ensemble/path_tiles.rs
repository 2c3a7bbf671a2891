use super::tile_stepper::{SystemStepper, TileStepper};
use crate::checks::room_for;
use crate::error::same_length;
use crate::noise::{CellIntegral, Gaussian, Noise, NoiseProcess, Tile};
use crate::problem::{PathStop, ProblemData, StoppedPaths};
use crate::{Equation, MemoryRecurrence, SdeError, Stepper, StochasticScheme, StochasticSystem};
use hpfracc_lanes::{AlignedVec, Rows, RowsMut};

/// A problem, a scheme and a noise on equal steps, checked against each other: solves tiles of
/// paths from start to end.
///
/// System, scheme and noise are behind pointers: collectors are compiled once for each scalar.
pub(crate) struct PathTiles<'a, T> {
    stepper: Box<dyn TileStepper<T> + 'a>,
    /// Integrals of the noise that a step takes after the increments.
    integrals: Vec<CellIntegral>,
    /// Bytes of the memory of the scheme for each path.
    memory: usize,
    /// Components of the system.
    pub(crate) dim: usize,
    /// Number that identifies the system exactly, if it has one.
    pub(crate) fingerprint: Option<u64>,
    data: &'a ProblemData<T>,
    pub(crate) noise: &'a dyn Noise<T>,
    /// The number of the first path of the ensemble.
    first_path: u64,
    /// Steps from start to end.
    pub(crate) steps: usize,
    h: f64,
}

/// Most paths of a tile: enough for the widest registers to be kept busy, few enough for a cache.
const LANES: usize = 256;

/// Bytes of noise that a tile may hold.
const CACHE: usize = 1 << 22;

/// Bytes of the memory of a scheme, which is read again at every step. Tiles of 64 lanes are up to
/// three times as fast as wider ones where all steps are remembered (bench group `sde/memory`);
/// narrower ones leave registers idle.
const MEMORY: usize = 1 << 17;
const FEW_LANES: usize = 64;

/// Paths times steps between two calls of [`Observer::pause`]: tens of microseconds where drift and
/// diffusion are formulas.
const PAUSE: usize = 1 << 14;

/// Paths of a tile of an ensemble of `paths` in `shards` shards: a multiple of 16. `streamed` and
/// `memory` are the bytes of each path that a step passes by (noise, stored states) and reads again
/// (the scheme's memory). Few paths leave shards empty: steps of narrow tiles cost more for each
/// path.
pub(crate) fn lanes((paths, shards): (usize, usize), streamed: usize, memory: usize) -> usize {
    let room = (CACHE / streamed.max(1)).min((MEMORY / memory.max(1)).max(FEW_LANES));
    let most = LANES.min(room.next_multiple_of(16)).max(16);
    paths.div_ceil(shards).next_multiple_of(16).max(LANES / 4).min(most)
}

/// The processes of the noise, if it fits the system, and the scheme's calculus the problem.
///
/// # Errors
/// [`SdeError::Length`], [`SdeError::OtherCalculus`] or [`SdeError::RoughNoise`].
pub(crate) fn admitted<T: Gaussian, S: StochasticSystem<T>, C: StochasticScheme<T>>(
    system: &S,
    data: &ProblemData<T>,
    scheme: &C,
    noise: &dyn Noise<T>,
) -> Result<Vec<NoiseProcess>, SdeError> {
    let noises = system.noise_kind().noises(system.dim());
    same_length("the noise", noise.components(), noises)?;
    let processes: Vec<_> = (0..noises).map(|component| noise.process(component)).collect();
    data.admit(scheme.name(), C::CALCULUS, &processes)?;
    Ok(processes)
}

/// The properties of a problem on `steps` steps that a scheme depends on.
pub(crate) fn equation<'e, T: Gaussian, S: StochasticSystem<T>>(
    system: &S,
    data: &'e ProblemData<T>,
    processes: &'e [NoiseProcess],
    steps: usize,
) -> Equation<'e> {
    Equation {
        dim: system.dim(),
        noise_kind: system.noise_kind(),
        orders: &data.orders,
        processes,
        additive: system.additive() || processes.is_empty(),
        additive_in: &data.additive_in,
        commutative: system.commutative(),
        steps,
        h: (data.t1 - data.t0) / steps as f64,
    }
}

/// The caller's side of the solve of a tile.
pub(crate) struct Observer<'a, T> {
    /// Takes the index of a saved node and the values there.
    pub(crate) record: &'a mut dyn FnMut(usize, Rows<'_, T>),
    /// Is called with the paths times steps that were taken since the last call; an error ends the
    /// tile.
    pub(crate) pause: &'a mut dyn FnMut(usize) -> Result<(), SdeError>,
}

impl<'a, T: Gaussian> PathTiles<'a, T> {
    /// # Errors
    /// Those of [`admitted`] and of the scheme.
    pub(crate) fn new<S: StochasticSystem<T>, C: StochasticScheme<T>>(
        (system, data): (&'a S, &'a ProblemData<T>),
        scheme: &C,
        noise: &'a dyn Noise<T>,
        (first_path, steps): (u64, usize),
    ) -> Result<Self, SdeError>
    where
        C::Stepper: 'a,
    {
        let processes = admitted(system, data, scheme, noise)?;
        let equation = equation(system, data, &processes, steps);
        let stepper = scheme.prepare(&equation)?;
        Ok(Self {
            integrals: stepper.integrals().to_vec(),
            memory: stepper.bytes_per_path(),
            stepper: Box::new(SystemStepper::new(system, stepper)),
            dim: equation.dim,
            fingerprint: system.fingerprint(),
            data,
            noise,
            first_path,
            steps,
            h: equation.h,
        })
    }

    /// Paths of a tile of an ensemble of `paths` in `shards` shards: a multiple of 16.
    pub(crate) fn lanes(&self, paths: usize, shards: usize) -> usize {
        lanes((paths, shards), self.noise.bytes_per_path(self.steps), self.memory)
    }

    /// Refuses tiles of `lanes` paths whose state exceeds the memory, as many as there are threads.
    ///
    /// # Errors
    /// [`SdeError::TooLarge`].
    pub(crate) fn admit(&self, paths: usize, lanes: usize) -> Result<(), SdeError> {
        let tiles = paths.div_ceil(lanes).min(rayon::current_num_threads());
        let state = 8 * self.dim * size_of::<T>();
        let bytes = self.noise.bytes_per_path(self.steps).saturating_mul(2);
        let bytes = bytes.saturating_add(self.memory).saturating_add(state);
        room_for("the paths that are solved at a time", &[tiles, lanes, bytes])
    }

    /// Whether a step takes `I_(1,0)` of the noises.
    pub(crate) fn takes_time_integrals(&self) -> bool {
        let of_time = |of: &CellIntegral| of.exponent == 1.0 && of.lag == 0;
        !self.integrals.is_empty() && self.integrals.iter().all(of_time)
    }

    /// See [`Stepper::recurrences`].
    pub(crate) fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>> {
        self.stepper.recurrences()
    }

    /// A tile of paths, whose first is counted from that of the ensemble.
    pub(crate) fn tile(&self, path: usize, lanes: usize) -> Tile {
        Tile { first_path: self.first_path + path as u64, lanes, steps: self.steps, h: self.h }
    }

    /// The numbers of the problem: the ends of its interval, its initial values, its orders and the
    /// directions of its events.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let ProblemData { t0, t1, starts, orders, random, stops, .. } = self.data;
        let random = random.iter().flat_map(|random| random.numbers());
        let starts = starts.iter().map(|x| x.widen());
        let stops = stops.iter().flat_map(|event| event.directions());
        let numbers = [*t0, *t1].into_iter().chain(starts).chain(orders.iter().copied());
        numbers.chain(random).chain(stops).collect()
    }

    /// Values of the functions of all events, by event and path.
    pub(crate) fn event_values(&self, t: f64, x: Rows<'_, T>) -> Vec<T> {
        let mut values = vec![T::zero(); self.data.stops.len() * x.lanes()];
        let rows = values.chunks_exact_mut(x.lanes());
        self.data.stops.iter().zip(rows).for_each(|(event, row)| event.write(t, x, row));
        values
    }

    /// Solves a tile up to the last of the nodes in `saved`, which are increasing. Returns the stop of
    /// each path; nothing where no event stops paths.
    ///
    /// # Errors
    /// [`SdeError::PathNotFinite`], [`SdeError::EventNotFinite`], those of the noise, of the scheme's steps and of the observer.
    pub(crate) fn solve(
        &self,
        (path, lanes): (usize, usize),
        saved: &[usize],
        observer: Observer<'_, T>,
    ) -> Result<Vec<Option<PathStop>>, SdeError> {
        let Observer { record, pause } = observer;
        let (tile, stepper) = (self.tile(path, lanes), &self.stepper);
        let mut increments = self.noise.increments(tile, &self.integrals)?;
        let mut x = AlignedVec::zeros(self.dim * lanes);
        self.data.write_start((path, tile.first_path), RowsMut::new(&mut x, lanes));
        let mut dz = AlignedVec::zeros((self.noise.components() + self.integrals.len()) * lanes);
        let mut state = None;
        let state = stepper.start(&mut state, tile);
        let last = saved.last().copied().unwrap_or(0);
        let mut saved = saved.iter().enumerate().peekable();
        let steps_between_pauses = (PAUSE / lanes).max(1);
        let mut since = 0;
        let t0 = self.data.t0;
        let mut stopped = StoppedPaths::new(&self.data.stops, tile, t0, &x);
        for n in 0..=last {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n) {
                record(time, stopped.shown(&x));
            }
            if n == last {
                break;
            }
            increments.write(n, RowsMut::new(&mut dz, lanes));
            stopped.begin(n, &x, |lane| stepper.stop(state, lane))?;
            stepper.step(state, (tile, n, t0), &mut x, &dz, stopped.lanes())?;
            stopped.end(n, &mut x, |lane| stepper.stop(state, lane))?;
            since += 1;
            if since == steps_between_pauses {
                pause(since * lanes)?;
                since = 0;
            }
        }
        pause(since * lanes)?;
        Ok(stopped.into_stops())
    }
}
