//! Functions: their values and their fractional derivatives.

pub(crate) mod derivative;
pub(crate) mod mittag_leffler;
