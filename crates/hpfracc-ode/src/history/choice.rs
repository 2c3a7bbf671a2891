use super::{Blocked, Direct, Exponentials, History, Kernel, Row};
use crate::OdeError;
use crate::error::out_of_range;
use hpfracc_lanes::causal::thresholds::{DIRECT_SERIES_UP_TO, EXPONENTIALS_FROM};

/// Algorithm for the sum over the history.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum HistoryChoice {
    /// Exact to rounding: the faster of [`Direct`] and [`Blocked`] for the size of the solve.
    #[default]
    Exact,
    /// Relative error of each weight at most `tolerance`: the faster of [`Direct`], [`Blocked`] and,
    /// for kernels that have a sum of exponentials, [`Exponentials`].
    Within {
        /// Largest relative error of a weight.
        tolerance: f64,
    },
    /// [`Direct`].
    Direct,
    /// [`Blocked`].
    Blocked,
    /// [`Exponentials`].
    Exponentials {
        /// Largest relative error of a weight.
        tolerance: f64,
    },
}

/// Tolerances for which sums of exponentials exist.
pub(super) const SMALLEST_TOLERANCE: f64 = 1e-13;
const LARGEST_TOLERANCE: f64 = 0.1;

/// Sizes on which the time of a history depends; samples are f64.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HistorySizes {
    kernels: usize,
    dim: usize,
    /// Number of samples.
    capacity: usize,
    /// Largest relative error of a weight; 0 for exact weights.
    tolerance: f64,
}

/// An algorithm that computes the sums to the accuracy required, with a prior of its cost.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    algorithm: Algorithm,
    /// Terms of the expected time.
    cost: [CostTerm; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Algorithm {
    Direct,
    Blocked,
    Exponentials { tolerance: f64 },
}

/// Term of an expected time: number of operations, and seconds per operation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CostTerm {
    count: f64,
    seconds: f64,
}

impl HistoryChoice {
    /// Builds the history of `kernels` for `capacity` samples of `dim` components.
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
            Self::Within { tolerance } => checked_tolerance(tolerance)?,
            Self::Exponentials { tolerance } => tolerance,
            _ => 0.0,
        };
        let sizes = HistorySizes { kernels: kernels.len(), dim, capacity, tolerance };
        let candidates = self.candidates(sizes, kernels);
        Ok(match choose(sizes, &candidates) {
            Algorithm::Direct => Box::new(Direct::new(kernels, dim, capacity)?),
            Algorithm::Blocked => Box::new(Blocked::new(kernels, dim, capacity)?),
            Algorithm::Exponentials { tolerance } => {
                Box::new(Exponentials::new(kernels, dim, capacity, tolerance)?)
            }
        })
    }

    /// The same choice for weights that are tables, which have no sum of exponentials.
    pub(crate) fn exact(self) -> Self {
        match self {
            Self::Direct | Self::Blocked | Self::Exact => self,
            Self::Within { .. } | Self::Exponentials { .. } => Self::Exact,
        }
    }

    /// Algorithms to choose from, in the order of the size of solve that they suit.
    fn candidates(self, sizes: HistorySizes, kernels: &[Kernel]) -> Vec<Candidate> {
        let tolerance = sizes.tolerance;
        let exponentials = Algorithm::Exponentials { tolerance };
        let algorithms = match self {
            Self::Direct => vec![Algorithm::Direct],
            Self::Blocked => vec![Algorithm::Blocked],
            Self::Exponentials { .. } => vec![exponentials],
            Self::Within { .. }
                if tolerance >= SMALLEST_TOLERANCE && have_exponentials(kernels) =>
            {
                vec![Algorithm::Direct, Algorithm::Blocked, exponentials]
            }
            Self::Exact | Self::Within { .. } => vec![Algorithm::Direct, Algorithm::Blocked],
        };
        let candidate = |algorithm: Algorithm| Candidate { algorithm, cost: algorithm.cost(sizes) };
        algorithms.into_iter().map(candidate).collect()
    }
}

impl Algorithm {
    /// Expected time of all samples, from the measurements of `ode/crossover` and `ode/relaxation`.
    fn cost(self, sizes: HistorySizes) -> [CostTerm; 2] {
        let HistorySizes { kernels, dim, capacity, tolerance } = sizes;
        let (n, dim, sums) = (capacity as f64, dim as f64, (kernels * dim) as f64);
        let term = |count: f64, seconds: f64| CostTerm { count, seconds };
        match self {
            // Products, and calls.
            Self::Direct => [term(0.5 * sums * n * n, 1.5e-10), term(sums * n, 1e-8)],
            // Products within a block of 256 samples, and transforms of the levels above it.
            Self::Blocked => {
                let levels = ((n / 256.0).log2() / 3.0).ceil().max(1.0);
                let transforms = (sums + dim) * n * n.max(2.0).log2() * levels;
                [term(128.0 * sums * n, 1.5e-10), term(transforms, 1e-9)]
            }
            // Products of some four exponentials for each digit, and the search for their nodes.
            Self::Exponentials { .. } => {
                let exponentials = 4.0 * -tolerance.max(SMALLEST_TOLERANCE).log10();
                [term((sums + dim) * n * exponentials, 5e-10), term(1.0, 3e-3)]
            }
        }
    }
}

/// Chooses one of the candidates by thresholds that were measured on one machine.
fn choose(sizes: HistorySizes, candidates: &[Candidate]) -> Algorithm {
    let preferred = |algorithm: &Algorithm| match algorithm {
        Algorithm::Direct => sizes.capacity <= DIRECT_SERIES_UP_TO,
        Algorithm::Blocked => {
            (DIRECT_SERIES_UP_TO + 1..EXPONENTIALS_FROM).contains(&sizes.capacity)
        }
        Algorithm::Exponentials { .. } => sizes.capacity >= EXPONENTIALS_FROM,
    };
    let algorithms = || candidates.iter().map(|candidate| candidate.algorithm);
    algorithms().find(preferred).or_else(|| algorithms().last()).unwrap_or(Algorithm::Direct)
}

fn have_exponentials(kernels: &[Kernel]) -> bool {
    let has_form = |row: &Row| matches!(row, Row::Product { alpha, .. } if *alpha <= 2.0);
    kernels.iter().all(|kernel| kernel.rows().iter().all(has_form))
}

/// Tolerance of [`HistoryChoice::Within`], at most the largest of a sum of exponentials.
pub(super) fn checked_tolerance(tolerance: f64) -> Result<f64, OdeError> {
    if tolerance > 0.0 && tolerance.is_finite() {
        return Ok(tolerance.min(LARGEST_TOLERANCE));
    }
    Err(out_of_range("the tolerance of a history", tolerance, "a positive finite number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Rule;

    fn fastest(choice: HistoryChoice, capacity: usize) -> (Algorithm, Algorithm) {
        let kernels = [Rule::Rectangle, Rule::Trapezoid].map(|r| Kernel::product(r, &[0.5], 1.0));
        let tolerance = if choice == HistoryChoice::Exact { 0.0 } else { 1e-8 };
        let sizes = HistorySizes { kernels: 2, dim: 1, capacity, tolerance };
        let candidates = choice.candidates(sizes, &kernels);
        let time = |c: &Candidate| c.cost.iter().map(|term| term.count * term.seconds).sum::<f64>();
        let least = candidates.iter().min_by(|a, b| time(a).total_cmp(&time(b))).unwrap();
        (least.algorithm, choose(sizes, &candidates))
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
