//! Linear systems of implicit steps.

mod gmres;
mod inverse;
mod linearised;

pub(crate) use linearised::Linearised;
