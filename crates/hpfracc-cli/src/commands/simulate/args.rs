//! Arguments of `hpfracc simulate`.

use crate::commands::arguments::OutputArgs;
use crate::compute::Dtype;
use clap::{ArgGroup, Args};
use hpfracc::SimulationBackend;
use std::path::PathBuf;

/// Simulate an ensemble of a stochastic model, or of your own equation.
///
/// Without a name or an equation, lists the models with their equations and parameters; with --explain, prints one
/// in full. Output columns: the time and all paths, `x[0]` for x on path 0; with --moments or
/// --quantiles these statistics, the exact moments where they are known, and the share of paths that
/// each event has stopped. Numbers are the
/// shortest decimals that read back to the same bits. The same seed gives the same bits on any
/// number of threads.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("subject").args(["model", "equation"]))]
#[command(after_help = "\
Examples:
  hpfracc simulate
  hpfracc simulate rough-bergomi --explain
  hpfracc simulate ornstein-uhlenbeck --set sigma=0.3 --paths 10 --output paths.csv
  hpfracc simulate --equation \"dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 5]\" --moments
  hpfracc simulate --equation \"dS = 0.1 S dt + S dW; S(0) = 1; t in [0, 1]\" --scheme milstein
  hpfracc simulate --equation \"dX = dW; X(0) = 0; t in [0, 9]\" --stop-when \"X = 1\" --stops stops.csv
  hpfracc simulate cox-ingersoll-ross --paths 100000 --moments --quantiles 0.05,0.5,0.95 --seed 7
  hpfracc simulate fractional-langevin --set alpha=0.4 --plot fan.svg --moments --output out.csv")]
pub(crate) struct SimulateArgs {
    /// Model, such as rough-bergomi
    #[arg(value_name = "MODEL", conflicts_with = "equation")]
    pub(crate) model: Option<String>,
    /// Equation as a text, a file with one, or a name of the catalogue
    #[arg(long, value_name = "TEXT|FILE|NAME")]
    pub(crate) equation: Option<String>,
    /// Scheme of the equation, such as milstein; by default Euler-Maruyama for Ito's integrals, Heun for
    /// Stratonovich's, and fractional Euler-Maruyama for fractional orders. All: hpfracc systems
    #[arg(long, value_name = "NAME", requires = "subject")]
    pub(crate) scheme: Option<String>,
    /// Stop paths where two expressions become equal, such as "X = 1" or "X = 1 rising"; repeatable, as
    /// `when X = 1: stop` in the equation
    #[arg(long, value_name = "CONDITION", requires = "equation")]
    pub(crate) stop_when: Vec<String>,
    /// Print the equation, the parameters and the scheme of the model
    #[arg(long, requires = "model")]
    pub(crate) explain: bool,
    /// Parameter, such as sigma=0.3; repeatable
    #[arg(long, value_name = "NAME=VALUE", requires = "subject")]
    pub(crate) set: Vec<String>,
    /// Number of paths
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) paths: u64,
    /// Number of steps; by default that of the model
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) steps: Option<u32>,
    /// End of the interval, which starts at 0 or where the equation says
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) t1: Option<f64>,
    /// Seed of the noise
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Write every K-th step, and the last one
    #[arg(long, value_name = "K", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Write means, variances and covariances instead of paths
    #[arg(long)]
    pub(crate) moments: bool,
    /// Write quantiles instead of paths, such as 0.05,0.5,0.95
    #[arg(long, value_name = "Q", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) quantiles: Vec<f64>,
    /// Precision of the computation
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f64")]
    pub(crate) dtype: Dtype,
    /// Where an equation is solved: cpu, or on a GPU, wgpu, or wgpu-guarded for the bits of the CPU; wgpu@1 is the adapter at
    /// position 1 of hpfracc devices, wgpu@all all of them together; auto or auto-guarded: where less time is expected. A GPU without double
    /// precision computes f64 with 48 bits
    #[arg(long, value_name = "NAME", requires = "equation", default_value = "cpu")]
    pub(crate) backend: SimulationBackend,
    /// CSV file to write with the event and the time that stopped each path
    #[arg(long, value_name = "OUT.csv", requires = "equation")]
    pub(crate) stops: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
