use crate::memory_limits::MemoryLimits;
use std::time::Duration;

/// Effort spent on a choice before the first result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// The cost model decides; real executions correct it. Nothing is measured beforehand.
    #[default]
    Estimate,
    /// Candidates that could be the fastest by the model are measured when a workload is first
    /// planned.
    Measure,
    /// As [`Effort::Measure`], with more repeats, and candidates up to ten times as slow.
    Exhaustive,
    /// Choices follow from stored timings and the model fitted to them. Nothing is measured, tried
    /// or learned: every run makes the same choices. A bound map stays with the candidate that is
    /// fastest per application, without one that is cheaper to bind before it.
    WisdomOnly,
}

/// Allowance for trials of candidates that are not expected to be the fastest.
///
/// At any time the seconds lost to trials, including binding, are at most `fraction` of all seconds
/// executed, plus `fixed`, plus the excess of the last trial over two standard deviations of its
/// forecast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exploration {
    /// Fraction of the accumulated time.
    pub fraction: f64,
    /// Allowance from the start.
    pub fixed: Duration,
}

/// How selectors choose and learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Whether executions are timed and recorded.
    pub learning: bool,
    /// Effort before the first result.
    pub effort: Effort,
    /// Allowance for trials.
    pub exploration: Exploration,
    /// Memory limits of plans.
    pub memory_limits: MemoryLimits,
    /// Time limit of [`Effort::Measure`] for one workload; [`Effort::Exhaustive`] has ten times as
    /// much.
    pub measuring: Duration,
}

impl Default for Settings {
    /// Learning on, trials for one per cent of the time and 20 ms, nine tenths of the free memory
    /// of a device, 200 ms per measurement.
    fn default() -> Self {
        Self {
            learning: true,
            effort: Effort::Estimate,
            exploration: Exploration { fraction: 0.01, fixed: Duration::from_millis(20) },
            memory_limits: MemoryLimits { host_bytes: None, device_fraction: 0.9 },
            measuring: Duration::from_millis(200),
        }
    }
}

impl Settings {
    /// Whether executions change anything.
    pub(crate) fn learns(&self) -> bool {
        self.learning && self.effort != Effort::WisdomOnly
    }
}
