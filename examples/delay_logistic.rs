//! Delayed logistic growth: `cargo run --release --example delay_logistic`.
//!
//! `D^alpha y = y (1 - y(t-2))` overshoots its equilibrium. At order 1 it has a limit cycle; memory
//! damps it, and at order 0.6 the oscillations decay.

use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, differences, equation, largest, publish, solved};

const ALPHAS: [f64; 3] = [1.0, 0.85, 0.6];
/// 100 steps per delay.
const STEPS: usize = 2000;
const DELAY_STEPS: usize = 100;

pub(crate) fn main() -> Outcome<()> {
    println!("D^alpha y = y (1 - y(t-2)), y = 0.5 for t <= 0, up to t = 40");
    println!(
        "order       range over the last 10     predictor-corrector and collocation differ by"
    );
    let runs: Vec<Run> =
        ALPHAS.into_iter().map(|alpha| Run::of(alpha, STEPS)).collect::<Outcome<_>>()?;
    for (alpha, run) in ALPHAS.iter().zip(&runs) {
        let (low, high) = run.late_range();
        println!("{alpha:<12}{low:.3} to {high:<18.3}{:.1e}", largest(&run.apart));
    }
    let names = ALPHAS.map(|alpha| format!("order {alpha}"));
    let series: Vec<Curve<'_>> =
        (0..runs.len()).map(|k| Curve::line(&names[k], &runs[k].times, &runs[k].y, k)).collect();
    let mut portraits: Vec<Curve<'_>> = (0..runs.len())
        .map(|k| {
            let y = &runs[k].y;
            Curve::line(&names[k], &y[..y.len() - DELAY_STEPS], &y[DELAY_STEPS..], k)
        })
        .collect();
    let y = &runs[0].y;
    let start = Curve::line("start", &y[..1], &y[DELAY_STEPS..=DELAY_STEPS], 3);
    portraits.push(start.marked(Mark::Dots));
    let apart: Vec<Curve<'_>> =
        (0..runs.len()).map(|k| Curve::line("", &runs[k].times, &runs[k].apart, k)).collect();
    let linear = Axis::linear;
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let left = [
        chart("", linear(""), linear("y"), &series[..]),
        chart(
            "predictor-corrector and collocation",
            linear("t"),
            Axis::log("difference"),
            &apart[..],
        ),
    ];
    let right = [chart("", linear("y(t \u{2212} 2)"), linear("y(t)"), &portraits[..])];
    let title = "Logistic growth with a delay";
    publish("delay_logistic", &Sheet { title, columns: &[&left, &right] })
}

/// Solution of the predictor-corrector method, and its difference from collocation.
struct Run {
    times: Vec<f64>,
    y: Vec<f64>,
    apart: Vec<f64>,
}

impl Run {
    fn of(alpha: f64, steps: usize) -> Outcome<Self> {
        let logistic = equation("delay-logistic")?.with_value("alpha", alpha)?;
        let logistic = logistic.with_interval((0.0, 40.0));
        let scheme = AdamsBashforthMoulton::default();
        let solution = solved(&logistic, &scheme, &Steps::Uniform(steps))?;
        let breaks = EquationProblem::new(&logistic)?.break_points(20).unwrap_or_default();
        let scheme = Collocation { breaks, ..Collocation::default() };
        let other = solved(&logistic, &scheme, &Steps::adaptive(1e-8, 1e-8))?;
        let times = solution.times().to_vec();
        let values = times.iter().map(|&t| Ok(other.at(t)?[0]));
        let values: Vec<f64> = values.collect::<Result<_, OdeError>>()?;
        let y = component(solution.states().view(), 0);
        Ok(Self { apart: differences(&y, &values), times, y })
    }

    /// Minimum and maximum of y over the last quarter.
    fn late_range(&self) -> (f64, f64) {
        let late = &self.y[self.y.len() * 3 / 4..];
        late.iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_damps_the_cycle() {
        let runs = ALPHAS.map(|alpha| Run::of(alpha, STEPS).unwrap());
        let swings = runs.each_ref().map(|run| run.late_range().1 - run.late_range().0);
        assert!(swings[0] > 1.0 && swings[2] < 0.4, "{swings:?}");
        assert!(swings[0] > swings[1] && swings[1] > swings[2], "{swings:?}");
        for (alpha, run) in ALPHAS.iter().zip(&runs) {
            assert!(largest(&run.apart) < 0.02, "{alpha}: {:e}", largest(&run.apart));
        }
    }
}
