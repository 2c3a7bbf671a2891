//! Sources and boundary values, and the points where they are evaluated.

pub(crate) mod boundary;
pub(crate) mod function_of_time;
pub(crate) mod points;
pub(crate) mod source;

pub use boundary::BoxOperator;
pub use points::{Points, Site};
