//! Steps that each path chooses: errors within tolerances, the same path however it was refined,
//! and what is refused.

use crate::exact::{self, Case};
use crate::systems::{AnySystem, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, BrownianTree};
use hpfracc_sde::{
    Adaptive, Calculus, Ensemble, Heun, Milstein, NoiseKind, Paths, PathwiseScheme, Sra1, Sric2,
    Sriw1, StepCounts, StochasticProblem, StochasticScheme, Tolerance,
};
use hpfracc_testkit::{Figure, observed_order, record};
use ndarray::Array3;

const PATHS: usize = 100;

fn problem(case: Case) -> StochasticProblem<f64, AnySystem<f64>> {
    let problem = problem_of(case, (0.0, 1.0), case.start).unwrap();
    if case.calculus == Calculus::Stratonovich { problem.stratonovich() } else { problem }
}

fn tree(case: Case) -> BrownianTree {
    BrownianTree::new(5, case.noise_kind.noises(case.start.len())).unwrap()
}

fn tolerance(value: f64) -> Tolerance {
    Tolerance { absolute: value, relative: value }
}

/// By path, saved time and component; two cells an ensemble's step at least.
fn solve<C: StochasticScheme<f64>>(case: Case, scheme: &C, steps: usize) -> Array3<f64> {
    let ensemble = Ensemble::new(PATHS, steps).unwrap().saving_every(1).unwrap();
    ensemble.solve(&problem(case), scheme, &tree(case), &Paths).unwrap()
}

fn at_the_end(case: Case, path: usize) -> Vec<f64> {
    let w = |noise| tree(case).at::<f64>((path as u64, noise), 1.0, (0, 1)).unwrap();
    (0..case.noise_kind.noises(case.start.len())).map(w).collect()
}

fn root_mean_square(squares: impl Iterator<Item = f64>) -> f64 {
    (squares.sum::<f64>() / PATHS as f64).sqrt()
}

/// The strong error is proportional to the tolerance.
fn check<C: PathwiseScheme<f64> + Copy>(case: Case, scheme: C, tolerances: [f64; 3]) {
    let errors = tolerances.map(|value| {
        let counts = StepCounts::default();
        let adaptive = Adaptive::new(scheme, tree(case), tolerance(value)).unwrap();
        let found = solve(case, &adaptive.counting(&counts), 16);
        let squares = (0..PATHS).flat_map(|path| {
            let exact = case.exact.unwrap()(1.0, &at_the_end(case, path));
            let square = |(i, x): (usize, f64)| (found[[path, 16, i]] - x).powi(2);
            exact.into_iter().enumerate().map(square).collect::<Vec<_>>()
        });
        let error = root_mean_square(squares);
        let [taken, refused] =
            [counts.taken(), counts.refused()].map(|count| count as f64 / PATHS as f64);
        let name = scheme.name();
        println!(
            "| {name} | {} | {value:.0e} | {error:.1e} | {taken:.0} | {refused:.0} |",
            case.name
        );
        assert!(error < 3.0 * value, "{name} on {}: {error}", case.name);
        assert!(refused > 0.0 && refused < taken, "{name}: {refused} refused, {taken} taken");
        (value, error)
    });
    let order = observed_order(&errors);
    let labels = [("scheme", scheme.name()), ("equation", case.name)];
    record(
        "accuracy/adaptive_strong_orders",
        &labels,
        &[
            ("order in the tolerance", Figure::number(order, 2)),
            ("error at the tightest", Figure::error(errors[2].1)),
        ],
    );
    let most = if C::SHARE == 1.0 { 1.6 } else { 1.15 };
    assert!((0.85..most).contains(&order), "{} on {}: {order}", scheme.name(), case.name);
}

#[test]
fn errors_follow_the_tolerance() {
    check(exact::TANH, Milstein, [8e-3, 2.5e-3, 8e-4]);
    check(exact::SPIRAL, Sric2, [8e-3, 2.5e-3, 8e-4]);
    check(exact::TWO_SPIRALS, Sric2, [8e-3, 2.5e-3, 8e-4]);
    check(exact::TANH_STRATONOVICH, Heun, [8e-3, 2.5e-3, 8e-4]);
}

#[test]
fn errors_of_order_three_halves_follow_the_tolerance() {
    check(exact::TANH, Sriw1, [1e-2, 3e-3, 1e-3]);
    check(exact::WAVE, Sriw1, [1e-2, 3e-3, 1e-3]);
}

/// Most of what happens does so in a short time: steps are short there, and there alone.
const BURST: Case = Case {
    name: "burst",
    drift: |t, _, f| f.copy_from_slice(&[-0.1 * (t - 0.3), 0.0]),
    diffusion: |t, x, g| {
        let strength = 0.05 + 8.0 * (-((t - 0.3) / 0.01).powi(2)).exp();
        (g[0], g[1]) = (strength * (1.0 - x[0] * x[0]), 0.1);
    },
    start: &[0.1, 0.0],
    exact: None,
    ..exact::TANH
};

