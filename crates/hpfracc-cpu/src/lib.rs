//! CPU backends.

mod aligned;
mod bands;
mod causal_convolution;
mod concrete;
mod dense;
mod fft;
mod lanes;
mod lengths;
mod pointwise;
mod prefetch;
mod recent;
mod roots;
mod scratch;
mod spectral_multiplier;
mod transforms;
mod unsupported;

pub use causal_convolution::Direct;
pub use dense::Gemm;
pub use fft::{Fft, ParallelFft};
use unsupported::unsupported;
