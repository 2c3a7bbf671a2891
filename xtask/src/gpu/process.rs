//! Runs a program until it ends or its time is over.

use super::stages::Stage;
use crate::files::failed;
use crate::run::wait_until;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a stage ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Passed,
    Failed(String),
    /// Its time was over, and the process was ended.
    TimeLimit(Duration),
    /// No time was left.
    NotRun,
}

/// Result of a stage.
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) seconds: f64,
    /// Standard output and standard error.
    pub(super) output: String,
    /// Folder to which it wrote.
    pub(super) folder: PathBuf,
}

impl Ended {
    pub(super) fn summary(&self) -> String {
        let seconds = self.seconds;
        match &self.end {
            End::Passed => format!("passed in {seconds:.1} s"),
            End::Failed(reason) => format!("failed after {seconds:.1} s: {reason}"),
            End::TimeLimit(limit) => format!("ended after its {:.0} s", limit.as_secs_f64()),
            End::NotRun => "not run, no time was left".to_owned(),
        }
    }
}

/// Least time that is worth a start.
const SHORTEST: Duration = Duration::from_secs(2);

/// Runs a stage with a time limit. Records and figures go to a folder of its own.
pub(super) fn run(program: &Path, stage: &Stage, work: &Path, limit: Duration) -> Ended {
    let folder = work.join(stage.name);
    let ended = |end, seconds, output| Ended { end, seconds, output, folder: folder.clone() };
    if limit < SHORTEST {
        return ended(End::NotRun, 0.0, String::new());
    }
    let start = Instant::now();
    let end = start_child(program, stage, &folder)
        .and_then(|mut child| wait_until(&mut child, Some(start + limit)))
        .map_or_else(End::Failed, |status| match status {
            None => End::TimeLimit(limit),
            Some(status) if status.success() => End::Passed,
            Some(status) => End::Failed(status.to_string()),
        });
    let output = fs::read(folder.join(OUTPUT)).unwrap_or_default();
    ended(end, start.elapsed().as_secs_f64(), String::from_utf8_lossy(&output).into_owned())
}

const OUTPUT: &str = "output.txt";

fn start_child(program: &Path, stage: &Stage, folder: &Path) -> Result<Child, String> {
    // An earlier run may have left files.
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let path = folder.join(OUTPUT);
    let output = File::create(&path).map_err(failed(&path))?;
    let errors = output.try_clone().map_err(failed(&path))?;
    let folder = folder.canonicalize().map_err(failed(folder))?;
    let mut command = Command::new(program);
    command.args(stage.args).env("HPFRACC_REQUIRE_GPU", "1");
    command.env("HPFRACC_RECORD", &folder).env("CARGO_TARGET_DIR", &folder);
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    command.spawn().map_err(|error| format!("{}: {error}", program.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(args: &'static [&'static str], limit: Duration) -> Ended {
        let work = std::env::temp_dir().join(format!(
            "hpfracc-gpu-{}-{}",
            std::process::id(),
            args[1].len()
        ));
        let stage = Stage { name: "a", program: "sh", args, longest: limit };
        let ended = run(Path::new("/bin/sh"), &stage, &work, limit);
        fs::remove_dir_all(&work).ok();
        ended
    }

    #[test]
    fn a_stage_passes_fails_or_meets_its_limit() {
        let long = Duration::from_secs(60);
        let passed = shell(&["-c", "echo one; echo two >&2"], long);
        assert_eq!((passed.end, passed.output.as_str()), (End::Passed, "one\ntwo\n"));
        assert!(
            matches!(shell(&["-c", "exit 3"], long).end, End::Failed(reason) if reason.contains('3'))
        );
        let limit = Duration::from_secs(2);
        let over = shell(&["-c", "echo begun; exec sleep 100"], limit);
        assert_eq!((over.end, over.output.as_str()), (End::TimeLimit(limit), "begun\n"));
        assert_eq!(shell(&["-c", "echo"], Duration::ZERO).end, End::NotRun);
    }
}
