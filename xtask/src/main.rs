//! The workspace's own commands: `cargo xtask check | tidy | bench | book | formulas | references`.

mod book;
mod formulas;
mod include;
mod pages;
mod references;
mod run;
mod tidy;

use run::{Outcome, cargo};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check        format, lints, tidy, documentation, tests: what continuous integration runs
  tidy         the rules of ARCHITECTURE.md that a program can check
  bench [ARGS] benchmarks, as ratios within one run; try --quick, --filter NAME, and --gpu, which
               adds the shaders (and minutes of building)
  book         runs the programs of the book and builds it in target/book (installs mdbook if need be)
  formulas     makes the formulas of the documentation anew, from the TeX in the sources
  references   makes the reference tables anew (needs python3 with mpmath)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    let outcome = match args.first().map(String::as_str) {
        Some("check") => check(),
        Some("tidy") => tidy::run(),
        Some("bench") => {
            let (gpu, rest): (Vec<&str>, Vec<&str>) = rest.iter().partition(|arg| **arg == "--gpu");
            let features: &[&str] = if gpu.is_empty() { &[] } else { &["--features", "gpu"] };
            let run = ["run", "--release", "-p", "hpfracc-benches"];
            cargo(&[&run[..], features, &["--"], &rest].concat())
        }
        Some("book") => book::run(),
        // For mdbook, which docs/book.toml tells of it.
        Some("pages") => pages::run(&rest),
        Some("formulas") => formulas::run(),
        Some("references") => references::run(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn check() -> Outcome {
    cargo(&["fmt", "--all", "--check"])?;
    tidy::run()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])?;
    // What builds without GPU support has code of its own.
    let light = ["-p", "hpfracc", "-p", "hpfracc-cli", "--no-default-features"];
    let lints = ["-p", "hpfracc-benches", "--all-targets", "--", "-D", "warnings"];
    cargo(&[&["clippy"], &light[..], &lints].concat())?;
    run::cargo_with(
        &["doc", "--workspace", "--all-features", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    cargo(&["test", "--workspace", "--all-features"])?;
    cargo(&[&["test"], &light[..]].concat())
}
