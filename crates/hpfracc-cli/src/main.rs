//! The command `hpfracc`.

mod allocator;
mod vulkan;

use clap::Parser;
use hpfracc_cli::{Cli, Error, error_chain, output, run, values_last};
use std::process::ExitCode;

fn main() -> ExitCode {
    vulkan::silence_layer();
    match answer() {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            output::diagnostic(&format!("error: {}", error_chain(&error)));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Runs the command line; returns the exit code.
fn answer() -> Result<u8, Error> {
    match Cli::try_parse_from(values_last(std::env::args_os().collect())) {
        Ok(cli) => run(&cli).map(|()| 0),
        Err(answer) => output::write_answer(&answer),
    }
}
