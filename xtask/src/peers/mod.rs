//! `cargo xtask bench --peers`: the same problems by other libraries, times and errors side by side.
//!
//! One process at a time, all of a problem in a row, each with as many threads: benches/peers has the
//! programs, `benches/src/bin/peers` ours, [`problems`] who is measured on what.

mod cores;
mod environment;
mod problems;
mod program;
pub(crate) mod record;
mod row;

use crate::figures::peers::{OURS, head, losses, section};
use crate::metadata;
use crate::run::{Outcome, cargo, root};
use environment::Environment;
use problems::{Contender, Method, PROBLEMS, Problem, Program};
use program::Job;
use record::Run;
use row::{Found, Row};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask bench --peers [--threads N] [--filter NAME] [--quick] [--publish]";

/// What is asked for.
#[derive(Debug, PartialEq)]
struct Options {
    threads: usize,
    filter: String,
    quick: bool,
    publish: bool,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self, String> {
        let filter = String::new();
        let mut options = Self { threads: 1, filter, quick: false, publish: false };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--quick" => options.quick = true,
                "--publish" => options.publish = true,
                "--filter" => options.filter = (*rest.next().ok_or(USAGE)?).to_owned(),
                "--threads" => {
                    let threads = rest.next().and_then(|n| n.parse().ok());
                    options.threads = threads.filter(|n| *n > 0).ok_or(USAGE)?;
                }
                _ => return Err(format!("`{argument}` is no option here\n{USAGE}")),
            }
        }
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        if options.threads > most {
            return Err(format!("{} threads, and this machine has {most}", options.threads));
        }
        if options.publish && (options.quick || !options.filter.is_empty()) {
            return Err("what is published is neither quick nor filtered".to_owned());
        }
        Ok(options)
    }

    fn sizes(&self, problem: &Problem) -> &'static [usize] {
        if self.quick { &problem.sizes[..problem.quick] } else { problem.sizes }
    }

    /// How long each row repeats, and how long it may take.
    fn times(&self) -> (f64, Duration) {
        if self.quick { (0.15, Duration::from_secs(15)) } else { (1.0, Duration::from_secs(30)) }
    }
}

/// Measures all, shows the tables, and keeps the rows of each problem as soon as it is through.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let options = Options::parse(arguments)?;
    let chosen: Vec<&Problem> =
        PROBLEMS.iter().filter(|problem| problem.name.contains(&options.filter)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROBLEMS.iter().map(|problem| problem.name).collect();
        return Err(format!("no problem is called so; there are {}", names.join(", ")));
    }
    let target = metadata::target(&metadata::read()?);
    cargo(&["build", "--release", "-p", "hpfracc-benches", "--bin", "peers"])?;
    let ours = target.join("release").join(format!("peers{}", std::env::consts::EXE_SUFFIX));
    let (seconds, limit) = options.times();
    let run = Run {
        told: told(&ours)?,
        threads: options.threads,
        cores: cores::first(options.threads),
        quick: options.quick,
        seconds,
        limit,
    };
    let environment = Environment::prepare(&target.join("peers/venv"), &packages(&chosen));
    let field = Field { ours, environment, options, run };
    let Field { run, options, .. } = &field;
    println!("# Side by side\n\n{}", head(&run.record(&[], &[])));
    let (lines, mut rows) = (target.join("bench/peers.jsonl"), Vec::new());
    for &problem in &chosen {
        let of_problem = field.rows(problem);
        println!("{}", section(&run.record(&[problem], &of_problem), problem.name));
        run.append(&lines, &of_problem)?;
        rows.extend(of_problem);
    }
    let record = run.record(&chosen, &rows);
    println!("{}", losses(&record));
    eprintln!("as JSON: {}", lines.display());
    if options.publish {
        let path = root().join("benches/record").join(run.place());
        record::save(&path, &record)?;
        eprintln!("on record: {}", path.display());
    }
    Ok(())
}

/// What our program tells of machine, day and itself.
fn told(ours: &Path) -> Result<Value, String> {
    let failed = |what: &str| format!("{} --machine: {what}", ours.display());
    let output = Command::new(ours).arg("--machine").current_dir(root()).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error.to_string()))
}

