//! Mittag-Leffler relaxation, and the errors of two schemes:
//! `cargo run --release --example relaxation`.
//!
//! The solution of `D^alpha y = -y`, `y(0) = 1` is the Mittag-Leffler function `E_alpha(-t^alpha)`:
//! it falls faster than an exponential at first, and decays as a power of t in the end.

use hpfracc::prelude::*;
use hpfracc::special::mittag_leffler;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, differences, equation, every, largest, publish, solved};

const ALPHAS: [f64; 4] = [0.4, 0.6, 0.8, 1.0];
const STEPS: usize = 2000;

pub(crate) fn main() -> Outcome<()> {
    println!("D^alpha y = -y, y(0) = 1, up to t = 10: largest error over all nodes");
    println!("alpha       predictor-corrector     collocation");
    let runs: Vec<Run> = ALPHAS.into_iter().map(Run::of).collect::<Outcome<_>>()?;
    for run in &runs {
        let (pece, collocation) = (largest(&run.pece_errors), largest(&run.collocation_errors));
        println!(
            "{:<12}{pece:.1e} in {STEPS} steps   {collocation:.1e} with {} unknowns",
            run.alpha, run.unknowns
        );
    }
    let names = ALPHAS.map(|alpha| format!("α = {alpha}"));
    let rings: Vec<(Vec<f64>, Vec<f64>)> =
        runs.iter().map(|run| (every(50, &run.times), every(50, &run.exact))).collect();
    let lines = (0..runs.len()).map(|k| Curve::line(&names[k], &runs[k].times, &runs[k].pece, k));
    let exact = rings.iter().enumerate().map(|(k, (t, y))| {
        let name = if k == 0 { "exact" } else { "" };
        Curve::line(name, t, y, k).marked(Mark::Rings)
    });
    let curves: Vec<Curve<'_>> = lines.chain(exact).collect();
    let run = &runs[1];
    let errors = [
        Curve::line("predictor-corrector", &run.times, &run.pece_errors, 0),
        // Rounding errors, some of which are zero.
        Curve::line("collocation", &run.times, &run.collocation_errors, 1).marked(Mark::Hair),
    ];
    let (linear, log) = (Axis::linear, Axis::log);
    let charts = [
        Chart { title: "", x: linear("t"), y: linear("y"), curves: &curves, equal: false },
        Chart { title: "α = 0.6", x: log("t"), y: log("error"), curves: &errors, equal: false },
    ];
    publish("relaxation", &Sheet { title: "Mittag-Leffler relaxation", columns: &[&charts] })
}

/// Solutions of both schemes at the same times.
struct Run {
    alpha: f64,
    times: Vec<f64>,
    exact: Vec<f64>,
    pece: Vec<f64>,
    pece_errors: Vec<f64>,
    collocation_errors: Vec<f64>,
    unknowns: usize,
}

impl Run {
    fn of(alpha: f64) -> Outcome<Self> {
        let relaxation = equation("relaxation")?.with_value("alpha", alpha)?;
        let scheme = AdamsBashforthMoulton::default();
        let pece = solved(&relaxation, &scheme, &Steps::Uniform(STEPS))?;
        let steps = Steps::adaptive(1e-13, 1e-13);
        let collocation = solved(&relaxation, &Collocation::default(), &steps)?;

        let times = pece.times().to_vec();
        let exact = times.iter().map(|t| mittag_leffler(alpha, 1.0, -t.powf(alpha)));
        let exact: Vec<f64> = exact.collect::<Result<_, _>>()?;
        let values = times.iter().map(|&t| Ok(collocation.at(t)?[0]));
        let values: Vec<f64> = values.collect::<Result<_, OdeError>>()?;
        let pece = component(pece.states().view(), 0);
        Ok(Self {
            alpha,
            pece_errors: differences(&pece, &exact),
            collocation_errors: differences(&values, &exact),
            unknowns: collocation.statistics().unknowns,
            times,
            exact,
            pece,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collocation_has_twelve_digits_and_few_unknowns() {
        for alpha in ALPHAS {
            let run = Run::of(alpha).unwrap();
            assert!(largest(&run.collocation_errors) < 1e-12, "{alpha}");
            assert!(largest(&run.pece_errors) < 2e-2, "{alpha}");
            assert!(run.unknowns < 3000, "{alpha}");
        }
    }
}
