//! The command `hpfracc`.

use clap::Parser;
use hpfracc_cli::{Cli, output, run, values_last, with_causes};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse_from(values_last(std::env::args_os().collect()));
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            output::remark(&format!("error: {}", with_causes(&error)));
            ExitCode::from(error.exit_code())
        }
    }
}
