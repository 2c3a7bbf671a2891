//! A plate in a viscous fluid: `cargo run --release --example bagley_torvik`.
//!
//! The Bagley-Torvik equation, `y'' + b D^(3/2) y + y = 0`, for a plate released at y = 1, compared
//! with its exact solution. A multi-term equation becomes a system with one component per
//! derivative, which every scheme solves.

use hpfracc::prelude::*;
use hpfracc_cli::systems::{Case, named};
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, differences, every, largest, publish};

const DAMPING: [f64; 3] = [0.0, 0.2, 1.0];
const STEPS: usize = 3000;

pub(crate) fn main() -> Outcome<()> {
    println!("y'' + b D^(3/2) y + y = 0, y(0) = 1, y'(0) = 0, up to t = 30: largest errors");
    println!("b           product trapezoid       collocation");
    let runs: Vec<Run> = DAMPING.into_iter().map(Run::of).collect::<Outcome<_>>()?;
    for (b, run) in DAMPING.iter().zip(&runs) {
        println!(
            "{b:<12}{:.1e} in {STEPS} steps   {:.1e} with {} unknowns",
            largest(&run.trapezoid_errors),
            largest(&run.collocation_errors),
            run.unknowns
        );
    }
    let names = DAMPING.map(|b| format!("b = {b}"));
    let rings: Vec<(Vec<f64>, Vec<f64>)> =
        runs.iter().map(|run| (every(50, &run.times), every(50, &run.exact))).collect();
    let lines =
        (0..runs.len()).map(|k| Curve::line(&names[k], &runs[k].times, &runs[k].trapezoid, k));
    let exact = rings.iter().enumerate().map(|(k, (t, y))| {
        let name = if k == 0 { "exact" } else { "" };
        Curve::line(name, t, y, k).marked(Mark::Rings)
    });
    let curves: Vec<Curve<'_>> = lines.chain(exact).collect();
    let run = &runs[1];
    let errors = [
        Curve::line("product trapezoid", &run.times, &run.trapezoid_errors, 3),
        Curve::line("collocation", &run.times, &run.collocation_errors, 4),
    ];
    let linear = Axis::linear;
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let charts = [
        chart("", linear("t"), linear("y"), &curves[..]),
        chart("b = 0.2", linear("t"), Axis::log("error"), &errors[..]),
    ];
    let title = "A plate in a viscous fluid (Bagley-Torvik equation)";
    publish("bagley_torvik", &Sheet { title, columns: &[&charts] })
}

/// Solutions of both schemes at the same times.
struct Run {
    times: Vec<f64>,
    exact: Vec<f64>,
    trapezoid: Vec<f64>,
    trapezoid_errors: Vec<f64>,
    collocation_errors: Vec<f64>,
    unknowns: usize,
}

impl Run {
    fn of(b: f64) -> Outcome<Self> {
        let case: Case = named("bagley-torvik")?.case().with("b", b)?;
        let solution = case.solve(&ProductTrapezoid, &Steps::Uniform(STEPS), Options::default())?;
        let steps = Steps::adaptive(1e-13, 1e-13);
        let collocation = case.solve(&Collocation::default(), &steps, Options::default())?;

        let times = solution.times().to_vec();
        let exact: Option<Vec<f64>> = times.iter().map(|&t| Some(case.exact(t)?[0])).collect();
        let exact = exact.ok_or("order 3/2 has an exact solution")?;
        let values = times.iter().map(|&t| Ok(collocation.at(t)?[0]));
        let values: Vec<f64> = values.collect::<Result<_, OdeError>>()?;
        let trapezoid = component(solution.states(), 0);
        Ok(Self {
            trapezoid_errors: differences(&trapezoid, &exact),
            collocation_errors: differences(&values, &exact),
            unknowns: collocation.statistics().unknowns,
            times,
            exact,
            trapezoid,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_schemes_find_the_exact_solution() {
        for b in DAMPING {
            let run = Run::of(b).unwrap();
            assert!(largest(&run.collocation_errors) < 1e-11, "{b}");
            assert!(largest(&run.trapezoid_errors) < 1e-3, "{b}");
        }
        // Without damping it is a cosine.
        let case = named("bagley-torvik").unwrap().case().with("b", 0.0).unwrap();
        for t in [0.0f64, 0.5, 7.0, 30.0] {
            assert!((case.exact(t).unwrap()[0] - t.cos()).abs() < 1e-12);
        }
    }
}
