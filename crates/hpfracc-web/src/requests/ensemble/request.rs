use crate::budget::Budget;
use crate::case::Case;
use crate::failure::Failure;
use hpfracc::sde::EquationModel;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    case: Case,
    steps: usize,
    paths: usize,
    seed: u64,
    #[serde(default, rename = "where")]
    pub(super) place: Place,
    #[serde(default)]
    precision: Precision,
    #[serde(default = "bins")]
    histogram_bins: usize,
    #[serde(default)]
    pub(super) budget: Budget,
}

/// Where an ensemble is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    /// Where it is expected to take less time.
    #[default]
    Auto,
    /// On the GPU, or not at all.
    Gpu,
    /// On the processor.
    Cpu,
}

/// Numbers of an ensemble on the processor; a GPU computes in single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Precision {
    /// Twice as many paths in a register; rounding is far below the error of a mean over paths.
    #[default]
    Single,
    Double,
}

fn bins() -> usize {
    50
}

/// Ensemble to solve.
pub(super) struct Work {
    pub(super) model: EquationModel,
    pub(super) paths: usize,
    pub(super) steps: usize,
    pub(super) seed: u64,
    /// Distance of saved nodes.
    pub(super) every: usize,
    pub(super) bins: usize,
    pub(super) precision: Precision,
    /// Whether paths start at different values.
    pub(super) random_start: bool,
}

/// Most paths, steps and bins.
const MOST: usize = 1 << 31;
const MOST_BINS: usize = 10_000;
/// Number of intervals between saved times, about.
const INTERVALS: usize = 100;

impl Request {
    /// The ensemble, if it fits the budget.
    pub(super) fn work(&self) -> Result<Work, Failure> {
        let &Self { paths, steps, seed, precision, histogram_bins: bins, budget, .. } = self;
        for (what, value, most) in [
            ("paths", paths, MOST),
            ("steps", steps, MOST),
            ("bins of the histogram", bins, MOST_BINS),
        ] {
            if !(1..=most).contains(&value) {
                return Err(Failure::new(format!("{value} {what}, expected 1 to {most}")));
            }
        }
        let equation = self.case.prepare()?.equation;
        let model = EquationModel::new(&equation)?;
        let random_start = equation.states().iter().any(|state| state.random_start().is_some());
        let every = steps.div_ceil(INTERVALS);
        let work = Work { model, paths, steps, seed, every, bins, precision, random_start };
        budget.admit(&format!("an ensemble of {paths} paths"), work.bytes())?;
        Ok(work)
    }
}

impl Work {
    /// Estimated bytes: all values at the end, and sums and sketches at the saved times, of which a few shards wait to be
    /// merged.
    fn bytes(&self) -> f64 {
        let observables = self.model.observables().len() as f64;
        let times = (self.steps / self.every + 2) as f64;
        let of_a_time = observables * (65_536.0 + 64.0 * (2.0 + observables));
        16.0 * self.paths as f64 * observables + times * of_a_time
    }
}
