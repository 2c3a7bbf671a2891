//! Programs of the chapter "Noise and ensembles": `cargo run --example book_noise`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    model()?;
    collected()?;
    reproducible()?;
    closures()?;
    system()?;
    interrupted()?;
    fbm_paths()
}

fn model() -> Outcome<()> {
    // ANCHOR: model
    use hpfracc::sde::models::FractionalLangevin;

    // A particle in a viscoelastic bath: E x^2 = 2 kT/gamma t^alpha / Gamma(1 + alpha).
    let model = FractionalLangevin::default().alpha(0.5)?;
    let ensemble = Ensemble::new(20_000, 100)?;
    let moments = model.simulate::<f32, _>(&ensemble, (0.0, 4.0), 7, &Moments)?;
    let exact = model.variance(4.0)?;
    let error = exact * (2.0f64 / 20_000.0).sqrt();
    assert!((moments.covariance[[0, 0, 0]] - exact).abs() < 4.0 * error);
    // ANCHOR_END: model
    println!("variance {:.3}, exactly {exact:.3}", moments.covariance[[0, 0, 0]]);
    Ok(())
}

fn collected() -> Outcome<()> {
    // ANCHOR: collected
    use hpfracc::sde::models::RoughBergomi;

    let model = RoughBergomi::default().hurst(0.1)?.rho(-0.7)?;
    let ensemble = Ensemble::new(2_000, 100)?.saving_every(25)?; // nodes 0, 25, 50, 75, 100
    let quantiles = Quantiles::new(&[0.05, 0.5, 0.95])?;
    let ((moments, table), paths) =
        model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 7, &((Moments, quantiles), Paths))?;
    assert_eq!(moments.times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(paths.dim(), (2_000, 5, 2)); // path, time, observable
    let price = |level: usize| table.values[[4, 0, level]];
    assert!(price(0) < price(1) && price(1) < price(2));
    // ANCHOR_END: collected
    println!("price at t = 1: 5 % below {:.3}, 95 % below {:.3}", price(0), price(2));
    Ok(())
}

fn reproducible() -> Outcome<()> {
    // ANCHOR: reproducible
    use hpfracc::ndarray::s;
    use hpfracc::sde::models::FractionalLangevin;

    let model = FractionalLangevin::default().alpha(0.5)?;
    let paths_of = |ensemble: Ensemble<'_>, seed: u64| {
        model.simulate::<f64, _>(&ensemble, (0.0, 1.0), seed, &Paths)
    };
    let whole = paths_of(Ensemble::new(600, 50)?, 7)?;
    let again = paths_of(Ensemble::new(600, 50)?, 7)?;
    assert_eq!(whole, again); // bit for bit

    // The second half alone: the noise of path 300 depends on its number, not on the run.
    let half = paths_of(Ensemble::new(300, 50)?.starting_at(300), 7)?;
    assert_eq!(half, whole.slice(s![300.., .., ..]));

    let other = paths_of(Ensemble::new(600, 50)?, 8)?;
    assert_ne!(whole, other);
    // ANCHOR_END: reproducible
    println!("600 paths, and the last 300 of them alone: the same bits");
    Ok(())
}

fn closures() -> Outcome<()> {
    // ANCHOR: closures
    // D^0.8 x = -x + 0.5 dW/dt, x(0) = 1: drift and diffusion are functions of t and x.
    let problem = StochasticProblem::scalar((0.0, 1.0), 1.0, |_t, x| -x, |_t, _x| 0.5)?;
    let problem = problem.of_orders(&[0.8])?;
    let (scheme, noise) = (FractionalEulerMaruyama::default(), Brownian::new(7, 1)?);
    let moments = Ensemble::new(10_000, 100)?.solve(&problem, &scheme, &noise, &Moments)?;
    assert!((moments.mean[[0, 0]] - 0.388).abs() < 0.03);
    // ANCHOR_END: closures
    println!("mean {:.3} at t = 1", moments.mean[[0, 0]]);
    Ok(())
}

// ANCHOR: system
/// `D^alpha x = -theta x + sigma dW/dt`, one component, additive noise.
struct Relaxation {
    theta: f64,
    sigma: f64,
}

impl StochasticSystem<f64> for Relaxation {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn additive(&self) -> bool {
        true
    }
    #[inline(always)]
    fn drift(&self, _t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -self.theta * x);
    }
    #[inline(always)]
    fn diffusion(&self, _t: f64, _x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(self.sigma);
    }
}
// ANCHOR_END: system

fn system() -> Outcome<()> {
    // ANCHOR: solve
    use hpfracc::special::mittag_leffler;

    let system = Relaxation { theta: 1.0, sigma: 0.5 };
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0])?.of_orders(&[0.8])?;
    let scheme = FractionalEulerMaruyama::default();
    let noise = Brownian::new(7, 1)?; // seed, components
    let moments = Ensemble::new(10_000, 100)?.solve(&problem, &scheme, &noise, &Moments)?;

    // The mean solves D^0.8 m = -m.
    let mean = mittag_leffler(0.8, 1.0, -1.0)?;
    assert!((moments.mean[[0, 0]] - mean).abs() < 4.0 * moments.standard_error()[[0, 0]] + 5e-3);
    // ANCHOR_END: solve
    println!("mean {:.4}, in the limit {mean:.4}", moments.mean[[0, 0]]);
    Ok(())
}

fn interrupted() -> Outcome<()> {
    // ANCHOR: checkpoint
    use hpfracc::sde::models::OrnsteinUhlenbeck;
    use std::time::Duration;

    let problem = OrnsteinUhlenbeck::default().problem::<f64>((0.0, 1.0))?; // X(0) = 1
    let (scheme, noise) = (EulerMaruyama, Brownian::new(7, 1)?);
    let ensemble = Ensemble::new(5_000, 100)?;
    let whole = ensemble.solve(&problem, &scheme, &noise, &Moments)?;

    let first = ensemble.run(&problem, &scheme, &noise, &Moments)?;
    first.advance_for(Duration::from_millis(1))?;
    let checkpoint = first.checkpoint(); // a plain value; serde writes it to a file
    drop(first);

    let second = ensemble.run(&problem, &scheme, &noise, &Moments)?.restore(&checkpoint)?;
    assert_eq!(second.finish()?, whole);
    // ANCHOR_END: checkpoint
    println!("interrupted and resumed: the same bits");
    Ok(())
}

fn fbm_paths() -> Outcome<()> {
    // ANCHOR: fbm
    use hpfracc::noise::Tile;

    let noise = FractionalBrownian::<f64>::new(7, &[0.8])?; // seed, H of each component
    let tile = Tile { first_path: 0, lanes: 1000, steps: 256, h: 1.0 / 256.0 };
    let mut paths = vec![0.0; 1000 * 256];
    noise.fill_paths(tile, &mut paths)?; // increments, path after path
    for path in paths.chunks_exact_mut(256) {
        let mut sum = 0.0;
        path.iter_mut().for_each(|z| {
            sum += *z;
            *z = sum;
        });
    }
    let square = |k: usize| paths.iter().skip(k).step_by(256).map(|z| z * z).sum::<f64>() / 1000.0;
    assert!((square(255) - 1.0).abs() < 0.2); // E B(1)^2 = 1
    // ANCHOR_END: fbm
    // E B(1/2)^2 = 2^(-2H)
    let half = 0.5f64.powf(1.6);
    assert!((square(127) - half).abs() < 0.2 * half);
    println!("mean squares of B(1/2) and B(1): {:.3}, {:.3}", square(127), square(255));
    Ok(())
}

pictures::runs_with_the_tests!();
