//! The linear maps of fractional calculus as compute shaders, on any GPU that wgpu reaches.
//!
//! [`Gpu`] is a device: of its own ([`Gpu::new`], [`Gpu::with`]) or one that the program around
//! already owns ([`Gpu::from_device`]). Where there is no adapter, that is an error. The backends are
//! small values on it, like those of the CPU:
//!
//! | f32 | f64 | f64 by pairs of f32 | maps |
//! |---|---|---|---|
//! | [`Fft`] | [`Fft64`] | [`FftDf64`] | causal convolutions, spectral multipliers |
//! | [`Direct`] | [`Direct64`] | [`DirectDf64`] | causal convolutions |
//! | [`Gemm`] | [`Gemm64`] | [`GemmDf64`] | dense products |
//! | [`Recurrence`] | [`Recurrence64`] | [`RecurrenceDf64`] | recurrences of sums of exponentials |
//! | [`Affine`] | [`Affine64`] | | dense products with bias and activation in one |
//!
//! Double precision is a value too: [`Gpu::double`] gives a [`Double`] on a device that has it and
//! passes a self-test, and the f64 backends are made from that. On a device without it,
//! [`Gpu::double_float`] gives a [`DoubleFloat`], after a self-test as well: 48 bits in the range of
//! f32, which the host scales to what it needs.
//!
//! ```no_run
//! use hpfracc_backend::{Backend, LinearMap, Plan, Workload};
//! use hpfracc_wgpu::{Fft, Gpu};
//!
//! let gpu = Gpu::new()?;
//! let plan = Fft::new(&gpu).plan(Workload::CausalConvolution { len: 1000, batch: 64 })?;
//! let sum = plan.bind(&[1.0; 1000])?;
//! let (x, mut y) = (vec![0.5; 64_000], vec![0.0; 64_000]);
//! sum.apply(&x, &mut y)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Buffers are pooled by size class and used again ([`Gpu::memory_use`]); a limit can be set
//! ([`Gpu::limit_memory`]). [`Gpu::meter`] reads the device's own clock. A lost device, memory that
//! runs out and a call that the driver refuses are typed errors, and the process lives; a lost device
//! ([`Gpu::lost`]) can be made anew ([`Gpu::rebuild`]). Batches larger than one binding are split.
//!
//! Everything is tested on Mesa's software Vulkan; no figure was measured on a hardware GPU yet.
#![deny(unsafe_code)]

mod activation;
mod adapters;
mod affine;
mod answer;
#[macro_use]
mod backends;
mod bindings;
mod call;
mod causal_convolution;
mod dense;
mod error;
mod faults;
mod fft;
#[cfg(not(target_arch = "wasm32"))]
mod floors;
mod fourier;
mod gpu;
mod heaps;
mod limit;
mod memory;
mod on_device;
mod options;
mod passes;
mod pipeline;
mod pipeline_cache;
mod product;
mod recurrence;
mod roots;
mod scalar;
#[cfg(test)]
mod shader_sources;
mod spectral_multiplier;
mod timing;

pub use activation::Activation;
#[cfg(not(target_arch = "wasm32"))]
pub use adapters::adapters;
pub use adapters::{AdapterDescription, AdapterKind, Preference, request_adapters};
pub use affine::{Affine, Affine64};
pub use causal_convolution::{Direct, Direct64, DirectDf64};
pub use dense::{Gemm, Gemm64, GemmDf64};
pub use error::GpuError;
pub use fft::{Fft, Fft64, FftDf64};
#[cfg(not(target_arch = "wasm32"))]
pub use floors::Floors;
pub use gpu::Gpu;
pub use limit::MemoryLimit;
pub use memory::MemoryUse;
pub use options::GpuOptions;
pub use recurrence::{Recurrence, Recurrence64, RecurrenceDf64};
pub use scalar::{Double, DoubleFloat};
pub use timing::Meter;
