//! Arguments of `hpfracc explain`.

use clap::Args;
use hpfracc::Machine;

/// Explain the backend choice of the autotuner for an operator on this computer.
///
/// Prints a table of the backends with the predicted time, the basis of the prediction, and the
/// reason for or against each. With HPFRACC_WISDOM the predictions use timings of earlier runs.
#[derive(Debug, Args)]
#[command(after_help = examples_and_backends())]
pub(crate) struct ExplainArgs {
    /// Definition, such as caputo; with its scheme, such as caputo-l1; or the name of a column of
    /// hpfracc diff, such as caputo_l1_0.5
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the first one of the operator for this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Parameter of the operator; others have example values; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Order, which determines the default scheme
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,
    /// Number of samples of a signal
    #[arg(long, value_name = "N")]
    pub(crate) n: usize,
    /// Number of signals per call
    #[arg(long, value_name = "B", default_value_t = 1)]
    pub(crate) batch: usize,
    /// Single precision
    #[arg(long)]
    pub(crate) f32: bool,
    /// Transposed operator, as in gradients
    #[arg(long)]
    pub(crate) transpose: bool,
    /// Plan, bind and apply once, in place of repeated applications
    #[arg(long)]
    pub(crate) once: bool,
    /// First time the backends that could be fastest, for about a second
    #[arg(long)]
    pub(crate) measure: bool,
    /// Backend, or auto for all of them; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn examples_and_backends() -> String {
    let plain = |name: &&str| !name.ends_with("-df64") && !name.ends_with("-rounded-to-f32");
    let names = Machine::backend_names().iter().map(String::as_str).filter(plain);
    format!(
        "\
Examples:
  hpfracc explain --operator caputo-l1 --n 10000
  hpfracc explain --operator riesz --n 4096 --batch 64 --f32 --measure
  hpfracc explain --operator weyl --n 100 --once --json

Names of operators and schemes: hpfracc operators
Backends of --backend and HPFRACC_BACKEND:
  {}
Those of a GPU are on the best adapter; wgpu-fft@1 is on adapter 1; f64 as pairs of f32 is
wgpu-fft-df64; f64 computed in f32 is wgpu-fft-rounded-to-f32; batches split across several are
wgpu-fft@0+wgpu-fft@1.",
        names.collect::<Vec<_>>().join("\n  ")
    )
}
