//! Errors of gradients.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, Differentiable, DifferentiableScheme, L1, Options,
    Parametric, Problem, ProductTrapezoid, SaveNodes, Solution, Steps, System, Variation, gradient,
    solve, tangent,
};
use ndarray::{Array2, array};
use std::sync::atomic::AtomicBool;

const EXACT: HistoryChoice = HistoryChoice::Exact;
const PECE: AdamsBashforthMoulton = AdamsBashforthMoulton { passes: 1 };
const N: usize = 20;

fn decay(theta: f64, initial: &[&[f64]], orders: &[f64]) -> Problem<impl Differentiable + use<>> {
    let system = Parametric::new(
        &[theta],
        |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| {
            dydt.iter_mut().zip(y).for_each(|(dydt, y)| *dydt = -p[0] * y);
        },
        |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            for (i, y) in y.iter().enumerate() {
                (f_y[i * f_p.len() + i], f_p[i]) = (-p[0], -y);
            }
        },
    );
    Problem::of(system, orders, (0.0, 1.0), initial).unwrap()
}

fn scalar(theta: f64, start: f64) -> Problem<impl Differentiable + use<>> {
    decay(theta, &[&[start]], &[0.5])
}

fn run<S: System>(
    problem: &Problem<S>,
    steps: Steps,
    scheme: &dyn DifferentiableScheme,
) -> Solution {
    solve(problem, scheme, &steps, Options::default()).unwrap()
}

fn at_end<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    history: HistoryChoice,
) -> Result<Variation, OdeError> {
    gradient(
        problem,
        scheme,
        solution,
        Cotangents::At(&[(N, &[1.0])]),
        &Options { history, ..Options::default() },
    )
}

/// Their nodes fit, and the slope at the end too.
#[test]
fn solutions_of_other_orders_rows_and_schemes() {
    let rows: [&[f64]; 2] = [&[1.0], &[0.5]];
    let problem = decay(1.0, &rows, &[1.5]);
    let solution = run(&problem, Steps::Uniform(N), &PECE);
    let others = [decay(1.0, &rows, &[1.6]), decay(1.0, &[&[1.0], &[0.6]], &[1.5])];
    for other in others {
        let error = at_end(&other, &PECE, &solution, EXACT).unwrap_err();
        assert!(matches!(error, OdeError::OtherProblem { t: 0.0 }), "{error}");
    }
    let error = at_end(&problem, &ProductTrapezoid, &solution, EXACT).unwrap_err();
    assert!(matches!(error, OdeError::OtherScheme { .. }), "{error}");
}

#[test]
fn solutions_of_other_problems() {
    let problem = scalar(1.0, 1.0);
    let solution = run(&problem, Steps::Uniform(N), &PECE);
    for (other, t) in [(scalar(1.1, 1.0), 1.0), (scalar(1.0, 1.1), 0.0)] {
        let error = at_end(&other, &PECE, &solution, EXACT).unwrap_err();
        assert!(matches!(error, OdeError::OtherProblem { t: at } if at == t), "{error}");
    }
    let wider = decay(1.0, &[&[1.0, 1.0]], &[0.5]);
    let error = at_end(&wider, &PECE, &solution, EXACT).unwrap_err();
    assert!(matches!(error, OdeError::Length { found: 1, expected: 2, .. }), "{error}");
}

#[test]
fn solutions_without_all_nodes() {
    let problem = scalar(1.0, 1.0);
    let cancel = AtomicBool::new(true);
    let cancelled = Options { cancel: Some(&cancel), ..Options::default() };
    let last = Options { save_nodes: SaveNodes::Last, ..Options::default() };
    for options in [cancelled, last] {
        let part = solve(&problem, &PECE, &Steps::Uniform(N), options).unwrap();
        let error = at_end(&problem, &PECE, &part, EXACT).unwrap_err();
        assert!(matches!(error, OdeError::Steps { .. }), "{error}");
    }
}

