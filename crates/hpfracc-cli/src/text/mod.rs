//! Numbers, complex numbers and tables as text.

pub mod complex;
pub(crate) mod layout;
mod numbers;

pub use numbers::digits17;
pub(crate) use numbers::{rounded, shortest, without_zeros};
