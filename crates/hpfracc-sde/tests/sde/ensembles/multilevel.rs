//! Multilevel Monte Carlo against closed forms: the requested error, by the work that
//! theory has.

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_communicator::run_threads;
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, FractionalBrownian};
use hpfracc_sde::{
    EulerMaruyama, Expectation, FractionalEulerMaruyama, MultilevelMonteCarlo, StochasticProblem,
};
use ndarray::ArrayView2;
use std::sync::atomic::AtomicBool;

/// `dX = r X dt + sigma X dW` from 1: r = 0.05, sigma = 0.2.
const GEOMETRIC: Linear = Linear { dim: 1, lambda: 0.05, sigma: 0.0, rho: 0.2 };

fn geometric() -> StochasticProblem<f64, AnySystem<f64>> {
    problem_of(GEOMETRIC, (0.0, 1.0), &[1.0]).unwrap()
}

fn call(path: ArrayView2<'_, f64>) -> f64 {
    (path[[path.nrows() - 1, 0]] - 1.0).max(0.0) * (-0.05f64).exp()
}

/// Black and Scholes: `N(d1) - e^-r N(d2)` with d = (r +- sigma^2/2) / sigma.
const CALL: f64 = 0.104_505_835_721_856_1;

fn solve(method: &MultilevelMonteCarlo<'_>, seed: u64) -> Expectation {
    let noise = Brownian::new(seed, 1).unwrap();
    method.solve(&geometric(), &EulerMaruyama, &noise, call).unwrap()
}

/// The root of the mean square over seeds is below the target.
#[test]
fn a_call_within_the_target() {
    let target = 2e-3;
    for refinement in [2, 4] {
        let method = MultilevelMonteCarlo::new(target).unwrap().refined_by(refinement).unwrap();
        let errors: Vec<f64> =
            (0..10).map(|seed| (solve(&method, seed).value - CALL) / target).collect();
        let squares: f64 = errors.iter().map(|e| e * e).sum();
        println!("refined by {refinement}: {:.2} targets", (squares / 10.0).sqrt());
        // Were errors normal with standard deviation `target`: chi-squared with 10 degrees, 49 has probability
        // 4e-7.
        assert!(squares < 49.0, "{errors:?}");
    }
}

/// A quarter of the target takes about 16 times the work, and less than single paths do.
#[test]
fn the_work_grows_as_the_square() {
    let result = |target: f64| {
        let method = MultilevelMonteCarlo::new(target).unwrap().pilot(500).unwrap();
        let result = solve(&method, 3);
        println!(
            "target {target:e}: {:.6} +- {:.1e}, bias {:.1e}, orders {:.2} and {:.2}, {} levels, work \
             {:.2e} of {:.2e}",
            result.value,
            result.standard_error,
            result.bias,
            result.weak_order,
            result.variance_order,
            result.levels.len(),
            result.cost(),
            result.single_level_cost(),
        );
        assert!(result.standard_error <= 1.02 * target / 2f64.sqrt());
        assert!(result.bias <= target / 2f64.sqrt());
        assert!((result.value - CALL).abs() < 4.9 * target);
        assert!((0.8..1.3).contains(&result.variance_order), "{}", result.variance_order);
        result
    };
    let (coarse, fine) = (result(2e-3), result(5e-4));
    let growth = fine.cost() / coarse.cost();
    assert!((8.0..40.0).contains(&growth), "{growth}");
    assert!(fine.cost() < fine.single_level_cost());
    let gain = |result: &Expectation| result.single_level_cost() / result.cost();
    assert!(gain(&fine) > gain(&coarse));
}

/// A payoff of the path on the way: the mean of the arithmetic average over four dates.
#[test]
fn payoffs_see_the_nodes_of_the_first_level() {
    let target = 1e-3;
    let method = MultilevelMonteCarlo::new(target).unwrap().coarsest(4).unwrap();
    let noise = Brownian::new(2, 1).unwrap();
    let average = |path: ArrayView2<'_, f64>| {
        assert_eq!(path.dim(), (5, 1));
        assert_eq!(path[[0, 0]], 1.0);
        path.sum() / 4.0 - 0.25
    };
    let result = method.solve(&geometric(), &EulerMaruyama, &noise, average).unwrap();
    let exact = (1..=4).map(|date| (0.05 * 0.25 * f64::from(date)).exp()).sum::<f64>() / 4.0;
    assert!((result.value - exact).abs() < 4.9 * target, "{} {exact}", result.value);
}

/// `D^alpha X = sigma dW`: the mean of X^2 is `sigma^2 t^(2 alpha - 1) / ((2 alpha - 1)
/// Gamma(alpha)^2)`; and by fractional noise `dX = dB`, t^(2H). On all levels alike, so that
/// differences have mean 0.
#[test]
fn with_memory_and_by_fractional_noise() {
    let target = 5e-3;
    let system = Linear { dim: 1, lambda: 0.0, sigma: 0.5, rho: 0.0 };
    let problem = problem_of(system, (0.0, 1.0), &[0.0f64]).unwrap();
    let square = |path: ArrayView2<'_, f64>| path[[1, 0]].powi(2);
    let method = MultilevelMonteCarlo::new(target).unwrap().refined_by(2).unwrap();
    let alpha = 0.8;
    let fractional = problem.clone().of_orders(&[alpha]).unwrap();
    let noise = Brownian::new(4, 1).unwrap();
    let scheme = FractionalEulerMaruyama::default();
    let result = method.solve(&fractional, &scheme, &noise, square).unwrap();
    let exact = 0.25 / ((2.0 * alpha - 1.0) * hpfracc_special::gamma(alpha).powi(2));
    println!("{} {exact}, variances fall with {:.2}", result.value, result.variance_order);
    assert!((result.value - exact).abs() < 4.9 * target, "{} {exact}", result.value);
    let noise = FractionalBrownian::<f64>::new(4, &[0.7]).unwrap();
    let result = method.solve(&problem, &EulerMaruyama, &noise, square).unwrap();
    assert!((result.value - 0.25).abs() < 4.9 * target, "{}", result.value);
}

