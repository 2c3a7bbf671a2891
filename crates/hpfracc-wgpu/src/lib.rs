//! The linear maps of fractional calculus as compute shaders, on any GPU that wgpu supports.
//!
//! [`Gpu`] is a device: opened by this crate ([`Gpu::new`], [`Gpu::with`]) or owned by the host
//! program ([`Gpu::from_device`]). Without an adapter these are errors. The backends are small
//! values on a device, generic over its [`Precision`]:
//!
//! | backend | maps |
//! |---|---|
//! | [`Fft`] | causal convolutions, spectral and trigonometric multipliers |
//! | [`Direct`] | causal convolutions |
//! | [`Gemm`] | dense products |
//! | [`Recurrence`] | recurrences of sums of exponentials |
//!
//! A value of a precision is the proof that the device has it, and the backends are made from that:
//!
//! | precision | obtained by | arithmetic |
//! |---|---|---|
//! | [`F32`] | [`Gpu::f32`] | single precision, on every device |
//! | [`F64`] | [`Gpu::f64`] | double precision, after a self-test |
//! | [`DoubleFloat`] | [`Gpu::double_float`] | f64 as pairs of f32, 48 bits, after a self-test |
//!
//! ```no_run
//! use hpfracc_backend::{Backend, LinearMap, Plan, Workload};
//! use hpfracc_wgpu::{Fft, Gpu};
//!
//! let gpu = Gpu::new()?;
//! let plan = Fft::new(&gpu.f32()).plan(Workload::CausalConvolution { len: 1000, batch: 64 })?;
//! let sum = plan.bind(&[1.0; 1000])?;
//! let (x, mut y) = (vec![0.5; 64_000], vec![0.0; 64_000]);
//! sum.apply(&x, &mut y)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `networks`, `GpuNetwork` computes networks of `hpfracc-nn`, `GpuSupervised`
//! trains them, and `GpuSdeFit` trains neural differential equations.
//!
//! A buffer pool reuses buffers by size class ([`Gpu::buffer_pool_stats`]), within a limit
//! ([`Gpu::limit_memory`]). [`Gpu::meter`] reads the device's clock. A lost device, exhausted
//! memory and a call that the driver rejects are typed errors, and the process continues; a lost
//! device ([`Gpu::lost`]) can be opened again ([`Gpu::rebuild`]). Batches larger than a binding are
//! split. [`DevicePeaks`] measures the roofline of a device.
//!
//! All shaders are tested on Mesa's software Vulkan; there are no measurements on hardware yet.
#![deny(unsafe_code)]

mod causal_convolution;
mod dense;
mod device;
pub mod ensemble;
mod fft;
mod fourier;
#[cfg(feature = "networks")]
mod network;
mod plan;
mod precision;
mod recurrence;
#[cfg(not(target_arch = "wasm32"))]
mod roofline;
mod self_test;
mod spectral_multiplier;

pub use causal_convolution::Direct;
pub use dense::Gemm;
#[cfg(not(target_arch = "wasm32"))]
pub use device::adapters;
pub use device::{
    AdapterDescription, AdapterKind, BufferPoolStats, Gpu, GpuError, GpuOptions, MemoryLimit,
    Meter, Preference, request_adapters,
};
pub use fft::Fft;
#[cfg(feature = "networks")]
pub use network::{GpuNetwork, GpuNetworkError, GpuSdeFit, GpuSupervised, NotOnGpu};
pub use precision::{DoubleFloat, F32, F64, Precision};
pub use recurrence::Recurrence;
#[cfg(not(target_arch = "wasm32"))]
pub use roofline::DevicePeaks;
