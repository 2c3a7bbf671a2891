//! The command `hpfracc`.

use clap::Parser;
use hpfracc_cli::{Cli, run, values_last};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse_from(values_last(std::env::args_os().collect()));
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Whoever closed standard error does not want to read it.
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("hpfracc: error: {error}\n"),
            );
            ExitCode::from(error.exit_code())
        }
    }
}