#[test]
fn fewer_steps_than_equal_ones_for_the_same_error() {
    let exact = solve(BURST, &Sriw1, 8192);
    let error = |found: &Array3<f64>, steps: usize| {
        let squares =
            (0..PATHS).map(|path| (found[[path, steps, 0]] - exact[[path, 8192, 0]]).powi(2));
        root_mean_square(squares)
    };
    let counts = StepCounts::default();
    let adaptive = Adaptive::new(Sriw1, tree(BURST), tolerance(0.2)).unwrap();
    let adaptive = error(&solve(BURST, &adaptive.counting(&counts), 64), 64);
    // Each cell that was tried costs three steps.
    let cost = 3 * (counts.taken() + counts.refused()) / PATHS as u64;
    let equal = error(&solve(BURST, &Sriw1, 1024), 1024);
    println!("adaptive {adaptive:.1e} with {cost} steps a path, equal {equal:.1e} with 1024");
    assert!(adaptive < equal && cost < 800);
}

/// Where noise is additive the second component is W itself, in steps that the first one chooses.
#[test]
fn the_same_path_however_it_was_refined() {
    let case = Case {
        drift: |_, x, f| f.copy_from_slice(&[30.0 * (x[1].sin() - x[0]), 0.0]),
        diffusion: |_, _, g| g.fill(1.0),
        noise_kind: NoiseKind::Scalar,
        additive: true,
        ..BURST
    };
    for value in [1e-1, 1e-2, 1e-3] {
        let counts = StepCounts::default();
        let adaptive = Adaptive::new(Sra1, tree(case), tolerance(value)).unwrap();
        let found = solve(case, &adaptive.counting(&counts), 8);
        for path in 0..PATHS {
            for node in 0..=8 {
                let w: f64 = tree(case).at((path as u64, 0), 1.0, (3, node)).unwrap();
                let error = (found[[path, node as usize, 1]] - w).abs();
                assert!(error < 1e-13, "path {path}, node {node}: {error:e}");
            }
        }
        assert!(counts.refused() > 100, "{}", counts.refused());
    }
}

#[test]
fn the_same_bits_in_any_batch() {
    let adaptive = Adaptive::new(Milstein, tree(exact::TANH), tolerance(1e-3)).unwrap();
    let part = |first: u64, paths: usize| {
        let ensemble = Ensemble::new(paths, 4).unwrap().starting_at(first);
        let noise = tree(exact::TANH);
        ensemble.solve(&problem(exact::TANH), &adaptive, &noise, &Paths).unwrap()
    };
    let all = part(3, 50);
    for (first, paths) in [(3, 1), (7, 20), (40, 13)] {
        let row = first as usize - 3;
        let expected = all.slice(ndarray::s![row..row + paths, .., ..]);
        assert_eq!(part(first, paths), expected, "{first} {paths}");
    }
}

#[test]
fn what_adaptive_steps_refuse() {
    let refusal = |case: Case, steps: usize, scheme: Adaptive<'_, Sric2>| {
        let ensemble = Ensemble::new(20, steps).unwrap().starting_at(100);
        ensemble.solve(&problem(case), &scheme, &tree(case), &Paths).unwrap_err()
    };
    let scheme = |case: Case| Adaptive::new(Sric2, tree(case), tolerance(1e-6)).unwrap();
    let error = refusal(exact::TANH, 3, scheme(exact::TANH));
    assert!(error.to_string().contains("a power of two"), "{error}");
    let error = refusal(exact::AREA, 4, scheme(exact::AREA));
    assert!(matches!(error, SdeError::NotTaken { .. }), "{error}");
    let error = refusal(exact::TANH, 4, scheme(exact::SPIRAL));
    assert!(matches!(error, SdeError::Length { found: 1, expected: 2, .. }), "{error}");

    let error = refusal(exact::TANH, 4, scheme(exact::TANH).deepest(8).unwrap());
    let SdeError::PathStepTooSmall { path, step, t } = error else { panic!("{error}") };
    assert!((100..120).contains(&path) && step < 4);
    assert!((0.25 * step as f64..0.25 * (step + 1) as f64).contains(&t), "{t}");

    let (ensemble, other) = (Ensemble::new(2, 4).unwrap(), Brownian::new(5, 2).unwrap());
    let error = ensemble.solve(&problem(exact::TANH), &scheme(exact::TANH), &other, &Paths);
    assert!(matches!(error, Err(SdeError::OtherNoise { step: 0 })));

    assert!(scheme(exact::TANH).deepest(31).is_err());
    for (absolute, relative) in [(0.0, 0.0), (-1.0, 1.0), (f64::NAN, 0.1), (0.1, f64::INFINITY)] {
        let tolerance = Tolerance { absolute, relative };
        assert!(Adaptive::new(Milstein, tree(exact::TANH), tolerance).is_err());
    }
}
