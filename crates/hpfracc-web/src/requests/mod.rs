//! The kinds of requests.

mod about;
mod catalogue;
mod check;
mod derivative;
mod ensemble;
mod fit;
mod scan;
mod solve;

pub(crate) use about::about;
pub(crate) use catalogue::catalogue;
pub(crate) use check::check;
pub(crate) use derivative::{derivative, operators};
pub(crate) use ensemble::ensemble;
#[cfg(feature = "webgpu")]
pub(crate) use ensemble::ensemble_anywhere;
pub(crate) use fit::{fit, model, models};
pub(crate) use scan::scan;
pub(crate) use solve::solve;

use serde::Deserialize;

/// Request without fields; a budget is ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Nothing {}
