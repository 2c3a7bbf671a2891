//! Kernels of the layers: products, sums over the past, reductions.

mod each_sample;
mod few;
mod finite;
mod sums;
mod vectorised;

pub(crate) use each_sample::{EachSample, Samples, blocks};
pub(crate) use few::{lanes, split, split_mut, write};
pub(crate) use finite::{all_finite, first_not_finite};
pub(crate) use sums::{multiply, row_sums, scale, total};
pub(crate) use vectorised::vectorised;
