use super::field_exponentials::FieldExponentials;
use super::tiles::{BLOCK, JUMPS, MANY, VECTORS};
use super::timed::{Tuned, timed};
use super::work::{Algorithm, HistoryWork, SMALLEST_TOLERANCE, expected_exponentials};
use super::{Blocked, Direct, Exponentials, History, Kernel, Row};
use crate::OdeError;
use crate::error::require;
use hpfracc_backend::{Autotuner, Work};
use std::sync::Arc;
use web_time::Instant;

/// Algorithm for the sum over the history.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum HistoryChoice {
    /// Exact to rounding: the faster of [`Direct`] and [`Blocked`] for the size of the solve.
    #[default]
    Exact,
    /// Relative error of each weight at most `tolerance`: the faster of [`Direct`], [`Blocked`]
    /// and, for kernels that have a sum of exponentials, [`Exponentials`].
    Within {
        /// Largest relative error of a weight.
        tolerance: f64,
    },
    /// [`Direct`].
    Direct,
    /// [`Blocked`].
    Blocked,
    /// [`Exponentials`]; for 64 components and more in tiles that are read and written once in 16
    /// steps, on all threads from 32 768 components on, with the same bits on any number of them.
    Exponentials {
        /// Largest relative error of a weight.
        tolerance: f64,
    },
    /// [`Exponentials`] with states and samples in single precision: half the memory of a field. The
    /// states are rounded once in 16 steps, each time by up to 6e-8 of their size.
    SingleExponentials {
        /// Largest relative error of a weight, before the rounding of the states.
        tolerance: f64,
    },
}

/// Largest tolerance of a sum of exponentials.
const LARGEST_TOLERANCE: f64 = 0.1;

impl HistoryChoice {
    /// Builds the history of `kernels` for `capacity` samples of `dim` components, by thresholds
    /// that were measured on one machine.
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
        self.build_tuned(kernels, (dim, capacity), None)
    }

    /// The same with an algorithm that the autotuner chooses, if there are several and the history
    /// is large enough that the choice matters. The history then measures its time and records it
    /// when it is dropped with all samples pushed.
    pub(crate) fn build_tuned(
        self,
        kernels: &[Kernel],
        (dim, capacity): (usize, usize),
        autotuner: Option<&Arc<dyn Autotuner>>,
    ) -> Result<Box<dyn History>, OdeError> {
        let work = self.work(kernels, dim, capacity)?;
        let Some(autotuner) = autotuner.filter(|_| work.is_worth_asking()) else {
            return work.by_thresholds().build(kernels, (dim, capacity), None);
        };
        let method = work.describe(|work| autotuner.choose(work)).min(work.algorithms.len() - 1);
        let tuned = (Arc::clone(autotuner), work.clone(), method);
        work.algorithms[method].build(kernels, (dim, capacity), Some(tuned))
    }

    /// Calls `with` with the description of the sums that [`Options::autotuner`](crate::Options) is
    /// asked about, for reports of their times.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a tolerance that is not positive and finite.
    pub fn describe<R>(
        self,
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        with: impl FnOnce(&Work<'_>) -> R,
    ) -> Result<R, OdeError> {
        Ok(self.work(kernels, dim, capacity)?.describe(with))
    }

    /// Estimated numbers in memory of the history that [`build`](Self::build) makes for some kernels
    /// with `rows` different rows in all, with its own copies of the rows: within some 5 %; and those
    /// of the rows while it is built, if they are product rules to be computed.
    pub(crate) fn numbers(
        self,
        (kernels, rows): (usize, usize),
        (dim, capacity): (usize, usize),
        (product_rules, tuned): (bool, bool),
    ) -> Result<[f64; 2], OdeError> {
        let work = self.sized((kernels, rows), (dim, capacity), || product_rules)?;
        let without_rows = matches!(
            work.by_thresholds(),
            Algorithm::Exponentials { .. } | Algorithm::SingleExponentials { .. }
        );
        let computed = if product_rules && !without_rows { rows } else { 0 };
        Ok([work.numbers(tuned), computed as f64 * capacity as f64])
    }

    /// Estimated numbers of 8 bytes of exponentials for `dim` components over steps of which the
    /// shortest is `ratio` times in the interval; None for another history.
    pub(crate) fn numbers_of_exponentials(self, dim: usize, ratio: f64) -> Option<f64> {
        let (tolerance, bytes) = match self {
            Self::Exponentials { tolerance } => (tolerance, 8.0),
            Self::SingleExponentials { tolerance } => (tolerance, 4.0),
            _ => return None,
        };
        // Planned sums, and the samples of a block and after it.
        let block = 2 * BLOCK + JUMPS + 2;
        let each = expected_exponentials(tolerance, ratio) + block as f64;
        let numbers = each * bytes / 8.0 + VECTORS;
        Some(if dim < MANY { 0.0 } else { numbers * dim as f64 })
    }

    /// The same choice for weights that are tables, which have no sum of exponentials.
    pub(crate) fn exact(self) -> Self {
        match self {
            Self::Direct | Self::Blocked | Self::Exact => self,
            Self::Within { .. } | Self::Exponentials { .. } | Self::SingleExponentials { .. } => {
                Self::Exact
            }
        }
    }

    /// Size of the sums, and the algorithms to choose from.
    fn work(
        self,
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
    ) -> Result<HistoryWork, OdeError> {
        let rows = kernels.iter().map(|kernel| kernel.rows().len()).sum();
        self.sized((kernels.len(), rows), (dim, capacity), || have_exponentials(kernels))
    }

    fn sized(
        self,
        (kernels, rows): (usize, usize),
        (dim, capacity): (usize, usize),
        have_exponentials: impl Fn() -> bool,
    ) -> Result<HistoryWork, OdeError> {
        let mut exact = vec![Algorithm::Direct, Algorithm::Blocked];
        let (tolerance, algorithms) = match self {
            Self::Exact => (0.0, exact),
            Self::Direct => (0.0, vec![Algorithm::Direct]),
            Self::Blocked => (0.0, vec![Algorithm::Blocked]),
            Self::Exponentials { tolerance } => {
                (tolerance, vec![Algorithm::Exponentials { tolerance }])
            }
            Self::SingleExponentials { tolerance } => {
                (tolerance, vec![Algorithm::SingleExponentials { tolerance }])
            }
            Self::Within { tolerance } => {
                let tolerance = checked_tolerance(tolerance)?;
                if tolerance >= SMALLEST_TOLERANCE && have_exponentials() {
                    exact.push(Algorithm::Exponentials { tolerance });
                }
                (tolerance, exact)
            }
        };
        Ok(HistoryWork { kernels, rows, dim, capacity, tolerance, algorithms })
    }
}

