//! Arguments of `hpfracc devices`.

use clap::Args;

/// List the devices of this computer: GPUs and the processor.
///
/// Adapters are printed with their limits and shader features; software adapters, which run on the
/// processor, are marked. Without an adapter the reason is printed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc devices
  hpfracc devices --benchmark
  hpfracc devices --json")]
pub(crate) struct DevicesArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure the kernels on each device, in less than 10 seconds in total
    ///
    /// Times are minima over several calls: of the whole call, with transfers from and to the host,
    /// and of the device alone by its own clock. The peaks of the device (roofline) are measured in
    /// the same run.
    #[arg(long)]
    pub(crate) benchmark: bool,
}
