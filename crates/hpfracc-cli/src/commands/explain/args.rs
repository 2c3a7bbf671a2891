//! Arguments of `hpfracc explain`.

use clap::Args;

/// Tell which backend an operator goes to on this computer, and why.
///
/// Prints a table of the backends with the time that each is expected to take, what the expectation
/// rests on, and why it is chosen or not. With HPFRACC_WISDOM it rests on what earlier runs took.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc explain --operator caputo-l1 --n 10000
  hpfracc explain --operator riesz --n 4096 --batch 64 --f32 --measure
  hpfracc explain --operator weyl --n 100 --once --json

Names of operators and schemes: hpfracc operators
Backends that --backend and HPFRACC_BACKEND know: cpu-direct, cpu-fft, cpu-parallel-fft, cpu-gemm,
cpu-recurrence, cpu-parallel-recurrence, reference; wgpu-direct, wgpu-fft, wgpu-gemm,
wgpu-recurrence on the best adapter, wgpu-fft@1 on adapter 1; f64 as pairs of f32, wgpu-fft-df64;
f64 computed in f32, wgpu-fft-rounded-to-f32; batches split across several,
wgpu-fft@0+wgpu-fft@1.")]
pub(crate) struct ExplainArgs {
    /// Definition of the derivative, such as caputo, or with its scheme, such as caputo-l1
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the operator's usual one at this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// A parameter of the operator; those that are not given have example values
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Order, where it decides on the usual scheme
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,
    /// Samples of a signal
    #[arg(long, value_name = "N")]
    pub(crate) n: usize,
    /// Signals that go through at once
    #[arg(long, value_name = "B", default_value_t = 1)]
    pub(crate) batch: usize,
    /// In single precision
    #[arg(long)]
    pub(crate) f32: bool,
    /// Of the transpose, which gradients go through
    #[arg(long)]
    pub(crate) transpose: bool,
    /// Planned, bound and applied one time, instead of applied again and again
    #[arg(long)]
    pub(crate) once: bool,
    /// Time the backends that could win first, for about a second
    #[arg(long)]
    pub(crate) measure: bool,
    /// One backend, or auto for the choice among them; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
