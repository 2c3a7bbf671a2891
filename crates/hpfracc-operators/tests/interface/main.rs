//! Errors, the catalogue and bound operators.

mod asynchronous;
mod errors;
mod rows;
