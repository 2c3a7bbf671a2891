//! Equations of which only the first components have noise, or none.

use super::case::{Case, PATHS, close};
use super::systems::{double_well, one_noisy};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, NoNoise};
use hpfracc_sde::{
    Drift, DriftImplicit, EnsembleGradient, EulerMaruyama, ForcedEulerMaruyama,
    FractionalEulerMaruyama, Heun, Milstein, NoiseKind, Paths, ReversibleHeun, SavedStates, Sra1,
    Sric2, Sriw1, StochasticProblem, StochasticScheme, StochasticSystem, TamedEuler,
};
use hpfracc_sde::{Rows, RowsMut};
use ndarray::Array3;

const ONE: NoiseKind = NoiseKind::LeadingDiagonal { noises: 1 };
const NONE: NoiseKind = NoiseKind::LeadingDiagonal { noises: 0 };

/// The same paths, once with a second noise that is multiplied with 0.
fn paths<C: StochasticScheme<f64>>(
    scheme: &C,
    orders: &[f64],
    noise_kind: NoiseKind,
) -> Result<Array3<f64>, SdeError> {
    let mut case = Case::new(one_noisy(), orders);
    case.system.noise_kind = noise_kind;
    case.stratonovich = matches!(scheme.name(), "heun" | "reversible-heun");
    case.ensemble().solve(&case.problem(), scheme, &case.noise(), &Paths)
}

#[test]
fn a_component_without_noise_is_one_whose_noise_is_nothing() {
    fn check<C: StochasticScheme<f64>>(scheme: C, orders: &[f64]) {
        let found = paths(&scheme, orders, ONE).unwrap();
        assert_eq!(
            found,
            paths(&scheme, orders, NoiseKind::Diagonal).unwrap(),
            "{}",
            scheme.name()
        );
    }
    check(EulerMaruyama, &[1.0]);
    check(TamedEuler, &[1.0]);
    check(DriftImplicit::default(), &[1.0]);
    check(Sric2, &[1.0]);
    check(Heun, &[1.0]);
    check(ReversibleHeun, &[1.0]);
    check(ForcedEulerMaruyama::default(), &[0.7, 0.4]);
    let fractional = FractionalEulerMaruyama::default();
    for scheme in [fractional, fractional.drift(Drift::PredictorCorrector)] {
        // Below 1/2 no noise may act.
        check(scheme, &[0.7, 0.9]);
        check(scheme, &[0.7, 1.0]);
    }
    assert!(paths(&fractional, &[0.7, 0.3], ONE).is_ok());
    let refused = paths(&fractional, &[0.7, 0.3], NoiseKind::Diagonal).unwrap_err();
    assert!(matches!(refused, SdeError::OrderUnderNoise { component: 1, .. }));
    let refused = paths(&fractional, &[0.7, 1.1], ONE).unwrap_err();
    assert!(matches!(refused, SdeError::OutOfRange { value: 1.1, .. }));
    for refused in [paths(&Milstein, &[1.0], ONE), paths(&Sriw1, &[1.0], ONE)] {
        assert!(matches!(refused, Err(SdeError::NotTaken { .. })));
    }
}

/// Cubic relaxation with an accumulated cost; its noise would panic.
struct Quiet;

impl StochasticSystem<f64> for Quiet {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NONE
    }
    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        for lane in 0..x.lanes() {
            f[0][lane] = t - x[0][lane].powi(3);
            f[1][lane] = x[0][lane] * x[0][lane];
        }
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, _: RowsMut<'_, f64>) {
        panic!("there is no noise");
    }
}

