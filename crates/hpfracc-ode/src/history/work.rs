//! The size of the sums over a history, the algorithms that compute them, and their expected times.

use super::tiles::{BLOCK, MANY, VECTORS};
use hpfracc_backend::{CostTerm, Method, Work};
use hpfracc_lanes::causal::BlockedSeries;
use hpfracc_lanes::causal::thresholds::{DIRECT_SERIES_UP_TO, EXPONENTIALS_FROM};

/// Smallest tolerance for which sums of exponentials exist.
pub(super) const SMALLEST_TOLERANCE: f64 = 1e-13;

/// Expected seconds of the sums from which an autotuner is asked: a choice and a record take three
/// microseconds together, at most 5 % of the work.
const WORTH_ASKING: f64 = 6e-5;

/// Expected number of exponentials of a power within a relative tolerance over times of this ratio:
/// the trapezoidal rule has some ln(1/tolerance) ln(8 ratio)/6 nodes.
pub(super) fn expected_exponentials(tolerance: f64, ratio: f64) -> f64 {
    -tolerance.max(SMALLEST_TOLERANCE).ln() * (8.0 * ratio.max(1.0)).ln() / 6.0
}

/// An algorithm for the sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Algorithm {
    Direct,
    Blocked,
    Exponentials {
        tolerance: f64,
    },
    /// With states of single precision.
    SingleExponentials {
        tolerance: f64,
    },
}

/// The sums over a history: their size, and the algorithms that compute them to the accuracy
/// required, in the order of the size of solve that they suit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HistoryWork {
    pub(super) kernels: usize,
    /// Different rows of weights, over all kernels.
    pub(super) rows: usize,
    pub(super) dim: usize,
    /// Number of samples; these are f64.
    pub(super) capacity: usize,
    /// Largest relative error of a weight; 0 for exact weights.
    pub(super) tolerance: f64,
    pub(super) algorithms: Vec<Algorithm>,
}

impl HistoryWork {
    /// Calls `with` with the description for an autotuner.
    pub(super) fn describe<R>(&self, with: impl FnOnce(&Work<'_>) -> R) -> R {
        let Self { kernels, rows, dim, capacity, tolerance, ref algorithms } = *self;
        let digits = if tolerance > 0.0 { -tolerance.log10() } else { 0.0 };
        let terms: Vec<_> = algorithms.iter().map(|a| (a.name(), a.cost(self))).collect();
        let methods: Vec<_> =
            terms.iter().map(|(name, terms)| Method { name, terms: &terms[..] }).collect();
        with(&Work {
            name: "history of a fractional differential equation",
            scalar: "f64",
            sizes: &[
                ("kernels", kernels as u64),
                ("rows", rows as u64),
                ("components", dim as u64),
                ("steps", capacity as u64),
                ("digits", digits.round() as u64),
            ],
            methods: &methods,
        })
    }

    /// Estimated numbers in memory of the history, its copies of the rows included, by the algorithm
    /// of the thresholds, or the largest of all if an autotuner chooses.
    pub(super) fn numbers(&self, tuned: bool) -> f64 {
        let Self { kernels, rows, dim, capacity, .. } = *self;
        // States, samples of a block, and planned sums of each kernel.
        let blocks = ((1 + kernels) * BLOCK) as f64;
        let field = |tolerance, bytes: f64| {
            let each = expected_exponentials(tolerance, capacity as f64) + blocks;
            (each * bytes + VECTORS) * dim as f64
        };
        let of = |algorithm: &Algorithm| match algorithm {
            Algorithm::Direct => (dim + rows) as f64 * capacity as f64,
            Algorithm::Blocked => BlockedSeries::<f64>::numbers(capacity, dim, rows, kernels * dim),
            // A state for each of few components is nothing next to tables of weights.
            Algorithm::Exponentials { .. } if dim < MANY => 0.0,
            Algorithm::Exponentials { tolerance } => field(*tolerance, 1.0),
            Algorithm::SingleExponentials { tolerance } => field(*tolerance, 0.5),
        };
        if tuned && self.is_worth_asking() {
            self.algorithms.iter().map(of).fold(0.0, f64::max)
        } else {
            of(&self.by_thresholds())
        }
    }

    /// Whether there is a choice whose gain may exceed the cost of asking an autotuner.
    pub(super) fn is_worth_asking(&self) -> bool {
        let cost = self.by_thresholds().cost(self);
        let seconds: f64 = cost.iter().map(|term| term.count * term.seconds).sum();
        self.algorithms.len() > 1 && seconds >= WORTH_ASKING
    }

    /// The algorithm by thresholds that were measured on one machine.
    pub(super) fn by_thresholds(&self) -> Algorithm {
        let capacity = self.capacity;
        let preferred = |algorithm: &Algorithm| match algorithm {
            Algorithm::Direct => capacity <= DIRECT_SERIES_UP_TO,
            Algorithm::Blocked => (DIRECT_SERIES_UP_TO + 1..EXPONENTIALS_FROM).contains(&capacity),
            Algorithm::Exponentials { .. } | Algorithm::SingleExponentials { .. } => {
                capacity >= EXPONENTIALS_FROM
            }
        };
        let algorithms = || self.algorithms.iter().copied();
        algorithms()
            .find(preferred)
            .or_else(|| algorithms().next_back())
            .unwrap_or(Algorithm::Direct)
    }
}

impl Algorithm {
    fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Blocked => "blocked",
            Self::Exponentials { .. } => "exponentials",
            Self::SingleExponentials { .. } => "exponentials in single precision",
        }
    }

    /// Expected time of all samples, from the measurements of `ode/crossover` and `ode/relaxation`.
    pub(super) fn cost(self, work: &HistoryWork) -> [CostTerm; 2] {
        let HistoryWork { kernels, dim, capacity, tolerance, .. } = *work;
        let (n, dim, sums) = (capacity as f64, dim as f64, (kernels * dim) as f64);
        let term = CostTerm::new;
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
            Self::Exponentials { .. } | Self::SingleExponentials { .. } => {
                let exponentials = 4.0 * -tolerance.max(SMALLEST_TOLERANCE).log10();
                [term((sums + dim) * n * exponentials, 5e-10), term(1.0, 3e-3)]
            }
        }
    }
}
