//! Models before they have seen data, and those of sets.

mod callable;
mod fields;
mod specification;

pub(super) use specification::{FitModel, SetModel};
