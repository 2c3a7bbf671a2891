//! Expression graphs lowered to the text of shaders in WGSL, the language of WebGPU: text only, without a device.
//!
//! [`ShaderFunction`] is the text of a function of the state, with one number a path where
//! [`Program`](crate::Program) has rows. It has the same operations in the same order, each rounded by itself, and
//! therefore the bits of the program in single and double precision where arithmetic is that of IEEE 754: compilers may
//! combine operations, unless [`Rounding::Guarded`] keeps them from it.
//! [`Library`] has the functions that such texts call, arithmetic among them, so that one text serves each
//! [`NumberFormat`]. Built-in `exp`, `log`, `sin`, `tanh` and the like are never used: devices round them as they like.

mod coefficients;
mod error;
mod format;
mod function;
mod labels;
mod layers;
mod library;
mod weights;

pub use coefficients::{coefficients, coefficients_vjp};
pub use error::ShaderError;
pub use format::NumberFormat;
pub use function::{ShaderFunction, UniformRows, WeightMemory};
pub use library::{Capabilities, Library, Rounding};
