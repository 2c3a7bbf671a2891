//! What the plans of the backends share: dispatch on the scalar, a cache of plans, refusals.

pub(crate) mod concrete;
pub(crate) mod plan_cache;
mod unsupported;

pub(crate) use unsupported::unsupported;
