//! Schemes for drifts that explicit ones do not survive.

use crate::exact::{self, Case};
use crate::systems::{Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, Gaussian, Tile};
use hpfracc_sde::{
    DriftImplicit, Ensemble, Equation, EulerMaruyama, Moments, NoiseKind, Paths, Stepper,
    StochasticScheme, TamedEuler,
};
use hpfracc_sde::{Rows, RowsMut, Step};

/// A linear equation's steps are divisions: the iteration finds the same.
#[test]
fn stiff_linear_steps_are_solved_to_rounding() {
    fn check<T: Gaussian>(theta: f64, rounding: f64) {
        let (lambda, h, steps) = (-1000.0, 0.05, 40);
        let system = Linear { dim: 2, lambda, sigma: 0.7, rho: 0.0 };
        let noise = Brownian::new(2, 2).unwrap();
        let end = steps as f64 * h;
        let start = [T::narrow(3.0), T::narrow(-1.0)];
        let problem = problem_of(system, (0.0, end), &start).unwrap();
        let ensemble = Ensemble::new(33, steps).unwrap().saving_every(1).unwrap();
        let scheme = DriftImplicit::new(theta).unwrap();
        let found = ensemble.solve(&problem, &scheme, &noise, &Paths).unwrap();
        // Steps of dX = dW tell the increments.
        let unit = Linear { dim: 2, lambda: 0.0, sigma: 1.0, rho: 0.0 };
        let zero = [T::zero(); 2];
        let problem = problem_of(unit, (0.0, end), &zero).unwrap();
        let w = ensemble.solve(&problem, &EulerMaruyama, &noise, &Paths).unwrap();
        for path in 0..33 {
            for i in 0..2 {
                for n in 0..steps {
                    let at = |n: usize| found[[path, n, i]].widen();
                    let dw = w[[path, n + 1, i]].widen() - w[[path, n, i]].widen();
                    let known = at(n) * (1.0 + (1.0 - theta) * lambda * h) + 0.7 * dw;
                    let exact = known / (1.0 - theta * lambda * h);
                    let error = (at(n + 1) - exact).abs();
                    let scale = known.abs().max(at(n).abs()).max(1.0);
                    assert!(error < rounding * scale, "path {path}, step {n}: {error:e}");
                }
            }
        }
    }
    for theta in [0.5, 0.75, 1.0] {
        check::<f64>(theta, 1e-13);
        check::<f32>(theta, 1e-5);
    }
}

/// Van der Pol's oscillator with noise, whose Jacobian is full, on steps a hundred times too long
/// for explicit schemes: each step is a solution of its equation.
#[test]
fn stiff_steps_solve_their_equations() {
    let stiff = 1000.0;
    let drift = |x: [f64; 2]| [x[1], stiff * ((1.0 - x[0] * x[0]) * x[1]) - x[0]];
    let case = Case {
        noise_kind: NoiseKind::Scalar,
        start: &[2.0, 0.0],
        drift: |_, x, f| {
            f.copy_from_slice(&[x[1], 1000.0 * ((1.0 - x[0] * x[0]) * x[1]) - x[0]]);
        },
        diffusion: |_, x, g| g.copy_from_slice(&[0.02 * x[0], 0.05]),
        ..exact::TANH
    };
    let (h, theta) = (0.1, 1.0);
    let equation = Equation {
        dim: 2,
        noise_kind: NoiseKind::Scalar,
        orders: &[1.0, 1.0],
        processes: &[],
        additive: false,
        additive_in: &[false],
        commutative: true,
        steps: 50,
        h,
    };
    let scheme = DriftImplicit::new(theta).unwrap();
    let stepper = StochasticScheme::<f64>::prepare(&scheme, &equation).unwrap();
    let mut state = Default::default();
    stepper.start(&mut state, Tile { first_path: 0, lanes: 3, steps: 50, h });
    let mut x = vec![2.0, 1.9, 1.5, 0.0, 0.1, -0.2];
    for n in 0..50 {
        let dw = [0.3, -0.1, 0.2].map(|z: f64| z * (n as f64 + 1.0).sin());
        let before = x.clone();
        let step = Step { t: n as f64 * h, x: RowsMut::new(&mut x, 3), dz: Rows::new(&dw, 3) };
        stepper.step(&case, &mut state, step);
        assert_eq!(Stepper::<f64>::failure(&stepper, &state), None);
        for lane in 0..3 {
            let f = drift([x[lane], x[3 + lane]]);
            let g = [0.02 * before[lane], 0.05];
            for i in 0..2 {
                let known = before[3 * i + lane] + g[i] * dw[lane];
                let residual = x[3 * i + lane] - known - h * f[i];
                let scale = 1.0 + h * f[i].abs() + h * stiff * x[3 + lane].abs();
                assert!(residual.abs() < 1e-12 * scale, "step {n}, {lane}, {i}: {residual:e}");
            }
        }
    }
}

