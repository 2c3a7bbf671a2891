//! What layers spend their time in.

mod few;
mod product;
mod scale;
mod sums;

pub(crate) use few::{lanes, write};
pub(crate) use product::{Base, Left, Right, outer, product};
pub(crate) use scale::Scale;
pub(crate) use sums::{row_sums, total};
