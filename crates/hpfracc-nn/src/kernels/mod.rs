//! Kernels of the layers: products, sums over the past, reductions.

mod causal;
mod each_sample;
mod few;
mod finite;
mod fourier;
mod product;
mod scale;
mod sums;

pub(crate) use causal::{AROUND, Causal, Target};
pub(crate) use each_sample::{EachSample, Samples};
pub(crate) use few::{lanes, write};
pub(crate) use finite::{AllFinite, first_not_finite};
pub(crate) use fourier::{Series, Spectrum};
pub(crate) use product::{Base, Left, Right, outer, product};
pub(crate) use scale::Scale;
pub(crate) use sums::{row_sums, total};
