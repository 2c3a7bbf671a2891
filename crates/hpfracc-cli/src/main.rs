//! The command `hpfracc`.

mod allocator;
mod vulkan;

use clap::Parser;
use hpfracc::error_chain;
use hpfracc_cli::{Cli, Error, Ranks, output, run, values_last};
use std::process::ExitCode;

fn main() -> ExitCode {
    vulkan::silence_layer();
    let ranks = match Ranks::join() {
        Ok(ranks) => ranks,
        Err(error) => return failure(&error),
    };
    let code = match answer(&ranks) {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // An error that others do not have would leave them waiting.
            ranks.leave(&error_chain(&error));
            failure(&error)
        }
    };
    // A launcher ends all ranks after one that fails: only that which has written does.
    if ranks.is_first() { code } else { ExitCode::SUCCESS }
}

/// Writes an error; returns the exit code.
fn failure(error: &Error) -> ExitCode {
    let text = format!("error: {}", error_chain(error));
    // The picture of a text has lines; other texts are one line, whatever is in them.
    let lines = if matches!(error, Error::Equation { .. }) { usize::MAX } else { 1 };
    text.splitn(lines, '\n').for_each(output::diagnostic);
    ExitCode::from(error.exit_code())
}

/// Runs the command line; returns the exit code.
fn answer(ranks: &Ranks) -> Result<u8, Error> {
    ranks.agree()?;
    match Cli::try_parse_from(values_last(std::env::args_os().collect())) {
        Ok(cli) => run(&cli, ranks).map(|()| 0),
        Err(answer) => output::write_answer(&answer),
    }
}