impl Algorithm {
    /// The history; with an autotuner, one that measures its time.
    fn build(
        self,
        kernels: &[Kernel],
        (dim, capacity): (usize, usize),
        tuned: Option<Tuned>,
    ) -> Result<Box<dyn History>, OdeError> {
        let start = Instant::now();
        Ok(match self {
            Self::Direct => timed(Direct::new(kernels, dim, capacity)?, start, tuned),
            Self::Blocked => timed(Blocked::new(kernels, dim, capacity)?, start, tuned),
            Self::SingleExponentials { tolerance } => timed(
                FieldExponentials::<f32>::new(kernels, dim, capacity, tolerance)?,
                start,
                tuned,
            ),
            Self::Exponentials { tolerance }
                if dim >= MANY && FieldExponentials::<f64>::fits(kernels, dim) =>
            {
                timed(
                    FieldExponentials::<f64>::new(kernels, dim, capacity, tolerance)?,
                    start,
                    tuned,
                )
            }
            Self::Exponentials { tolerance } => {
                timed(Exponentials::new(kernels, dim, capacity, tolerance)?, start, tuned)
            }
        })
    }
}

fn have_exponentials(kernels: &[Kernel]) -> bool {
    let has_form = |row: &Row| matches!(row, Row::Product { alpha, .. } if *alpha <= 2.0);
    kernels.iter().all(|kernel| kernel.rows().iter().all(has_form))
}

/// Tolerance of [`HistoryChoice::Within`], at most the largest of a sum of exponentials.
pub(crate) fn checked_tolerance(tolerance: f64) -> Result<f64, OdeError> {
    let (what, expected) = ("the tolerance of a history", "a positive finite number");
    require(tolerance > 0.0 && tolerance.is_finite(), what, tolerance, expected)?;
    Ok(tolerance.min(LARGEST_TOLERANCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Rule;

    /// The algorithm that is fastest by the priors, and that of the thresholds.
    fn fastest(choice: HistoryChoice, capacity: usize) -> (Algorithm, Algorithm) {
        let kernels = [Rule::Rectangle, Rule::Trapezoid].map(|r| Kernel::product(r, &[0.5], 1.0));
        let work = choice.work(&kernels, 1, capacity).unwrap();
        let time = |a: &&Algorithm| {
            let terms = a.cost(&work);
            terms.iter().map(|term| term.count * term.seconds).sum::<f64>()
        };
        let least = work.algorithms.iter().min_by(|a, b| time(a).total_cmp(&time(b))).unwrap();
        (*least, work.by_thresholds())
    }

    /// The priors agree with the thresholds a factor of four away from them.
    #[test]
    fn priors_and_thresholds_agree() {
        for choice in [HistoryChoice::Exact, HistoryChoice::Within { tolerance: 1e-8 }] {
            for capacity in [10, 150, 2400, 12_500, 200_000, 1_000_000] {
                let (prior, threshold) = fastest(choice, capacity);
                assert_eq!(prior, threshold, "{choice:?} {capacity}");
            }
        }
    }

    #[test]
    fn a_named_history_is_the_only_candidate() {
        for choice in [HistoryChoice::Direct, HistoryChoice::Blocked] {
            let named = |n| fastest(choice, n).1;
            assert_eq!(named(10), named(1_000_000));
        }
    }
}
