//! Cost of sampling a stretched exponential around its fit: gradients of an effective draw and
//! seconds.
//!
//! ```text
//! cargo run --release -p hpfracc-fit --example sampling
//! ```

use hpfracc_equation::Formula;
use hpfracc_fit::sample::{Coordinates, LogDensity, Nuts, Posterior, Support, Watch, Whitening};
use hpfracc_fit::{Fit, FormulaModel, Set};
use hpfracc_lanes::random::{Gaussian, Philox};
use std::error::Error;
use std::time::Instant;

const FORMULA: &str =
    "y = a exp(-(t/tau)^s) + c; a = 1; tau = 1 in (0, inf); s = 0.6 in (0, inf); c = 0.2";

/// `points` times from 0.02 to 20 at equal ratios, and values with an error of 0.005.
fn data(points: usize) -> (Vec<f64>, Vec<f64>) {
    let ratio = 1000f64.ln() / (points - 1) as f64;
    let t: Vec<f64> = (0..points).map(|i| 0.02 * (ratio * i as f64).exp()).collect();
    let noise = |i: usize| {
        let [a, b, ..] = Philox::new(1).block([i as u32, 0, 0, 0]);
        0.005 * f64::pair(a, b).0
    };
    let y = t.iter().enumerate().map(|(i, t)| (-t.powf(0.6)).exp() + 0.2 + noise(i)).collect();
    (t, y)
}

/// Least effective sample size of the means of all parameters.
fn least_ess(posterior: &Posterior) -> f64 {
    (0..posterior.dim()).map(|k| posterior.summary(k).bulk_ess).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = FormulaModel::new(&[Formula::parse(FORMULA, &["t", "y"])?])?;
    println!(
        "points  coordinates  warm-up  its gradients  gradients  least ESS  of an effective draw  ms"
    );
    for points in [40, 10_000] {
        let (t, y) = data(points);
        let found = Fit::new(Set::new("data", &model).input(&t).response(&y))?.run()?;
        let density = found.density();
        let above = Support::Above(0.0);
        let supports = [Support::Real, above, above, Support::Real];
        let raw = Coordinates::new(&found.values(), &supports, Whitening::Identity)?;
        for (name, coordinates, warm_up) in [
            ("raw", raw, 1000),
            ("whitened", found.coordinates()?, 1000),
            ("whitened", found.coordinates()?, 200),
            ("whitened", found.coordinates()?, 150),
        ] {
            if points > 40 && warm_up != 150 {
                continue;
            }
            let settings = Nuts { warm_up, ..Nuts::default() };
            let mut fastest = f64::INFINITY;
            let mut posterior = None;
            for _ in 0..5 {
                let start = Instant::now();
                let mut sampling = settings.start(&density, coordinates.clone())?;
                sampling.run(&density, Watch::default())?;
                fastest = fastest.min(start.elapsed().as_secs_f64());
                posterior = Some(sampling.posterior()?);
            }
            let posterior = posterior.ok_or("no run")?;
            posterior.converged()?;
            let (gradients, ess) = (posterior.gradients(), least_ess(&posterior));
            println!(
                "{points:6}  {name:11}  {warm_up:7}  {:13}  {gradients:9}  {ess:9.0}  {:20.2}  {:.1}",
                posterior.warm_up_gradients(),
                gradients as f64 / ess.min(4000.0),
                1e3 * fastest
            );
        }
        let posterior = found.sample(&Nuts::default())?;
        for (parameter, name) in density.names().iter().enumerate() {
            let found = posterior.summary(parameter);
            println!(
                "  {name} = {:.4} +- {:.4}, R-hat {:.4}",
                found.mean, found.standard_deviation, found.r_hat
            );
        }
        println!("  depths {:?}, acceptance {:.2?}", posterior.depths(), posterior.acceptance());
    }
    Ok(())
}
