use crate::Target;
use hpfracc_cli::{Cli, values_last};
use std::ffi::OsString;

/// Command line with one argument per line. It is parsed and not executed: commands have targets of
/// their own.
pub(super) const TARGET: Target =
    Target { name: "arguments", about: "arguments of the command", run };

fn run(data: &[u8]) {
    use clap::Parser;
    let text = String::from_utf8_lossy(data);
    let lines = text.split('\n').map(OsString::from);
    let arguments = std::iter::once(OsString::from("hpfracc")).chain(lines).collect();
    if let Err(error) = Cli::try_parse_from(values_last(arguments)) {
        drop(error.to_string());
    }
}
