//! Particles in a viscoelastic bath: `cargo run --release --example anomalous_diffusion`.
//!
//! Friction with memory slows diffusion down: the mean square displacement grows as t^alpha
//! instead of t. With inertia it first grows as t^2 (ballistic motion). On a spring it converges to
//! the equipartition of energy. Rings are simulated, lines exact. The first steps of a solve are the
//! least accurate ones, where the solution is weakly singular: early rings come from shorter
//! intervals with as many steps.

use hpfracc::prelude::*;
use hpfracc::sde::models::{FractionalLangevin, InertialLangevin};
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish};

const PATHS: usize = 5000;
const STEPS: usize = 400;
const T1: f64 = 10.0;
/// Intervals, each this fraction of the next longer one, and the steps before a ring.
const INTERVALS: i32 = 3;
const SHORTER: f64 = 0.08;
const BEFORE: usize = 30;
const ALPHAS: [f64; 4] = [0.3, 0.5, 0.75, 1.0];

pub(crate) fn main() -> Outcome<()> {
    println!("Mean square displacement of {PATHS} particles against theory, at t = {T1}");
    let free: Vec<Run> = ALPHAS.into_iter().map(free).collect::<Outcome<_>>()?;
    let held: Vec<Run> = ALPHAS.into_iter().map(held).collect::<Outcome<_>>()?;
    let heavy: Vec<Run> = ALPHAS[..3].iter().copied().map(heavy).collect::<Outcome<_>>()?;
    for (what, runs) in [("free", &free), ("on a spring", &held), ("with inertia", &heavy)] {
        for run in runs {
            let (simulated, exact) =
                (run.simulated[run.simulated.len() - 1], run.exact[run.exact.len() - 1]);
            println!("{what:<14}{:<14}{simulated:8.3} of {exact:.3}", run.name);
        }
    }
    let [free, held, heavy] = [&free, &held, &heavy].map(|runs| curves(runs));
    let chart = |title, x, curves| Chart {
        title,
        x: Axis::log(x),
        y: Axis::log("E (x \u{2212} x₀)²"),
        curves,
        equal: false,
    };
    publish(
        "anomalous_diffusion",
        &Sheet {
            title: "Diffusion in a viscoelastic bath: simulation (rings) and theory (lines)",
            columns: &[
                &[chart("free", "", &free), chart("on a spring", "t", &held)],
                &[chart("with inertia", "t", &heavy)],
            ],
        },
    )
}

/// Exact lines and simulated rings.
fn curves(runs: &[Run]) -> Vec<Curve<'_>> {
    let lines =
        runs.iter().enumerate().map(|(k, run)| Curve::line(&run.name, &run.times, &run.exact, k));
    let dots = runs
        .iter()
        .enumerate()
        .map(|(k, run)| Curve::line("", &run.dots.0, &run.dots.1, k).marked(Mark::Rings));
    lines.chain(dots).collect()
}

/// Results of one model, without the initial value.
struct Run {
    name: String,
    times: Vec<f64>,
    simulated: Vec<f64>,
    exact: Vec<f64>,
    /// Some of the simulated values.
    dots: (Vec<f64>, Vec<f64>),
}

impl Run {
    /// Squares of component 0, which starts at 0.
    fn new<M: Model>(
        (name, model): (String, M),
        exact: impl Fn(f64) -> Result<f64, SdeError>,
    ) -> Outcome<Self> {
        let ensemble = Ensemble::new(PATHS, STEPS)?.saving_every(1)?;
        let (mut times, mut simulated, mut dots) =
            (Vec::new(), Vec::new(), (Vec::new(), Vec::new()));
        for k in (0..INTERVALS).rev() {
            let t1 = T1 * SHORTER.powi(k);
            let moments = model.simulate::<f32, _>(&ensemble, (0.0, t1), 1, &Moments)?;
            let square = |n: usize| moments.mean[[n, 0]].powi(2) + moments.covariance[[n, 0, 0]];
            // Equidistant on a logarithmic axis.
            for ring in i32::from(k + 1 < INTERVALS)..5 {
                let n = BEFORE as f64 * (STEPS as f64 / BEFORE as f64).powf(f64::from(ring) / 4.0);
                let n = (n.round() as usize).min(STEPS);
                dots.0.push(moments.times[n]);
                dots.1.push(square(n));
            }
            let before = times.last().copied().unwrap_or(moments.times[BEFORE / 2]);
            for n in (1..=STEPS).filter(|n| moments.times[*n] > before) {
                times.push(moments.times[n]);
                simulated.push(square(n));
            }
        }
        let exact = times.iter().map(|t| exact(*t)).collect::<Result<_, _>>()?;
        Ok(Self { name, times, simulated, exact, dots })
    }
}

fn named(alpha: f64) -> String {
    format!("α = {alpha}")
}

fn free(alpha: f64) -> Outcome<Run> {
    let model = FractionalLangevin::default().alpha(alpha)?;
    Run::new((named(alpha), model), |t| model.mean_square_displacement(t))
}

fn held(alpha: f64) -> Outcome<Run> {
    let model = FractionalLangevin::default().alpha(alpha)?.k(1.0)?;
    Run::new((named(alpha), model), |t| model.mean_square_displacement(t))
}

fn heavy(alpha: f64) -> Outcome<Run> {
    let model = InertialLangevin::default().alpha(alpha.min(0.95))?;
    Run::new((named(alpha.min(0.95)), model), |t| model.variance(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every ring within five standard errors and 3 %.
    #[test]
    fn simulations_lie_on_the_lines_of_theory() {
        let error = 5.0 * (2.0 / PATHS as f64).sqrt() + 0.03;
        for run in [free(0.3).unwrap(), free(1.0).unwrap(), held(0.5).unwrap(), heavy(0.5).unwrap()]
        {
            for (t, simulated) in run.dots.0.iter().zip(&run.dots.1) {
                let n = run.times.iter().position(|time| (time / t - 1.0).abs() < 1e-9).unwrap();
                let ratio = simulated / run.exact[n];
                assert!((ratio - 1.0).abs() < error, "{}: {ratio} at {t}", run.name);
            }
        }
        // Slower than t, and at first as t^2.
        let slope = |run: &Run| {
            let [a, b] = [9, 19];
            (run.exact[b] / run.exact[a]).ln() / (run.times[b] / run.times[a]).ln()
        };
        assert!((slope(&free(0.3).unwrap()) - 0.3).abs() < 1e-9);
        assert!(slope(&heavy(0.5).unwrap()) > 1.8);
    }
}
