//! Time steps of several, distributed and variable orders.

use crate::reference::largest;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{Cotangents, Event, OdeError, Options, Status, Steps, gradient};
use hpfracc_pde::models::Diffusion;
use hpfracc_pde::{
    Equation, PdeError, Quantity, Reaction, Settings, Solution, TimeScheme, graded_steps, solve,
    solve_linear,
};
use hpfracc_spatial::{Axis, Boundary, BoxGrid, TimeDerivative};
use hpfracc_special::gamma;

const N: usize = 24;
const SCHEMES: [TimeScheme; 2] = [TimeScheme::L1, TimeScheme::ImplicitExplicit];

/// First mode of the discrete Laplacian on (0, 1) with u = 0 at both ends, and its eigenvalue.
fn mode() -> (Vec<f64>, f64) {
    let h = 1.0 / N as f64;
    let at = |i: usize| (std::f64::consts::PI * (i as f64 + 0.5) * h).sin();
    let eigenvalue = (2.0 / h * (0.5 * std::f64::consts::PI * h).sin()).powi(2);
    ((0..N).map(at).collect(), eigenvalue)
}

fn diffusion() -> Equation<'static> {
    let axis = Axis::new(0.0, 1.0, N, [Boundary::Dirichlet; 2]).unwrap();
    Diffusion { alpha: 1.0, kappa: 1.0 }.equation(BoxGrid::new(vec![axis]).unwrap()).unwrap()
}

type Terms = fn(f64) -> Vec<(f64, f64)>;

fn five(_: f64) -> Vec<(f64, f64)> {
    (1..=5).map(|j| (0.3, 0.14 * f64::from(j))).collect()
}

fn rising(t: f64) -> f64 {
    0.3 + 0.4 * t
}

fn variable(t: f64) -> Vec<(f64, f64)> {
    vec![(1.0, rising(t))]
}

/// `P u = u_xx - u^2 + s` with the solution `(c + t^power) v(x)`, v the first mode.
fn manufactured(terms: Terms, power: f64) -> (Equation<'static>, impl Fn(f64) -> Vec<f64>) {
    let exact =
        move |t: f64| -> Vec<f64> { mode().0.iter().map(|v| (1.0 + t.powf(power)) * v).collect() };
    let source = move |site: &hpfracc_pde::Site<'_>| {
        let (t, v) = (site.t, (std::f64::consts::PI * site.x[0]).sin());
        let power_of = |(w, alpha): &(f64, f64)| {
            w * gamma(power + 1.0) / gamma(power + 1.0 - alpha) * t.powf(power - alpha)
        };
        let of_time: f64 = if t > 0.0 { terms(t).iter().map(power_of).sum() } else { 0.0 };
        let u = (1.0 + t.powf(power)) * v;
        of_time * v + mode().1 * u + u * u
    };
    let decay = Reaction::new(|_, [u], _: &[f64; 0]| [-u * u], |_, [u], _| ([[-2.0 * u]], [[]]));
    let equation = diffusion().start(&exact(0.0)).unwrap();
    let equation = equation.term(decay, &[]).unwrap().source(0, source).unwrap();
    let equation = if terms(0.0).len() == 1 {
        equation.variable_order(0, rising).unwrap()
    } else {
        equation.time_derivative(0, TimeDerivative::multi_term(&terms(0.0)).unwrap()).unwrap()
    };
    (equation, exact)
}

fn settings(scheme: TimeScheme, steps: Steps) -> Settings<'static> {
    Settings { scheme, steps: Some(steps), ..Settings::default() }
}

/// Order 2 - alpha of the highest order, at the end, for smooth solutions and for those with the
/// singularity of the start.
#[test]
fn observed_orders() {
    for (terms, highest, first) in [(five as Terms, 0.7, 0.7), (variable, 0.7, 0.3)] {
        for power in [2.0, first] {
            for scheme in SCHEMES {
                let (equation, exact) = manufactured(terms, power);
                let errors = [128, 256, 512].map(|n| {
                    let exponent = if power == 2.0 { 1.0 } else { (2.0 - highest) / first };
                    let steps = Steps::Graded { n, exponent };
                    let solution = solve(&equation, 1.0, settings(scheme, steps)).unwrap();
                    largest(solution.last(), &exact(1.0))
                });
                let order = (errors[1] / errors[2]).log2();
                println!("{highest} {power} {scheme:?}: {order:.3}, {errors:?}");
                // The extrapolation of terms in implicit-explicit steps adds an error of order 2.
                let more = if scheme == TimeScheme::L1 { 0.1 } else { 0.75 };
                let found = order - (2.0 - highest);
                assert!(found > -0.1 && found < more, "{highest} {power} {scheme:?}: {order}");
            }
        }
    }
}

