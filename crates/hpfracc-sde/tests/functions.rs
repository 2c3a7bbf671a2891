//! Systems from functions are those that are written for rows of paths.

use hpfracc_sde::noise::{Brownian, Noise, Tile};
use hpfracc_sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Heun, NoiseKind, Paths, Rows, RowsMut,
    SdeError, Sra1, StateFunctions, StochasticProblem, StochasticSystem,
};

/// `dx = v dt + x dW_1/2, dv = -x dt + v dW_2/4`
struct Oscillator;

impl StochasticSystem<f64> for Oscillator {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].copy_from_slice(&x[1]);
        f[1].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
    }
    fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].iter_mut().zip(&x[0]).for_each(|(g, x)| *g = 0.5 * x);
        g[1].iter_mut().zip(&x[1]).for_each(|(g, x)| *g = 0.25 * x);
    }
}

#[test]
fn of_the_state_of_a_path() {
    let noise = Brownian::new(3, 2).unwrap();
    let ensemble = Ensemble::new(71, 20).unwrap().saving_every(4).unwrap();
    let (interval, start) = ((0.0, 1.0), [1.0, 0.5]);
    let written = StochasticProblem::new(Oscillator, interval, &start).unwrap();
    let functions = StochasticProblem::of_functions(
        NoiseKind::Diagonal,
        interval,
        &start,
        |_, x, f| (f[0], f[1]) = (x[1], -x[0]),
        |_, x, g| (g[0], g[1]) = (0.5 * x[0], 0.25 * x[1]),
    );
    let functions = functions.unwrap();
    let expected = ensemble.solve(&written, &EulerMaruyama, &noise, &Paths).unwrap();
    assert_eq!(ensemble.solve(&functions, &EulerMaruyama, &noise, &Paths).unwrap(), expected);
    let scheme = FractionalEulerMaruyama::default();
    let (written, functions) =
        (written.of_orders(&[0.8, 1.0]).unwrap(), functions.of_orders(&[0.8, 1.0]).unwrap());
    let expected = ensemble.solve(&written, &scheme, &noise, &Paths).unwrap();
    assert_eq!(ensemble.solve(&functions, &scheme, &noise, &Paths).unwrap(), expected);
}

/// Paths of more numbers than have a place on the stack.
#[test]
fn of_many_components() {
    let noise = Brownian::new(3, 40).unwrap();
    let ensemble = Ensemble::new(5, 8).unwrap();
    let drift = |_: f64, x: &[f64], f: &mut [f64]| {
        assert!(f.iter().all(|f| *f == 0.0));
        f.iter_mut().zip(x.iter().rev()).for_each(|(f, x)| *f = -x);
    };
    let diffusion = |_: f64, x: &[f64], g: &mut [f64]| g.copy_from_slice(x);
    let start: Vec<f64> = (0..40).map(f64::from).collect();
    let (diagonal, interval) = (NoiseKind::Diagonal, (0.0, 1.0));
    let many = StochasticProblem::of_functions(diagonal, interval, &start, drift, diffusion);
    let found = ensemble.solve(&many.unwrap(), &EulerMaruyama, &noise, &Paths).unwrap();
    // One step by hand.
    let one = Ensemble::new(5, 1).unwrap();
    let many = StochasticProblem::of_functions(diagonal, (0.0, 0.125), &start, drift, diffusion);
    let step = one.solve(&many.unwrap(), &EulerMaruyama, &noise, &Paths).unwrap();
    let tile = Tile { first_path: 0, lanes: 5, steps: 1, h: 0.125 };
    let mut dz = vec![0.0; 5 * 40];
    noise.increments(tile, &[]).unwrap().write(0, RowsMut::new(&mut dz, 5));
    for ((path, _, i), x) in step.indexed_iter() {
        let expected = start[i] - 0.125 * start[39 - i] + start[i] * dz[i * 5 + path];
        assert!((x - expected).abs() < 1e-12, "{path}, {i}");
    }
    assert!(found.iter().all(|x| x.is_finite()));
}

#[test]
fn of_numbers() {
    let noise = Brownian::new(3, 1).unwrap();
    let ensemble = Ensemble::new(40, 20).unwrap();
    let scalar = StochasticProblem::scalar((0.0, 1.0), 1.0, |t, x| t - x, |_, x| 0.5 * x).unwrap();
    let functions = StochasticProblem::of_functions(
        NoiseKind::Diagonal,
        (0.0, 1.0),
        &[1.0],
        |t, x, f| f[0] = t - x[0],
        |_, x, g| g[0] = 0.5 * x[0],
    );
    let functions = functions.unwrap().stratonovich();
    let found = ensemble.solve(&scalar.stratonovich(), &Heun, &noise, &Paths).unwrap();
    assert_eq!(found, ensemble.solve(&functions, &Heun, &noise, &Paths).unwrap());
}

/// What is said of the noise is believed: a scheme for additive noise refuses other noise.
#[test]
fn additive_noise_is_said() {
    let drift = |_: f64, x: &[f64], f: &mut [f64]| f[0] = -x[0];
    let diffusion = |_: f64, _: &[f64], g: &mut [f64]| g[0] = 0.5;
    let system = StateFunctions::new(1, NoiseKind::Diagonal, drift, diffusion);
    let (noise, ensemble) = (Brownian::new(3, 1).unwrap(), Ensemble::new(4, 4).unwrap());
    let solve = |system| {
        let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).unwrap();
        ensemble.solve(&problem, &Sra1, &noise, &Paths)
    };
    assert!(matches!(solve(system), Err(SdeError::NotTaken { .. })));
    assert!(solve(system.additive()).is_ok());
}
