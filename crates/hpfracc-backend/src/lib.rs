//! Workloads, backends, plans and linear maps: the interface between fractional operators and the
//! algorithms that compute them.
//!
//! Fractional calculus is linear maps with memory. On a uniform grid a fractional derivative is a
//! lower-triangular Toeplitz matrix, in Fourier space it is a multiplier, on a box a multiplier in
//! sines and cosines, and in a network it is used with dense products. All of them are computed in four steps:
//!
//! 1. a [`Workload`] has the *sizes* of a map: it is the key of a plan, of a choice between
//!    backends, and the label of a benchmark;
//! 2. a [`Backend`] makes a [`Plan`] for a workload: one algorithm on one device;
//! 3. the plan is bound to a kernel (the weights, the symbol, the matrix), which gives a
//!    [`LinearMap`] with the data of the kernel, its spectrum for instance;
//! 4. the map is applied to signals, forward or transposed.
//!
//! ```
//! use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Reference, Workload};
//!
//! let workload = Workload::CausalConvolution { len: 3, batch: 1 };
//! let plan = Reference.plan(workload)?;
//! let sum = plan.bind(&[1.0, 1.0, 1.0])?;
//!
//! let mut y = [0.0; 3];
//! sum.apply(&[1.0, 2.0, 3.0], &mut y)?;
//! assert_eq!(y, [1.0, 3.0, 6.0]);
//! # Ok::<(), BackendError>(())
//! ```
//!
//! [`Reference`] is the specification: the formulas in loops. [`conformance::verify`] compares any
//! backend with it. An [`Autotuner`] chooses between several methods of a solver by measured times.
#![forbid(unsafe_code)]

mod autotuner;
mod checks;
pub mod conformance;
mod error;
mod map;
mod real_transform;
mod reference;
mod rounded;
mod shape;
mod spectrum;
mod split;
mod transform_axes;
mod workload;

pub use autotuner::{Autotuner, CostTerm, Method, Work};
pub use error::BackendError;
pub use map::{Backend, Direction, LinearMap, Pending, Plan};
pub use real_transform::{FourierForm, RealTransform};
pub use reference::Reference;
pub use rounded::Rounded;
pub use shape::Shape;
pub use split::{Share, Split};
pub use transform_axes::TransformAxes;
pub use workload::{Kind, Workload};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
