use crate::Target;
use hpfracc_cli::{Cli, values_last};
use std::ffi::OsString;

/// A line is an argument. Nothing is run: what arguments lead to are targets of their own.
pub(super) const TARGET: Target =
    Target { name: "arguments", about: "arguments of the command", run };

fn run(data: &[u8]) {
    use clap::Parser;
    let text = String::from_utf8_lossy(data);
    let given = text.split('\n').map(OsString::from);
    let arguments = std::iter::once(OsString::from("hpfracc")).chain(given).collect();
    if let Err(error) = Cli::try_parse_from(values_last(arguments)) {
        drop(error.to_string());
    }
}
