//! Program of this library for `cargo xtask bench --peers`: solves one problem by one method and
//! prints a line of JSON for each size.
//!
//! `peers PROBLEM METHOD SECONDS SIZE...` runs on `RAYON_NUM_THREADS` threads. The programs of
//! `benches/peers` solve the same problems with other libraries. `peers --machine` prints machine,
//! date and program for the record.

mod curve_fit;
#[path = "../../date.rs"]
mod date;
mod derivative;
mod ensembles;
mod fields;
mod fractional_brownian;
mod layers;
#[path = "../../machine.rs"]
#[expect(dead_code, reason = "used by the other program, which compares machines")]
mod machine;
mod mittag_leffler;
mod networks;
mod neural;
mod relaxation;
mod row;

use machine::{Machine, Program};
use row::Measured;
use std::process::ExitCode;

/// Measures a problem: name of the method, seconds of repetitions, and size.
type Method = fn(&str, f64, usize) -> Option<Measured>;

const PROBLEMS: &[(&str, Method)] = &[
    ("derivative", derivative::run),
    ("mittag-leffler-negative", mittag_leffler::negative),
    ("mittag-leffler-positive", mittag_leffler::positive),
    ("mittag-leffler-complex", mittag_leffler::complex),
    ("relaxation", relaxation::run),
    ("subdiffusion", fields::subdiffusion),
    ("allen-cahn", fields::allen_cahn),
    ("curve-fit", curve_fit::one),
    ("curve-fit-batch", curve_fit::batch),
    ("geometric-brownian", ensembles::geometric_brownian),
    ("rough-bergomi-f32", ensembles::rough_bergomi::<f32>),
    ("rough-bergomi-f64", ensembles::rough_bergomi::<f64>),
    ("fractional-brownian-f32", fractional_brownian::run::<f32>),
    ("fractional-brownian-f64", fractional_brownian::run::<f64>),
    ("neural-sde", neural::stochastic),
    ("neural-fractional-ode", neural::fractional),
    ("linear-gelu", layers::linear_gelu),
    ("gelu", layers::gelu),
    ("layer-norm", layers::layer_norm),
    ("softmax", layers::softmax),
    ("attention", layers::attention),
    ("perceptron-784-128-10", networks::images),
    ("perceptron-24-8-2", networks::small),
    ("transformer", networks::transformer),
];

const USAGE: &str = "usage: peers PROBLEM METHOD SECONDS SIZE... | peers --machine";

fn main() -> ExitCode {
    match measure(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &[String]) -> Result<(), String> {
    if arguments == ["--machine"] {
        println!("{}", origin());
        return Ok(());
    }
    let [problem, method, seconds, sizes @ ..] = arguments else { return Err(USAGE.to_owned()) };
    let (name, run) = PROBLEMS
        .iter()
        .find(|(name, _)| name == problem)
        .ok_or_else(|| format!("no problem `{problem}`"))?;
    let seconds = seconds.parse().map_err(|_| USAGE)?;
    for size in sizes {
        let size = size.parse().map_err(|_| USAGE)?;
        let row = run(method, seconds, size)
            .ok_or_else(|| format!("no method `{method}` of the problem `{name}`"))?;
        println!("{}", row.json(name, size));
    }
    Ok(())
}

/// Machine, date and program of the rows.
fn origin() -> serde_json::Value {
    let machine = Machine::here();
    let folder = machine.folder();
    serde_json::json!({
        "machine": machine, "folder": folder, "date": date::today(), "program": Program::here(),
    })
}
