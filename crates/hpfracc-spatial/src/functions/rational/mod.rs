//! Rational functions of an operator: partial fractions with real poles.

mod aaa;
mod factors;
mod logarithmic_grid;
mod partial_fractions;
mod rational_plan;
mod sinc;

pub use partial_fractions::PartialFractions;
pub(crate) use rational_plan::{Fractions, Rational, exponent_of};
