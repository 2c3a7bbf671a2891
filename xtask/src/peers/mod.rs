//! `cargo xtask bench --peers`: the same problems by other libraries, times and errors side by side.
//!
//! One process at a time, all of a problem in a row, each with as many threads: benches/peers has the
//! programs, `benches/src/bin/peers` ours, [`problems`] who is measured on what.

mod environment;
mod machine;
mod problems;
mod program;
mod row;
mod table;

use crate::run::{Outcome, cargo, cargo_command, root};
use environment::Environment;
use problems::{Contender, Method, PROBLEMS, Problem, Program};
use program::Job;
use row::{Found, Row};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What our own rows are called.
const OURS: &str = "hpfracc";

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

/// Measures all, shows the tables, and writes the rows.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let options = Options::parse(arguments)?;
    let chosen: Vec<&Problem> =
        PROBLEMS.iter().filter(|problem| problem.name.contains(&options.filter)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROBLEMS.iter().map(|problem| problem.name).collect();
        return Err(format!("no problem is called so; there are {}", names.join(", ")));
    }
    let target = target_folder()?;
    cargo(&["build", "--release", "-p", "hpfracc-benches", "--bin", "peers"])?;
    let field = Field {
        ours: target.join("release").join(format!("peers{}", std::env::consts::EXE_SUFFIX)),
        environment: Environment::prepare(&target.join("peers/venv"), &packages(&chosen)),
        bind: program::binds(),
        options,
    };
    println!("{}", field.head());
    let mut rows = Vec::new();
    for problem in chosen {
        let of_problem = field.rows(problem);
        println!("{}", table::of(problem, &of_problem));
        rows.extend(of_problem);
    }
    println!("{}", summary(&rows));
    field.write(&target, &rows)
}

/// The folder that cargo builds in.
fn target_folder() -> Result<PathBuf, String> {
    let mut command = cargo_command();
    let output = command.args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata tells no target folder".to_owned())
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
    bind: bool,
    options: Options,
}

impl Field {
    fn head(&self) -> String {
        let threads = self.options.threads;
        let bound = if self.bind { "bound to as many cores" } else { "not bound to cores" };
        format!(
            "# Side by side: {}, {threads} thread{}, {bound}\n\nTimes are the least of several calls after \
             the first, which has its own column: compilation, plans, fresh pages. Ratios below 1, in bold, \
             are rows where others are ahead.\n",
            machine::name(),
            if threads == 1 { "" } else { "s" },
        )
    }

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
        let (seconds, limit) = self.options.times();
        let found = match words() {
            Err(reason) => vec![Found::Absent(reason); sizes.len()],
            Ok(words) => {
                eprintln!("> {}: {peer}, {}", problem.name, method.1);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let mut command = program::on(self.options.threads, self.bind, &words);
                command.current_dir(root());
                let job = Job { problem: problem.name, method: method.0, sizes, seconds, limit };
                program::run(command, &job)
            }
        };
        let rows = sizes.iter().zip(found);
        rows.map(|(&size, found)| Row { problem: problem.name, size, peer, method, found })
            .collect()
    }

    /// Lines of JSON under target/bench, and the record where it is asked for.
    fn write(&self, target: &Path, rows: &[Row]) -> Outcome {
        let threads = self.options.threads;
        let lines: Vec<Value> = rows.iter().map(|row| row.json(threads)).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        save(&target.join("bench/peers.jsonl"), &text)?;
        if self.options.publish {
            let name = machine::name();
            let record = json!({ "machine": name, "threads": threads, "rows": lines });
            let more = if threads == 1 { String::new() } else { format!("-{threads}-threads") };
            let file = format!("{}-peers{more}.json", machine::today());
            save(&root().join("benches/record").join(&name).join(file), &format!("{record:#}\n"))?;
        }
        Ok(())
    }
}

fn octave_runs() -> bool {
    let output = std::process::Command::new("octave").arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

fn save(path: &Path, text: &str) -> Outcome {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
    std::fs::write(path, text).map_err(failed)?;
    eprintln!("written: {}", path.display());
    Ok(())
}

/// In how many rows others are ahead, and in which.
fn summary(rows: &[Row]) -> String {
    let (behind, compared) = table::losses(rows);
    let list: String = behind.iter().map(|row| format!("- {row}\n")).collect();
    format!("Of {compared} rows with both times, others are ahead in {}.\n{list}", behind.len())
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
