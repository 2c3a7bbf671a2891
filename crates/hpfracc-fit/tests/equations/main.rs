//! Fits of fractional differential equations.

mod case;
mod derivatives;
mod failures;
mod recovery;
