//! What layers spend their time in.

mod causal;
mod product;
mod scale;
mod sums;

pub(crate) use causal::{AROUND, Causal};
pub(crate) use product::{Base, Left, outer, product};
pub(crate) use scale::Scale;
pub(crate) use sums::{row_sums, total};
