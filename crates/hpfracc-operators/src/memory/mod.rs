//! The memory of an operator as a sum of exponentials (SOE).

pub(crate) mod mesh_memory;
pub(crate) mod recurrence;
pub(crate) mod sum_of_exponentials;
