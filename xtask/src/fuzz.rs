//! Searching for inputs that break something: `fuzz/`, built with libFuzzer.

use crate::run::{Outcome, cargo, cargo_command, finish, root};
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "\
usage: cargo xtask fuzz [TARGET] [--seconds N] [--seed N] [--plain]

  TARGET       one of the folders of fuzz/corpus; all of them, one after the other, if none is named
  --seconds N  for each target, 60 if nothing is said
  --seed N     of the random changes; another one each time if nothing is said, and printed
  --plain      changes without looking at what code they reach: needs no build of its own, no C++
               compiler, and finds less";

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

/// The program that has all targets, built with counters in all crates.
fn build() -> Result<PathBuf, String> {
    // Named, so that programs of the build get no counters.
    let host = host()?;
    let flags = [&["--cfg", "fuzzing"], &COVERAGE[..]].concat().join(" ");
    let mut command = cargo_command();
    command
        .args(["build", "-p", "hpfracc-fuzz", "--profile", "fuzz", "--target", &host])
        .args(["--target-dir", "target/fuzz"])
        .env("RUSTFLAGS", flags);
    finish(command, "cargo build -p hpfracc-fuzz")?;
    Ok(root().join("target/fuzz").join(host).join("fuzz").join("hpfracc-fuzz"))
}

/// The name of this machine's kind, as the compiler has it.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "host-tuple"]).output();
    let output = output.map_err(|e| format!("rustc did not start: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn search(program: &Path, name: &str, asked: &Asked) -> Outcome {
    let (found, kept) = (root().join("target/fuzz/corpus").join(name), root().join("fuzz/corpus"));
    std::fs::create_dir_all(&found).map_err(|e| format!("{}: {e}", found.display()))?;
    let mut command = Command::new(program);
    command
        .current_dir(root())
        .env("HPFRACC_FUZZ_TARGET", name)
        .arg(format!("-max_total_time={}", asked.seconds))
        .arg(format!("-artifact_prefix=target/fuzz/{name}-"))
        .args(["-max_len=2048", "-print_final_stats=1"])
        .args(LIMITS);
    if let Some(seed) = asked.seed {
        command.arg(format!("-seed={seed}"));
    }
    // What is found goes to the first folder.
    command.arg(&found).arg(kept.join(name));
    eprintln!("> {name}, {} s", asked.seconds);
    finish(command, &format!("the search for inputs of `{name}`"))
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
    fn there_are_targets() {
        assert!(targets().unwrap().contains(&"csv".to_owned()));
    }
}
