//! Facts about a system that are found from its graph: what depends on what, what is linear, which noise
//! acts where.
//!
//! A fact is one of the graph as it is written: `x - x` depends on x. Simplify before.

mod commuting;
mod dependencies;
mod description;
mod equation_fingerprint;
mod fingerprint;
mod linear;
mod linear_part;
mod noise;
mod normal_form;
mod polynomial;
mod rational;
mod table_range;
mod variables;

pub use commuting::noises_commute;
pub use dependencies::{dependencies, is_autonomous};
pub use description::{event_text, form, is_time_invariant};
pub use fingerprint::fingerprint;
pub use linear::{Linear, Nonlinear, coefficients};
pub use linear_part::{LinearPart, linear_part};
pub use noise::{DiffusionEntry, NoiseKind, additive_noises, noise_kind};
pub use table_range::TableRangeError;
