//! The backends of a machine: a table, names, and candidates for the selectors.

#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod name;
pub(crate) mod selectors;
pub(crate) mod set;
pub(crate) mod table;
pub(crate) mod thread_pool;
