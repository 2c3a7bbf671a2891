//! Errors, the catalogue and bound operators.

mod accuracy;
mod asynchronous;
mod errors;
mod rows;
