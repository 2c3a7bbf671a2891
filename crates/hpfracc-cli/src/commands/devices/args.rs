//! Arguments of `hpfracc devices`.

use clap::Args;

/// List the devices that can compute: GPUs and the processor.
///
/// Adapters are printed with their limits and what their shaders can do; a software adapter, which is
/// the processor pretending, is marked. Without an adapter the list is empty and that is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc devices
  hpfracc devices --benchmark
  hpfracc devices --json")]
pub(crate) struct DevicesArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure the kernels on each device, for less than 10 seconds in all
    ///
    /// Times are the least of several calls: of the whole call, samples from and to the host
    /// included, and of the device alone by its own clock. Beside them stand what the device can do
    /// at most, measured in the same run.
    #[arg(long)]
    pub(crate) benchmark: bool,
}
