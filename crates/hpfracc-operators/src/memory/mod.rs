//! The past as a sum of exponentials.

pub(crate) mod exponentials;
pub(crate) mod mesh_memory;
pub(crate) mod recurrence;
pub(crate) mod sum_of_exponentials;
