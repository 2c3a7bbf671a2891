//! From the command line to the command.

use crate::args::Command;
use crate::{
    Cli, Error, devices, diff, equations, explain, mittag_leffler, operators, simulate, solve,
    train, transform,
};

/// Does what the command line says.
///
/// # Errors
/// [`Error`], whose [`exit_code`](Error::exit_code) is the command's.
pub fn run(cli: &Cli) -> Result<(), Error> {
    match &cli.command {
        Command::Diff(args) => diff::run(args),
        Command::Transform(args) => transform::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Systems => equations::run(),
        Command::Simulate(args) => simulate::run(args),
        Command::Train(args) => train::run(args),
        Command::MittagLeffler(args) => mittag_leffler::run(args),
        Command::Operators(args) => operators::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Explain(args) => explain::run(args),
    }
}
