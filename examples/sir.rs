//! An epidemic with memory: `cargo run --release --example sir`.
//!
//! The lower the order, the lower and the later the peak, and the longer the epidemic lasts. Shares
//! of the population sum to 1 at any order, and the schemes conserve the sum to rounding.

use hpfracc::ode::EquationSolution;
use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Sheet};
use pictures::{Outcome, component, equation, publish, solved};

const ALPHAS: [f64; 3] = [1.0, 0.9, 0.8];
const STEPS: usize = 4000;

pub(crate) fn main() -> Outcome<()> {
    println!("SIR epidemic, beta = 0.4, gamma = 0.1, one in a hundred infected at the start");
    println!("order       most infected at once     susceptible at t = 120   sum of shares - 1");
    let runs: Vec<EquationSolution> = ALPHAS.into_iter().map(solve_with).collect::<Outcome<_>>()?;
    for (alpha, run) in ALPHAS.iter().zip(&runs) {
        let (t, most) = peak(run);
        let left = run.last()[0];
        println!("{alpha:<12}{most:.3} at t = {t:<14.1}{left:<25.3}{:.1e}", largest_defect(run));
    }
    let columns: Vec<[Vec<f64>; 3]> = runs
        .iter()
        .map(|run| [0, 1, 2].map(|index| component(run.states().view(), index)))
        .collect();
    let names = ALPHAS.map(|alpha| format!("order {alpha}"));
    let infected: Vec<Curve<'_>> = (0..runs.len())
        .map(|k| Curve::line(&names[k], runs[k].times(), &columns[k][1], k))
        .collect();
    let portraits: Vec<Curve<'_>> = (0..runs.len())
        .map(|k| Curve::line(&names[k], &columns[k][0], &columns[k][1], k))
        .collect();
    let shares: Vec<Curve<'_>> = (["susceptible", "infected", "recovered"].iter().enumerate())
        .map(|(index, name)| Curve::line(name, runs[1].times(), &columns[1][index], index + 2))
        .collect();
    let (linear, time) = (Axis::linear, Axis::linear("t in days"));
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let left = [
        chart("order 0.9", linear(""), linear("share"), &shares),
        chart("", time, linear("share infected"), &infected),
    ];
    let right = [chart("", linear("share susceptible"), linear("share infected"), &portraits)];
    publish("sir", &Sheet { title: "An epidemic with memory", columns: &[&left, &right] })
}

fn solve_with(alpha: f64) -> Outcome<EquationSolution> {
    let sir = equation("sir")?.with_value("alpha", alpha)?;
    solved(&sir, &AdamsBashforthMoulton::default(), &Steps::Uniform(STEPS))
}

/// Time and height of the maximum of the infected.
fn peak(run: &EquationSolution) -> (f64, f64) {
    let infected = run.times().iter().copied().zip(component(run.states().view(), 1));
    infected.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN))
}

fn largest_defect(run: &EquationSolution) -> f64 {
    run.states().rows().into_iter().map(|shares| (shares.sum() - 1.0).abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_flattens_and_delays_the_peak() {
        let runs = ALPHAS.map(|alpha| solve_with(alpha).unwrap());
        for pair in runs.windows(2) {
            assert!(peak(&pair[1]).1 < peak(&pair[0]).1 && peak(&pair[1]).0 > peak(&pair[0]).0);
            assert!(pair[1].last()[0] > pair[0].last()[0]);
        }
        assert!(runs.iter().all(|run| largest_defect(run) < 1e-12));
        // Order 1 has the integral beta (1 - s) + gamma log(s / s(0)) = beta (i + r): its final
        // size.
        let last = runs[0].last();
        let integral = last[1] + last[0] - 0.1 / 0.4 * (last[0] / 0.99).ln();
        assert!((integral - 1.0).abs() < 1e-5, "{integral}");
    }
}
