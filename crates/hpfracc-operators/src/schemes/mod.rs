//! Schemes: the weights that several definitions share.

pub(crate) mod bdf_starts;
pub(crate) mod cell_integrals;
pub(crate) mod cells;
pub(crate) mod exponential_moments;
pub(crate) mod frequencies;
pub(crate) mod gauss;
pub(crate) mod huang_oberman;
pub(crate) mod l1;
pub(crate) mod lubich;
pub(crate) mod ortigueira;
pub(crate) mod pairs;
pub(crate) mod power_sums;
pub(crate) mod sequences;
