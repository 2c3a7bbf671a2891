//! The bound map of a split: shares computed in parallel.

use super::last_two::LastTwo;
use super::members::{LeftOut, Members};
use super::planned::Planned;
use crate::{BackendError, Direction, LinearMap, Workload};
use hpfracc_types::Real;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(super) struct SplitMap<T: Real> {
    planned: Arc<Planned<T>>,
    kernel: Vec<T>,
    /// Maps of each member, by number of signals.
    maps: Vec<LastTwo<Arc<dyn LinearMap<T>>>>,
}

/// Signals of the batch that one member computes.
#[derive(Clone)]
struct Part {
    member: usize,
    signals: Range<usize>,
}

/// The signals of one call, `from_len` scalars each, and the lengths of the results.
#[derive(Clone, Copy)]
struct Call<'a, T> {
    direction: Direction,
    from: &'a [T],
    from_len: usize,
    to_len: usize,
    since: Instant,
}

/// Time of a part, and whether the map was bound before.
type Timed = Result<(Duration, bool), BackendError>;

impl<T: Real> SplitMap<T> {
    pub(super) fn new(planned: Arc<Planned<T>>, kernel: &[T]) -> Result<Self, BackendError> {
        let maps = planned.members.backends.iter().map(|_| LastTwo::new()).collect();
        let map = Self { planned, kernel: kernel.to_vec(), maps };
        map.planned.prepare(|member, signals| map.bound(member, signals).map(drop))?;
        Ok(map)
    }

    fn members(&self) -> &Members<T> {
        &self.planned.members
    }

    /// The map of a member for a number of signals, and whether it was bound now.
    fn bound(
        &self,
        member: usize,
        signals: usize,
    ) -> Result<(Arc<dyn LinearMap<T>>, bool), BackendError> {
        self.maps[member].get_or(signals, || {
            Ok(Arc::from(self.planned.plan(member, signals)?.bind(&self.kernel)?))
        })
    }

    /// A range of signals, cut into contiguous shares.
    fn cut(&self, signals: &Range<usize>) -> Vec<Part> {
        let shares = self.planned.statistics.cut(signals.len());
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

    /// Computes all parts in parallel, the last one on this thread. `to` has the results of these
    /// parts.
    fn in_parallel(
        &self,
        call: &Call<'_, T>,
        parts: Vec<Part>,
        to: &mut [T],
    ) -> Vec<(Part, Timed)> {
        let mut chunks = Vec::with_capacity(parts.len());
        let mut rest = &mut *to;
        for part in &parts {
            let (chunk, after) = rest.split_at_mut(part.signals.len() * call.to_len);
            chunks.push(chunk);
            rest = after;
        }
        let first = parts.first().map_or(0, |part| part.signals.start);
        let own = chunks.pop();
        let taken: Vec<Option<Timed>> = thread::scope(|scope| {
            let spawn = |(part, chunk)| {
                let compute = move || self.compute(call, part, chunk);
                thread::Builder::new().spawn_scoped(scope, compute).ok()
            };
            let threads: Vec<_> = parts.iter().zip(chunks).map(spawn).collect();
            let own = parts.last().zip(own).map(|(part, to)| self.compute(call, part, to));
            let join = |thread: Option<thread::ScopedJoinHandle<'_, Timed>>| {
                // A panic of a member is a defect, not a fault of a device: it is propagated.
                thread.map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            };
            threads.into_iter().map(join).chain([own]).collect()
        });
        let each = parts.into_iter().zip(taken);
        each.map(|(part, took)| {
            // If the system refused a thread, this one computes the part.
            let took = took.unwrap_or_else(|| {
                let at = |signal: usize| (signal - first) * call.to_len;
                self.compute(call, &part, &mut to[at(part.signals.start)..at(part.signals.end)])
            });
            (part, took)
        })
        .collect()
    }

    fn compute(&self, call: &Call<'_, T>, part: &Part, to: &mut [T]) -> Timed {
        let Part { member, signals } = part;
        let (map, new) = self.bound(*member, signals.len())?;
        let from = &call.from[signals.start * call.from_len..signals.end * call.from_len];
        map.run(call.direction, from, to)?;
        Ok(((self.members().stopwatch)(*member, signals.len(), call.since), !new))
    }
}

impl<T: Real> LinearMap<T> for SplitMap<T> {
    fn workload(&self) -> Workload {
        self.planned.workload
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let batch = self.planned.workload.batch();
        let (from_len, to_len) = (from.len() / batch, to.len() / batch);
        let mut open: Vec<Range<usize>> = std::iter::once(0..batch).collect();
        let mut last: Option<LeftOut> = None;
        while let Some(signals) = open.pop() {
            let call = Call { direction, from, from_len, to_len, since: Instant::now() };
            let parts = self.cut(&signals);
            if parts.is_empty() {
                return Err(self.members().none_left(&self.planned.statistics, last));
            }
            let to = &mut to[signals.start * to_len..signals.end * to_len];
            for (part, took) in self.in_parallel(&call, parts, to) {
                match took {
                    Ok((took, warm)) => {
                        self.planned.statistics.measured(
                            part.member,
                            part.signals.len(),
                            took,
                            warm,
                        );
                    }
                    Err(error) => {
                        let statistics = &self.planned.statistics;
                        last = Some(self.members().leave_out(statistics, part.member, error)?);
                        open.push(part.signals);
                    }
                }
            }
        }
        Ok(())
    }
}
