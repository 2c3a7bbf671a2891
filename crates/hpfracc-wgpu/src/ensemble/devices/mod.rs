//! Several devices that share the paths of an ensemble.

mod records;
mod shares;

use super::{PathGrid, PathObserver, PathSolver, PathSummary, StepStop};
use crate::{GpuError, Precision};
use hpfracc_types::Real;
use records::{Content, Record, Records};
use shares::{Chunk, Deal, Shares};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of records that wait for those of earlier paths.
const WAITING: usize = 256 << 20;

/// Solver of an ensemble on several devices, which take paths as fast as they solve them.
///
/// A device takes a first chunk of the paths, and then chunks by its measured speed: half of its share of what is left.
/// Records reach the observer in the order of the paths, as from one device; later ones wait in memory up to a limit,
/// and a device with more of them waits. Results do not depend on which device solves which path, where
/// devices compute the same bits.
///
/// What is left of the chunk of a device that is lost or out of memory is solved by the others. When all devices have
/// failed, so does the solve; nothing is recorded twice.
pub struct MultiDeviceSolver<P: Precision> {
    solvers: Vec<PathSolver<P>>,
    waiting: usize,
}

/// Work of a device in a solve.
#[derive(Debug)]
pub struct DeviceShare {
    /// Name of the device.
    pub device: String,
    /// Number of paths that it solved.
    pub paths: usize,
    /// Time that it took for them.
    pub time: Duration,
    /// Error that ended its work.
    pub failure: Option<GpuError>,
}

impl<P: Precision> MultiDeviceSolver<P> {
    /// Solver with these devices, all of the same equation.
    pub fn new(solvers: Vec<PathSolver<P>>) -> Self {
        Self { solvers, waiting: WAITING }
    }

    /// Limits the bytes of records that wait for those of earlier paths, which changes no bit.
    #[must_use]
    pub fn with_waiting_bytes(self, waiting: usize) -> Self {
        Self { waiting, ..self }
    }

    /// Solves all paths of an ensemble. Returns the work of each device.
    ///
    /// # Errors
    /// The [`GpuError`] of a device if all have failed, and the errors of the observer.
    ///
    /// # Panics
    /// If the observer panics.
    pub fn solve<O>(&self, grid: &PathGrid, observer: &mut O) -> Result<Vec<DeviceShare>, O::Error>
    where
        O: PathObserver<P::Host> + Send,
        O::Error: Send,
    {
        let session = Session {
            state: Mutex::new(State {
                records: Records::new(observer, grid.saved.len(), self.waiting),
                shares: Shares::new((grid.paths, grid.whole_tiles()), self.solvers.len()),
                error: None,
                is_stopped: false,
            }),
            changed: Condvar::new(),
        };
        let work = std::thread::scope(|scope| {
            let session = &session;
            let of = |(device, solver)| scope.spawn(move || session.run((device, solver), grid));
            let threads: Vec<_> = self.solvers.iter().enumerate().map(of).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.collect::<Result<Vec<DeviceShare>, _>>()
        });
        let work = work.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let state = session.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(error);
        }
        if state.shares.is_finished() {
            return Ok(work);
        }
        match work.into_iter().rev().find_map(|share| share.failure) {
            Some(error) => Err(error.into()),
            None => Ok(vec![]),
        }
    }
}

/// What the threads of the devices share.
struct Session<'a, T, O: PathObserver<T>> {
    state: Mutex<State<'a, T, O>>,
    /// Another chunk has its turn, is returned or finished, or the solve is stopped.
    changed: Condvar,
}

struct State<'a, T, O: PathObserver<T>> {
    records: Records<'a, T, O>,
    shares: Shares,
    error: Option<O::Error>,
    is_stopped: bool,
}

