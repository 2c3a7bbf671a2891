//! Extension module of the Python package `hpfracc`.
//!
//! Each folder has the classes and functions of one part; the modules of `python/hpfracc` give them signatures, defaults
//! and documentation. `arrays`, `errors` and `running` are what all parts share.

mod arrays;
mod errors;
mod extension;
mod fields;
mod fit;
mod machine;
mod ode;
mod operators;
mod running;
mod sde;
mod series;
mod special;
mod training;