/// Linear equations against the solution without steps: several and distributed orders.
#[test]
fn linear_equations_without_steps() {
    let uniform = TimeDerivative::distributed((0.0, 1.0), |_| 1.0).unwrap();
    let two = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.7)]).unwrap();
    let with_first = TimeDerivative::multi_term(&[(1.0, 1.0), (2.0, 0.4)]).unwrap();
    let nodes = TimeDerivative::multi_term(uniform.terms()).unwrap();
    for (derivative, order) in [(two, 1.3), (with_first, 1.0), (uniform, 1.0), (nodes, 1.0)] {
        let highest = derivative.highest_order();
        let equation =
            diffusion().time_derivative(0, derivative).unwrap().start(&[1.0; N]).unwrap();
        let times = [0.1, 0.7, 1.0];
        let exact = solve_linear(&equation, &times, 1e-11).unwrap();
        let errors = [200, 400].map(|n| {
            let steps = graded_steps(highest, n).unwrap();
            let settings = Settings { save: times.to_vec(), ..settings(TimeScheme::L1, steps) };
            let solution = solve(&equation, 1.0, settings).unwrap();
            assert_eq!(solution.times(), times);
            solution.saved().iter().zip(&exact).map(|(u, e)| largest(u, e)).fold(0.0, f64::max)
        });
        let found = (errors[0] / errors[1]).log2();
        println!("{highest}: {found:.3}, {errors:?}");
        assert!(errors[1] < 4e-3 && found > order - 0.15, "{highest}: {found} {errors:?}");
    }
}

/// A constant function is the order itself; its text is the function.
#[test]
fn a_constant_variable_order_and_its_text() {
    let (start, _) = mode();
    let reaction = || {
        Reaction::new(|_, [u], _: &[f64; 0]| [u * (1.0 - u)], |_, [u], _| ([[1.0 - 2.0 * u]], [[]]))
    };
    let equation = diffusion().term(reaction(), &[]).unwrap().start(&start).unwrap();
    let last = |equation: &Equation<'_>| {
        let steps = Steps::Graded { n: 60, exponent: 2.0 };
        solve(equation, 1.0, settings(TimeScheme::L1, steps)).unwrap().last().to_vec()
    };
    let one = last(&equation.clone().order(0.6).unwrap());
    let constant = last(&equation.clone().variable_order(0, |_| 0.6).unwrap());
    assert!(largest(&one, &constant) < 1e-9);
    let text = "a + b t; a = 0.3; b = 0.4";
    let of_text = last(&equation.clone().variable_order_text(0, text).unwrap());
    let of_function = last(&equation.clone().variable_order(0, rising).unwrap());
    assert_eq!(of_text, of_function);
    for wrong in ["a + t", "x t", "0.5 +", "y = "] {
        let error = equation.clone().variable_order_text(0, wrong).err().unwrap();
        assert!(matches!(error, PdeError::Text { .. }), "{wrong}: {error}");
    }
}

/// Fields with an order each, of every kind.
#[test]
fn a_derivative_for_each_field() {
    let operator = || {
        let axis = Axis::new(0.0, 1.0, N, [Boundary::Neumann; 2]).unwrap();
        let grid = BoxGrid::new(vec![axis]).unwrap();
        std::sync::Arc::new(hpfracc_spatial::Laplacian::new(grid, &[1.0]).unwrap())
    };
    let (start, _) = mode();
    let steps = || Steps::Graded { n: 80, exponent: 2.0 };
    let two = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.7)]).unwrap();
    let all = [start.clone(), start.clone(), start.clone()].concat();
    let together = Equation::coupled(vec![operator(), operator(), operator()]).unwrap();
    let together = together.orders(&[0.8, 0.5, 0.5]).unwrap().start(&all).unwrap();
    let together = together.time_derivative(1, two.clone()).unwrap();
    let together = together.variable_order(2, rising).unwrap();
    let solution = solve(&together, 1.0, settings(TimeScheme::L1, steps())).unwrap();
    let alone = || Equation::new(operator()).start(&start).unwrap();
    let each = [
        alone().order(0.8).unwrap(),
        alone().time_derivative(0, two).unwrap(),
        alone().variable_order(0, rising).unwrap(),
    ];
    for (field, alone) in each.iter().enumerate() {
        let alone = solve(alone, 1.0, settings(TimeScheme::L1, steps())).unwrap();
        let found = &solution.last()[field * N..(field + 1) * N];
        assert!(largest(found, alone.last()) < 1e-9, "{field}");
    }
}