#[test]
fn cotangents_and_directions_of_another_shape() {
    let problem = decay(1.0, &[&[1.0, 1.0], &[0.0, 0.5]], &[0.5, 1.5]);
    let solution = run(&problem, Steps::Uniform(N), &PECE);
    let ask = |loss: Cotangents<'_>| {
        gradient(&problem, &PECE, &solution, loss, &Options::default()).unwrap_err()
    };
    let error = ask(Cotangents::At(&[(N, &[1.0])]));
    assert!(matches!(error, OdeError::Length { what: "a cotangent", .. }), "{error}");
    let error = ask(Cotangents::At(&[(N + 1, &[1.0, 1.0])]));
    assert!(matches!(error, OdeError::OutOfRange { value: 21.0, .. }), "{error}");
    for shape in [(N, 2), (N + 1, 3)] {
        let error = ask(Cotangents::All(Array2::zeros(shape).view()));
        assert!(matches!(error, OdeError::Length { .. }), "{error}");
    }

    let zeros = Variation::zeros(&problem);
    for bad in [
        Variation { initial: array![[1.0, 1.0]], ..zeros.clone() },
        Variation { initial: array![[1.0], [1.0]], ..zeros.clone() },
        Variation { parameters: vec![], ..zeros.clone() },
        Variation { orders: vec![1.0], ..zeros.clone() },
    ] {
        let error = tangent(&problem, &PECE, &solution, &bad, &Options::default()).unwrap_err();
        assert!(matches!(error, OdeError::Length { .. }), "{error}");
    }
    let mut unused = zeros;
    unused.initial[[1, 0]] = 1.0;
    let error = tangent(&problem, &PECE, &solution, &unused, &Options::default()).unwrap_err();
    let expected = OdeError::InitialUnused { derivative: 1, component: 0, value: 1.0, alpha: 0.5 };
    assert_eq!(error.to_string(), expected.to_string());
}

/// f = 0, with a slope that it does not have.
struct Liar(f64);

impl System for Liar {
    fn rhs(&self, _: f64, _: &[f64], dydt: &mut [f64]) {
        dydt[0] = 0.0;
    }
}

impl Differentiable for Liar {
    fn parameters(&self) -> &[f64] {
        &[]
    }
    fn vjp(&self, _: f64, _: &[f64], fbar: &[f64], ybar: &mut [f64], _: &mut [f64]) {
        ybar[0] += self.0 * fbar[0];
    }
    fn jvp(&self, _: f64, _: &[f64], dy: &[f64], _: &[f64], df: &mut [f64]) {
        df[0] = self.0 * dy[0];
    }
}

#[test]
fn derivatives_that_do_not_exist() {
    let schemes: [&dyn DifferentiableScheme; 3] = [&PECE, &ProductTrapezoid, &L1];
    for scheme in schemes {
        let problem = Problem::of(Liar(f64::NAN), &[1.0], (0.0, 1.0), &[&[1.0]]).unwrap();
        let solution = run(&problem, Steps::Uniform(N), scheme);
        let error = at_end(&problem, scheme, &solution, EXACT).unwrap_err();
        let named =
            matches!(error, OdeError::NotFinite { t, .. } | OdeError::Singular { t } if t == 1.0);
        assert!(named, "{}: {error}", scheme.name());
        let mut direction = Variation::zeros(&problem);
        direction.initial[[0, 0]] = 1.0;
        let error =
            tangent(&problem, scheme, &solution, &direction, &Options::default()).unwrap_err();
        let first = 1.0 / N as f64;
        let named =
            matches!(error, OdeError::NotFinite { t, .. } | OdeError::Singular { t } if t == first);
        assert!(named, "{}: {error}", scheme.name());
    }
    // c_0 = h/2 at order 1: I - c_0 f_y is zero.
    let problem = Problem::of(Liar(2.0 * N as f64), &[1.0], (0.0, 1.0), &[&[1.0]]).unwrap();
    let solution = run(&problem, Steps::Uniform(N), &ProductTrapezoid);
    let error = at_end(&problem, &ProductTrapezoid, &solution, EXACT).unwrap_err();
    assert!(matches!(error, OdeError::Singular { t: 1.0 }), "{error}");
}

#[test]
fn histories_without_a_form() {
    let problem = scalar(1.0, 1.0);
    let solution = run(&problem, Steps::Uniform(N), &L1);
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    let error = at_end(&problem, &L1, &solution, exponentials).unwrap_err();
    assert!(matches!(error, OdeError::NoExponentials { .. }), "{error}");
}

#[test]
fn rows_that_an_order_does_not_take_have_no_gradient() {
    let problem = decay(1.0, &[&[1.0, 1.0], &[0.0, 0.5]], &[0.5, 1.5]);
    let solution = run(&problem, Steps::Uniform(N), &PECE);
    let loss = Cotangents::At(&[(N, &[1.0, 1.0])]);
    let found = gradient(&problem, &PECE, &solution, loss, &Options::default()).unwrap();
    assert_eq!(found.initial[[1, 0]], 0.0);
    assert!(found.initial[[1, 1]] > 0.1);
}
