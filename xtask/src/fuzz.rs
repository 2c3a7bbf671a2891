//! `cargo xtask fuzz`: searches for failing inputs with `fuzz/`, built with libFuzzer.

use crate::files::{entries, failed, name};
use crate::run::{self, Outcome, cargo_command, finish, root};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask fuzz [TARGET | --today N] [--seconds N] [--seed N] [--plain]

  TARGET       folder of fuzz/corpus; by default all, one after the other
  --today N    N targets in turn: other ones every day
  --seconds N  time for each target after its corpus; default 60
  --seed N     seed of the mutations, which is printed; by default random, with --plain the day, counted from 1970
  --plain      mutations without coverage: needs no separate build and no C++ compiler, and finds
               less; a failing input is printed with the message, not written to a file

A failing input is written to target/fuzz. To reproduce it, and to add it to the corpus once it is fixed:
  cargo run -p hpfracc-fuzz -- TARGET FILE
  mv FILE fuzz/corpus/TARGET/NAME";

/// Instrumentation of edges and comparisons for libFuzzer, all in the stable compiler. Sanitizers
/// are unstable, and find little in code without `unsafe`.
const COVERAGE: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Maximum seconds for an input, and maximum memory in MiB.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=3000"];

#[derive(Debug, PartialEq, Eq)]
struct Request {
    target: Option<String>,
    /// Number of targets that are the turn of the day.
    today: Option<u64>,
    seconds: u64,
    seed: Option<u64>,
    plain: bool,
}

impl Request {
    fn of(args: &[&str]) -> Result<Self, String> {
        let mut request = Self { target: None, today: None, seconds: 60, seed: None, plain: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|number| number.parse().ok());
                number.ok_or_else(|| format!("{arg} expects a number\n\n{USAGE}"))
            };
            match *arg {
                "--seconds" => request.seconds = number()?,
                "--today" => request.today = Some(number()?),
                "--seed" => request.seed = Some(number()?),
                "--plain" => request.plain = true,
                name if !name.starts_with('-') && request.target.is_none() => {
                    request.target = Some(name.to_owned());
                }
                _ => return Err(format!("unknown argument {arg}\n\n{USAGE}")),
            }
        }
        if request.target.is_some() && request.today.is_some() {
            return Err(format!("a target and --today exclude each other\n\n{USAGE}"));
        }
        Ok(request)
    }
}

/// Days since 1970 (UTC).
fn day() -> u64 {
    run::now() / 86_400
}

/// The `count` targets of a day: all of them in turn.
fn of_day(targets: &[String], count: u64, day: u64) -> Vec<String> {
    let all = targets.len() as u64;
    let count = count.min(all);
    (0..count).map(|k| targets[((day * count + k) % all) as usize].clone()).collect()
}

/// Searches target after target; ends at the first failing input, which libFuzzer writes to
/// target/fuzz.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let request = Request::of(args)?;
    let targets = targets()?;
    let chosen = match &request.target {
        None => request.today.map_or_else(|| targets.clone(), |n| of_day(&targets, n, day())),
        Some(name) if targets.contains(name) => vec![name.clone()],
        Some(name) => {
            return Err(format!("no target `{name}`; the targets are {}", targets.join(", ")));
        }
    };
    if request.plain {
        let (seconds, seed) = (request.seconds.to_string(), request.seed.unwrap_or_else(day));
        let program = build_plain()?;
        return chosen.iter().try_for_each(|name| {
            eprintln!("> {name}, {seconds} s of mutations with seed {seed}");
            let mut command = Command::new(&program);
            command.current_dir(root()).args([name, &seconds, &seed.to_string()]);
            let repeat =
                format!("cargo xtask fuzz {name} --plain --seconds {seconds} --seed {seed}");
            finish(command, &repeat)
        });
    }
    let program = build()?;
    chosen.iter().try_for_each(|name| search(&program, name, &request))
}

/// Targets: the folders of the corpus.
fn targets() -> Result<Vec<String>, String> {
    Ok(entries(&root().join("fuzz/corpus"))?.iter().map(|folder| name(folder)).collect())
}

/// Builds the program of all targets with instrumentation in all crates. The development profile
/// has checks, and level 2 takes a third longer to compile.
fn build() -> Result<PathBuf, String> {
    // With a named target, programs of the build are not instrumented.
    let host = host()?;
    let flags = [&["--cfg", "fuzzing"], &COVERAGE[..]].concat().join(" ");
    let mut command = cargo_command();
    command
        .args(["build", "-p", "hpfracc-fuzz", "--target", &host])
        .args(["--target-dir", "target/fuzz"])
        .env("RUSTFLAGS", flags);
    finish(command, "cargo build -p hpfracc-fuzz")
        .map_err(|error| format!("{error}\nlibFuzzer needs a C++ compiler; --plain does not"))?;
    let program = format!("hpfracc-fuzz{}", std::env::consts::EXE_SUFFIX);
    Ok(root().join("target/fuzz").join(host).join("debug").join(program))
}

