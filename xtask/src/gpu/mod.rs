//! `cargo xtask gpu`: all that a GPU can tell, within a time limit, as one file of JSON.

mod build;
mod process;
mod report;
mod stages;

use crate::run::{Outcome, root};
use report::Report;
use stages::STAGES;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const USAGE: &str = "\
usage: cargo xtask gpu [--report FILE] [--seconds N] [--programs FOLDER]
       cargo xtask gpu --prebuild [FOLDER]

Parity, faults, rooflines, shaders, ensembles, networks and the choice of backends on the best adapter, within a time
limit that includes building. The report is written after every stage, and names the stages that did not run. Fails unless every
stage passed.

  --report FILE       default target/gpu/REPORT.json
  --seconds N         time limit; default 540
  --programs FOLDER   runs the programs of --prebuild: needs neither cargo nor sources
  --prebuild [FOLDER] builds the programs into a folder (default target/gpu/programs), with a copy of this one. On
                      another machine of the same kind: FOLDER/xtask gpu --programs FOLDER";

/// Time limit in seconds.
const LIMIT: u64 = 540;

/// Folder of the files of this command.
fn folder() -> PathBuf {
    let root = root();
    // A copy of this program on another machine has no workspace.
    if root.is_dir() { root.join("target/gpu") } else { PathBuf::from("target/gpu") }
}

#[derive(Debug, PartialEq, Eq)]
struct Request {
    /// Folder for the programs, if they are only to be built.
    prebuild: Option<PathBuf>,
    /// Folder of programs that were built before.
    programs: Option<PathBuf>,
    report: PathBuf,
    limit: Duration,
}

impl Request {
    fn of(args: &[&str]) -> Result<Self, String> {
        let mut request = Self {
            prebuild: None,
            programs: None,
            report: folder().join("REPORT.json"),
            limit: Duration::from_secs(LIMIT),
        };
        let mut args = args.iter().peekable();
        while let Some(arg) = args.next() {
            let value = args.next_if(|value| !value.starts_with('-'));
            let needed = || value.ok_or_else(|| format!("{arg} expects a value\n\n{USAGE}"));
            match *arg {
                "--prebuild" => {
                    let given = value.map(PathBuf::from);
                    request.prebuild = Some(given.unwrap_or_else(|| folder().join("programs")));
                }
                "--programs" => request.programs = Some(needed()?.into()),
                "--report" => request.report = needed()?.into(),
                "--seconds" => {
                    let seconds = needed()?.parse();
                    let seconds =
                        seconds.map_err(|_| format!("{arg} expects a number\n\n{USAGE}"))?;
                    request.limit = Duration::from_secs(seconds);
                }
                _ => return Err(format!("unknown argument {arg}\n\n{USAGE}")),
            }
        }
        Ok(request)
    }
}

pub(crate) fn run(args: &[&str]) -> Outcome {
    let start = Instant::now();
    let request = Request::of(args)?;
    if let Some(folder) = &request.prebuild {
        return build::into_folder(folder);
    }
    let mut report = Report::new(request.report.clone(), request.limit);
    let programs = match &request.programs {
        Some(folder) => build::in_folder(folder),
        None => build::programs(Some(start + request.limit)),
    };
    let programs = match programs {
        Ok(programs) => programs,
        Err(reason) => {
            report.fail(reason);
            report.write(start.elapsed())?;
            return report.outcome();
        }
    };
    report.built(programs.origin.clone(), start.elapsed());
    let work = request.report.with_extension("work");
    for stage in STAGES {
        let left = request.limit.saturating_sub(start.elapsed());
        let program = programs.path(stage.program)?;
        let ended = process::run(&program, stage, &work, left.min(stage.longest));
        eprintln!("> {}: {}", stage.name, ended.summary());
        report.add(stage, ended);
        report.write(start.elapsed())?;
        if report.has_no_adapter() {
            break;
        }
    }
    remove(&work);
    eprintln!("report: {}", request.report.display());
    report.outcome()
}

/// Removes the folder of the stages; its contents are in the report.
fn remove(work: &Path) {
    if let Err(error) = std::fs::remove_dir_all(work) {
        eprintln!("{}: {error}", work.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let request =
            Request::of(&["--seconds", "60", "--report", "a.json", "--programs", "b"]).unwrap();
        assert_eq!(request.limit, Duration::from_secs(60));
        assert_eq!(request.programs.as_deref(), Some(Path::new("b")));
        assert_eq!(request.report, PathBuf::from("a.json"));
        let request = Request::of(&["--prebuild"]).unwrap();
        assert!(request.prebuild.is_some_and(|folder| folder.ends_with("gpu/programs")));
        for wrong in [&["--seconds"][..], &["--seconds", "x"], &["--report"], &["b"]] {
            assert!(
                Request::of(wrong).is_err_and(|message| message.contains("usage")),
                "{wrong:?}"
            );
        }
    }
}
