//! The checked vocabulary of fractional calculus.
//!
//! Four small types are verified once, in their constructors, and are proof from then on:
//!
//! * [`Real`]: the scalar, `f32` or `f64` and nothing else;
//! * [`Order`]: the order alpha of a derivative or an integral, finite and not negative;
//! * [`Grid`]: at least two points with a positive, finite distance;
//! * [`Mesh`]: at least two finite points, each after the one before it.
//!
//! [`check_memory`] compares large results with the [`available_memory`] before they are allocated,
//! and [`shortest`] writes a number so that it reads back to the same bits.
//!
//! ```
//! use hpfracc_types::{Grid, Order, OrderError};
//!
//! let half = Order::new(0.5)?;
//! assert_eq!(half.ceil(), 1);
//! assert!(matches!(Order::new(-0.5), Err(OrderError::Negative { .. })));
//! assert!(Grid::uniform(1000, 0.0).is_err());
//! # Ok::<(), OrderError>(())
//! ```
#![forbid(unsafe_code)]

mod available_memory;
mod decimal;
mod error;
mod grid;
mod memory;
mod mesh;
mod order;
mod real;

pub use available_memory::available_memory;
pub use decimal::{shortest, without_zeros};
pub use error::{GridError, MeshError, OrderError};
pub use grid::Grid;
pub use memory::{MemoryError, check_memory};
pub use mesh::Mesh;
pub use num_traits;
pub use order::Order;
pub use real::Real;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
