//! The drift of fractional equations, by rectangles and by predictor and corrector, against the
//! schemes for equations without noise.

use crate::noises::Silent;
use crate::systems::problem_of;
use hpfracc_equation::Equation;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
use hpfracc_sde::noise::{Coarse, NoiseProcess};
use hpfracc_sde::{
    Drift, Ensemble, EquationModel, FractionalEulerMaruyama, NoiseKind, PathMemory, Paths,
    StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};

/// A predator and its prey, with a force that depends on time.
struct PredatorPrey;

fn slopes(t: f64, x: f64, y: f64) -> (f64, f64) {
    (x * (1.0 - y) + t.cos(), y * (x - 1.0))
}

impl StochasticSystem<f64> for PredatorPrey {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        for lane in 0..x.lanes() {
            (f[0][lane], f[1][lane]) = slopes(t, x[0][lane], x[1][lane]);
        }
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g.as_mut_slice().fill(1.0);
    }
}

const START: [f64; 2] = [1.5, 0.5];
const INTERVAL: (f64, f64) = (1.0, 4.0);

fn without_noise(orders: &[f64], steps: usize, drift: Drift, memory: PathMemory) -> [f64; 2] {
    let problem = problem_of(PredatorPrey, INTERVAL, &START).unwrap();
    let problem = problem.of_orders(orders).unwrap();
    let scheme = FractionalEulerMaruyama::new(memory).drift(drift);
    let ensemble = Ensemble::new(3, steps).unwrap();
    let silence = Silent(vec![NoiseProcess::Smooth]);
    let ends = ensemble.solve(&problem, &scheme, &silence, &Paths).unwrap();
    [ends[[2, 0, 0]], ends[[2, 0, 1]]]
}

fn by_adams(orders: &[f64], steps: usize, passes: usize) -> [f64; 2] {
    let rhs = |t: f64, x: &[f64], f: &mut [f64]| (f[0], f[1]) = slopes(t, x[0], x[1]);
    let problem = Problem::new(orders, INTERVAL, &[&START], rhs).unwrap();
    let scheme = AdamsBashforthMoulton { passes };
    let solution = solve(&problem, &scheme, &Steps::Uniform(steps), Options::default()).unwrap();
    [solution.last()[0], solution.last()[1]]
}

#[test]
fn without_noise_it_is_the_method_of_adams() {
    for orders in [[0.7, 0.7], [0.4, 1.0], [0.9, 0.15]] {
        for (drift, passes) in [(Drift::Rectangle, 0), (Drift::PredictorCorrector, 1)] {
            for steps in [1, 2, 90, 700] {
                let expected = by_adams(&orders, steps, passes);
                for (memory, tolerance) in [
                    (PathMemory::Direct, 1e-12),
                    (PathMemory::Blocked, 1e-12),
                    (PathMemory::Exponentials { tolerance: 1e-8 }, 1e-7),
                ] {
                    let found = without_noise(&orders, steps, drift, memory);
                    for (found, expected) in found.iter().zip(expected) {
                        let error = (found - expected).abs();
                        assert!(
                            error < tolerance,
                            "{orders:?}, {drift:?}, {steps} steps, {memory:?}: {error:e}"
                        );
                    }
                }
            }
        }
    }
}

/// Refining the steps of one equation, whose solution is smooth from the start on: order 1 and
/// order 1 + alpha.
#[test]
fn orders_without_noise() {
    let alpha = 0.6;
    let error = |drift, steps| {
        let problem = problem_of(Square { alpha }, (0.0, 1.0), &[0.0f64]).unwrap();
        let problem = problem.of_orders(&[alpha]).unwrap();
        let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked).drift(drift);
        let silence = Silent(vec![NoiseProcess::Smooth]);
        let ends = Ensemble::new(1, steps).unwrap().solve(&problem, &scheme, &silence, &Paths);
        (ends.unwrap()[[0, 0, 0]] - 1.0f64).abs()
    };
    for (drift, expected) in [(Drift::Rectangle, 1.0), (Drift::PredictorCorrector, 1.0 + alpha)] {
        let errors = [256, 1024, 4096].map(|steps| error(drift, steps));
        let order = (errors[0] / errors[2]).log2() / 4.0;
        println!("{drift:?}: {errors:?}, order {order}");
        assert!((order - expected).abs() < 0.1, "{drift:?}: {errors:?}, order {order}");
    }
}

/// `D^alpha x = 2/Gamma(3-alpha) t^(2-alpha) + t^2 - x`, solved by t^2.
struct Square {
    alpha: f64,
}

impl StochasticSystem<f64> for Square {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        let power = 2.0 * hpfracc_special::recip_gamma(3.0 - self.alpha) * t.powf(2.0 - self.alpha);
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = power + t * t - x);
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g.as_mut_slice().fill(1.0);
    }
}

/// Root of the mean square of the differences from a fine solution with the same noise.
fn strong_error(text: &str, drift: Drift, steps: usize) -> f64 {
    const FINE: usize = 8192;
    let model = EquationModel::new(&Equation::parse(text).unwrap()).unwrap();
    let (problem, noise) = (model.problem::<f64>(3).unwrap(), model.noise::<f64>(3).unwrap());
    let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked);
    let ends = |steps: usize, scheme: FractionalEulerMaruyama| {
        let noise = Coarse::new(&*noise, FINE / steps).unwrap();
        let ensemble = Ensemble::new(200, steps).unwrap();
        ensemble.solve(&problem, &scheme, &noise, &Paths).unwrap()
    };
    let exact = ends(FINE, scheme.drift(Drift::PredictorCorrector));
    let found = ends(steps, scheme.drift(drift));
    let squares = found.iter().zip(&exact).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / 200.0).sqrt()
}

/// With noise the strong error of the predictor-corrector method is not above that of Euler and
/// Maruyama's, and far below it where noise is small.
#[test]
fn strong_errors_with_noise() {
    let drift = "4 (1 - X^2) + 3 cos(5 t)";
    for (noise, least) in [("0.5", 1.0), ("0.3 X", 1.0), ("0.002", 4.0)] {
        let text = format!("D^0.9 X = {drift} + {noise} dW/dt; X(0) = 0; t in [0, 1]");
        for steps in [64, 256, 1024] {
            let [euler, corrected] = [Drift::Rectangle, Drift::PredictorCorrector]
                .map(|drift| strong_error(&text, drift, steps));
            println!("{noise}, {steps} steps: {euler:.2e}, corrected {corrected:.2e}");
            assert!(corrected * least <= 1.02 * euler, "{noise}, {steps}: {euler} {corrected}");
        }
    }
}
