//! The table of the chapter "Which derivative do I want?": `cargo run --example book_derivative`.

use hpfracc::ndarray::Array1;
use hpfracc::operators::named;
use hpfracc::prelude::*;
use pictures::Outcome;

/// Name, parameters, and half an order of 1 and of t at t = 1.
const TABLE: [(&str, &[(&str, f64)], f64, f64); 7] = [
    ("rl-integral", &[], 1.12838, 0.75225),
    ("riemann-liouville", &[], 0.56419, 1.12838),
    ("caputo", &[], 0.0, 1.12838),
    ("tempered-caputo", &[("lambda", 1.0)], 0.84270, 1.47160),
    ("caputo-fabrizio", &[], 0.0, 1.26424),
    ("atangana-baleanu-caputo", &[], 0.0, 1.11193),
    ("atangana-baleanu-riemann", &[], 0.85517, 1.11193),
];

fn main() -> Outcome<()> {
    for (name, parameters, of_one, of_t) in TABLE {
        let (found_of_one, found_of_t) = half_an_order(name, parameters)?;
        println!("{name:<26}{found_of_one:9.5}{found_of_t:9.5}");
        assert!((found_of_one - of_one).abs() < 1e-5, "{name}, 1: {found_of_one}");
        assert!((found_of_t - of_t).abs() < 1e-5, "{name}, t: {found_of_t}");
    }
    Ok(())
}

// ANCHOR: named
/// Half an order of the constant 1 and of t, at t = 1, by the name of an operator.
fn half_an_order(name: &str, parameters: &[(&str, f64)]) -> Outcome<(f64, f64)> {
    let grid = Grid::uniform(20_001, 1.0 / 20_000.0)?;
    let operator = named(name, None, Order::new(0.5)?, parameters)?;
    let half = operator.on(grid, &Machine::detect())?;
    let of_one = half.apply(Array1::<f64>::ones(grid.n()).view())?;
    let of_t = half.apply(grid.points().collect::<Array1<f64>>().view())?;
    Ok((of_one[20_000], of_t[20_000]))
}
// ANCHOR_END: named

#[cfg(test)]
mod tests {
    #[test]
    fn what_the_chapter_says_holds() {
        super::main().unwrap();
    }
}
