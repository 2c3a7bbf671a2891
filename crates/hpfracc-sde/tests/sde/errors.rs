//! Bad input is answered with the value and the place.

use crate::systems::{Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, CellIntegral, FractionalBrownian, Noise, Tile};
use hpfracc_sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, NoiseKind, PathMemory,
    StochasticProblem, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const LINEAR: Linear = Linear { dim: 1, lambda: -1.0, sigma: 0.1, rho: 0.0 };

/// Its drift is NaN for values above 0.3 after t = 1/2.
struct Breaks;

impl StochasticSystem<f64> for Breaks {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = if t > 0.5 && *x > 0.3 { f64::NAN } else { 0.0 };
        }
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(0.2);
    }
}

#[test]
fn a_path_that_breaks_is_named() {
    let problem = problem_of(Breaks, (0.0, 1.0), &[0.0f64]).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let ensemble = Ensemble::new(100, 100).unwrap().starting_at(1000);
    let error = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap_err();
    let SdeError::PathNotFinite { path, component: 0, step, t } = error else { panic!("{error}") };
    assert!(
        (1000..1100).contains(&path) && step > 50 && (t - (step + 1) as f64 / 100.0).abs() < 1e-12
    );
}

/// The path that is named breaks alone too, at the same step; the one before it, alone, does not
/// break there. Other threads and tiles end soon, and say nothing else.
#[test]
fn the_path_that_is_named_is_the_one() {
    let problem = problem_of(Breaks, (0.0, 1.0), &[0.0f64]).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let solve =
        |ensemble: Ensemble<'_>| match ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments) {
            Err(SdeError::PathNotFinite { path, step, .. }) => Some((path, step)),
            Err(other) => panic!("{other}"),
            Ok(_) => None,
        };
    for threads in [1, 2, 4] {
        let finished = AtomicUsize::new(0);
        let ensemble = Ensemble::new(1 << 24, 100).unwrap().counting(&finished);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (path, step) = pool.install(|| solve(ensemble)).unwrap();
        assert!(finished.load(Ordering::Relaxed) < 1 << 16);
        let alone = Ensemble::new(1, 100).unwrap();
        assert_eq!(solve(alone.clone().starting_at(path)), Some((path, step)));
        let earlier = (path - path % 16..path).map(|path| solve(alone.clone().starting_at(path)));
        assert!(earlier.flatten().all(|(_, at)| at > step));
    }
}

#[test]
fn numbers_of_paths_that_end() {
    let problem = problem_of(LINEAR, (0.0, 1.0), &[0.0f64]).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let last = Ensemble::new(10, 10).unwrap().starting_at(u64::MAX - 11);
    assert!(last.solve(&problem, &EulerMaruyama, &noise, &Moments).is_ok());
    let beyond = last.starting_at(u64::MAX - 10);
    let refused = beyond.solve(&problem, &EulerMaruyama, &noise, &Moments);
    assert!(matches!(refused, Err(SdeError::OutOfRange { what: "the first path", .. })));
}

#[test]
fn orders_without_a_finite_variance() {
    let noise = Brownian::new(1, 1).unwrap();
    let problem = problem_of(LINEAR, (0.0, 1.0), &[0.0f64]).unwrap();
    let ensemble = Ensemble::new(10, 10).unwrap();
    for alpha in [0.3, 0.5, 1.2] {
        let problem = problem.clone().of_orders(&[alpha]).unwrap();
        let scheme = FractionalEulerMaruyama::default();
        let refused = ensemble.solve(&problem, &scheme, &noise, &Moments);
        let text = refused.unwrap_err().to_string();
        assert!(text.contains(&alpha.to_string()) && text.contains("0.5 < alpha <= 1"), "{text}");
        let refused = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments);
        assert!(refused.unwrap_err().to_string().contains(&alpha.to_string()));
    }
    for alpha in [0.0, -1.0, f64::NAN] {
        let refused = problem.clone().of_orders(&[alpha]);
        assert!(matches!(refused, Err(SdeError::Order { component: 0, .. })));
    }
    assert!(problem.clone().of_orders(&[0.7, 0.8]).is_err());
    assert!(problem.of_orders(&[]).is_err());
}