#[test]
fn on_any_number_of_threads() {
    let method = MultilevelMonteCarlo::new(4e-3).unwrap().pilot(500).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&method, 5))
    };
    let one = run(1);
    assert_eq!(run(2), one);
    assert_eq!(run(3), one);
}

#[test]
fn what_cannot_be_reached_is_said() {
    let noise = Brownian::new(4, 1).unwrap();
    let decay = Linear { dim: 1, lambda: -1.0, sigma: 0.001, rho: 0.0 };
    let problem = problem_of(decay, (0.0, 1.0), &[1.0f64]).unwrap();
    let end = |path: ArrayView2<'_, f64>| path[[1, 0]];
    let method = MultilevelMonteCarlo::new(1e-4).unwrap().refined_by(2).unwrap().finest(4).unwrap();
    let refused = method.solve(&problem, &EulerMaruyama, &noise, end);
    let Err(SdeError::BiasAboveTarget { level: 4, bias, target: 1e-4 }) = refused else {
        panic!("{refused:?}")
    };
    // (1 - h)^n against 1/e: h / (2 e) with 16 steps.
    let exact = (-1.0f64).exp() - (1.0f64 - 1.0 / 16.0).powi(16);
    assert!((0.5 * exact..2.0 * exact).contains(&bias), "{bias} {exact}");
    let reached = method.clone().finest(14).unwrap();
    let result = reached.solve(&problem, &EulerMaruyama, &noise, end).unwrap();
    assert!((result.value - (-1.0f64).exp()).abs() < 1.5e-4, "{}", result.value);
    let broken = method.solve(&problem, &EulerMaruyama, &noise, |_| f64::NAN);
    assert!(matches!(broken, Err(SdeError::PathValueNotFinite { what: "payoff", path: 0.., .. })));
    let flag = AtomicBool::new(true);
    let ended = method.clone().cancelled_by(&flag).solve(&problem, &EulerMaruyama, &noise, end);
    assert!(matches!(ended, Err(SdeError::Cancelled)));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(MultilevelMonteCarlo::new(bad).is_err());
    }
    assert!(method.clone().refined_by(1).is_err());
    assert!(method.clone().coarsest(0).is_err());
    assert!(method.clone().finest(1).is_err());
    assert!(method.clone().pilot(10).is_err());
    let steps = method.clone().coarsest(1 << 40).unwrap();
    let refused = steps.solve(&problem, &EulerMaruyama, &noise, end);
    assert!(matches!(refused, Err(SdeError::OutOfRange { .. })));
}

#[test]
fn same_bits_on_any_number_of_ranks() {
    let noise = Brownian::new(3, 1).unwrap();
    let solve = |method: MultilevelMonteCarlo<'_>, problem: &StochasticProblem<f64, _>| {
        method.solve(problem, &EulerMaruyama, &noise, call)
    };
    let method = MultilevelMonteCarlo::new(4e-3).unwrap().pilot(500).unwrap();
    let expected = solve(method.clone(), &geometric()).unwrap();
    for size in [1, 2, 3, 4, 7] {
        let found = run_threads(size, |ranks| solve(method.clone().over(ranks), &geometric()));
        assert!(found.unwrap().iter().all(|found| *found == expected), "{size} ranks");
    }
}

/// A payoff that is not finite on one rank, a rank that is cancelled, another target and seed.
#[test]
fn errors_on_ranks() {
    let method = MultilevelMonteCarlo::new(4e-3).unwrap().pilot(500).unwrap();
    let errors = |solve: &(
                       dyn Fn(usize, MultilevelMonteCarlo<'_>) -> Result<Expectation, SdeError>
                           + Sync
                   )| {
        let found = run_threads(3, |ranks| -> Result<String, SdeError> {
            let rank = hpfracc_communicator::Communicator::rank(ranks);
            Ok(solve(rank, method.clone().over(ranks)).unwrap_err().to_string())
        });
        found.unwrap()
    };
    let noise = |seed: u64| Brownian::new(seed, 1).unwrap();
    let on_all = |messages: Vec<String>| {
        let elsewhere = format!("rank 1: {}", messages[1]);
        assert!(messages[0] == elsewhere && messages[2] == elsewhere, "{messages:?}");
    };
    on_all(errors(&|rank, method| {
        let payoff = |path: ArrayView2<'_, f64>| if rank == 1 { f64::NAN } else { call(path) };
        method.solve(&geometric(), &EulerMaruyama, &noise(3), payoff)
    }));
    on_all(errors(&|rank, method| {
        let flag = AtomicBool::new(rank == 1);
        method.cancelled_by(&flag).solve(&geometric(), &EulerMaruyama, &noise(3), call)
    }));
    let seeds = errors(&|rank, method| {
        method.solve(&geometric(), &EulerMaruyama, &noise(3 + rank as u64 / 2), call)
    });
    assert!(seeds[1].contains("rank 2 and rank 0 differ in the fingerprint"), "{seeds:?}");
    let pilots = errors(&|rank, method| {
        let method = method.pilot(500 + rank)?;
        method.solve(&geometric(), &EulerMaruyama, &noise(3), call)
    });
    assert!(pilots[0].contains("rank 1 and rank 0 differ in"), "{pilots:?}");
}
