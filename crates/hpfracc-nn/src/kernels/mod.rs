//! What layers spend their time in.

mod product;
mod sums;

pub(crate) use product::{Base, Left, Right, outer, product};
pub(crate) use sums::{row_sums, total};
