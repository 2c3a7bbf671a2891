//! Programs of the chapter "Start here": `cargo run --example book_start`.

// ANCHOR: uses
use hpfracc::prelude::*;
// ANCHOR_END: uses
use pictures::Outcome;

fn main() -> Outcome<()> {
    derivative()?;
    equation()?;
    ensemble()
}

fn derivative() -> Outcome<()> {
    // ANCHOR: derivative
    let machine = Machine::detect();
    let grid = Grid::uniform(1001, 0.001)?; // 1001 samples, 0.001 apart
    let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &machine)?;

    let signal: Array1<f64> = grid.points().map(|t| t * t).collect();
    let derivative = half.apply(signal.view())?;
    // D^1/2 t^2 = Gamma(3)/Gamma(5/2) t^(3/2), here at t = 1:
    assert!((derivative[1000] - 1.5045055561273502).abs() < 2e-5);
    // ANCHOR_END: derivative
    println!("half a derivative of t^2 at t = 1: {:.6}", derivative[1000]);
    Ok(())
}

fn equation() -> Outcome<()> {
    // ANCHOR: equation
    // D^1/2 y = -y, y(0) = 1
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
    assert!((solution.at(0.25)?[0] - 0.615690344192926).abs() < 1e-12);
    // ANCHOR_END: equation
    println!("y(0.25) = {:.15}", solution.at(0.25)?[0]);
    Ok(())
}

fn ensemble() -> Outcome<()> {
    // ANCHOR: ensemble
    use hpfracc::sde::models::OrnsteinUhlenbeck;

    let model = OrnsteinUhlenbeck::default().sigma(0.5)?;
    let ensemble = Ensemble::new(10_000, 100)?; // paths, steps
    let moments = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
    let error = (model.variance(1.0) / 10_000.0).sqrt();
    assert!((moments.mean[[0, 0]] - model.mean(1.0)).abs() < 4.0 * error);
    // ANCHOR_END: ensemble
    println!("mean {:.4}, exactly {:.4}", moments.mean[[0, 0]], model.mean(1.0));
    Ok(())
}

pictures::runs_with_the_tests!();
