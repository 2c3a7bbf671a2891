//! The command `hpfracc`.

use clap::Parser;
use hpfracc_cli::{Cli, error_chain, output, run, values_last};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse_from(values_last(std::env::args_os().collect()));
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            output::diagnostic(&format!("error: {}", error_chain(&error)));
            ExitCode::from(error.exit_code())
        }
    }
}
