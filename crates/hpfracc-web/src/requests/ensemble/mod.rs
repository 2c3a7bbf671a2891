//! Statistics of an ensemble.

mod displacement;
mod final_values;
mod known;
#[cfg(feature = "webgpu")]
mod on_gpu;
mod on_processor;
mod request;
mod result;

#[cfg(feature = "webgpu")]
pub(crate) use on_gpu::ensemble_anywhere;
pub(crate) use request::Request;
pub(crate) use result::Statistics;

use crate::budget::Timer;
use crate::failure::Failure;
use crate::transfer::Numbers;
use request::Place;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Number of sample paths.
const SHOWN_PATHS: usize = 12;
/// Probabilities of the quantiles.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Solves on the processor.
pub(crate) fn ensemble(
    request: &Request,
    cancel: &Arc<AtomicBool>,
    numbers: &mut Numbers,
) -> Result<Statistics, Failure> {
    if request.place == Place::Gpu {
        return Err(Failure::new("there is no GPU: this browser has no WebGPU, or it is not open"));
    }
    let timer = request.budget.start(cancel);
    let work = request.work()?;
    let collected = on_processor::solve(&work, &timer, vec![])?;
    Ok(result::statistics(&work, collected, timer.milliseconds(), numbers))
}

/// Error of a solve, which a user or the end of the time cancels.
fn failure(error: impl std::error::Error, timer: &Timer) -> Failure {
    if timer.is_over() {
        let what = "before all paths were solved; take fewer paths or steps";
        return Failure::new(timer.message(what));
    }
    error.into()
}
