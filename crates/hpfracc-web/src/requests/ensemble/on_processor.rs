use super::displacement::Displacement;
use super::final_values::{FinalValues, Histogram};
use super::request::{Precision, Work};
use super::result::Collected;
use super::result::{QUANTILES, SHOWN_PATHS, failure};
use crate::budget::Timer;
use crate::failure::Failure;
use hpfracc::EnsembleScalar;
use hpfracc::sde::{Ensemble, FirstPaths, Moments, Quantiles};

/// Solves on the processor.
pub(super) fn solve(work: &Work, timer: &Timer, notes: Vec<String>) -> Result<Collected, Failure> {
    match work.precision {
        Precision::Single => solve_in::<f32>(work, timer, notes),
        Precision::Double => solve_in::<f64>(work, timer, notes),
    }
}

fn solve_in<T: EnsembleScalar>(
    work: &Work,
    timer: &Timer,
    notes: Vec<String>,
) -> Result<Collected, Failure> {
    let look = |_| timer.look();
    let ensemble = Ensemble::new(work.paths, work.steps)?.saving_every(work.every)?;
    let ensemble = ensemble.watched_by(&look).cancelled_by(timer.flag());
    let displacement = work.random_start.then_some(Displacement);
    let few = (Moments, FirstPaths { paths: SHOWN_PATHS });
    let collector = ((few, Quantiles::new(&QUANTILES)?), (FinalValues, displacement));
    let solved = work.model.simulate::<T, _>(&ensemble, work.seed, &collector);
    let solved = solved.map_err(|error| failure(error, timer))?;
    let (((moments, first), quantiles), (last, displacement)) = solved;
    let histograms = last.iter().map(|values| Histogram::new(values, work.bins)).collect();
    let device = processor().to_owned();
    Ok(Collected { moments, first, quantiles, histograms, device, notes, displacement })
}

/// The processor's part in words.
fn processor() -> &'static str {
    match (cfg!(target_arch = "wasm32"), cfg!(target_feature = "simd128")) {
        (true, true) => "WebAssembly, SIMD",
        (true, false) => "WebAssembly",
        _ => "processor",
    }
}
