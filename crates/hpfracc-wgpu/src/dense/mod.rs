//! Dense products of batches of signals.

mod gemm;
mod product;

pub use gemm::Gemm;
#[cfg(test)]
pub(crate) use product::source;
