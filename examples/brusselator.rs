//! A chemical clock with memory: `cargo run --release --example brusselator`.
//!
//! The Brusselator of order 0.8 has a limit cycle. No exact solution is known, so the
//! predictor-corrector method is compared with collocation, a scheme of another kind.

use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, differences, equation, largest, publish, solved};

const STEPS: usize = 10_000;

pub(crate) fn main() -> Outcome<()> {
    let run = Run::new(STEPS)?;
    println!("D^0.8 x = 1 - 4 x + x^2 y, D^0.8 y = 3 x - x^2 y, up to t = 50");
    println!("period      {:.3} between the last two maxima of x", run.period());
    println!(
        "accuracy    {STEPS} steps and collocation ({} unknowns) differ by {:.1e} at most",
        run.unknowns,
        largest(&run.differences)
    );
    let [x, y] = &run.states;
    let series = [Curve::line("x", &run.times, x, 0), Curve::line("y", &run.times, y, 1)];
    let portrait =
        [Curve::line("", x, y, 0), Curve::line("start", &x[..1], &y[..1], 1).marked(Mark::Dots)];
    let (linear, time) = (Axis::linear, Axis::linear("t"));
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let apart = [Curve::line("", &run.times, &run.differences, 2)];
    let left = [
        chart("", linear(""), linear("x, y"), &series),
        chart("the two schemes in x", time, Axis::log("difference"), &apart),
    ];
    let right = [chart("", linear("x"), linear("y"), &portrait)];
    publish("brusselator", &Sheet { title: "Brusselator of order 0.8", columns: &[&left, &right] })
}

/// Solution of the predictor-corrector method, and its difference from collocation.
struct Run {
    times: Vec<f64>,
    states: [Vec<f64>; 2],
    differences: Vec<f64>,
    unknowns: usize,
}

impl Run {
    fn new(steps: usize) -> Outcome<Self> {
        let brusselator = equation("brusselator")?;
        let scheme = AdamsBashforthMoulton::default();
        let solution = solved(&brusselator, &scheme, &Steps::Uniform(steps))?;
        let steps = Steps::adaptive(1e-10, 1e-10);
        let other = solved(&brusselator, &Collocation::default(), &steps)?;
        let times = solution.times().to_vec();
        let x: Result<Vec<f64>, _> = times.iter().map(|&t| Ok(other.at(t)?[0])).collect();
        let states = [0, 1].map(|index| component(solution.states().view(), index));
        Ok(Self {
            differences: differences(&states[0], &x.map_err(|error: OdeError| error)?),
            unknowns: other.statistics().unknowns,
            times,
            states,
        })
    }

    fn period(&self) -> f64 {
        let x = &self.states[0];
        let maxima: Vec<f64> = (1..x.len() - 1)
            .filter(|&j| x[j - 1] < x[j] && x[j] >= x[j + 1])
            .map(|j| self.times[j])
            .collect();
        maxima.windows(2).last().map_or(f64::NAN, |pair| pair[1] - pair[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of the steps dominates: the difference falls by at least 3 when they are halved.
    #[test]
    fn the_schemes_agree_and_the_clock_ticks() {
        let runs = [2000, 4000].map(|steps| Run::new(steps).unwrap());
        let [coarse, fine] = runs.each_ref().map(|run| largest(&run.differences[1..]));
        assert!(fine < 0.33 * coarse && fine < 0.05, "{coarse:e} {fine:e}");
        assert!((runs[0].period() - runs[1].period()).abs() < 0.1);
    }
}
