//! Programs of the chapter "Coming from MATLAB, Julia or Python":
//! `cargo run --example book_coming_from`.

// ANCHOR: prelude
use hpfracc::prelude::*;
// ANCHOR_END: prelude
use pictures::Outcome;

fn main() -> Outcome<()> {
    relaxation()?;
    derivative()?;
    model()?;
    ensemble()
}

fn relaxation() -> Outcome<()> {
    // ANCHOR: relaxation
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let scheme = AdamsBashforthMoulton::default();
    let solution = solve(&problem, &scheme, &Steps::Uniform(1000), Options::default())?;
    println!("{} {:.8}", solution.times()[1000], solution.last()[0]); // 1 0.42758443
    // ANCHOR_END: relaxation
    // What pycaputo 0.10.3 prints for the same scheme and steps.
    assert!((solution.last()[0] - 0.42758443).abs() < 1e-8);
    Ok(())
}

fn derivative() -> Outcome<()> {
    // ANCHOR: derivative
    let grid = Grid::uniform(2001, 1e-3)?;
    let signal: Array1<f64> = grid.points().map(|t| t * t).collect();
    let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &Machine::detect())?;
    let derivative = half.apply(signal.view())?;
    println!("{:.8}", derivative[2000]); // 4.25536955
    // ANCHOR_END: derivative
    // What pycaputo 0.10.3 prints for the same scheme and grid.
    assert!((derivative[2000] - 4.25536955).abs() < 1e-8);
    Ok(())
}

fn model() -> Outcome<()> {
    // ANCHOR: ready
    use hpfracc::sde::models::OrnsteinUhlenbeck;

    let model = OrnsteinUhlenbeck::default(); // dX = -X dt + dW/2, X(0) = 1
    let ensemble = Ensemble::new(10_000, 100)?; // paths, steps
    let moments = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
    println!("{:.4} {:.4}", moments.mean[[0, 0]], moments.covariance[[0, 0, 0]]);
    // ANCHOR_END: ready
    assert!((moments.mean[[0, 0]] - model.mean(1.0)).abs() < 0.02);
    assert!((moments.covariance[[0, 0, 0]] - model.variance(1.0)).abs() < 0.01);
    Ok(())
}

// ANCHOR: system
/// `dX = -X dt + 0.5 dW`
struct MeanReverting;

impl StochasticSystem<f64> for MeanReverting {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn drift(&self, _t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
    }
    fn diffusion(&self, _t: f64, _x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(0.5);
    }
}
// ANCHOR_END: system

fn ensemble() -> Outcome<()> {
    // ANCHOR: ensemble
    let problem = StochasticProblem::new(MeanReverting, (0.0, 1.0), &[1.0])?;
    let ensemble = Ensemble::new(10_000, 100)?; // paths, steps
    let moments = ensemble.solve(&problem, &EulerMaruyama, &Brownian::new(7, 1)?, &Moments)?;
    println!("{:.4} {:.4}", moments.mean[[0, 0]], moments.covariance[[0, 0, 0]]);
    // ANCHOR_END: ensemble
    // Of Euler's scheme exactly: 0.99^100 and h/4 times the sum of 0.99^(2k).
    let (mean, variance) = (0.99f64.powi(100), 0.0025 * (1.0 - 0.99f64.powi(200)) / (1.0 - 0.9801));
    assert!((moments.mean[[0, 0]] - mean).abs() < 4.0 * (variance / 1e4).sqrt());
    assert!((moments.covariance[[0, 0, 0]] - variance).abs() < 4.0 * variance * 2e-4f64.sqrt());
    Ok(())
}

pictures::runs_with_the_tests!();
