//! Linear systems of implicit steps.

mod inverse;
mod linearised;

pub(crate) use linearised::Linearised;
