//! This computer: its devices, and the choice of a backend.

pub(crate) mod devices;
pub(crate) mod explain;
