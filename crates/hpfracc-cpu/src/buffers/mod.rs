//! Memory of the kernels: aligned buffers, a pool of scratch, bands of columns, prefetch hints.

pub(crate) mod aligned;
pub(crate) mod column_bands;
pub(crate) mod prefetch;
pub(crate) mod scratch_pool;
