//! What layers spend their time in.

mod causal;
mod fourier;
mod product;
mod sums;

pub(crate) use causal::{AROUND, Causal, Target};
pub(crate) use fourier::{Series, Spectrum};
pub(crate) use product::{Base, Left, outer, product};
pub(crate) use sums::{row_sums, total};
