//! Table of the chapter "Which derivative do I want?": `cargo run --example book_derivative`.

use hpfracc::prelude::*;
use pictures::Outcome;

/// Row of the table: derivatives of order 1/2 of 1 and of t at t = 1.
struct Line {
    name: &'static str,
    parameters: &'static [(&'static str, f64)],
    of_one: &'static str,
    of_t: &'static str,
}

const fn line(name: &'static str, of_one: &'static str, of_t: &'static str) -> Line {
    Line { name, parameters: &[], of_one, of_t }
}

const TABLE: [Line; 7] = [
    line("rl-integral", "1.12838", "0.75225"),
    line("riemann-liouville", "0.56419", "1.12838"),
    line("caputo", "0.00000", "1.12838"),
    Line { parameters: &[("lambda", 1.0)], ..line("tempered-caputo", "0.84270", "1.47160") },
    line("caputo-fabrizio", "0.00000", "1.26424"),
    line("atangana-baleanu-caputo", "0.00000", "1.11193"),
    line("atangana-baleanu-riemann", "0.85517", "1.11193"),
];

fn main() -> Outcome<()> {
    for Line { name, parameters, of_one, of_t } in TABLE {
        let (one, t) = half_order(name, parameters)?;
        let values = [one, t].map(|value| format!("{:.5}", value.abs()));
        println!("{name:<26}{:>9}{:>9}", values[0], values[1]);
        assert_eq!(values, [of_one, of_t], "{name}");
    }
    Ok(())
}

// ANCHOR: named
use hpfracc::operators::named;

/// Derivatives of order 1/2 of the constant 1 and of t, at t = 1, of a named operator.
fn half_order(name: &str, parameters: &[(&str, f64)]) -> Result<(f64, f64), OperatorError> {
    let grid = Grid::uniform(20_001, 1.0 / 20_000.0)?;
    let operator = named(name, None, Order::new(0.5)?, parameters)?;
    let half = operator.on(grid, &Machine::detect())?;
    let of_one = half.apply(Array1::<f64>::ones(grid.n()).view())?;
    let of_t = half.apply(grid.points().collect::<Array1<f64>>().view())?;
    Ok((of_one[20_000], of_t[20_000]))
}
// ANCHOR_END: named

pictures::runs_with_the_tests!();
