//! Gradients of delay equations.

use super::case::{entries, scattered};
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Cotangents, DelayProblem, Delays, DifferentiableScheme,
    Exponential, Interpolation, L1, LinearMultistep, OdeError, Options, Parametric,
    ProductTrapezoid, Solution, StateDependent, Steps, Variation,
};
use ndarray::{Array2, array};

trait Rhs: Fn(f64, &[f64], &[f64], &mut [f64]) {}
impl<F: Fn(f64, &[f64], &[f64], &mut [f64])> Rhs for F {}
trait Jacobians: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]) {}
impl<F: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64])> Jacobians for F {}
trait Before: Fn(f64, &mut [f64]) {}
impl<F: Fn(f64, &mut [f64])> Before for F {}

type Lagged<R, J, D, B> = DelayProblem<Parametric<R, J>, D, B>;

/// Two components with two delays.
fn problem<D: Delays>(
    at: &Variation,
    delays: D,
) -> Lagged<impl Rhs + use<D>, impl Jacobians + use<D>, D, impl Before + use<D>> {
    let system = Parametric::new(
        &at.parameters,
        |t: f64, y: &[f64], p: &[f64], out: &mut [f64]| {
            out[0] = p[0] * y[0] * (1.0 - y[2]) - y[5];
            out[1] = p[1] * y[0] * y[4] - y[1] + (p[0] * t).sin() * y[3];
        },
        |t: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            let sine = (p[0] * t).sin();
            let rows = [
                [p[0] * (1.0 - y[2]), 0.0, -p[0] * y[0], 0.0, 0.0, -1.0],
                [p[1] * y[4], -1.0, 0.0, sine, p[1] * y[0], 0.0],
            ];
            f_y[..12].copy_from_slice(&rows.concat());
            let by_time = t * (p[0] * t).cos() * y[3];
            f_p[..4].copy_from_slice(&[y[0] * (1.0 - y[2]), 0.0, by_time, y[0] * y[4]]);
        },
    );
    let before = |t: f64, y: &mut [f64]| (y[0], y[1]) = (0.5 + 0.1 * t, 0.3);
    let rows: Vec<Vec<f64>> = at.initial.rows().into_iter().map(|row| row.to_vec()).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    DelayProblem::of(system, &at.orders, (0.0, 3.0), &rows, (delays, before)).unwrap()
}

fn start() -> Variation {
    Variation { initial: array![[0.6, 0.4]], parameters: vec![1.1, 0.7], orders: vec![0.8, 0.65] }
}

const N: usize = 60;

fn check(
    scheme: &dyn DifferentiableScheme,
    steps: &Steps,
    interpolation: Interpolation,
    delays: &[f64],
) {
    let make = |at: &Variation| problem(at, delays.to_vec()).with_interpolation(interpolation);
    let run =
        |at: &Variation| -> Solution { make(at).solve(scheme, steps, Options::default()).unwrap() };
    let name = format!("{} {} {interpolation:?} {delays:?}", scheme.name(), steps.name());
    let (at, options) = (start(), Options::default());
    let (problem, solution) = (make(&at), run(&at));
    let mut next = scattered(3);
    let bars = Array2::from_shape_fn((N + 1, 2), |_| next());
    let all = Cotangents::All(bars.view());
    let mut bar = problem.gradient(scheme, &solution, all, &options).unwrap();
    let mut direction = start();
    for (_, entry) in entries(&at) {
        *entry(&mut direction) = next();
    }
    let moved = problem.tangent(scheme, &solution, &direction, &options).unwrap();
    let forward: f64 = moved.iter().zip(&bars).map(|(a, b)| a * b).sum();
    let size: f64 = moved.iter().zip(&bars).map(|(a, b)| (a * b).abs()).sum();
    assert!((forward - bar.dot(&direction)).abs() < 1e-13 * size, "{name} {forward}");
    for (what, entry) in entries(&at) {
        let step = 1e-3;
        let value = |share: f64| -> f64 {
            let mut at = start();
            *entry(&mut at) += share * step;
            run(&at).states().iter().zip(&bars).map(|(y, bar)| y * bar).sum()
        };
        let pair = |share: f64| value(share) - value(-share);
        let difference = (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step);
        let found = *entry(&mut bar);
        let error = (found - difference).abs() / difference.abs().max(1.0);
        assert!(error < 1e-8, "{name} {what}: {found} {difference} {error:e}");
    }
}

#[test]
fn gradients_agree_with_differences_and_with_tangents() {
    let pece = AdamsBashforthMoulton { passes: 2 };
    let exponential = Exponential::trapezoid(&[-1.0]);
    let uniform = Steps::Uniform(N);
    let graded = Steps::Graded { n: N, exponent: 1.7 };
    let cases: [(&dyn DifferentiableScheme, &Steps); 7] = [
        (&pece, &uniform),
        (&ProductTrapezoid, &uniform),
        (&L1, &uniform),
        (&exponential, &uniform),
        (&pece, &graded),
        (&ProductTrapezoid, &graded),
        (&L1, &graded),
    ];
    // Multiples of the step; lags between nodes; lags within a step, and of length 0.
    for (scheme, steps) in cases {
        check(scheme, steps, Interpolation::Linear, &[0.5, 1.0]);
        check(scheme, steps, Interpolation::Quadratic, &[0.37, 0.9]);
        check(scheme, steps, Interpolation::Quadratic, &[0.02, 0.0]);
    }
    check(&LinearMultistep::Bdf2, &uniform, Interpolation::Linear, &[0.5, 1.01]);
}

#[test]
fn refusals() {
    let (scheme, steps) = (AdamsBashforthMoulton::default(), Steps::Uniform(N));
    let (loss, options) = (Cotangents::At(&[]), Options::default());
    let varying = |_: f64, y: &[f64], out: &mut [f64]| out.fill(1.0 + 0.1 * y[0].abs());
    let of_state = problem(&start(), StateDependent { count: 2, delays: varying });
    let solution = of_state.solve(&scheme, &steps, Options::default()).unwrap();
    let error = of_state.gradient(&scheme, &solution, loss, &options).unwrap_err();
    assert!(matches!(error, OdeError::NotDifferentiable { .. }), "{error}");
    assert!(error.to_string().contains("depend on the state"), "{error}");

    let constant = problem(&start(), vec![0.5, 1.0]);
    let scheme = Collocation { breaks: vec![0.5, 1.0], ..Collocation::default() };
    let adaptive = Steps::Adaptive { rtol: 1e-6, atol: 1e-6, min_step: 0.0, max_step: 0.5 };
    let solution = constant.solve(&scheme, &adaptive, Options::default()).unwrap();
    let error = constant.gradient(&scheme, &solution, loss, &options).unwrap_err();
    assert!(matches!(error, OdeError::NotDifferentiable { .. }), "{error}");

    let short = problem(&start(), vec![0.01, 1.0]);
    let scheme = LinearMultistep::Bdf2;
    let solution = short.solve(&scheme, &steps, Options::default()).unwrap();
    let error = short.gradient(&scheme, &solution, loss, &options).unwrap_err();
    assert!(matches!(error, OdeError::NotDifferentiable { .. }), "{error}");
}
