//! The command line and its dispatch to the commands.

use crate::Error;
use crate::commands::{
    devices, diff, explain, mittag_leffler, operators, simulate, solve, systems, train, transform,
};
use clap::{Parser, Subcommand};

/// Fractional derivatives of records, fractional differential equations, stochastic models, neural
/// equations learned from records, and the functions that go with them.
///
/// Results go to standard output or to the files named, remarks to standard error. The exit code is
/// 0 on success, 2 if the input or a parameter is wrong, 1 if the system failed. A file appears
/// whole or not at all.
#[derive(Debug, Parser)]
#[command(name = "hpfracc", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 record.csv
  hpfracc transform --kind fractional-fourier --order 0.5 record.csv
  hpfracc solve lorenz --alpha 0.995 --phase x,z --plot lorenz.png --output lorenz.csv
  hpfracc simulate rough-bergomi --paths 10000 --moments --plot fan.svg --output moments.csv
  hpfracc train sunspots.toml --out run1
  hpfracc mittag-leffler --alpha 0.5 -1
  hpfracc operators
  hpfracc systems
  hpfracc devices
  hpfracc explain --operator caputo --n 1000 --batch 4

Environment:
  HPFRACC_BACKEND           the backend that computes, or auto
  HPFRACC_DISABLE           backends not to choose, with commas between
  HPFRACC_LEARNING          0: nothing is timed, tried or remembered
  HPFRACC_WISDOM            file of timings, to choose by what earlier runs took and tell later ones
  HPFRACC_THREADS           threads of backends that use several
  HPFRACC_GPU_MEMORY_LIMIT  what buffers may take on a GPU: a fraction of its memory, or bytes")]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(diff::DiffArgs),
    Transform(transform::TransformArgs),
    Solve(solve::SolveArgs),
    /// List the equations and schemes that `solve` knows.
    Systems,
    Simulate(simulate::SimulateArgs),
    Train(train::TrainArgs),
    MittagLeffler(mittag_leffler::MittagLefflerArgs),
    Operators(operators::OperatorsArgs),
    Devices(devices::DevicesArgs),
    Explain(explain::ExplainArgs),
}

/// Runs the command of a command line.
///
/// # Errors
/// [`Error`]; its [`exit_code`](Error::exit_code) is the exit code of the program.
pub fn run(cli: &Cli) -> Result<(), Error> {
    match &cli.command {
        Command::Diff(args) => diff::run(args),
        Command::Transform(args) => transform::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Systems => systems::run(),
        Command::Simulate(args) => simulate::run(args),
        Command::Train(args) => train::run(args),
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
