//! Vector code for `f32` and `f64` on any instruction set: [`Lanes`], SIMD registers;
//! [`Elementary`], elementary functions that become vector code where loops over them are compiled
//! for an instruction set, [`unfused`], some that need no fused multiply-add, and [`two_parts`],
//! logarithms and exponentials in two parts; [`causal`], sums over the past; [`product`], matrix
//! products; [`random`], counter-based random numbers; [`Storage`], 16-bit formats of stored numbers.
//!
//! ```
//! use hpfracc_lanes::Elementary;
//! use pulp::{Arch, Simd, WithSimd};
//!
//! struct Tanh<'a>(&'a mut [f32]);
//!
//! impl WithSimd for Tanh<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn with_simd<S: Simd>(self, _: S) {
//!         self.0.iter_mut().for_each(|x| *x = Elementary::tanh(*x));
//!     }
//! }
//!
//! let mut x = [0.5f32; 100];
//! Arch::new().dispatch(Tanh(&mut x));
//! assert!((x[99] - 0.462_117_16).abs() < 1e-7);
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod dispatched;

mod aligned_vec;
pub mod causal;
mod elementary;
mod lanes;
mod lu;
pub mod product;
pub mod random;
mod rows;
mod storage;

pub use aligned_vec::AlignedVec;
pub use dispatched::vectorised;
pub use elementary::{Elementary, Tables, two_parts, unfused};
pub use lanes::{LONGEST, Lanes};
pub use lu::Lu;
pub use num_complex;
pub use pulp;
pub use realfft;
pub use rows::{Rows, RowsMut, RowsOf};
pub use storage::{CompactVec, Storage, StorageOverflow};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
