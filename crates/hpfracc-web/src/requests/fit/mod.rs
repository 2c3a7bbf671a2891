//! Models fitted to data.

mod chosen;
mod models;
mod request;
mod result;

pub(crate) use models::{model, models};
pub(crate) use request::Request;
pub(crate) use result::Fitted;

use crate::failure::Failure;
use crate::transfer::Numbers;
use hpfracc::fit::{Fit, Set};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn fit(
    request: &Request,
    cancel: &Arc<AtomicBool>,
    all: &[f64],
    numbers: &mut Numbers,
) -> Result<Fitted, Failure> {
    let timer = request.budget.start(cancel);
    let chosen = request.chosen(all)?;
    let column = |name: &String| request.column(name, all);
    let inputs = chosen.inputs.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let data = chosen.responses.iter().map(|(_, name)| column(name));
    let data = data.collect::<Result<Vec<_>, _>>()?;
    let mut set = Set::new("data", &*chosen.model);
    for input in &inputs {
        set = set.input(*input);
    }
    for response in &data {
        set = set.response(*response);
    }
    let fit = request.configured(Fit::new(set)?, &*chosen.model)?;
    request.budget.admit("the fit", fit.plan().bytes() as f64)?;
    let mut look = |_| timer.look();
    let found = fit.progress(&mut look).cancel(timer.flag()).run()?;
    result::fitted(&chosen, &found, (&inputs, &data), &timer, numbers)
}
