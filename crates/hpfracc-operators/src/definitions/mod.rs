//! The definitions, one file each: meaning, schemes and rows of the catalogue.

pub(crate) mod atangana_baleanu;
pub(crate) mod caputo;
pub(crate) mod caputo_fabrizio;
pub(crate) mod distributed_order;
pub(crate) mod entry;
pub(crate) mod erdelyi_kober;
pub(crate) mod fractional_laplacian;
pub(crate) mod grunwald_letnikov;
pub(crate) mod hadamard;
pub(crate) mod interval_laplacian;
pub(crate) mod katugampola;
pub(crate) mod kind;
pub(crate) mod marchaud;
pub(crate) mod miller_ross;
pub(crate) mod normalisation;
pub(crate) mod prabhakar;
pub(crate) mod riemann_liouville;
pub(crate) mod riesz;
pub(crate) mod riesz_feller;
pub(crate) mod rl_integral;
pub(crate) mod spectral_laplacian;
pub(crate) mod substitution;
pub(crate) mod tempered;
pub(crate) mod variable_order;
pub(crate) mod weyl;
