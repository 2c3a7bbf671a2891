//! What each scheme takes and refuses, weak order, and the backward steps of the reversible one.

use crate::exact::{self, Case};
use crate::systems::{Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{
    Brownian, BrownianTree, Coarse, FractionalBrownian, Gaussian, Noise, Tile,
};
use hpfracc_sde::{
    Adaptive, Calculus, DriftImplicit, Ensemble, Equation, EulerMaruyama, Heun, Milstein, Moments,
    NoiseKind, Paths, ReversibleHeun, Sra1, Sric2, Sriw1, Stepper, StochasticScheme,
    StochasticSystem, TamedEuler, Tolerance,
};
use hpfracc_sde::{ReversibleHeunState, Rows, RowsMut, Step};
use hpfracc_testkit::observed_order;

/// Why the scheme does not take the equation, if it does not.
fn refusal<C: StochasticScheme<f64>>(case: Case, scheme: &C, order: f64) -> Option<String> {
    let problem = problem_of(case, (0.0, 1.0), case.start).unwrap();
    let problem = problem.of_orders(&[order]).unwrap();
    let noise = Brownian::new(11, case.noise_kind.noises(case.start.len())).unwrap();
    let solved = Ensemble::new(1, 10).unwrap().solve(&problem, scheme, &noise, &Moments);
    solved.err().map(|error| error.to_string())
}

#[test]
fn couplings_that_a_scheme_does_not_take() {
    let crossed = Case { commutative: false, ..exact::GEOMETRIC };
    let says = |text: Option<String>, part: &str| {
        assert!(text.as_deref().is_some_and(|text| text.contains(part)), "{text:?}");
    };
    for case in [crossed, exact::AREA] {
        says(refusal(case, &Milstein, 1.0), "Levy areas");
        says(refusal(case, &Sric2, 1.0), "Levy areas");
        says(refusal(case, &Sriw1, 1.0), "Levy areas");
        assert_eq!(refusal(case, &EulerMaruyama, 1.0), None);
        assert_eq!(refusal(case, &TamedEuler, 1.0), None);
        assert_eq!(refusal(case, &DriftImplicit::default(), 1.0), None);
    }
    says(refusal(exact::TWO_SPIRALS, &Milstein, 1.0), "Sric2");
    says(refusal(exact::TWO_SPIRALS, &Sriw1, 1.0), "a matrix");
    says(refusal(exact::GEOMETRIC, &Sra1, 1.0), "additive");
    says(refusal(exact::GEOMETRIC, &Heun, 1.0), "Stratonovich");
    says(refusal(exact::GEOMETRIC, &ReversibleHeun, 1.0), "Stratonovich");
    assert_eq!(refusal(exact::PENDULUM, &Heun, 1.0), None);
}

#[test]
fn fractional_orders_are_for_schemes_with_memory() {
    let case = exact::SILENT_ADDITIVE;
    for refused in [
        refusal(case, &Milstein, 0.7),
        refusal(case, &Sric2, 0.7),
        refusal(case, &Sriw1, 0.7),
        refusal(case, &Sra1, 0.7),
        refusal(case, &Heun, 0.7),
        refusal(case, &ReversibleHeun, 0.7),
        refusal(case, &DriftImplicit::default(), 0.7),
        refusal(case, &TamedEuler, 0.7),
    ] {
        assert!(refused.is_some_and(|text| text.contains("0.7")));
    }
}

/// Its increments have another variance than the schemes for Brownian motion count with.
#[test]
fn noise_that_is_not_brownian() {
    let problem = problem_of(exact::GEOMETRIC, (0.0, 1.0), exact::GEOMETRIC.start).unwrap();
    let noise = FractionalBrownian::new(1, &[0.7, 0.8]).unwrap();
    let ensemble = Ensemble::new(1, 8).unwrap();
    for refused in [
        ensemble.solve(&problem, &Milstein, &noise, &Moments),
        ensemble.solve(&problem, &Sric2, &noise, &Moments),
        ensemble.solve(&problem, &Sriw1, &noise, &Moments),
    ] {
        assert!(matches!(refused, Err(SdeError::NotTaken { .. })));
    }
    assert!(ensemble.solve(&problem, &Heun, &noise, &Moments).is_ok());
    assert!(ensemble.solve(&problem, &ReversibleHeun, &noise, &Moments).is_ok());
}

/// `E X(1)` of geometric Brownian motion: the mean difference from the exact solution on the same
/// paths.
#[test]
fn weak_order_one() {
    const PATHS: usize = 20_000;
    fn check<C: StochasticScheme<f64>>(scheme: &C) {
        // The second component only: its noise is weaker.
        let case = exact::GEOMETRIC;
        let problem = problem_of(case, (0.0, 1.0), case.start).unwrap();
        let errors = [4usize, 8, 16].map(|steps| {
            let noise = Coarse::new(Brownian::new(4, 2).unwrap(), 16 / steps).unwrap();
            let ensemble = Ensemble::new(PATHS, steps).unwrap();
            let found = ensemble.solve(&problem, scheme, &noise, &Moments).unwrap();
            // All three have the same sampling error, which the scheme of order 3/2 tells.
            let noise = Brownian::new(4, 2).unwrap();
            let ensemble = Ensemble::new(PATHS, 16).unwrap();
            let control = ensemble.solve(&problem, &Sriw1, &noise, &Moments).unwrap();
            let error = found.mean[[0, 1]] - control.mean[[0, 1]];
            (1.0 / steps as f64, error.abs())
        });
        let order = observed_order(&errors);
        println!("| {} | weak | 1 | {order:.2} |", scheme.name());
        assert!((order - 1.0).abs() < 0.15, "{}: {order} {errors:?}", scheme.name());
    }
    check(&EulerMaruyama);
    check(&Milstein);
    check(&DriftImplicit::default());
}

/// The same paths as in double precision, but for rounding.
#[test]
fn in_single_precision() {
    fn ends<T: Gaussian, C: StochasticScheme<T>>(
        rho: f64,
        meant: Calculus,
        scheme: &C,
    ) -> Vec<f64> {
        let sigma = if rho == 0.0 { 0.4 } else { 0.1 };
        let system = Linear { dim: 2, lambda: -0.6, sigma, rho };
        let start = [1.0, -0.5].map(T::narrow);
        let problem = problem_of(system, (0.0, 1.0), &start).unwrap();
        let problem =
            if meant == Calculus::Stratonovich { problem.stratonovich() } else { problem };
        let noise = Brownian::new(6, 2).unwrap();
        let found =
            Ensemble::new(70, 500).unwrap().solve(&problem, scheme, &noise, &Paths).unwrap();
        found.iter().map(|x| x.widen()).collect()
    }
    fn check<C: StochasticScheme<f32> + StochasticScheme<f64>>(rho: f64, scheme: &C) {
        let meant = <C as StochasticScheme<f64>>::CALCULUS;
        let (single, double) =
            (ends::<f32, C>(rho, meant, scheme), ends::<f64, C>(rho, meant, scheme));
        for (x, y) in single.iter().zip(&double) {
            assert!((x - y).abs() < 1e-4, "{}: {x} {y}", StochasticScheme::<f64>::name(scheme));
        }
    }
    check(0.3, &EulerMaruyama);
    check(0.3, &TamedEuler);
    check(0.3, &DriftImplicit::default());
    check(0.3, &Milstein);
    check(0.3, &Sric2);
    check(0.3, &Sriw1);
    check(0.0, &Sra1);
    check(0.3, &Heun);
    check(0.3, &ReversibleHeun);
    let tree = BrownianTree::new(6, 2).unwrap();
    let tolerance = Tolerance { absolute: 1e-3, relative: 1e-3 };
    let adaptive = Adaptive::new(Milstein, tree, tolerance).unwrap();
    let problem = problem_of(GEOMETRIC, (0.0, 1.0), &[1.0f32, -0.5]).unwrap();
    let ensemble = Ensemble::new(70, 4).unwrap();
    let found = ensemble.solve(&problem, &adaptive, &tree, &Paths).unwrap();
    for path in 0..70 {
        for (i, start) in [1.0, -0.5].into_iter().enumerate() {
            let w: f64 = tree.at((path as u64, i), 1.0, (0, 1)).unwrap();
            let exact = start * (-0.6 - 0.045 + 0.3 * w).exp();
            assert!((f64::from(found[[path, 0, i]]) - exact).abs() < 1e-2, "{path} {i}");
        }
    }
}

/// Geometric Brownian motion.
const GEOMETRIC: Linear = Linear { dim: 2, lambda: -0.6, sigma: 0.0, rho: 0.3 };

#[test]
fn the_reversible_scheme_goes_back_to_its_start() {
    let case = exact::TWO_SPIRALS_STRATONOVICH;
    let (steps, lanes, h) = (300, 3, 0.01);
    let equation = Equation {
        dim: 2,
        noise_kind: NoiseKind::General { noises: 2 },
        orders: &[1.0, 1.0],
        processes: &[],
        additive: false,
        additive_in: &[false; 2],
        commutative: true,
        steps,
        h,
    };
    let stepper = StochasticScheme::<f64>::prepare(&ReversibleHeun, &equation).unwrap();
    let dz = |n: usize| -> Vec<f64> {
        (0..2 * lanes).map(|k| 0.1 * (0.7 * n as f64 + 1.3 * k as f64).sin()).collect()
    };
    let mut state = ReversibleHeunState::default();
    stepper.start(&mut state, Tile { first_path: 0, lanes, steps, h });
    let mut x = vec![1.0, 0.9, 0.8, 0.0, 0.1, -0.2];
    let mut visited = Vec::new();
    for n in 0..steps {
        visited.push(x.clone());
        let increments = dz(n);
        let (x, dz) = (RowsMut::new(&mut x, lanes), Rows::new(&increments, lanes));
        stepper.step(&case, &mut state, Step { t: n as f64 * h, x, dz });
    }
    let far = x.iter().zip(&visited[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far > 0.1, "it has gone somewhere: {far}");
    for n in (0..steps).rev() {
        let increments = dz(n);
        let (values, dz) = (RowsMut::new(&mut x, lanes), Rows::new(&increments, lanes));
        stepper.step_back(&case, &mut state, Step { t: n as f64 * h, x: values, dz });
        for (found, expected) in x.iter().zip(&visited[n]) {
            assert!((found - expected).abs() < 1e-11, "step {n}: {found} {expected}");
        }
    }
}

/// `dX = t dW` in one step from 0 to 1: the mean of g at both ends is 1/2, at the start alone it is
/// 0.
#[test]
fn heun_takes_noise_at_both_ends_of_a_step() {
    struct Grows;

    impl StochasticSystem<f64> for Grows {
        fn dim(&self) -> usize {
            1
        }

        fn noise_kind(&self) -> NoiseKind {
            NoiseKind::Diagonal
        }

        fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
            f.as_mut_slice().fill(0.0);
        }

        fn diffusion(&self, t: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
            g.as_mut_slice().fill(t);
        }
    }

    fn check<C: StochasticScheme<f64>>(scheme: &C) {
        let noise = Brownian::new(8, 1).unwrap();
        let problem = problem_of(Grows, (0.0, 1.0), &[0.0]).unwrap().stratonovich();
        let ensemble = Ensemble::new(3, 1).unwrap();
        let found = ensemble.solve(&problem, scheme, &noise, &Paths).unwrap();
        let tile = Tile { first_path: 0, lanes: 3, steps: 1, h: 1.0 };
        let mut dw = [0.0f64; 3];
        noise.increments(tile, &[]).unwrap().write(0, RowsMut::new(&mut dw, 3));
        for (path, dw) in dw.iter().enumerate() {
            assert_eq!(found[[path, 0, 0]], 0.5 * dw);
        }
    }
    check(&Heun);
    check(&ReversibleHeun);
}
