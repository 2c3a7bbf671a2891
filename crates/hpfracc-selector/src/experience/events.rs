use crate::task::{Scalar, Subject};
use hpfracc_backend::Direction;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// An event in the history of a choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Time since the clock's origin.
    pub at: Duration,
    /// The work that was chosen for.
    pub subject: Subject,
    /// The scalar type.
    pub scalar: Scalar,
    /// The candidate concerned.
    pub candidate: String,
    /// What happened.
    pub what: Occurrence,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub enum Occurrence {
    /// It is now expected to be the fastest for maps applied many times.
    Preferred {
        /// Forward or transposed.
        direction: Direction,
        /// The candidate preferred before, if any.
        instead_of: Option<String>,
        /// Expected seconds.
        seconds: f64,
    },
    /// Its time changed by more than a quarter.
    Drifted {
        /// Seconds before.
        from: f64,
        /// Seconds now.
        to: f64,
    },
    /// It was run to learn its time, although another one is expected to be faster.
    Tried {
        /// Forward or transposed.
        direction: Direction,
    },
    /// It was timed on internal buffers.
    Measured {
        /// Least seconds of one forward application.
        seconds: f64,
    },
    /// It failed while binding or running, and another one took over.
    Failed {
        /// The error, with its causes.
        error: String,
        /// How long its device rests.
        rest: Duration,
    },
    /// It works again after failures.
    Recovered,
    /// It cannot compute the workload.
    LeftOut {
        /// The reason.
        reason: String,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, candidate) = (self.at.as_secs_f64(), &self.candidate);
        write!(f, "{at:10.3} s  {} {}: {candidate} ", self.scalar, self.subject)?;
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
