//! Searching for inputs that break something: `fuzz/`, built with libFuzzer.

use crate::run::{Outcome, cargo, cargo_command, finish, root};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask fuzz [TARGET] [--seconds N] [--seed N] [--plain]

  TARGET       one of the folders of fuzz/corpus; all of them, one after the other, if none is named
  --seconds N  for each target, after its corpus; 60 if nothing is said
  --seed N     of the random changes; if nothing is said another one each time, which is printed, and
               with --plain 1
  --plain      changes without looking at what code they reach: needs no build of its own, no C++
               compiler, and finds less; what it finds is printed with the message, not kept in a file

An input that breaks something is left in target/fuzz. To see it again, and to keep it once it is put right:
  cargo run -p hpfracc-fuzz -- TARGET FILE
  mv FILE fuzz/corpus/TARGET/NAME";

/// What the compiler adds so that libFuzzer sees which edges were taken and what was compared. All of
/// it is in the stable compiler; sanitizers, which are not, have little to find where there is no unsafe code.
const COVERAGE: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// An input may take so many seconds, and all together so much memory in MiB.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=3000"];

#[derive(Debug, PartialEq, Eq)]
struct Asked {
    target: Option<String>,
    seconds: u64,
    seed: Option<u64>,
    plain: bool,
}

impl Asked {
    fn of(args: &[&str]) -> Result<Self, String> {
        let mut asked = Self { target: None, seconds: 60, seed: None, plain: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|number| number.parse().ok());
                number.ok_or_else(|| format!("{arg} wants a number\n\n{USAGE}"))
            };
            match *arg {
                "--seconds" => asked.seconds = number()?,
                "--seed" => asked.seed = Some(number()?),
                "--plain" => asked.plain = true,
                name if !name.starts_with('-') && asked.target.is_none() => {
                    asked.target = Some(name.to_owned());
                }
                _ => return Err(format!("{arg} means nothing here\n\n{USAGE}")),
            }
        }
        Ok(asked)
    }
}

/// Searches for so long, target after target; ends at the first input that breaks something, which
/// libFuzzer leaves in target/fuzz.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let asked = Asked::of(args)?;
    let known = targets()?;
    let chosen = match &asked.target {
        None => known,
        Some(name) if known.contains(name) => vec![name.clone()],
        Some(name) => {
            return Err(format!("there is no target `{name}`; there are {}", known.join(", ")));
        }
    };
    if asked.plain {
        let (seconds, seed) = (asked.seconds.to_string(), asked.seed.unwrap_or(1).to_string());
        return chosen.iter().try_for_each(|name| {
            cargo(&["run", "--quiet", "-p", "hpfracc-fuzz", "--", name, &seconds, &seed])
        });
    }
    let program = build()?;
    chosen.iter().try_for_each(|name| search(&program, name, &asked))
}

