//! Numbers, complex numbers and tables as text; text of unknown origin in messages.

pub mod complex;
pub(crate) mod layout;
mod numbers;
mod printable;
mod suggestion;

pub(crate) use numbers::{mebibytes, rounded};
pub use printable::printable;
pub(crate) use suggestion::did_you_mean;
pub use suggestion::nearest;
