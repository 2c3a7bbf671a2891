//! Sums of exponentials by their states.

mod backend;
mod shader;

pub use backend::{Recurrence, Recurrence64, RecurrenceDf64};
#[cfg(test)]
pub(crate) use shader::Shader;
