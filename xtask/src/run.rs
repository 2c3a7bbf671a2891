//! Runs programs in the root of the workspace; their output is shown.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

/// Result of a command: nothing, or the reason of its failure.
pub(crate) type Outcome = Result<(), String>;

/// Folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map_or(xtask.clone(), PathBuf::from)
}

/// The cargo that started this program.
pub(crate) fn cargo_command() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs cargo with arguments that are separated by spaces.
pub(crate) fn cargo(args: &str) -> Outcome {
    cargo_with(&args.split(' ').collect::<Vec<_>>(), &[])
}

pub(crate) fn cargo_with(args: &[&str], environment: &[(&str, &OsStr)]) -> Outcome {
    let label = format!("cargo {}", args.join(" "));
    eprintln!("> {label}");
    let mut command = cargo_command();
    command.args(args).envs(environment.iter().copied());
    finish(command, &label)
}

/// Runs a prepared command to its end.
pub(crate) fn finish(mut command: Command, label: &str) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{label}` failed: {status}")),
        Err(error) => Err(format!("`{label}` did not start: {error}")),
    }
}

/// Names and paths of the executables in cargo's messages.
pub(crate) fn executables(messages: &str) -> BTreeMap<String, PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let named = |message: Value| {
        let path = PathBuf::from(message["executable"].as_str()?);
        Some((message["target"]["name"].as_str()?.to_owned(), path))
    };
    messages.filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_read_from_messages() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"a\"},\"executable\":\"/t/a-1\"}\n",
            "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"b\"},\"executable\":null}\n",
            "no json\n"
        );
        let found: Vec<_> = executables(messages).into_iter().collect();
        assert_eq!(found, [("a".to_owned(), PathBuf::from("/t/a-1"))]);
    }
}