impl<'a, T: Real, O: PathObserver<T>> Session<'a, T, O> {
    /// Every change leaves the state consistent: a lock that a panic has poisoned is usable.
    fn lock(&self) -> MutexGuard<'_, State<'a, T, O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<'a, T, O>>) -> MutexGuard<'s, State<'a, T, O>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves chunks on a device until there are none.
    fn run<P: Precision<Host = T>>(
        &self,
        (device, solver): (usize, &PathSolver<P>),
        grid: &PathGrid,
    ) -> DeviceShare {
        let _stop = StopOnPanic(self);
        let name = solver.device().to_owned();
        let mut share = DeviceShare { device: name, paths: 0, time: Duration::ZERO, failure: None };
        while let Some(chunk) = self.next(device) {
            let (start, paths) = (Instant::now(), chunk.paths.clone());
            let mut observer = InOrder { session: self, first: paths.start };
            match pollster::block_on(solver.solve_paths(grid, paths.clone(), &mut observer)) {
                Ok(()) => {
                    let time = start.elapsed();
                    share.paths += paths.len();
                    share.time += time;
                    let mut state = self.lock();
                    state.shares.finish(device, paths.len(), time);
                    let finished = state.records.finish(paths.start);
                    let _ = state.checked(finished);
                }
                Err(Ended::Device(error)) => {
                    let mut state = self.lock();
                    let left = state.records.fail(paths.start);
                    state.shares.give_back(left);
                    let advanced = state.records.advance();
                    let _ = state.checked(advanced);
                    share.failure = Some(error);
                }
                Err(Ended::Stopped) => {}
            }
            self.changed.notify_all();
            if share.failure.is_some() {
                break;
            }
        }
        share
    }

    /// The next chunk of a device; `None` if there is none left, or the solve is stopped.
    fn next(&self, device: usize) -> Option<Chunk> {
        let mut state = self.lock();
        while !state.is_stopped {
            match state.shares.deal(device) {
                Deal::Chunk(chunk) => {
                    state.records.open(chunk.clone());
                    return Some(chunk);
                }
                Deal::Wait => state = self.wait(state),
                Deal::Finished => return None,
            }
        }
        None
    }
}

impl<T, O: PathObserver<T>> State<'_, T, O> {
    /// Stops the solve after an error of the observer.
    fn checked(&mut self, result: Result<(), O::Error>) -> Result<(), Ended> {
        if self.is_stopped {
            return Err(Ended::Stopped);
        }
        result.map_err(|error| {
            self.error = Some(error);
            self.is_stopped = true;
            Ended::Stopped
        })
    }
}

/// Stops the solve when a thread panics, for which others would wait.
struct StopOnPanic<'s, 'a, T: Real, O: PathObserver<T>>(&'s Session<'a, T, O>);

impl<T: Real, O: PathObserver<T>> Drop for StopOnPanic<'_, '_, T, O> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().is_stopped = true;
            self.0.changed.notify_all();
        }
    }
}

/// Reason why a device ends its chunk.
enum Ended {
    Device(GpuError),
    /// The solve is stopped.
    Stopped,
}

impl From<GpuError> for Ended {
    fn from(error: GpuError) -> Self {
        Self::Device(error)
    }
}

/// Observer of the chunk with a first path.
struct InOrder<'s, 'a, T, O: PathObserver<T>> {
    session: &'s Session<'a, T, O>,
    first: usize,
}

impl<T: Real, O: PathObserver<T>> InOrder<'_, '_, T, O> {
    fn take(&self, record: Record<T>) -> Result<(), Ended> {
        let mut state = self.session.lock();
        while !state.is_stopped && !state.records.takes(self.first, record.bytes()) {
            state = self.session.wait(state);
        }
        state.checked(Ok(()))?;
        let taken = state.records.take(self.first, record);
        let taken = state.checked(taken);
        if taken.is_err() {
            self.session.changed.notify_all();
        }
        taken
    }
}

impl<T: Real, O: PathObserver<T>> PathObserver<T> for InOrder<'_, '_, T, O> {
    type Error = Ended;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [T]) -> Result<(), Ended> {
        let mut state = self.session.lock();
        let started = state.records.observer.start(path, lanes, rows);
        state.checked(started)
    }

    fn record(&mut self, time: usize, path: usize, lanes: usize, rows: &[T]) -> Result<(), Ended> {
        self.take(Record { path, lanes, content: Content::States(time, rows.to_vec()) })
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Ended> {
        self.take(Record { path, lanes, content: Content::Summary(time, summary.clone()) })
    }

    fn stops(&mut self, path: usize, stops: &[Option<StepStop>]) -> Result<(), Ended> {
        let content = Content::Stops(stops.to_vec());
        self.take(Record { path, lanes: stops.len(), content })
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Ended> {
        let mut state = self.session.lock();
        let paused = state.records.observer.pause(path_steps);
        let checked = state.checked(paused);
        if checked.is_err() {
            self.session.changed.notify_all();
        }
        checked
    }
}