/// Builds the program without instrumentation, with the features of the tests of the workspace, so
/// that after them nothing is left to build.
fn build_plain() -> Result<PathBuf, String> {
    let name = "hpfracc-fuzz";
    let mut programs = run::build(&["--workspace", "--all-features", "--bin", name], None)?;
    programs.remove(name).ok_or_else(|| format!("cargo has not built {name}"))
}

/// Target triple of this machine.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "host-tuple"]).output();
    let output = output.map_err(|e| format!("rustc did not start: {e}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`rustc --print host-tuple` failed: {}\n{stderr}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs the corpus without a time limit, then mutations of it for the requested seconds: libFuzzer
/// looks at the clock only after the corpus, and would otherwise end without a mutation.
fn search(program: &Path, name: &str, request: &Request) -> Outcome {
    let folders =
        [root().join("target/fuzz/corpus").join(name), root().join("fuzz/corpus").join(name)];
    std::fs::create_dir_all(&folders[0]).map_err(failed(&folders[0]))?;
    let executed = |limit: String| -> Result<u64, String> {
        let mut command = libfuzzer(program, name);
        command.args([limit, format!("-artifact_prefix=target/fuzz/{name}-")]);
        command.args(["-max_len=2048", "-print_final_stats=1"]);
        command.args(request.seed.map(|seed| format!("-seed={seed}")));
        // New inputs are written to the first folder.
        let (status, executed) = run_counting(command.args(&folders))?;
        if status.success() { Ok(executed.unwrap_or(0)) } else { Err(failure(name, status)) }
    };
    eprintln!("> {name}: the corpus");
    let start = Instant::now();
    let corpus = executed("-runs=0".to_owned())?;
    // The second process runs the corpus again.
    let again = start.elapsed().as_secs() + 1;
    eprintln!("> {name}, {} s", request.seconds);
    let all = executed(format!("-max_total_time={}", request.seconds.saturating_add(again)))?;
    if all > corpus {
        return Ok(());
    }
    let slowest = slowest(program, name, &folders)?;
    Err(format!(
        "`{name}`: no mutation was tried beyond the {corpus} inputs of the corpus; {slowest}"
    ))
}

fn libfuzzer(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).env("HPFRACC_FUZZ_TARGET", name).args(LIMITS);
    command
}

/// Message for a failing input.
fn failure(name: &str, status: ExitStatus) -> String {
    format!(
        "the search for inputs of `{name}` ended: {status}\n\
         the input is the file in target/fuzz that is named above; to reproduce it:\n  \
         cargo run -p hpfracc-fuzz -- {name} FILE\n\
         once it is fixed, add the file to fuzz/corpus/{name}"
    )
}

/// Runs a command, forwards its standard error, and returns the number of executed inputs.
fn run_counting(command: &mut Command) -> Result<(ExitStatus, Option<u64>), String> {
    let failed = |e: std::io::Error| format!("hpfracc-fuzz: {e}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut count = None;
    for line in child.stderr.take().into_iter().flat_map(|text| BufReader::new(text).split(b'\n')) {
        let line = line.map_err(failed)?;
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        count = executions(&line).or(count);
    }
    Ok((child.wait().map_err(failed)?, count))
}

/// Number of executed inputs from a line of libFuzzer's statistics.
fn executions(line: &str) -> Option<u64> {
    line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()
}

/// Slowest input and its time.
fn slowest(program: &Path, name: &str, folders: &[PathBuf]) -> Result<String, String> {
    let mut most = (std::time::Duration::ZERO, PathBuf::new());
    for folder in folders {
        for file in entries(folder)? {
            let start = Instant::now();
            libfuzzer(program, name).arg(&file).output().map_err(failed(&file))?;
            most = most.max((start.elapsed(), file));
        }
    }
    Ok(format!("the slowest takes {:.1} s: {}", most.0.as_secs_f64(), most.1.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_in_any_order() {
        let request = Request::of(&["--seconds", "10", "csv", "--plain"]).unwrap();
        let expected = Request {
            target: Some("csv".to_owned()),
            today: None,
            seconds: 10,
            seed: None,
            plain: true,
        };
        assert_eq!(request, expected);
        for wrong in [
            &["--seconds"][..],
            &["--seed", "x"],
            &["csv", "toml"],
            &["--sanitizer"],
            &["csv", "--today", "3"],
        ] {
            assert!(
                Request::of(wrong).is_err_and(|message| message.contains("usage")),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn the_statistics_of_libfuzzer_are_read() {
        assert_eq!(executions("stat::number_of_executed_units: 4096"), Some(4096));
        assert_eq!(executions("stat::average_exec_per_sec:     4096"), None);
    }

    #[test]
    fn every_target_has_its_turn() {
        let targets: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
        assert_eq!(of_day(&targets, 3, 1), ["d", "e", "a"]);
        assert_eq!(of_day(&targets, 9, 1).len(), 5);
        let two_days = [of_day(&targets, 3, 20_000), of_day(&targets, 3, 20_001)].concat();
        assert!(targets.iter().all(|target| two_days.contains(target)));
    }

    #[test]
    fn there_are_targets() {
        assert!(targets().unwrap().contains(&"csv".to_owned()));
    }
}
