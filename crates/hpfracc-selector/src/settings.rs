use std::time::Duration;

/// How much work may go into a choice before the first result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// The model decides; real executions correct it. Nothing runs on buffers of our own.
    #[default]
    Estimate,
    /// Candidates that could win by the model are timed when a workload is first planned.
    Measure,
    /// As [`Effort::Measure`], with more repeats and candidates up to ten times behind.
    Exhaustive,
    /// Choices follow from what is remembered and the model fitted to it. Nothing is measured, tried
    /// or learned: runs repeat each other.
    WisdomOnly,
}

/// The price that may be paid for trying candidates that are not expected to win.
///
/// At any time the seconds lost to trials, start-up of a trial included, are at most `fraction` of
/// all seconds executed, plus `fixed`, plus what the last trial took beyond twice its forecast's
/// deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exploration {
    /// Part of the accumulated time.
    pub fraction: f64,
    /// Allowance from the start.
    pub fixed: Duration,
}

/// Memory that plans may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Bytes of one bound map in the host's memory.
    pub host_bytes: Option<u64>,
    /// Part of a device's free memory that one bound map may take.
    pub device_fraction: f64,
}

/// How selectors choose and learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Whether executions are timed and recorded.
    pub learning: bool,
    /// Work before the first result.
    pub effort: Effort,
    /// Price of trials.
    pub exploration: Exploration,
    /// Memory that plans may take.
    pub limits: Limits,
    /// Longest time that [`Effort::Measure`] spends on one workload; [`Effort::Exhaustive`] takes
    /// ten times as long.
    pub measuring: Duration,
}

impl Default for Settings {
    /// Learning in use, trials for one per cent of the time and 20 ms, nine tenths of a device's free
    /// memory, 200 ms of measuring where that is asked for.
    fn default() -> Self {
        Self {
            learning: true,
            effort: Effort::Estimate,
            exploration: Exploration { fraction: 0.01, fixed: Duration::from_millis(20) },
            limits: Limits { host_bytes: None, device_fraction: 0.9 },
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
