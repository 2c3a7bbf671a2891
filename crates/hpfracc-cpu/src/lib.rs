//! CPU backends.

mod aligned;
mod bands;
mod causal_convolution;
mod dense;
mod fft;
mod lengths;
mod pointwise;
mod roots;
mod same;
mod scratch;
mod spectral_multiplier;
mod transforms;
mod unsupported;

pub use causal_convolution::Direct;
pub use dense::Gemm;
pub use fft::{Fft, ParallelFft};
use unsupported::unsupported;
