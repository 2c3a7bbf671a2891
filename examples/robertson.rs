//! Reactions whose rates differ by nine powers of ten: `cargo run --release --example robertson`.
//!
//! Robertson's equations of order 0.9 up to t = 1e6. Collocation adapts its elements, which grow
//! with t; L1 takes graded steps. An explicit scheme would need steps of 1e-4 everywhere.

use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, differences, equation, every, largest, publish, solved};

const STEPS: usize = 1500;
const GRADING: f64 = 12.0;

pub(crate) fn main() -> Outcome<()> {
    let run = Run::new(STEPS)?;
    println!("Robertson's equations of order 0.9 up to t = 1e6");
    println!("collocation {} elements, {} unknowns", run.elements, run.unknowns);
    println!(
        "L1          {STEPS} graded steps, {:.1e} from collocation in y1",
        largest(&run.apart)
    );
    println!("sum         y1 + y2 + y3 - 1 = {:.1e} at most", run.defect);
    // Nothing changes before this time.
    let shown = run.times.partition_point(|t| *t < 1e-7);
    let times = &run.times[shown..];
    let [y1, y2, y3] = run.states.each_ref().map(|y| &y[shown..]);
    let scaled: Vec<f64> = y2.iter().map(|y| 1e4 * y).collect();
    let rings = (every(40, times), every(40, &run.l1[shown..]));
    let shares = [
        Curve::line("y1", times, y1, 0),
        Curve::line("1e4 y2", times, &scaled, 2),
        Curve::line("y3", times, y3, 1),
        Curve::line("y1 by L1", &rings.0, &rings.1, 0).marked(Mark::Rings),
    ];
    let apart = [Curve::line("", times, &run.apart[shown..], 3)];
    let (log, linear) = (Axis::log, Axis::linear);
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let charts = [
        chart("collocation", log("t"), linear("shares"), &shares),
        chart("L1 and collocation in y1", log("t"), log("difference"), &apart),
    ];
    publish("robertson", &Sheet { title: "Robertson's reactions, order 0.9", columns: &[&charts] })
}

/// Solutions of L1, and of collocation at the nodes of L1.
struct Run {
    times: Vec<f64>,
    states: [Vec<f64>; 3],
    l1: Vec<f64>,
    apart: Vec<f64>,
    elements: usize,
    unknowns: usize,
    defect: f64,
}

impl Run {
    fn new(n: usize) -> Outcome<Self> {
        let robertson = equation("robertson")?;
        let steps = Steps::adaptive(1e-9, 1e-12);
        let exact = solved(&robertson, &Collocation::default(), &steps)?;
        let graded = Steps::Graded { n, exponent: GRADING };
        let solution = solved(&robertson, &L1, &graded)?;
        let times = solution.times().to_vec();
        let states: Vec<Vec<f64>> =
            times.iter().map(|&t| exact.at(t)).collect::<Result<_, OdeError>>()?;
        let column = |k: usize| -> Vec<f64> { states.iter().map(|state| state[k]).collect() };
        let l1 = solution.states().column(0).to_vec();
        let sums = states.iter().map(|state| (state.iter().sum::<f64>() - 1.0).abs());
        Ok(Self {
            apart: differences(&l1, &column(0)),
            defect: sums.fold(0.0, f64::max),
            elements: exact.statistics().steps,
            unknowns: exact.statistics().unknowns,
            states: [0, 1, 2].map(column),
            times,
            l1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemes_agree_and_nothing_is_lost() {
        let [coarse, fine] = [200, 400].map(|n| Run::new(n).unwrap());
        assert!(largest(&fine.apart) < 0.7 * largest(&coarse.apart));
        assert!(largest(&fine.apart) < 2e-2 && fine.defect < 1e-8, "{:e}", fine.defect);
        assert!(fine.states[0].windows(2).all(|pair| pair[1] < pair[0] + 1e-8));
    }
}