/// The folders of the corpus, which are named after their targets.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/corpus");
    let shown = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(shown)? {
        names.push(entry.map_err(shown)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The program that has all targets, built with counters in all crates. In the development profile, for its
/// checks, and because level 2 builds a third longer.
fn build() -> Result<PathBuf, String> {
    // Named, so that programs of the build get no counters.
    let host = host()?;
    let flags = [&["--cfg", "fuzzing"], &COVERAGE[..]].concat().join(" ");
    let mut command = cargo_command();
    command
        .args(["build", "-p", "hpfracc-fuzz", "--target", &host])
        .args(["--target-dir", "target/fuzz"])
        .env("RUSTFLAGS", flags);
    finish(command, "cargo build -p hpfracc-fuzz").map_err(|error| {
        format!("{error}\nlibFuzzer needs a C++ compiler; --plain does without")
    })?;
    let program = format!("hpfracc-fuzz{}", std::env::consts::EXE_SUFFIX);
    Ok(root().join("target/fuzz").join(host).join("debug").join(program))
}

/// The name of this machine's kind, as the compiler has it.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "host-tuple"]).output();
    let output = output.map_err(|e| format!("rustc did not start: {e}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`rustc --print host-tuple` failed: {}\n{said}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The corpus first, without a clock, then so many seconds of changes of it: libFuzzer looks at its clock only
/// when the corpus is through, and would end then, having tried nothing.
fn search(program: &Path, name: &str, asked: &Asked) -> Outcome {
    let folders =
        [root().join("target/fuzz/corpus").join(name), root().join("fuzz/corpus").join(name)];
    std::fs::create_dir_all(&folders[0]).map_err(|e| format!("{}: {e}", folders[0].display()))?;
    let executed = |limit: String| -> Result<u64, String> {
        let mut command = libfuzzer(program, name);
        command.args([limit, format!("-artifact_prefix=target/fuzz/{name}-")]);
        command.args(["-max_len=2048", "-print_final_stats=1"]);
        command.args(asked.seed.map(|seed| format!("-seed={seed}")));
        // What is found goes to the first folder.
        let (status, executed) = told(command.args(&folders))?;
        if status.success() { Ok(executed.unwrap_or(0)) } else { Err(broken(name, status)) }
    };
    eprintln!("> {name}: the corpus");
    let start = Instant::now();
    let kept = executed("-runs=0".to_owned())?;
    // It goes through it once more.
    let again = start.elapsed().as_secs() + 1;
    eprintln!("> {name}, {} s", asked.seconds);
    let all = executed(format!("-max_total_time={}", asked.seconds.saturating_add(again)))?;
    if all > kept {
        return Ok(());
    }
    let slowest = slowest(program, name, &folders)?;
    Err(format!("`{name}`: nothing was tried beyond the {kept} inputs of the corpus; {slowest}"))
}

fn libfuzzer(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).env("HPFRACC_FUZZ_TARGET", name).args(LIMITS);
    command
}

/// What to do with what was found.
fn broken(name: &str, status: ExitStatus) -> String {
    format!(
        "the search for inputs of `{name}` ended: {status}\n\
         the input is the file that is named above, in target/fuzz; to see it again:\n  \
         cargo run -p hpfracc-fuzz -- {name} FILE\n\
         once that is put right, keep it in fuzz/corpus/{name}"
    )
}

/// Runs a command whose standard error goes on to ours, and takes from it how many inputs it ran.
fn told(command: &mut Command) -> Result<(ExitStatus, Option<u64>), String> {
    let failed = |e: std::io::Error| format!("hpfracc-fuzz: {e}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut count = None;
    for line in child.stderr.take().into_iter().flat_map(|said| BufReader::new(said).split(b'\n')) {
        let line = line.map_err(failed)?;
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        count = executions(&line).or(count);
    }
    Ok((child.wait().map_err(failed)?, count))
}

/// The number in a line of libFuzzer's statistics that counts what was run.
fn executions(line: &str) -> Option<u64> {
    line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()
}

/// The input that takes longest, and how long.
fn slowest(program: &Path, name: &str, folders: &[PathBuf]) -> Result<String, String> {
    let mut most = (std::time::Duration::ZERO, PathBuf::new());
    for folder in folders {
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let mut command = libfuzzer(program, name);
            let start = Instant::now();
            command.arg(&file).output().map_err(failed)?;
            most = most.max((start.elapsed(), file));
        }
    }
    Ok(format!("the slowest takes {:.1} s: {}", most.0.as_secs_f64(), most.1.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_may_stand_in_any_order() {
        let asked = Asked::of(&["--seconds", "10", "csv", "--plain"]).unwrap();
        let expected =
            Asked { target: Some("csv".to_owned()), seconds: 10, seed: None, plain: true };
        assert_eq!(asked, expected);
        for wrong in [&["--seconds"][..], &["--seed", "x"], &["csv", "toml"], &["--sanitizer"]] {
            assert!(Asked::of(wrong).is_err_and(|message| message.contains("usage")), "{wrong:?}");
        }
    }

    #[test]
    fn what_libfuzzer_counts_is_read() {
        assert_eq!(executions("stat::number_of_executed_units: 4096"), Some(4096));
        assert_eq!(executions("stat::average_exec_per_sec:     4096"), None);
    }

    #[test]
    fn there_are_targets() {
        assert!(targets().unwrap().contains(&"csv".to_owned()));
    }
}
