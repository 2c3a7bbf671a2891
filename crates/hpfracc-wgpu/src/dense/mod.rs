//! Dense products of batches of signals.

#[cfg(test)]
pub(crate) mod affine;
mod gemm;
mod product;

pub use gemm::Gemm;
#[cfg(test)]
pub(crate) use product::source;
