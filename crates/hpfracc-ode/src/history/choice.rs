use super::{Blocked, Direct, Exponentials, History, Kernel, Row};
use crate::OdeError;
use hpfracc_lanes::causal::thresholds::{DIRECT_SERIES_UP_TO, EXPONENTIALS_FROM};

/// How the memory is summed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum HistoryChoice {
    /// Exact to rounding: [`Direct`] or [`Blocked`], whichever is less work at this size.
    #[default]
    Exact,
    /// Weights within this relative error: as [`Exact`](Self::Exact), or [`Exponentials`] where the
    /// kernels have them and they are less work.
    Within {
        /// Relative error allowed of each weight.
        tolerance: f64,
    },
    /// [`Direct`].
    Direct,
    /// [`Blocked`].
    Blocked,
    /// [`Exponentials`].
    Exponentials {
        /// Relative error allowed of each weight.
        tolerance: f64,
    },
}

/// What sums of exponentials can be asked for.
const SMALLEST_TOLERANCE: f64 = 1e-13;
const LARGEST_TOLERANCE: f64 = 0.1;

impl HistoryChoice {
    /// The history for so many components and samples.
    ///
    /// # Errors
    /// Those of [`Direct::new`], [`Blocked::new`] or [`Exponentials::new`];
    /// [`OdeError::OutOfRange`] for a tolerance that is not positive and finite.
    pub fn build(
        self,
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
    ) -> Result<Box<dyn History>, OdeError> {
        let tolerance = match self {
            Self::Within { tolerance } if tolerance > 0.0 && tolerance.is_finite() => {
                tolerance.min(LARGEST_TOLERANCE)
            }
            Self::Within { tolerance } => {
                let (what, expected) = ("the tolerance of a history", "a positive finite number");
                return Err(OdeError::OutOfRange { what, value: tolerance, expected });
            }
            Self::Exponentials { tolerance } => tolerance,
            _ => 0.0,
        };
        let (direct, exponentials) = match self {
            Self::Exact => (capacity <= DIRECT_SERIES_UP_TO, false),
            Self::Within { .. } => {
                let worth =
                    tolerance >= SMALLEST_TOLERANCE && worth_exponentials(kernels, capacity);
                (capacity <= DIRECT_SERIES_UP_TO, worth)
            }
            Self::Direct => (true, false),
            Self::Blocked => (false, false),
            Self::Exponentials { .. } => (false, true),
        };
        Ok(match (direct, exponentials) {
            (_, true) => Box::new(Exponentials::new(kernels, dim, capacity, tolerance)?),
            (true, false) => Box::new(Direct::new(kernels, dim, capacity)?),
            (false, false) => Box::new(Blocked::new(kernels, dim, capacity)?),
        })
    }
}

fn worth_exponentials(kernels: &[Kernel], capacity: usize) -> bool {
    let has_form = |row: &Row| matches!(row, Row::Product { alpha, .. } if *alpha <= 2.0);
    capacity >= EXPONENTIALS_FROM && kernels.iter().all(|kernel| kernel.rows().iter().all(has_form))
}
