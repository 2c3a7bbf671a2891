use super::plan::Planned;
use super::recent::Recent;
use super::{Left, Members};
use crate::{BackendError, LinearMap, Workload};
use hpfracc_types::Real;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(super) struct SplitMap<T: Real> {
    planned: Arc<Planned<T>>,
    kernel: Vec<T>,
    /// For each member, by share.
    maps: Vec<Recent<Arc<dyn LinearMap<T>>>>,
}

#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Transposed,
}

/// Signals of the batch that one member computes.
#[derive(Clone)]
struct Part {
    member: usize,
    signals: Range<usize>,
}

/// The signals of one call, as many scalars each.
#[derive(Clone, Copy)]
struct Call<'a, T> {
    direction: Direction,
    from: &'a [T],
    from_len: usize,
    to_len: usize,
    since: Instant,
}

/// How long it took, and whether the map was there already.
type Took = Result<(Duration, bool), BackendError>;

impl<T: Real> SplitMap<T> {
    pub(super) fn new(planned: Arc<Planned<T>>, kernel: &[T]) -> Result<Self, BackendError> {
        let maps = planned.members.backends.iter().map(|_| Recent::new()).collect();
        let map = Self { planned, kernel: kernel.to_vec(), maps };
        map.planned.prepare(|member, signals| map.bound(member, signals).map(drop))?;
        Ok(map)
    }

    fn members(&self) -> &Members<T> {
        &self.planned.members
    }

    /// A member's map for so many signals, and whether it was bound now.
    fn bound(
        &self,
        member: usize,
        signals: usize,
    ) -> Result<(Arc<dyn LinearMap<T>>, bool), BackendError> {
        self.maps[member].get_or(signals, || {
            Ok(Arc::from(self.planned.plan(member, signals)?.bind(&self.kernel)?))
        })
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let batch = self.planned.workload.batch();
        let (from_len, to_len) = (from.len() / batch, to.len() / batch);
        let mut open: Vec<Range<usize>> = std::iter::once(0..batch).collect();
        let mut last: Option<Left> = None;
        while let Some(signals) = open.pop() {
            let call = Call { direction, from, from_len, to_len, since: Instant::now() };
            let parts = self.cut(&signals);
            if parts.is_empty() {
                return Err(self.members().nobody(&self.planned.record, last));
            }
            let to = &mut to[signals.start * to_len..signals.end * to_len];
            for (part, took) in self.at_once(&call, parts, to) {
                match took {
                    Ok((took, warm)) => {
                        self.planned.record.measured(part.member, part.signals.len(), took, warm);
                    }
                    Err(error) => {
                        let record = &self.planned.record;
                        last = Some(self.members().leave_out(record, part.member, error)?);
                        open.push(part.signals);
                    }
                }
            }
        }
        Ok(())
    }

    /// A range of signals, cut into shares one behind the other.
    fn cut(&self, signals: &Range<usize>) -> Vec<Part> {
        let shares = self.planned.record.cut(signals.len());
        let mut start = signals.start;
        let with_share = shares.iter().enumerate().filter(|(_, share)| **share > 0);
        with_share
            .map(|(member, share)| {
                let signals = start..start + share;
                start = signals.end;
                Part { member, signals }
            })
            .collect()
    }

    /// All parts at the same time, the last one on this thread. `to` holds the results of these parts.
    fn at_once(&self, call: &Call<'_, T>, parts: Vec<Part>, to: &mut [T]) -> Vec<(Part, Took)> {
        let mut chunks = Vec::with_capacity(parts.len());
        let mut rest = &mut *to;
        for part in &parts {
            let (chunk, behind) = rest.split_at_mut(part.signals.len() * call.to_len);
            chunks.push(chunk);
            rest = behind;
        }
        let first = parts.first().map_or(0, |part| part.signals.start);
        let own = chunks.pop();
        let taken: Vec<Option<Took>> = thread::scope(|scope| {
            let spawn = |(part, chunk)| {
                let compute = move || self.compute(call, part, chunk);
                thread::Builder::new().spawn_scoped(scope, compute).ok()
            };
            let threads: Vec<_> = parts.iter().zip(chunks).map(spawn).collect();
            let own = parts.last().zip(own).map(|(part, to)| self.compute(call, part, to));
            let join = |thread: Option<thread::ScopedJoinHandle<'_, Took>>| {
                // A panic of a member is its defect and not a fault of a device: it goes on.
                thread.map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            };
            threads.into_iter().map(join).chain([own]).collect()
        });
        let each = parts.into_iter().zip(taken);
        each.map(|(part, took)| {
            // Where the system has no thread to give, this one has to do.
            let took = took.unwrap_or_else(|| {
                let at = |signal: usize| (signal - first) * call.to_len;
                self.compute(call, &part, &mut to[at(part.signals.start)..at(part.signals.end)])
            });
            (part, took)
        })
        .collect()
    }

    fn compute(&self, call: &Call<'_, T>, part: &Part, to: &mut [T]) -> Took {
        let Part { member, signals } = part;
        let (map, new) = self.bound(*member, signals.len())?;
        let from = &call.from[signals.start * call.from_len..signals.end * call.from_len];
        match call.direction {
            Direction::Forward => map.apply(from, to)?,
            Direction::Transposed => map.apply_transpose(from, to)?,
        }
        Ok(((self.members().stopwatch)(*member, signals.len(), call.since), !new))
    }
}

impl<T: Real> LinearMap<T> for SplitMap<T> {
    fn workload(&self) -> Workload {
        self.planned.workload
    }

    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.planned.workload.check_signals(x, y)?;
        self.run(Direction::Forward, x, y)
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.planned.workload.check_signals(x, y)?;
        self.run(Direction::Transposed, y, x)
    }
}
