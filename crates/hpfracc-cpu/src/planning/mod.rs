//! What the plans of the backends share: dispatch on the scalar, a cache of plans.

pub(crate) mod concrete;
pub(crate) mod plan_cache;
