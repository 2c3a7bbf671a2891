//! The command `hpfracc`.

use clap::Parser;
use hpfracc_cli::{Cli, error_chain, output, run, values_last};
use std::process::ExitCode;

fn main() -> ExitCode {
    silence_vulkan_layer();
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

/// Turns off the layer of Mesa that asks the display server for the user's preferred adapter. Without
/// a session (root, containers, ssh) there is no server, and the layer writes an error message to
/// standard error for every adapter that is opened.
fn silence_vulkan_layer() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        #[expect(unsafe_code, reason = "no other thread runs yet that could read the environment")]
        // SAFETY: `main` calls this first, before any thread is started.
        unsafe {
            std::env::set_var("NODEVICE_SELECT", "1");
        }
    }
}