/// Maximum principle: between the values of the start, also with sums of exponentials.
#[test]
fn no_new_extrema() {
    let start: Vec<f64> = (0..N).map(|i| f64::from(u8::from(i % 5 == 2))).collect();
    let axis = Axis::new(0.0, 1.0, N, [Boundary::Neumann; 2]).unwrap();
    let grid = BoxGrid::new(vec![axis]).unwrap();
    let equation = Diffusion { alpha: 1.0, kappa: 1.0 }.equation(grid.clone()).unwrap();
    let equation = equation.start(&start).unwrap();
    let uniform = TimeDerivative::distributed((0.0, 1.0), |_| 1.0).unwrap();
    for equation in [
        equation.clone().time_derivative(0, uniform).unwrap(),
        equation.clone().variable_order(0, |t| 0.5 + 0.45 * (20.0 * t).sin()).unwrap(),
    ] {
        let mut range = Quantity::new(|_, u: &[f64]| {
            u.iter().map(|u| (-u).max(u - 1.0)).fold(f64::NEG_INFINITY, f64::max)
        });
        let mut mass = Quantity::new(|_, u| grid.integral(u).unwrap());
        let observers: Vec<&mut dyn hpfracc_ode::Observer> = vec![&mut range, &mut mass];
        let settings = Settings { scheme: TimeScheme::L1, observers, ..Settings::default() };
        solve(&equation, 2.0, settings).unwrap();
        assert!(range.values().iter().all(|out| *out <= 1e-12));
        let first = mass.values()[0];
        assert!(mass.values().iter().all(|m| (m - first).abs() < 1e-9 * first));
    }
}

fn stopped(equation: &Equation<'_>, threads: usize) -> Solution {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut event = Event::new(|_, u: &[f64]| u[N / 2] - 1.3).stopping();
        let settings = Settings {
            scheme: TimeScheme::L1,
            save: vec![0.1, 0.2],
            observers: vec![&mut event],
            ..Settings::default()
        };
        solve(equation, 1.0, settings).unwrap()
    })
}

/// Events end the solve between nodes.
#[test]
fn events() {
    for terms in [five as Terms, variable] {
        let (equation, _) = manufactured(terms, 2.0);
        let [one, two] = [1, 2].map(|threads| stopped(&equation, threads));
        assert_eq!((one.status(), one.last()), (Status::Stopped, two.last()));
        // 1 + t^2 = 1.3 / v
        let exact = (1.3 / mode().0[N / 2] - 1.0).sqrt();
        assert!((one.end() - exact).abs() < 2e-3, "{} {exact}", one.end());
        assert_eq!(one.times(), [0.1, 0.2]);
    }
}

/// Fields that are shared by threads.
#[test]
fn threads_do_not_change_bits() {
    let n = 40_000;
    let axis = Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap();
    let grid = BoxGrid::new(vec![axis]).unwrap();
    let equation = Diffusion { alpha: 1.0, kappa: 1.0 }.equation(grid).unwrap();
    let equation = equation.start_from(|x| (7.0 * x[0]).cos()).unwrap();
    let two = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.7)]).unwrap();
    for equation in [
        equation.clone().time_derivative(0, two).unwrap(),
        equation.clone().variable_order(0, rising).unwrap(),
    ] {
        let last = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let steps = Steps::Graded { n: 20, exponent: 2.0 };
            let settings = || settings(TimeScheme::L1, steps.clone());
            pool.install(|| solve(&equation, 1.0, settings()).unwrap().last().to_vec())
        };
        assert_eq!(last(1), last(3));
    }
}

