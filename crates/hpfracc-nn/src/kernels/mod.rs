//! Kernels of the layers: products, sums over the past, reductions.

mod each_sample;
mod few;
mod finite;
mod scale;
mod sums;

pub(crate) use each_sample::{EachSample, Samples};
pub(crate) use few::{lanes, write};
pub(crate) use finite::{AllFinite, first_not_finite};
pub(crate) use scale::Scale;
pub(crate) use sums::{row_sums, total};
