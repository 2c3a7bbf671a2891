use super::DensityError;
use crate::FitError;
use hpfracc_communicator::CommunicatorError;
use hpfracc_types::{MemoryError, shortest};
use std::fmt;
use thiserror::Error;

/// Error of a sampling.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// Ranks do not work together.
    #[error(transparent)]
    Ranks(#[from] CommunicatorError),
    /// Numbers of parameters, supports or entries that do not agree.
    #[error("{found} {what}, expected {expected}")]
    Dimension {
        /// What was counted.
        what: &'static str,
        /// Its number.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A setting outside its range.
    #[error("{what} is {found}, expected {expected}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// Its value.
        found: f64,
        /// Its range.
        expected: &'static str,
    },
    /// Bounds that leave no interval.
    #[error("parameter {index} is to lie between {lower} and {upper}, which is no interval")]
    Bounds {
        /// Number of the parameter, from 0.
        index: usize,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// A start that is not inside the bounds, or not finite.
    #[error(
        "the start of parameter {index} is {theta}, expected {}", Inside(*lower, *upper)
    )]
    Outside {
        /// Number of the parameter, from 0.
        index: usize,
        /// The start.
        theta: f64,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// An entry of the whitening factor that is not finite, or 0 on the diagonal.
    #[error(
        "entry ({row}, {column}) of the factor is {entry}, expected finite entries and a diagonal \
         without 0"
    )]
    Factor {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The entry.
        entry: f64,
    },
    /// Checkpoints of a fit that cannot be used, or data that cannot be read.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A density or gradient that is not finite at the start.
    #[error("the logarithm of the density at the start is {value}, its gradient {gradient:?}")]
    Start {
        /// The logarithm.
        value: f64,
        /// The gradient with respect to the parameters.
        gradient: Vec<f64>,
    },
    /// Draws that need more memory than is available.
    #[error("the draws of all chains: {0}")]
    Memory(#[from] MemoryError),
    /// A density that cannot be evaluated. All chains are as after their last complete draw.
    #[error("chain {chain}, draw {draw}: {source}")]
    Density {
        /// Number of the chain, from 0.
        chain: u32,
        /// Number of the draw, from 0, warm-up included.
        draw: u32,
        /// Cause.
        source: DensityError,
    },
    /// A state that was read and does not match its settings.
    #[error("the saved state of chain {chain} does not match the settings of the sampling")]
    State {
        /// Number of the chain, from 0.
        chain: u32,
    },
    /// Too few draws for statistics.
    #[error("{found} draws in a chain, expected at least {expected} for diagnostics")]
    TooFew {
        /// Draws of the shortest chain.
        found: usize,
        /// The least number.
        expected: usize,
    },
}

/// The expected interval of a start.
struct Inside(f64, f64);

impl fmt::Display for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(lower, upper) = *self;
        match (lower.is_finite(), upper.is_finite()) {
            (false, false) => write!(f, "a finite number"),
            (true, false) => write!(f, "a number above {}", shortest(lower)),
            (false, true) => write!(f, "a number below {}", shortest(upper)),
            (true, true) => write!(
                f,
                "a number between {} and {}, neither of which it may be",
                shortest(lower),
                shortest(upper)
            ),
        }
    }
}
