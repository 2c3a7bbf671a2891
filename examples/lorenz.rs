//! Lorenz attractor with memory: `cargo run --release --example lorenz`.
//!
//! At order 0.995 the system is still chaotic: two solutions that start 1e-9 apart agree for a
//! while, then diverge. After that no computed solution is accurate, but the attractor is.

use hpfracc::ode::EquationSolution;
use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, equation, publish, solved};

const STEPS: usize = 20_000;
/// Distance of the two initial values.
const NUDGE: f64 = 1e-9;

pub(crate) fn main() -> Outcome<()> {
    let (first, second) = (solve_from(1.0, STEPS)?, solve_from(1.0 + NUDGE, STEPS)?);
    let times = first.times();
    let apart = distances(&first, &second);
    let [x, y, z] = [0, 1, 2].map(|index| component(first.states().view(), index));
    println!("Lorenz system of order 0.995, {STEPS} steps up to t = 50");
    if let Some(node) = apart.iter().position(|distance| *distance > 1.0) {
        println!(
            "chaos       solutions {NUDGE:e} apart at the start are 1 apart at t = {:.1}",
            times[node]
        );
    }
    let turns = x.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
    println!("turns       {turns} from one wing to the other");

    let (linear, time) = (Axis::linear, Axis::linear("t"));
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let start = |a, b| Curve::line("start", a, b, 1).marked(Mark::Dots);
    let portrait = [Curve::line("", &x, &z, 0), start(&x[..1], &z[..1])];
    let x2 = component(second.states().view(), 0);
    let series = [
        Curve::line("x from x(0) = 1", times, &x, 0),
        // Dashes, so that both are visible while they agree.
        Curve::line("from 1 + 1e\u{2212}9", times, &x2, 1).marked(Mark::Dashes),
    ];
    let distance = [Curve::line("", times, &apart, 2)];
    let from_above = [Curve::line("", &x, &y, 0), start(&x[..1], &y[..1])];
    let left = [
        chart("", linear("x"), linear("z"), &portrait),
        chart("", linear("x"), linear("y"), &from_above),
    ];
    let right = [
        chart("", linear(""), linear("x"), &series),
        chart("distance of the two", time, Axis::log("distance"), &distance),
    ];
    publish("lorenz", &Sheet { title: "Lorenz system of order 0.995", columns: &[&left, &right] })
}

fn solve_from(x0: f64, steps: usize) -> Outcome<EquationSolution> {
    let lorenz = equation("lorenz")?.with_value("x0", x0)?;
    solved(&lorenz, &AdamsBashforthMoulton::default(), &Steps::Uniform(steps))
}

/// Distance of the states of two solutions.
fn distances(first: &EquationSolution, second: &EquationSolution) -> Vec<f64> {
    let difference = &first.states() - &second.states();
    difference.rows().into_iter().map(|row| row.dot(&row).sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_part_but_stay_on_the_butterfly() {
        let (first, second) =
            (solve_from(1.0, 10_000).unwrap(), solve_from(1.0 + NUDGE, 10_000).unwrap());
        let apart = distances(&first, &second);
        assert!(apart[1000] < 1e-5 && apart.iter().any(|distance| *distance > 10.0));
        assert!(first.states().iter().all(|value| value.abs() < 60.0));
        let x = component(first.states().view(), 0);
        assert!(x.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count() > 10);
    }
}
