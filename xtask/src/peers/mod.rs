//! `cargo xtask bench --peers`: the same problems solved by other libraries, with times and errors.
//!
//! Processes run one at a time, problem by problem, each with the same number of threads.
//! `benches/peers` has the programs of other libraries and the table of [`problems`],
//! `benches/src/bin/peers` the program of this library.

mod cores;
pub(crate) mod problems;
mod program;
pub(crate) mod record;
mod row;

use crate::environment::Environment;
use crate::figures::peers::{OURS, head, losses, section};
use crate::metadata;
use crate::run::{Outcome, cargo, root};
use problems::{Contender, Method, PROBLEMS, Problem};
use program::Task;
use record::Run;
use row::{Measurement, Row};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask bench --peers [--threads N] [--filter NAME] [--quick] [--publish]";

/// Command line.
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
                _ => return Err(format!("unknown option `{argument}`\n{USAGE}")),
            }
        }
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        if options.threads > most {
            return Err(format!("--threads {}: this machine has {most}", options.threads));
        }
        if options.publish && (options.quick || !options.filter.is_empty()) {
            return Err("--publish excludes --quick and --filter".to_owned());
        }
        Ok(options)
    }

    fn sizes(&self, problem: &'static Problem) -> &'static [usize] {
        if self.quick { &problem.sizes[..problem.quick] } else { &problem.sizes }
    }

    /// Time for the repetitions of a row, and its time limit.
    fn times(&self) -> (f64, Duration) {
        if self.quick { (0.15, Duration::from_secs(15)) } else { (1.0, Duration::from_secs(30)) }
    }
}

/// Measures the problems and prints the tables; the rows of each finished problem are stored.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let options = Options::parse(arguments)?;
    let chosen: Vec<&'static Problem> =
        PROBLEMS.iter().filter(|problem| problem.name.contains(&options.filter)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROBLEMS.iter().map(|problem| problem.name.as_str()).collect();
        return Err(format!("no problem with this name; the problems are {}", names.join(", ")));
    }
    let target = metadata::target(&metadata::read()?);
    cargo("build --release -p hpfracc-benches --bin peers")?;
    let ours = target.join("release").join(format!("peers{}", std::env::consts::EXE_SUFFIX));
    let (seconds, limit) = options.times();
    let run = Run {
        machine: description(&ours)?,
        threads: options.threads,
        cores: cores::first(options.threads),
        quick: options.quick,
        seconds,
        limit,
    };
    let requirements = root().join("benches/peers/requirements.txt");
    let folder = target.join("peers/venv");
    let environment = Environment::prepare(&folder, &requirements, &packages(&chosen), None);
    let comparison = Comparison { ours, environment, options, run };
    let Comparison { run, options, .. } = &comparison;
    println!("# Comparison with other libraries\n\n{}", head(&run.record(&[], &[])));
    let (lines, mut rows) = (target.join("bench/peers.jsonl"), Vec::new());
    for &problem in &chosen {
        let new = comparison.rows(problem);
        println!("{}", section(&run.record(&[problem], &new), &problem.name));
        run.append(&lines, &new)?;
        rows.extend(new);
    }
    let record = run.record(&chosen, &rows);
    println!("{}", losses(&record));
    eprintln!("as JSON: {}", lines.display());
    if options.publish {
        let path = root().join("benches/record").join(run.place());
        record::save(&path, &record)?;
        eprintln!("record: {}", path.display());
    }
    Ok(())
}

/// Output of our program with `--machine`: machine, date and version.
fn description(ours: &Path) -> Result<Value, String> {
    let failed = |what: &str| format!("{} --machine: {what}", ours.display());
    let output = Command::new(ours).arg("--machine").current_dir(root()).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error.to_string()))
}

/// Python packages of the contenders.
fn packages(chosen: &[&'static Problem]) -> Vec<&'static str> {
    let contenders = chosen.iter().flat_map(|problem| &problem.peers);
    let python = contenders.filter(|contender| !contender.is_octave());
    let mut packages: Vec<&str> = python.map(|contender| contender.peer.as_str()).collect();
    packages.sort_unstable();
    packages.dedup();
    // All programs need these two.
    for package in ["scipy", "numpy"] {
        packages.retain(|name| *name != package);
        packages.insert(0, package);
    }
    packages
}

/// Programs of all libraries, and settings of their measurement.
struct Comparison {
    ours: PathBuf,
    environment: Environment,
    options: Options,
    run: Run,
}

impl Comparison {
    /// Rows of a problem by size; within a size this library is the last.
    fn rows(&self, problem: &'static Problem) -> Vec<Row> {
        let mut rows = Vec::new();
        for contender in &problem.peers {
            let command = self.command(contender);
            rows.extend(self.measure(problem, &contender.peer, &contender.method, command));
        }
        let ours = self.ours.display().to_string();
        for method in &problem.ours {
            rows.extend(self.measure(problem, OURS, method, Ok(vec![ours.clone()])));
        }
        // Stable: rows of a size stay in this order.
        rows.sort_by_key(|row| row.size);
        rows
    }

    /// Command line of a contender, or the reason why it cannot run.
    fn command(&self, contender: &Contender) -> Result<Vec<String>, String> {
        let script = root().join("benches/peers").join(&contender.file).display().to_string();
        if !contender.is_octave() {
            let python = self.environment.python_with(&contender.peer)?;
            return Ok(vec![python.display().to_string(), script]);
        }
        if !octave_runs() {
            return Err("no octave in the path".to_owned());
        }
        let words = ["octave", "--no-gui", "--quiet", "--norc", &script];
        Ok(words.map(str::to_owned).into())
    }

    fn measure(
        &self,
        problem: &'static Problem,
        peer: &'static str,
        method: &'static Method,
        command: Result<Vec<String>, String>,
    ) -> Vec<Row> {
        let sizes = self.options.sizes(problem);
        let Run { threads, cores, seconds, limit, .. } = &self.run;
        let (seconds, limit) = (*seconds, *limit);
        let results = match command {
            Err(reason) => vec![Measurement::Absent(reason); sizes.len()],
            Ok(words) => {
                eprintln!("> {}: {peer}, {}", problem.name, method.label);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let mut command = program::on(*threads, cores.as_deref().ok(), &words);
                command.current_dir(root());
                let (problem, method) = (&problem.name, &method.name);
                program::run(command, &Task { problem, method, sizes, seconds, limit })
            }
        };
        let (problem, method) = (&problem.name, (method.name.as_str(), method.label.as_str()));
        let rows = sizes.iter().zip(results);
        rows.map(|(&size, measurement)| Row { problem, size, peer, method, measurement }).collect()
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
    fn options_are_parsed_and_invalid_ones_refused() {
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
