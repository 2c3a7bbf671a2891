//! Uncertainty of fits, against closed forms of linear models and by simulation.

mod bootstrap;
mod comparison;
mod coverage;
mod data;
mod losses;
mod posterior;
