//! Backends that compute on the CPU: one type for each algorithm.
//!
//! | backend | name | causal convolution | spectral multiplier | trigonometric multiplier | dense | recurrence |
//! |---|---|---|---|---|---|---|
//! | [`Direct`] | `cpu-direct` | sums in registers | | | | |
//! | [`Fft`] | `cpu-fft` | right-angle transform | real transforms | two lines in a complex one | | |
//! | [`ParallelFft`] | `cpu-parallel-fft` | the same on all threads | over the batch | the same on all threads | | |
//! | [`Gemm`] | `cpu-gemm` | | | | matrix product | |
//! | [`Recurrence`] | `cpu-recurrence` | | | | | states in registers |
//! | [`ParallelRecurrence`] | `cpu-parallel-recurrence` | | | | | over the batch |
//!
//! All take `f32` and `f64`, pass [`hpfracc_backend::conformance`], and give the same bits each
//! time, for any number of threads. A workload that a backend has no algorithm for is
//! [`BackendError::Unsupported`](hpfracc_backend::BackendError::Unsupported).
//!
//! Make a backend once and reuse it: it caches transforms and recent plans, at most some 64 MiB of
//! each, and clones share them. A larger plan is not cached: reuse the plan itself. A plan can be
//! bound to any number of kernels, and a map is used by any number of threads at once. The first
//! call of a map allocates scratch memory, later ones none.
//!
//! ```
//! use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
//! use hpfracc_cpu::{Direct, Fft};
//!
//! // Half an integral of a constant, with the weights of Grünwald and Letnikov: (1 - z)^(-1/2).
//! let n = 1000;
//! let mut weights = vec![1.0_f64; n];
//! for k in 1..n {
//!     weights[k] = weights[k - 1] * (1.0 - 0.5 / k as f64);
//! }
//! let workload = Workload::CausalConvolution { len: n, batch: 1 };
//! let (mut summed, mut transformed) = (vec![0.0; n], vec![0.0; n]);
//! Direct.plan(workload)?.bind(&weights)?.apply(&vec![1.0; n], &mut summed)?;
//! Fft::new().plan(workload)?.bind(&weights)?.apply(&vec![1.0; n], &mut transformed)?;
//! for (a, b) in summed.iter().zip(&transformed) {
//!     assert!((a - b).abs() < 1e-13 * summed[n - 1]);
//! }
//! # Ok::<(), BackendError>(())
//! ```

mod buffers;
mod causal_convolution;
mod dense;
mod fft;
mod fourier;
mod instruction_set;
mod planning;
mod recurrence;
mod spectral_multiplier;
mod trigonometric_multiplier;

pub use causal_convolution::Direct;
pub use dense::Gemm;
pub use fft::{Fft, ParallelFft};
pub use instruction_set::InstructionSet;
pub use recurrence::{ParallelRecurrence, Recurrence};