/// The Python packages that the problems are measured with.
fn packages(chosen: &[&Problem]) -> Vec<&'static str> {
    let contenders = chosen.iter().flat_map(|problem| problem.peers);
    let python = contenders.filter(|contender| matches!(contender.program, Program::Python(_)));
    let mut packages: Vec<&str> = python.map(|contender| contender.peer).collect();
    packages.sort_unstable();
    packages.dedup();
    // Programs of others draw and transform with them.
    for package in ["scipy", "numpy"] {
        packages.retain(|name| *name != package);
        packages.insert(0, package);
    }
    packages
}

/// Everybody who is measured, and how.
struct Field {
    ours: PathBuf,
    environment: Environment,
    options: Options,
    run: Run,
}

impl Field {
    /// The rows of a problem, size by size, ours last.
    fn rows(&self, problem: &'static Problem) -> Vec<Row> {
        let mut rows = Vec::new();
        for contender in problem.peers {
            rows.extend(
                self.of(problem, contender.peer, contender.method, || self.command(contender)),
            );
        }
        let ours = self.ours.display().to_string();
        for method in problem.ours {
            rows.extend(self.of(problem, OURS, *method, || Ok(vec![ours.clone()])));
        }
        // Stable: within a size they stay in this order.
        rows.sort_by_key(|row| row.size);
        rows
    }

    /// How to start a contender, or why that cannot be done.
    fn command(&self, contender: &Contender) -> Result<Vec<String>, String> {
        let script = |file: &str| root().join("benches/peers").join(file).display().to_string();
        match contender.program {
            Program::Python(file) => {
                let python = self.environment.python_with(contender.peer)?;
                Ok(vec![python.display().to_string(), script(file)])
            }
            Program::Octave(file) if octave_runs() => {
                let words = ["octave", "--no-gui", "--quiet", "--norc"];
                Ok([&words.map(str::to_owned)[..], &[script(file)]].concat())
            }
            Program::Octave(_) => Err("no octave in the path".to_owned()),
        }
    }

    fn of(
        &self,
        problem: &'static Problem,
        peer: &'static str,
        method: Method,
        words: impl FnOnce() -> Result<Vec<String>, String>,
    ) -> Vec<Row> {
        let sizes = self.options.sizes(problem);
        let Run { threads, cores, seconds, limit, .. } = &self.run;
        let (seconds, limit) = (*seconds, *limit);
        let found = match words() {
            Err(reason) => vec![Found::Absent(reason); sizes.len()],
            Ok(words) => {
                eprintln!("> {}: {peer}, {}", problem.name, method.1);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let mut command = program::on(*threads, cores.as_deref().ok(), &words);
                command.current_dir(root());
                let job = Job { problem: problem.name, method: method.0, sizes, seconds, limit };
                program::run(command, &job)
            }
        };
        let rows = sizes.iter().zip(found);
        rows.map(|(&size, found)| Row { problem: problem.name, size, peer, method, found })
            .collect()
    }
}

fn octave_runs() -> bool {
    let output = Command::new("octave").arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_nonsense_is_refused() {
        let options = Options::parse(&["--threads", "1", "--filter", "sde", "--quick"]).unwrap();
        let expected =
            Options { threads: 1, filter: "sde".to_owned(), quick: true, publish: false };
        assert_eq!(options, expected);
        assert_eq!(Options::parse(&[]).unwrap().threads, 1);
        for wrong in [
            &["--threads"][..],
            &["--threads", "0"],
            &["--threads", "1000000"],
            &["--threads", "two"],
            &["--filter"],
            &["--gpu"],
            &["--publish", "--quick"],
            &["--publish", "--filter", "sde"],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn packages_that_others_need_come_first() {
        let all: Vec<&Problem> = PROBLEMS.iter().collect();
        let packages = packages(&all);
        assert_eq!(packages[..2], ["numpy", "scipy"]);
        assert_eq!(packages.iter().filter(|name| **name == "torch").count(), 1);
    }
}
