use crate::task::{Direction, Scalar};
use hpfracc_backend::Workload;
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// Something that happened to a choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Time since the clock's origin.
    pub at: Duration,
    /// The sizes it was about.
    pub workload: Workload,
    /// The scalar type.
    pub scalar: Scalar,
    /// The candidate it was about.
    pub candidate: String,
    /// What happened to it.
    pub what: Occurrence,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub enum Occurrence {
    /// It is the one now expected to be quickest, for maps applied again and again.
    Preferred {
        /// Forward or transposed.
        direction: Direction,
        /// The candidate preferred before, if there was one.
        instead_of: Option<String>,
        /// Seconds expected.
        seconds: f64,
    },
    /// Its time has changed by more than a quarter.
    Drifted {
        /// Seconds before.
        from: f64,
        /// Seconds now.
        to: f64,
    },
    /// It was run although another one is expected to win, to learn its time.
    Tried {
        /// Forward or transposed.
        direction: Direction,
    },
    /// It was timed on buffers of our own.
    Measured {
        /// Least seconds of one application forward.
        seconds: f64,
    },
    /// It failed while binding or running, and another one took over.
    Failed {
        /// The error, with its causes.
        error: String,
        /// How long its device is left alone.
        rest: Duration,
    },
    /// It works again after failures.
    Recovered,
    /// It could not take the workload.
    LeftOut {
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, candidate) = (self.at.as_secs_f64(), &self.candidate);
        write!(f, "{at:10.3} s  {} {}: {candidate} ", self.scalar, self.workload)?;
        match &self.what {
            Occurrence::Preferred { instead_of: None, seconds, .. } => {
                write!(f, "is preferred, {seconds:.3e} s expected")
            }
            Occurrence::Preferred { instead_of: Some(other), seconds, .. } => {
                write!(f, "is preferred to {other}, {seconds:.3e} s expected")
            }
            Occurrence::Drifted { from, to } => write!(f, "went from {from:.3e} to {to:.3e} s"),
            Occurrence::Tried { .. } => write!(f, "is tried"),
            Occurrence::Measured { seconds } => write!(f, "was measured, {seconds:.3e} s"),
            Occurrence::Failed { error, rest } => {
                write!(f, "failed and rests for {rest:?}: {error}")
            }
            Occurrence::Recovered => write!(f, "works again"),
            Occurrence::LeftOut { reason } => write!(f, "is left out: {reason}"),
        }
    }
}

/// The latest events.
#[derive(Default)]
pub(crate) struct History {
    events: VecDeque<Event>,
}

/// Events kept.
const KEPT: usize = 1024;

impl History {
    pub(crate) fn push(&mut self, event: Event) {
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.events.iter().cloned().collect()
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }
}
