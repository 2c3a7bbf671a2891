//! Runs programs in the root of the workspace; their output is shown.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

/// Builds with cargo, and returns the names and paths of the executables. A build that is not
/// finished at the deadline is ended.
pub(crate) fn build(
    args: &[&str],
    deadline: Option<Instant>,
) -> Result<BTreeMap<String, PathBuf>, String> {
    let label = format!("cargo build {}", args.join(" "));
    eprintln!("> {label}");
    let mut command = cargo_command();
    command.arg("build").args(args).arg("--message-format=json-render-diagnostics");
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("`{label}` did not start: {error}"))?;
    let messages = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        messages.map_or(Ok(0), |mut messages| messages.read_to_string(&mut text)).map(|_| text)
    });
    match wait_until(&mut child, deadline)? {
        None => Err(format!("`{label}` was not finished within the time limit")),
        Some(status) if !status.success() => Err(format!("`{label}` failed: {status}")),
        Some(_) => match reader.join() {
            Ok(Ok(messages)) => Ok(executables(&messages)),
            _ => Err(format!("the messages of `{label}` cannot be read")),
        },
    }
}

/// Longest time that a process takes to end once it is killed; one that waits for a driver may not
/// end at all.
const LAST: Duration = Duration::from_secs(2);

/// Waits for a process to end; `None` if it did not until the deadline, and was killed.
pub(crate) fn wait_until(
    child: &mut Child,
    deadline: Option<Instant>,
) -> Result<Option<ExitStatus>, String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    // An error says that the process has ended meanwhile.
    let _ = child.kill();
    let killed = Instant::now();
    while killed.elapsed() < LAST && child.try_wait().map_err(|error| error.to_string())?.is_none()
    {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(None)
}

/// First line of the output of a program in the root; empty if it fails.
pub(crate) fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

/// Seconds since 1970 (UTC).
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Names and paths of the executables in cargo's messages.
fn executables(messages: &str) -> BTreeMap<String, PathBuf> {
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

    #[cfg(unix)]
    #[test]
    fn a_process_ends_by_itself_or_at_the_deadline() {
        let shell = |script: &str| Command::new("sh").args(["-c", script]).spawn().unwrap();
        let long = Some(Instant::now() + Duration::from_secs(60));
        let ended = wait_until(&mut shell("exit 3"), long).unwrap();
        assert_eq!(ended.and_then(|status| status.code()), Some(3));
        assert!(wait_until(&mut shell("exit 0"), None).unwrap().unwrap().success());
        let mut hanging = shell("exec sleep 100");
        assert_eq!(wait_until(&mut hanging, Some(Instant::now())).unwrap(), None);
        assert!(!hanging.wait().unwrap().success());
    }

    #[test]
    fn builds_end_at_the_deadline() {
        // An unknown package fails, and so does a build without time.
        assert!(build(&["-p", "no-such-package"], None).is_err_and(|e| e.contains("failed")));
        let late = build(&["-p", "xtask", "--bins"], Some(Instant::now()));
        assert!(late.is_err_and(|e| e.contains("not finished")));
    }

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