#[test]
fn sizes_of_nothing() {
    assert!(Ensemble::new(0, 10).is_err());
    assert!(Ensemble::new(10, 0).is_err());
    assert!(Ensemble::new(10, 10).unwrap().saving_every(0).is_err());
    assert!(Brownian::new(1, 0).is_err());
    assert!(problem_of(LINEAR, (1.0, 0.0), &[0.0f64]).is_err());
    assert!(StochasticProblem::<f64, _>::new(LINEAR, (0.0, 1.0), &[]).is_err());
    assert!(problem_of(LINEAR, (0.0, 1.0), &[f64::NAN]).is_err());
    assert!(problem_of(LINEAR, (0.0, 1.0), &[f32::INFINITY]).is_err());
    for tolerance in [0.0, 1.0, f64::NAN] {
        let problem = problem_of(LINEAR, (0.0, 1.0), &[0.0f64]).unwrap();
        let problem = problem.of_orders(&[0.7]).unwrap();
        let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
        let (ensemble, noise) = (Ensemble::new(1, 1).unwrap(), Brownian::new(1, 1).unwrap());
        assert!(ensemble.solve(&problem, &scheme, &noise, &Moments).is_err());
    }
}

#[test]
fn noise_of_another_number_of_components() {
    let problem = problem_of(LINEAR, (0.0, 1.0), &[0.0f64]).unwrap();
    let noise = Brownian::new(1, 2).unwrap();
    let refused = Ensemble::new(1, 1).unwrap().solve(&problem, &EulerMaruyama, &noise, &Moments);
    assert!(matches!(refused, Err(SdeError::Length { what: "the noise", found: 2, expected: 1 })));
}

#[test]
fn a_flag_ends_the_solve() {
    let problem = problem_of(LINEAR, (0.0, 1.0), &[0.0f64]).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let flag = AtomicBool::new(true);
    let ensemble = Ensemble::new(10, 10).unwrap().cancelled_by(&flag);
    let ended = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments);
    assert!(matches!(ended, Err(SdeError::Cancelled)));
}

#[test]
fn noise_that_the_equation_does_not_take() {
    let rough = FractionalBrownian::<f64>::new(1, &[0.3]).unwrap();
    let white = Brownian::new(1, 1).unwrap();
    let ensemble = Ensemble::new(2, 4).unwrap();
    let problem = |rho| {
        let system = Linear { dim: 1, lambda: -1.0, sigma: 1.0, rho };
        problem_of(system, (0.0, 1.0), &[1.0f64]).unwrap()
    };
    // Multiplied by the path, but not where it is added.
    let refused = ensemble.solve(&problem(0.5), &EulerMaruyama, &rough, &Moments).unwrap_err();
    assert!(matches!(refused, SdeError::RoughNoise { component: 0, hurst: 0.3 }), "{refused}");
    ensemble.solve(&problem(0.0), &EulerMaruyama, &rough, &Moments).unwrap();
    let other = problem(0.5).stratonovich();
    let refused = ensemble.solve(&other, &EulerMaruyama, &white, &Moments).unwrap_err();
    assert!(matches!(refused, SdeError::OtherCalculus { .. }));
    assert!(
        refused.to_string().contains("Ito calculus, the equation of Stratonovich"),
        "{refused}"
    );
    let other = problem(0.0).stratonovich();
    ensemble.solve(&other, &EulerMaruyama, &white, &Moments).unwrap();
}

#[test]
fn integrals_that_a_noise_does_not_have() {
    let tile = Tile { first_path: 0, lanes: 1, steps: 2, h: 0.5 };
    let integral = CellIntegral { noise: 0, exponent: 1.0, lag: 0 };
    let rough = FractionalBrownian::<f64>::new(1, &[0.3]).unwrap();
    assert!(matches!(rough.increments(tile, &[integral]), Err(SdeError::NoIntegrals { .. })));
    let white: &dyn Noise<f64> = &Brownian::new(1, 1).unwrap();
    for bad in [
        CellIntegral { noise: 1, ..integral },
        CellIntegral { exponent: -0.5, ..integral },
        CellIntegral { exponent: f64::NAN, ..integral },
    ] {
        assert!(matches!(white.increments(tile, &[bad]), Err(SdeError::OutOfRange { .. })));
    }
}
