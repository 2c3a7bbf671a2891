//! Fits over ranks have the bits of fits alone.

mod faults;
mod results;

use hpfracc_communicator::{CommunicatorError, run_threads};
use hpfracc_equation::Formula;
use hpfracc_fit::{FitError, FormulaModel, Found};

const RANKS: [usize; 4] = [2, 3, 4, 7];

fn model(text: &str) -> FormulaModel {
    FormulaModel::new(&[Formula::parse(text, &["x"]).unwrap()]).unwrap()
}

/// Numbers between -1/2 and 1/2.
fn noise(k: usize) -> f64 {
    ((k as f64 * 12.9898).sin() * 43758.5453).fract() / 2.0
}

/// A decay with noise, of which some are far off.
fn decay(rows: usize) -> [Vec<f64>; 2] {
    let x: Vec<f64> = (0..rows).map(|k| 3.0 * k as f64 / rows as f64).collect();
    let y = |(k, x): (usize, &f64)| {
        let far = if k.is_multiple_of(97) { 20.0 } else { 1.0 };
        2.0 * (-x / 0.8).exp() + 0.5 + 0.02 * far * noise(k)
    };
    let y = x.iter().enumerate().map(y).collect();
    [x, y]
}

/// All numbers of a result.
fn bits(found: &Found<'_>) -> Vec<u64> {
    let estimates = found.estimates();
    let errors = estimates.iter().map(|estimate| estimate.standard_error.unwrap_or(f64::NAN));
    let numbers = found.values().into_iter().chain(errors);
    numbers.chain([found.cost(), found.passes() as f64]).map(f64::to_bits).collect()
}

/// Results of all ranks, which are those of a process alone.
fn same_on_ranks<R: PartialEq + std::fmt::Debug + Send>(
    run: impl Fn(Option<&dyn hpfracc_communicator::Communicator>) -> Result<R, FitError> + Sync,
) -> R {
    let alone = run(None).unwrap();
    for size in RANKS {
        for (rank, found) in run_threads(size, |ranks| run(Some(ranks))).unwrap().iter().enumerate()
        {
            assert_eq!(*found, alone, "rank {rank} of {size}");
        }
    }
    alone
}

/// The rank of an error of another rank.
fn rank_of(error: &FitError) -> Option<usize> {
    match error {
        FitError::Ranks(CommunicatorError::OnRank { rank, .. }) => Some(*rank),
        _ => None,
    }
}
