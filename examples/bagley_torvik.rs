//! A plate in a viscous fluid: `cargo run --release --example bagley_torvik`.
//!
//! The Bagley-Torvik equation, `y'' + b D^(3/2) y + y = 0`, for a plate released at y = 1, compared
//! with its exact solution. A multi-term equation becomes a system with one component per
//! derivative, which every scheme solves.

use hpfracc::num_complex::Complex64;
use hpfracc::prelude::*;
use hpfracc::special::MittagLeffler;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, component, differences, equation, every, largest, publish, solved};

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
        let plate = equation("bagley-torvik")?.with_value("b", b)?;
        let solution = solved(&plate, &ProductTrapezoid, &Steps::Uniform(STEPS))?;
        let steps = Steps::adaptive(1e-13, 1e-13);
        let collocation = solved(&plate, &Collocation::default(), &steps)?;

        let times = solution.times().to_vec();
        let exact: Vec<f64> = times.iter().map(|&t| exact(b, t)).collect::<Outcome<_>>()?;
        let values = times.iter().map(|&t| Ok(collocation.at(t)?[0]));
        let values: Vec<f64> = values.collect::<Result<_, OdeError>>()?;
        let trapezoid = component(solution.states().view(), 0);
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

/// Exact solution with a = c = y0 = 1: for alpha = 3/2, with the roots r of `r^4 + b r^3 + 1`,
///
/// ```text
/// y = 1 - sum_r t^(1/2) E_{1/2,3/2}(r t^(1/2)) / (4 r^3 + 3 b r^2)
/// ```
///
/// the inverse Laplace transform by partial fractions in `s^(1/2)`.
fn exact(b: f64, t: f64) -> Outcome<f64> {
    let e = MittagLeffler::new(0.5, 1.5)?;
    let term = |r: Complex64| {
        e.eval_complex(r * t.sqrt()) * t.sqrt() / (4.0 * r.powi(3) + 3.0 * b * r.powi(2))
    };
    let sum: Complex64 = roots(b, 1.0).into_iter().map(term).sum();
    Ok(1.0 - sum.re)
}

/// Roots of `r^4 + b r^3 + c` by the Durand-Kerner (Weierstrass) iteration.
fn roots(b: f64, c: f64) -> [Complex64; 4] {
    let value = |r: Complex64| r.powi(3) * (r + b) + c;
    let radius = 1.0 + b.abs().max(c.abs());
    // Asymmetric about the real axis, to separate conjugate roots.
    let mut r = [0.4, 1.9, 3.5, 5.1].map(|angle| Complex64::from_polar(radius, angle));
    for _ in 0..200 {
        for k in 0..4 {
            let others = (0..4).filter(|&j| j != k).map(|j| r[k] - r[j]);
            let step = value(r[k]) / others.product::<Complex64>();
            r[k] -= step;
        }
    }
    r
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
        for t in [0.0f64, 0.5, 7.0, 30.0] {
            assert!((exact(0.0, t).unwrap() - t.cos()).abs() < 1e-12);
        }
    }

    #[test]
    fn roots_have_small_residuals() {
        for (b, c) in [(0.5, 1.0), (0.0, 1.0), (3.0, 0.2), (-1.0, 20.0)] {
            for r in roots(b, c) {
                let size = r.norm().powi(4) + b.abs() * r.norm().powi(3) + c;
                assert!((r.powi(3) * (r + b) + c).norm() < 1e-14 * size, "{b} {c} {r}");
            }
        }
    }
}