/// Gradients of the mass at the end: coefficient, a start value, and a shift of the variable order.
#[test]
fn gradients() {
    let steps = Steps::Graded { n: 40, exponent: 2.0 };
    let solved = |theta: [f64; 3]| {
        let start: Vec<f64> = (0..N).map(|i| if i == 3 { theta[1] } else { 0.5 }).collect();
        let growth = Reaction::new(
            |_, [u], _: &[f64; 0]| [u * (1.0 - u)],
            |_, [u], _| ([[1.0 - 2.0 * u]], [[]]),
        );
        let equation = diffusion().coefficient(theta[0]).unwrap().term(growth, &[]).unwrap();
        let equation = equation.start(&start).unwrap();
        let shift = theta[2];
        let equation = equation.variable_order(0, move |t| rising(t) + shift).unwrap();
        let (problem, scheme) = equation.problem_of_orders(1.0).unwrap();
        let options = Options { history: HistoryChoice::Direct, ..Options::default() };
        let solution = hpfracc_ode::solve(&problem, &scheme, &steps, options).unwrap();
        (problem, scheme, solution)
    };
    let at = [0.2, 0.7, 0.0];
    let (problem, scheme, solution) = solved(at);
    let mass = Cotangents::At(&[(40, &[1.0; N])]);
    let bar = gradient(&problem, &scheme, &solution, mass, &Options::default()).unwrap();
    let found = [bar.parameters[0], bar.initial[[0, 3]], bar.orders[0]];
    for (k, found) in found.into_iter().enumerate() {
        let moved = |step: f64| {
            let mut at = at;
            at[k] += step;
            solved(at).2.last().iter().sum::<f64>()
        };
        let pair = |step: f64| moved(step) - moved(-step);
        let expected = (45.0 * pair(1e-3) - 9.0 * pair(2e-3) + pair(3e-3)) / 0.06;
        assert!((found / expected - 1.0).abs() < 1e-8, "{k}: {found} {expected}");
    }
}

#[test]
fn refusals() {
    let equation = || diffusion().start(&[1.0; N]).unwrap();
    let two = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.9)]).unwrap();
    let several = equation().time_derivative(0, two).unwrap();
    let moving = equation().variable_order(0, rising).unwrap();
    for equation in [&several, &moving] {
        let error = solve(equation, 1.0, Settings::default()).unwrap_err();
        assert!(matches!(error, PdeError::SeveralOrders { field: 0 }), "{error}");
        assert!(error.to_string().contains("TimeScheme::L1"), "{error}");
        // A problem has one order for each component.
        let error = equation.problem(1.0).err().unwrap();
        assert!(matches!(error, PdeError::SeveralOrders { field: 0 }), "{error}");
        for scheme in SCHEMES {
            let adaptive = settings(scheme, Steps::adaptive(1e-3, 1e-3));
            let error = solve(equation, 1.0, adaptive).unwrap_err();
            assert!(matches!(error, PdeError::Ode(OdeError::Steps { .. })), "{error}");
        }
    }
    assert!(matches!(
        solve_linear(&moving, &[1.0], 1e-8),
        Err(PdeError::NotLinear { what: "a variable order" })
    ));
    assert!(matches!(equation().variable_order(1, rising), Err(PdeError::OutOfRange { .. })));
    assert_eq!(moving.order_of(0), 0.3);
    let waves = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 1.5)]).unwrap();
    let waves = equation().time_derivative(0, waves).unwrap().start_velocity(&[0.0; N]).unwrap();
    let orders: [fn(f64) -> f64; 4] = [|t| 0.5 + t, |t| 0.5 - t, |_| f64::NAN, |_| 1.5];
    for scheme in SCHEMES {
        let solved = |equation: &Equation<'_>| {
            solve(equation, 1.0, Settings { scheme, ..Settings::default() }).unwrap_err()
        };
        let error = solved(&waves);
        assert!(matches!(error, PdeError::Ode(OdeError::OutOfRange { value: 1.5, .. })), "{error}");
        for alpha in orders {
            let error = solved(&equation().variable_order(0, alpha).unwrap());
            let PdeError::Ode(OdeError::VariableOrder { t, alpha: found }) = error else {
                panic!("{error}")
            };
            assert!(found.is_nan() || found == alpha(t), "{t} {found}");
        }
    }
}