/// Each scheme without noise, against fourth-order steps of Runge and Kutta: within what its order
/// allows.
#[test]
fn no_noise_at_all() {
    let problem = || StochasticProblem::new(Quiet, (0.0, 1.0), &[1.0, 0.0]).unwrap();
    let ensemble = hpfracc_sde::Ensemble::new(3, 400).unwrap();
    let exact = {
        let f = |t: f64, x: f64| t - x.powi(3);
        let (n, mut x, mut cost) = (2000, 1.0f64, 0.0);
        let h = 1.0 / f64::from(n);
        for t in (0..n).map(|step| f64::from(step) * h) {
            let k1 = f(t, x);
            let (y2, half) = (x + 0.5 * h * k1, t + 0.5 * h);
            let k2 = f(half, y2);
            let y3 = x + 0.5 * h * k2;
            let k3 = f(half, y3);
            let y4 = x + h * k3;
            cost += h / 6.0 * (x * x + 2.0 * (y2 * y2 + y3 * y3) + y4 * y4);
            x += h / 6.0 * (k1 + 2.0 * (k2 + k3) + f(t + h, y4));
        }
        [x, cost]
    };
    let check = |name: &str, found: Result<Array3<f64>, SdeError>, tolerance: f64| {
        let found = found.unwrap();
        for (i, exact) in exact.iter().enumerate() {
            let error = (found[[2, 0, i]] - exact).abs();
            assert!(error < tolerance, "{name}: component {i} misses by {error:e}");
        }
    };
    macro_rules! check {
        ($problem:expr, $scheme:expr, $tolerance:expr) => {
            let found = ensemble.solve(&$problem, &$scheme, &NoNoise, &Paths);
            check(stringify!($scheme), found, $tolerance)
        };
    }
    check!(problem(), EulerMaruyama, 2e-3);
    check!(problem(), TamedEuler, 6e-3);
    check!(problem(), DriftImplicit::default(), 2e-3);
    check!(problem(), Milstein, 2e-3);
    check!(problem(), Sra1, 1e-5);
    check!(problem(), Sric2, 1e-5);
    check!(problem().stratonovich(), Heun, 1e-5);
    check!(problem().stratonovich(), ReversibleHeun, 1e-5);
    check!(problem(), ForcedEulerMaruyama::default(), 2e-3);
    check!(problem(), FractionalEulerMaruyama::default(), 2e-3);
    let corrected = FractionalEulerMaruyama::default().drift(Drift::PredictorCorrector);
    check!(problem(), corrected, 1e-5);
    let refused = ensemble.solve(&problem(), &Sriw1, &NoNoise, &Paths);
    assert!(matches!(refused, Err(SdeError::NotTaken { .. })));
    let refused = ensemble.solve(&problem(), &EulerMaruyama, &Brownian::new(1, 1).unwrap(), &Paths);
    assert!(matches!(refused, Err(SdeError::Length { found: 1, expected: 0, .. })));
}

#[test]
fn gradients() {
    let mut case = Case::new(one_noisy(), &[1.0]);
    case.system.noise_kind = ONE;
    case.check("euler-maruyama", &EulerMaruyama);
    for orders in [[0.7, 0.4], [0.8, 1.0]] {
        case.orders = orders.to_vec();
        for near in [0, 2] {
            case.check("fractional", &FractionalEulerMaruyama::default().near_cells(near));
        }
    }
    (case.orders, case.stratonovich) = (vec![1.0], true);
    case.check("reversible heun", &ReversibleHeun);
}

/// With the silence: the gradient of the mean end, by differences.
#[test]
fn gradients_without_noise() {
    let mut case = Case::new(double_well(), &[0.4, 0.7]);
    case.system.noise_kind = NONE;
    let end = |saved: SavedStates<'_, f64>, losses: &mut [f64], mut xbar: RowsMut<'_, f64>| {
        losses.copy_from_slice(&saved.x[2]);
        xbar[2].fill(1.0);
    };
    let scheme = FractionalEulerMaruyama::default();
    let solve = |case: &Case| {
        let gradient = EnsembleGradient::new(case.ensemble().saving_every(case.steps).unwrap());
        gradient.solve(&case.problem(), &scheme, &NoNoise, &end).unwrap()
    };
    let found = solve(&case);
    assert_eq!(found.parameters.values[2..], [0.0, 0.0]);
    let difference = |at: fn(&mut Case) -> &mut f64| {
        let moved = |by: f64| {
            let mut case = case.clone();
            *at(&mut case) += by * 1e-3;
            solve(&case).loss.values[0]
        };
        let pairs = [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)];
        pairs.iter().map(|(by, c)| c * (moved(*by) - moved(-*by))).sum::<f64>() / 0.06
    };
    let (theta, start) = (&found.parameters.values, &found.start.values);
    close("theta 0", theta[0], difference(|case| &mut case.system.theta[0]), 1e-10);
    close("theta 1", theta[1], difference(|case| &mut case.system.theta[1]), 1e-10);
    close("start 0", start[0], difference(|case| &mut case.start[0]), 1e-10);
    assert_eq!(found.start.errors.len(), 2);
    assert!(found.start.errors[0] < 1e-12 && PATHS > 64);
}

#[test]
fn more_noises_than_components() {
    let mut system = double_well();
    system.noise_kind = NoiseKind::LeadingDiagonal { noises: 3 };
    let refused = StochasticProblem::new(system, (0.0, 1.0), &[0.0, 0.0]);
    assert!(matches!(refused, Err(SdeError::OutOfRange { value: 3.0, .. })));
}
