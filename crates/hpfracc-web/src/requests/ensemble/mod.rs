//! Statistics of an ensemble.

mod displacement;
mod final_values;
mod known;
mod request;
mod result;

pub(crate) use request::Request;
pub(crate) use result::Statistics;

use crate::failure::Failure;
use crate::transfer::Numbers;
use displacement::Displacement;
use final_values::FinalValues;
use hpfracc::sde::{Ensemble, FirstPaths, Moments, Quantiles, SdeError};
use request::Work;
use result::Collected;

/// Number of sample paths.
const SHOWN_PATHS: usize = 12;
/// Probabilities of the quantiles.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

pub(crate) fn ensemble(request: &Request, numbers: &mut Numbers) -> Result<Statistics, Failure> {
    let timer = request.budget.start();
    let work = request.work()?;
    let collected = on_processor(&work, &timer)?;
    Ok(result::statistics(&work, collected, timer.milliseconds(), numbers))
}

/// Solves on the processor.
fn on_processor(work: &Work, timer: &crate::budget::Timer) -> Result<Collected, Failure> {
    let look = |_| timer.look();
    let ensemble = Ensemble::new(work.paths, work.steps)?.saving_every(work.every)?;
    let ensemble = ensemble.watched_by(&look).cancelled_by(timer.flag());
    let displacement = work.random_start.then_some(Displacement);
    let few = (Moments, FirstPaths { paths: SHOWN_PATHS });
    let collector = ((few, Quantiles::new(&QUANTILES)?), (FinalValues, displacement));
    let solved = work.model.simulate::<f64, _>(&ensemble, work.seed, &collector);
    match solved {
        Ok((((moments, first), quantiles), (last, displacement))) => {
            Ok(Collected { moments, first, quantiles, last, displacement })
        }
        Err(error) if timer.is_over() && is_cancelled(&error) => Err(Failure::new(
            timer.message("before all paths were solved; take fewer paths or steps"),
        )),
        Err(error) => Err(error.into()),
    }
}

fn is_cancelled(error: &(dyn std::error::Error + 'static)) -> bool {
    let cancelled = |error: &SdeError| matches!(error, SdeError::Cancelled);
    let mut next = Some(error);
    while let Some(error) = next {
        if error.downcast_ref().is_some_and(cancelled)
            || error.to_string() == SdeError::Cancelled.to_string()
        {
            return true;
        }
        next = error.source();
    }
    false
}
