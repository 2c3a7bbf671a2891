//! A history that measures its own time for an autotuner.

use super::work::HistoryWork;
use super::{Extent, History};
use crate::OdeError;
use hpfracc_backend::Autotuner;
use hpfracc_lanes::causal::BlockedSeries;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use web_time::Instant;

/// Samples between two that are measured, so that clock readings are rare among pushes and sums.
const PERIOD: usize = BlockedSeries::<f64>::BLOCK;

/// Autotuner, description of the work, and index of the method chosen.
pub(super) type Tuned = (Arc<dyn Autotuner>, HistoryWork, usize);

/// A history that records its time when it is dropped with all samples, or all but the last,
/// pushed; the history of a solve that was cancelled, stopped or failed records nothing.
///
/// The time is the sum over the construction, the samples that begin a block of [`BlockedSeries`],
/// where its transforms are, and one in [`PERIOD`] of the others, scaled to the number of these.
/// All other samples cost two comparisons more than without.
struct TimedHistory<H: History> {
    history: H,
    tuned: Tuned,
    /// Seconds of the construction.
    construction: f64,
    /// Index of the next sample that is measured or follows a measured one.
    due: usize,
    /// Where the time of the newest sample and its sums is added, if it is measured.
    measured: Option<Phase>,
    /// Index of the next sample that is measured and begins no block.
    next: usize,
    /// Number of such samples so far.
    count: usize,
    /// Seconds measured, by phase.
    seconds: [Cell<f64>; 2],
}

/// Kinds of samples by their cost.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Begins a block.
    BlockStart,
    /// Inside a block.
    Inside,
}

/// The history, measured if an autotuner chose it; its construction began at `start`.
pub(super) fn timed<H: History + 'static>(
    history: H,
    start: Instant,
    tuned: Option<Tuned>,
) -> Box<dyn History> {
    let Some(tuned) = tuned else { return Box::new(history) };
    let next = nth_measured(0, history.extent().capacity);
    let (seconds, construction) = (Default::default(), start.elapsed().as_secs_f64());
    let (due, measured, count) = (0, None, 0);
    Box::new(TimedHistory { history, tuned, construction, due, measured, next, count, seconds })
}

impl<H: History> TimedHistory<H> {
    /// Appends a sample that is measured or follows a measured one.
    #[cold]
    fn push_due(&mut self, f: &[f64]) -> Result<(), OdeError> {
        let index = self.history.pushed();
        self.measured = if index.is_multiple_of(PERIOD) {
            Some(Phase::BlockStart)
        } else if index == self.next {
            self.count += 1;
            self.next = nth_measured(self.count, self.history.extent().capacity);
            Some(Phase::Inside)
        } else {
            None
        };
        let Some(phase) = self.measured else {
            self.due = self.next.min(index.next_multiple_of(PERIOD));
            return self.history.push(f);
        };
        self.due = index + 1;
        let start = Instant::now();
        self.history.push(f)?;
        self.add(phase, start);
        Ok(())
    }

    #[cold]
    fn sum_measured(&self, phase: Phase, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        let start = Instant::now();
        self.history.sum_into(kernel, out)?;
        self.add(phase, start);
        Ok(())
    }

    fn add(&self, phase: Phase, start: Instant) {
        let seconds = start.elapsed().as_secs_f64() - clock_seconds();
        let total = &self.seconds[phase as usize];
        total.set(total.get() + seconds.max(0.0));
    }
}

/// Index of the n-th measured sample inside a block: in the middle of equal parts of the capacity.
fn nth_measured(n: usize, capacity: usize) -> usize {
    let parts = (capacity / PERIOD).max(1);
    let index = (2 * n + 1) * capacity / (2 * parts);
    index + usize::from(index.is_multiple_of(PERIOD))
}

/// Seconds between two readings of the clock, one after the other: the least of some.
fn clock_seconds() -> f64 {
    static SECONDS: OnceLock<f64> = OnceLock::new();
    *SECONDS.get_or_init(|| {
        let between = (0..32).map(|_| Instant::now().elapsed().as_secs_f64());
        between.fold(f64::INFINITY, f64::min)
    })
}

impl<H: History> History for TimedHistory<H> {
    fn extent(&self) -> Extent {
        self.history.extent()
    }

    fn pushed(&self) -> usize {
        self.history.pushed()
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        let is_due = self.history.pushed() >= self.due;
        if is_due { self.push_due(f) } else { self.history.push(f) }
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        match self.measured {
            Some(phase) => self.sum_measured(phase, kernel, out),
            None => self.history.sum_into(kernel, out),
        }
    }
}

impl<H: History> Drop for TimedHistory<H> {
    fn drop(&mut self) {
        let capacity = self.history.extent().capacity;
        // Schemes that add the newest sample themselves never push the last one.
        if self.history.pushed() + 1 < capacity || self.count == 0 {
            return;
        }
        let [starts, inside] = self.seconds.each_ref().map(Cell::get);
        let scale = (capacity - capacity.div_ceil(PERIOD)) as f64 / self.count as f64;
        let (autotuner, work, method) = &self.tuned;
        let seconds = self.construction + starts + scale * inside;
        work.describe(|work| autotuner.record(work, *method, seconds));
    }
}
