//! Commands of the workspace: `cargo xtask check | api | tidy | cycles | bench | figures |
//! snippets | book | formulas | fuzz | gpu | python | references | web`.

mod book;
mod check;
mod documents;
mod environment;
mod figures;
mod files;
mod formulas;
mod fuzz;
mod gpu;
mod metadata;
mod modules;
mod pages;
mod peers;
mod python;
mod references;
mod run;
mod snippets;
mod tidy;
mod web;

use run::{Outcome, cargo_with};
use std::ffi::OsString;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check [PART] all checks, or some of: lints docs api features minimal package tests
  api          writes the listings of public items, crates/*/api.txt
  tidy         checks the rules of ARCHITECTURE.md
  cycles [CRATE] cyclic dependencies of modules, with the names that cause them
  bench [ARGS] benchmarks, as ratios within one run; try --quick, --filter NAME, --baseline, --publish,
               and --gpu, which adds the shaders (and minutes of building); see benches/README.md
  bench --peers [--threads N] [--filter NAME] [--quick] [--publish]
               the same problems in other libraries, in a Python environment in target/peers (torch
               takes 5 GB) and in octave if installed: times and errors side by side
  figures [--machine NAME]
               writes the figures of README and book from the records in benches/record, of the machine
               with the newest record or of NAME
  figures --measure [GROUP]
               first measures those of accuracy, by the tests that record them
  snippets     writes the code of the book from the programs of examples/
  book         runs the programs of the book and builds it in target/book (installs mdbook if it is missing)
  formulas     writes the MathML of the documentation from the TeX in the sources
  fuzz [TARGET] [--seconds N] searches for failing inputs (see `fuzz --help`)
  gpu [ARGS]   parity, faults, roofline, shaders and the choice of backends on a GPU within 9 minutes, in one file of
               JSON; --prebuild makes the programs for another machine (see `gpu --help`)
  python       builds the Python package, installs it in target/python and runs its tests, types and notebooks; with
               PyTorch and JAX in an environment in the cache folder of the user, where they can be had in five minutes
  references   computes the reference tables (needs python3 with mpmath)
  web          builds the explorer for browsers, a static site in target/web; names what is missing";

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let outcome = check::api::as_rustdoc(&args).unwrap_or_else(|| command(&args));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn command(args: &[OsString]) -> Outcome {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let rest: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    match args.first().map(String::as_str) {
        Some("check") => check::run(&rest),
        Some("api") => check::api::write(),
        Some("tidy") => tidy::run(),
        Some("cycles") => modules::run(&rest),
        Some("bench") if rest.contains(&"--peers") => {
            let rest: Vec<&str> = rest.into_iter().filter(|arg| *arg != "--peers").collect();
            peers::run(&rest)
        }
        Some("bench") => {
            let (gpu, rest): (Vec<&str>, Vec<&str>) = rest.iter().partition(|arg| **arg == "--gpu");
            let features = if gpu.is_empty() { "" } else { " --features gpu" };
            let run = format!("run --release -p hpfracc-benches{features} --");
            let run: Vec<&str> = run.split(' ').chain(rest).collect();
            cargo_with(&run, &[])
        }
        Some("figures") => figures::run(&rest),
        Some("snippets") => snippets::run(),
        Some("book") => book::run(),
        Some("fuzz") => fuzz::run(&rest),
        Some("gpu") => gpu::run(&rest),
        // Preprocessor of mdbook, configured in docs/book.toml.
        Some("pages") => pages::run(&rest),
        Some("formulas") => formulas::run(),
        Some("python") => python::run(&rest),
        Some("references") => references::run(),
        Some("web") => web::run(&rest),
        _ => Err(USAGE.to_owned()),
    }
}
