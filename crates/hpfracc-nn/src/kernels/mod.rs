//! What layers spend their time in.

mod few;
mod finite;
mod scale;
mod sums;

pub(crate) use few::{lanes, write};
pub(crate) use finite::{AllFinite, first_not_finite};
pub(crate) use scale::Scale;
pub(crate) use sums::{row_sums, total};
