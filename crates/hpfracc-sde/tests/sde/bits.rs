//! The same bits, however they are computed.

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Drift, Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory, Paths,
    StochasticProblem,
};
use ndarray::{Array3, Axis, concatenate};

const SYSTEM: Linear = Linear { dim: 2, lambda: -0.5, sigma: 0.1, rho: 0.3 };

fn problem(order: f64) -> StochasticProblem<f32, AnySystem<f32>> {
    let problem = problem_of(SYSTEM, (0.0, 1.0), &[1.0, -0.5]).unwrap();
    problem.of_orders(&[order]).unwrap()
}

fn paths(order: f64, scheme: FractionalEulerMaruyama, first: u64, count: usize) -> Array3<f32> {
    let ensemble = Ensemble::new(count, 150).unwrap().saving_every(10).unwrap().starting_at(first);
    let noise = Brownian::new(9, 2).unwrap();
    ensemble.solve(&problem(order), &scheme, &noise, &Paths).unwrap()
}

#[test]
fn on_any_number_of_threads() {
    let noise = Brownian::new(9, 2).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ensemble = Ensemble::new(20_000, 20).unwrap().saving_every(5).unwrap();
        let both = (Moments, Paths);
        pool.install(|| ensemble.solve(&problem(1.0), &EulerMaruyama, &noise, &both)).unwrap()
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        assert_eq!(run(threads), one, "{threads}");
    }
}

/// A solve in tiles of any width; without one is refused.
#[test]
fn in_tiles_of_any_width() {
    let noise = Brownian::new(9, 2).unwrap();
    let ensemble = || Ensemble::new(777, 30).unwrap();
    let of = |ensemble: Ensemble<'_>| {
        ensemble.solve(&problem(1.0), &EulerMaruyama, &noise, &Paths).unwrap()
    };
    let all = of(ensemble());
    for width in [1, 7, 64, 1000] {
        assert_eq!(of(ensemble().in_tiles_of(width).unwrap()), all, "{width}");
    }
    let none = ensemble().in_tiles_of(0).unwrap_err();
    assert!(none.to_string().starts_with("the number of paths of a tile is 0"), "{none}");
}

#[test]
fn in_any_split_of_the_paths() {
    let scheme = FractionalEulerMaruyama::new;
    for (order, scheme) in [
        (0.7, scheme(PathMemory::default())),
        (0.7, scheme(PathMemory::Direct)),
        (0.7, scheme(PathMemory::Blocked).near_cells(2)),
        (0.7, scheme(PathMemory::Blocked).drift(Drift::PredictorCorrector)),
        (1.0, scheme(PathMemory::default())),
    ] {
        let all = paths(order, scheme, 5, 777);
        for cut in [1, 16, 300] {
            let before = paths(order, scheme, 5, cut);
            let after = paths(order, scheme, 5 + cut as u64, 777 - cut);
            let together = concatenate(Axis(0), &[before.view(), after.view()]).unwrap();
            assert_eq!(together, all, "order {order}, {scheme:?}, cut at {cut}");
        }
    }
}

#[test]
fn of_order_one_with_memory_and_without() {
    let noise = Brownian::new(9, 2).unwrap();
    let ensemble = Ensemble::new(500, 64).unwrap().saving_every(8).unwrap();
    let classical = ensemble.solve(&problem(1.0), &EulerMaruyama, &noise, &Paths).unwrap();
    for memory in [PathMemory::Direct, PathMemory::Blocked, PathMemory::default()] {
        let scheme = FractionalEulerMaruyama::new(memory);
        let fractional = ensemble.solve(&problem(1.0), &scheme, &noise, &Paths).unwrap();
        assert_eq!(fractional, classical);
    }
}

/// Not bits, but within the requested tolerance.
#[test]
fn every_memory_is_the_direct_sum_within_its_tolerance() {
    let noise = Brownian::new(9, 2).unwrap();
    let system = problem_of(SYSTEM, (0.0, 1.0), &[1.0f64, -0.5]).unwrap();
    let problem = system.of_orders(&[0.6, 0.85]).unwrap();
    let ensemble = Ensemble::new(100, 400).unwrap();
    let solve = |memory| {
        let scheme = FractionalEulerMaruyama::new(memory);
        ensemble.solve(&problem, &scheme, &noise, &Paths).unwrap()
    };
    let direct = solve(PathMemory::Direct);
    let difference = solve(PathMemory::Blocked) - &direct;
    let largest = difference.iter().fold(0.0f64, |m, d| m.max(d.abs()));
    assert!(largest < 1e-13, "blocks: {largest:e}");
    for tolerance in [1e-4, 1e-7, 1e-11] {
        let difference = solve(PathMemory::Exponentials { tolerance }) - &direct;
        let largest = difference.iter().fold(0.0f64, |m, d| m.max(d.abs()));
        println!("{tolerance:e}: {largest:e}");
        assert!(largest < 10.0 * tolerance, "{tolerance:e}: {largest:e}");
    }
}
