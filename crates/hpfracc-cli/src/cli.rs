//! The command line and its dispatch to the commands.

use crate::commands::fields::{graph, pde};
use crate::commands::functions::{derivative, mittag_leffler};
use crate::commands::machine::{devices, explain};
use crate::commands::series::{difference, hurst};
use crate::commands::{diff, equation, fit, operators, simulate, solve, train, transform};
use crate::{Error, Ranks};
use clap::{Parser, Subcommand};

/// Fractional derivatives of time series and their memory, fractional differential equations, ordinary
/// and partial,
/// stochastic models, neural fractional differential equations learned from data, and Mittag-Leffler
/// functions.
///
/// Results go to standard output or to the named files, diagnostics to standard error. Exit codes:
/// 0 success; 2 wrong input or parameter; 1 I/O error or device failure. Output files are written
/// completely or not at all.
#[derive(Debug, Parser)]
#[command(name = "hpfracc", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 data.csv
  hpfracc transform --kind fractional-fourier --order 0.5 data.csv
  hpfracc hurst --noise river.csv
  hpfracc difference -d 0.4 river.csv
  hpfracc solve lorenz --alpha 0.995 --phase x,z --plot lorenz.png --output lorenz.csv
  hpfracc solve --equation \"D^0.7 y = -y^3 + sin(t); y(0) = 1; t in [0, 20]\" --plot y.svg
  hpfracc pde diffusion --box 0:1:200 --boundary neumann --until 2 --plot heat.svg --output u.npy
  hpfracc equation \"dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 5]\"
  hpfracc simulate rough-bergomi --paths 10000 --moments --plot fan.svg --output moments.csv
  hpfracc train sunspots.toml --out run1
  hpfracc fit \"y = a exp(-(t/tau)^s) + c\" --start tau=2,s=0.8 decay.csv --plot fit.svg
  hpfracc mittag-leffler --alpha 0.5 -1
  hpfracc operators
  hpfracc systems
  hpfracc devices
  hpfracc explain --operator caputo --n 1000 --batch 4

Environment:
  HPFRACC_BACKEND           backend to compute on, or auto
  HPFRACC_DISABLE           comma-separated backends to exclude
  HPFRACC_LEARNING          0: no timing, no exploration, no wisdom update
  HPFRACC_WISDOM            file of timings that the autotuner reads and updates
  HPFRACC_THREADS           number of threads of parallel backends
  HPFRACC_GPU_MEMORY_LIMIT  limit of GPU buffers: a fraction of the memory, or bytes
  HPFRACC_MPI               MPI library, where a launcher such as mpirun starts the command
  HPFRACC_UNEQUAL_PROCESSORS
                            1: ranks with other vector instructions may work together")]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(diff::DiffArgs),
    Transform(transform::TransformArgs),
    Difference(difference::DifferenceArgs),
    Hurst(hurst::HurstArgs),
    Derivative(derivative::DerivativeArgs),
    Solve(solve::SolveArgs),
    Equation(equation::EquationArgs),
    /// List the equations and schemes of `solve`.
    Systems,
    Pde(Box<pde::PdeArgs>),
    Graph(graph::GraphArgs),
    Simulate(simulate::SimulateArgs),
    Train(train::TrainArgs),
    Fit(Box<fit::FitArgs>),
    MittagLeffler(mittag_leffler::MittagLefflerArgs),
    Operators(operators::OperatorsArgs),
    Devices(devices::DevicesArgs),
    Explain(explain::ExplainArgs),
}

/// Runs the command of a command line, over ranks where they share the work: `simulate`, `solve --scan`, `fit` and `train`.
///
/// # Errors
/// [`Error`]; its [`exit_code`](Error::exit_code) is the exit code of the program.
pub fn run(cli: &Cli, ranks: &Ranks) -> Result<(), Error> {
    match &cli.command {
        Command::Simulate(args) => simulate::run(args, ranks),
        Command::Solve(args) => solve::run(args, ranks),
        Command::Fit(args) => fit::run(args, ranks),
        Command::Train(args) => train::run(args, ranks),
        _ if !ranks.runs_alone("this command") => Ok(()),
        Command::Diff(args) => diff::run(args),
        Command::Transform(args) => transform::run(args),
        Command::Difference(args) => difference::run(args),
        Command::Hurst(args) => hurst::run(args),
        Command::Derivative(args) => derivative::run(args),
        Command::Equation(args) => equation::run(args),
        Command::Pde(args) => pde::run(args),
        Command::Graph(args) => graph::run(args),
        Command::Systems => solve::systems::run(),
        Command::MittagLeffler(args) => mittag_leffler::run(args),
        Command::Operators(args) => operators::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Explain(args) => explain::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
