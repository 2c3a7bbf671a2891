//! Fits of fractional partial differential equations.

mod case;
mod derivatives;
mod failures;
mod recovery;
mod repetition;