/// Lanes stop one by one: a path has the same bits in any company.
#[test]
fn implicit_steps_do_not_depend_on_the_batch() {
    let problem = problem_of(CUBIC, (0.0, 1.0), CUBIC.start).unwrap();
    let noise = Brownian::new(8, 1).unwrap();
    let part = |first: u64, paths: usize| {
        let ensemble = Ensemble::new(paths, 20).unwrap().starting_at(first);
        ensemble.solve(&problem, &DriftImplicit::default(), &noise, &Paths).unwrap()
    };
    let all = part(0, 100);
    for path in [0, 17, 99] {
        assert_eq!(part(path as u64, 1)[[0, 0, 0]], all[[path, 0, 0]]);
    }
}

/// `dX = X^2 dt + dW/5` with h = 1: `y = known + y^2` has no solution where known > 1/4.
#[test]
fn an_iteration_that_fails_names_path_step_and_time() {
    let case = Case {
        drift: |_, x, f| f[0] = x[0] * x[0],
        diffusion: |_, _, g| g[0] = 0.2,
        additive: true,
        start: &[-0.2],
        ..exact::TANH
    };
    let problem = problem_of(case, (1.0, 9.0), case.start).unwrap();
    let noise = Brownian::new(3, 1).unwrap();
    let ensemble = Ensemble::new(40, 8).unwrap().starting_at(70);
    let error = ensemble.solve(&problem, &DriftImplicit::default(), &noise, &Moments).unwrap_err();
    let SdeError::PathNewtonFailed { path, step, t, residual } = error else { panic!("{error}") };
    assert!((70..110).contains(&path) && residual > 0.0, "{path} {residual}");
    assert_eq!(t, 1.0 + (step + 1) as f64);
    // Alone it fails in the same step, and stops before it.
    let alone = |steps: usize| {
        let end = 1.0 + steps as f64;
        let problem = problem_of(case, (1.0, end), case.start).unwrap();
        let ensemble = Ensemble::new(1, steps).unwrap().starting_at(path);
        ensemble.solve(&problem, &DriftImplicit::default(), &noise, &Paths)
    };
    assert!(step == 0 || alone(step).is_ok());
    assert!(alone(step + 1).is_err());
    for theta in [0.49, 1.01, f64::NAN] {
        assert!(DriftImplicit::new(theta).is_err());
    }
}

/// `dX = -X^3 dt + X dW`
const CUBIC: Case = Case {
    name: "cubic",
    start: &[6.0],
    drift: |_, x, f| f[0] = -x[0] * x[0] * x[0],
    diffusion: |_, x, g| g[0] = x[0],
    exact: None,
    ..exact::TANH
};

/// `E X^2` satisfies `m' = m - 2 E X^4 <= m - 2 m^2`: from wherever it starts it is below
/// `1/(2 (1 - exp(-t)))`.
#[test]
fn tamed_steps_survive_a_drift_that_explicit_ones_do_not() {
    let problem = problem_of(CUBIC, (0.0, 2.0), CUBIC.start).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let ensemble = Ensemble::new(5_000, 32).unwrap();
    let error = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap_err();
    assert!(matches!(error, SdeError::PathNotFinite { .. }), "{error}");
    let moment = |steps: usize| {
        let ensemble = Ensemble::new(5_000, steps).unwrap();
        let found = ensemble.solve(&problem, &TamedEuler, &noise, &Moments).unwrap();
        found.covariance[[0, 0, 0]] + found.mean[[0, 0]].powi(2)
    };
    let (tamed, fine) = (moment(64), moment(1024));
    let implicit = {
        let found = Ensemble::new(5_000, 256).unwrap();
        let found = found.solve(&problem, &DriftImplicit::default(), &noise, &Moments).unwrap();
        found.covariance[[0, 0, 0]] + found.mean[[0, 0]].powi(2)
    };
    println!("E X^2: tamed {tamed:.3} and {fine:.3}, implicit {implicit:.3}");
    let bound = 0.5 / (1.0 - (-2.0f64).exp());
    assert!(fine < bound && implicit < bound);
    // Standard errors are 0.01, the weak errors of order 1 below.
    assert!((fine - implicit).abs() < 0.06 && (tamed - fine).abs() < 0.3);
}
