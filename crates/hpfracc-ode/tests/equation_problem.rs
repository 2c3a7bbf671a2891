//! Problems of equations that are texts, against closures, closed forms and differences.

use hpfracc_equation::{Activation, Affine, Equation, Files, Network};
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Cotangents, DelayProblem, EquationProblem,
    EquationProblemError, Options, Problem, ProductTrapezoid, Scheme, Steps, System, gradient,
    solve,
};
use hpfracc_special::mittag_leffler;

fn problem(text: &str) -> EquationProblem {
    let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}"));
    EquationProblem::new(&equation).unwrap_or_else(|error| panic!("{error}"))
}

const LORENZ: &str = "
    D^alpha x = sigma (y - x)
    D^alpha y = x (rho - z) - y
    D^alpha z = x y - beta z
    sigma = 10; rho = 28 in [0, 200]; beta = 8/3; alpha = 0.995 in (0, 1]
    x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 5]";

fn lorenz(_: f64, y: &[f64], dydt: &mut [f64]) {
    dydt[0] = 10.0 * (y[1] - y[0]);
    dydt[1] = y[0] * (28.0 - y[2]) - y[1];
    dydt[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
}

/// A text rounds as the formulas that it has: the same bits as a closure.
#[test]
fn a_text_gives_the_bits_of_a_closure() {
    let scheme = AdamsBashforthMoulton::default();
    let steps = Steps::Uniform(500);
    let text = problem(LORENZ).solve(&scheme, &steps, Options::default()).unwrap();
    let closure = Problem::new(&[0.995], (0.0, 5.0), &[&[1.0; 3]], lorenz).unwrap();
    let closure = solve(&closure, &scheme, &steps, Options::default()).unwrap();
    assert_eq!(text.states(), closure.states());
}

#[test]
fn the_jacobian_is_exact() {
    let problem = problem(LORENZ);
    let system = problem.as_problem().unwrap().system();
    let (y, mut jacobian) = ([1.5, -2.0, 20.0], [0.0; 9]);
    assert!(system.jacobian(0.0, &y, &mut jacobian));
    let expected = [-10.0, 10.0, 0.0, 28.0 - 20.0, -1.0, -1.5, -2.0, 1.5, -8.0 / 3.0];
    assert_eq!(jacobian, expected);
}

/// y'' + y' / 2 + y = 0 by its lower derivative, and with an order between.
#[test]
fn lower_derivatives() {
    let text = "D^2 y + 0.5 D^1 y + y = 0; y(0) = 1; y'(0) = 0.5; t in [0, 3]";
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution =
        problem(text).solve(&Collocation::default(), &steps, Options::default()).unwrap();
    let exact = |t: f64| {
        let omega = (1.0f64 - 0.0625).sqrt();
        (-0.25 * t).exp() * ((omega * t).cos() + 0.75 / omega * (omega * t).sin())
    };
    for t in [0.5, 1.0, 2.0, 3.0] {
        assert!((solution.at(t).unwrap()[0] - exact(t)).abs() < 1e-10, "{t}");
    }
    // y'' + D^3/2 y + y = 1 + t with y(0) = y'(0) = 1 has the solution 1 + t.
    let text = "D^2 y + D^1.5 y + y = 1 + t; y(0) = 1; y'(0) = 1; t in [0, 1]; show v = D^1.5 y";
    let scheme = AdamsBashforthMoulton { passes: 2 };
    let solution = problem(text).solve(&scheme, &Steps::Uniform(10), Options::default()).unwrap();
    assert!((solution.last()[0] - 2.0).abs() < 1e-14);
    assert!(solution.shown(0.5).unwrap()[0].abs() < 1e-13);
}

#[test]
fn delays_with_a_history() {
    let text =
        "D^0.9 y = y (1 - y(t - tau)); tau = 1 in (0, inf); y(t) = 0.5 for t <= 0; t in [0, 10]";
    let scheme = AdamsBashforthMoulton::default();
    let text = problem(text);
    assert_eq!(text.break_points(2).unwrap(), [1.0, 2.0]);
    let text = text.solve(&scheme, &Steps::Uniform(1000), Options::default()).unwrap();
    let closure = DelayProblem::new(
        &[0.9],
        (0.0, 10.0),
        &[&[0.5]],
        vec![1.0],
        |_t, y: &mut [f64]| y[0] = 0.5,
        |_t, y: &[f64], lagged: &[f64], dydt: &mut [f64]| dydt[0] = y[0] * (1.0 - lagged[0]),
    )
    .unwrap();
    let closure = closure.solve(&scheme, &Steps::Uniform(1000), Options::default()).unwrap();
    assert_eq!(text.states(), closure.states());
}

#[test]
fn other_derivatives() {
    // I^1/2 y(0) = 1: y = t^(-1/2) E_{1/2,1/2}(-t^(1/2)).
    let text = "RL D^0.5 y = -y; y(0) = 1; t in [0, 1]";
    let scheme = AdamsBashforthMoulton { passes: 2 };
    let solution = problem(text).solve(&scheme, &Steps::Uniform(400), Options::default()).unwrap();
    let exact = 2.0 * mittag_leffler(0.5, 0.5, -0.5).unwrap();
    assert!((solution.at(0.25).unwrap()[0] - exact).abs() < 1e-5);
    assert!(solution.states()[[0, 0]].is_nan(), "infinite at t0");
    for text in
        ["CF D^0.6 y = t - y; y(0) = 0; t in [0, 2]", "AB D^0.6 y = t - y; y(0) = 0; t in [0, 2]"]
    {
        let problem = problem(text);
        let coarse = problem.solve(&ProductTrapezoid, &Steps::Uniform(200), Options::default());
        let fine = problem.solve(&ProductTrapezoid, &Steps::Uniform(400), Options::default());
        let [coarse, fine] = [coarse, fine].map(|solution| solution.unwrap().last()[0]);
        assert!((coarse - fine).abs() < 1e-5 && fine > 0.5, "{text}: {coarse} {fine}");
    }
}

#[test]
fn events_stop_and_assign() {
    let text = "y' = -y; y(0) = 1; t in [0, 5]; when y = 0.5: stop";
    let steps = Steps::adaptive(1e-12, 1e-12);
    let scheme = Collocation::default();
    let solution = problem(text).solve(&scheme, &steps, Options::default()).unwrap();
    let half = std::f64::consts::LN_2;
    assert!((solution.times().last().unwrap() - half).abs() < 1e-10);
    assert_eq!(solution.hits()[0].len(), 1);
}

/// A ball that loses a fifth of its velocity at each bounce: at rest after a geometric series.
#[test]
fn a_bouncing_ball() {
    let text = "h' = v; v' = -g; g = 9.81; h(0) = 1; v(0) = 0; t in [0, 2]
        when h = 0 falling: v = -0.8 v";
    let (scheme, steps) = (Collocation::default(), Steps::adaptive(1e-12, 1e-12));
    let solution = problem(text).solve(&scheme, &steps, Options::default()).unwrap();
    let fall = (2.0f64 / 9.81).sqrt();
    let mut bounce = fall;
    for (k, hit) in (1..).zip(&solution.hits()[0]) {
        assert!((hit.t - bounce).abs() < 1e-9, "{k}: {} {bounce}", hit.t);
        bounce += 2.0 * fall * 0.8f64.powi(k);
    }
    assert!(solution.hits()[0].len() >= 2);
}

/// An event sees a lower derivative with its initial value, and a delay of time is not constant.
#[test]
fn events_and_delays_see_what_is_written() {
    let steps = Steps::adaptive(1e-10, 1e-10);
    let text = "x'' + x' + x = 0; x(0) = 0; x'(0) = 1; t in [0, 3]; when x' = 0: stop";
    let solution = problem(text).solve(&Collocation::default(), &steps, Options::default());
    let end = *solution.unwrap().times().last().unwrap();
    // x' = 0 where tan(omega t) = 2 omega, omega^2 = 3/4.
    let omega = 0.75f64.sqrt();
    assert!((end - (2.0 * omega).atan() / omega).abs() < 1e-7, "{end}");
    let last = |delay: &str| {
        let text = format!("y' = -y(t - {delay}); y(t) = 1 for t <= 0; t in [0, 2]");
        let scheme = AdamsBashforthMoulton::default();
        problem(&text).solve(&scheme, &Steps::Uniform(400), Options::default()).unwrap().last()
    };
    assert_eq!(last("min(1, t/2)"), last("min(t/2, 1)"));
}

/// Gradients of a text against differences of whole solves.
#[test]
fn gradients_with_respect_to_parameters() {
    let equation = Equation::parse(
        "D^a x = k (y - x)
         D^a y = x (r - y) + sin(w t)
         k = 2; r = 1.5; w = 3; a = 0.8; x(0) = 0.5; y(0) = 0.2; t in [0, 1]",
    )
    .unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let last = |equation: &Equation| {
        let problem = EquationProblem::new(equation).unwrap();
        problem.solve(&scheme, &Steps::Uniform(100), Options::default()).unwrap().last()[0]
    };
    let problem = EquationProblem::new(&equation).unwrap();
    let solved = problem.solve(&scheme, &Steps::Uniform(100), Options::default()).unwrap();
    let loss = Cotangents::At(&[(100, &[1.0, 0.0])]);
    let problem = problem.differentiable().unwrap();
    let bar = gradient(&problem, &scheme, solved.solution(), loss, &Options::default()).unwrap();
    for (name, k) in [("k", 0), ("r", 1), ("w", 2)] {
        let value = equation.parameter(name).unwrap().value();
        let moved = |by: f64| last(&equation.clone().with_value(name, value + by).unwrap());
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((bar.parameters[k] - difference).abs() < 1e-8, "{name}: {difference}");
    }
    let moved = |by: f64| last(&equation.clone().with_value("a", 0.8 + by).unwrap());
    let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    let of_orders: f64 = bar.orders.iter().sum();
    assert!((of_orders - difference).abs() < 1e-7, "{of_orders} {difference}");
}

/// Total derivatives through right-hand side, orders, initial values and known terms of lower
/// derivatives, against differences of whole solves and against each other.
#[test]
fn total_derivatives_with_respect_to_parameters() {
    let text = "D^(2 a) y + b D^a y + c y = sin(t) + a
        a = 0.9; b = 0.5; c = 2; s = 0.3; y(0) = c s; y'(0) = s^2 + b; t in [0, 1.5]";
    let equation = Equation::parse(text).unwrap();
    let (scheme, steps) = (AdamsBashforthMoulton { passes: 2 }, Steps::Uniform(150));
    let solve = |equation: &Equation| {
        let problem = EquationProblem::new(equation).unwrap();
        let solution = problem.solve(&scheme, &steps, Options::default()).unwrap();
        (problem, solution)
    };
    let (problem, solution) = solve(&equation);
    let loss = Cotangents::At(&[(150, &[1.0, 0.0])]);
    let total = problem.gradient(&scheme, &solution, loss, &Options::default()).unwrap();
    for (k, parameter) in equation.parameters().iter().enumerate() {
        let (name, value) = (parameter.name(), parameter.value());
        let moved = |by: f64| {
            let moved = equation.clone().with_value(name, value + by).unwrap();
            solve(&moved).1.last()[0]
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((total[k] - difference).abs() < 1e-7, "{name}: {} {difference}", total[k]);
        let sensitivity =
            problem.sensitivity(&scheme, &solution, name, &Options::default()).unwrap();
        assert!((sensitivity[[150, 0]] - total[k]).abs() < 1e-12, "{name}");
    }
}

#[test]
fn what_has_no_problem_is_said() {
    for (text, said) in [
        ("dX = -X dt + dW; X(0) = 1; t in [0, 1]", "X has noise: this is a stochastic equation"),
        ("y' = -y; y(0) = 1", "write `t in [0, 10]`"),
        ("RL D^0.5 y = -y; x' = y; y(0) = 1; x(0) = 0; t in [0, 1]", "different definitions"),
        (
            "CF D^0.5 y = -y; CF D^0.6 x = y; y(0) = 1; x(0) = 0; t in [0, 1]",
            "y has order 0.5 and x order 0.6",
        ),
        (
            "y' = -y(t - 1); y(t) = 1 for t <= 0; t in [0, 3]; show z = y(t - 1)",
            "only right-hand sides have them",
        ),
        (
            "y' = -y(t - 1); y(t) = 1 for t <= 0; t in [0, 3]; when y(t - 1) = 0.5: stop",
            "only right-hand sides have them",
        ),
        ("RL D^0.5 y = -y; y(0) = 1; t in [0, 1]; when y = 0.7: stop", "have no events"),
        (
            "x'' + x' + x = 0; x(0) = 1; x'(0) = 0; t in [0, 1]; when x = 0.5: x = 1",
            "have no jumps at events",
        ),
        ("t in [1, 0]; y' = -y; y(1) = 1", "interval"),
    ] {
        let error = match Equation::parse(text) {
            Ok(equation) => match EquationProblem::new(&equation) {
                Err(error @ EquationProblemError::Noise { .. }) => error.to_string(),
                Err(error) => error.to_string(),
                Ok(_) => panic!("{text} has a problem"),
            },
            Err(error) => error.to_string(),
        };
        assert!(error.contains(said), "{text}: {error}");
    }
}

/// A network of one file.
struct Drift;

impl Files for Drift {
    fn network(&self, _: &str) -> Result<Network, String> {
        let number = |k: usize| (1.7 * k as f64).sin();
        let map = |inputs: usize, outputs: usize| {
            let weights = (0..inputs * outputs).map(number).collect();
            let bias = (0..outputs).map(|k| 0.1 * number(k)).collect();
            Affine::new(inputs, weights, bias).map_err(|error| error.to_string())
        };
        let layers = vec![(map(3, 10)?, Activation::Tanh), (map(10, 2)?, Activation::Identity)];
        Network::new(layers).map_err(|error| error.to_string())
    }
}

/// A fractional equation whose right-hand side is a network, against the closure of its loops; its Jacobian
/// and its gradient against differences.
#[test]
fn networks_of_files() {
    let text = "net f: x, v, t -> 10 tanh -> 2 from \"drift.json\"
        D^0.8 [x, v] = k f; k = 0.7; x0 = 1; x(0) = x0; v(0) = 0; t in [0, 2]";
    let equation = Equation::parse_with(text, &Drift).unwrap();
    let problem = EquationProblem::new(&equation).unwrap();
    let network = Drift.network("").unwrap();
    let closure = |t: f64, y: &[f64], dydt: &mut [f64]| {
        let mut values = vec![y[0], y[1], t];
        for (map, activation) in network.layers() {
            let row = |i: usize| {
                let sum = values.iter().enumerate().map(|(j, x)| map.weight(i, j) * x).sum::<f64>();
                let sum = sum + map.bias(i);
                if *activation == Activation::Tanh { sum.tanh() } else { sum }
            };
            values = (0..map.outputs()).map(row).collect();
        }
        (dydt[0], dydt[1]) = (0.7 * values[0], 0.7 * values[1]);
    };
    let by_hand = Problem::new(&[0.8], (0.0, 2.0), &[&[1.0, 0.0]], closure).unwrap();
    let (scheme, steps) = (AdamsBashforthMoulton::default(), Steps::Uniform(200));
    let found = problem.solve(&scheme, &steps, Options::default()).unwrap();
    let expected = solve(&by_hand, &scheme, &steps, Options::default()).unwrap();
    for (found, expected) in found.last().iter().zip(expected.last()) {
        assert!((found - expected).abs() < 1e-13, "{found} and {expected}");
    }

    let system = problem.as_problem().unwrap().system();
    let (y, mut jacobian) = ([0.3, -0.4], [0.0; 4]);
    assert!(system.jacobian(0.5, &y, &mut jacobian));
    for column in 0..2 {
        let at = |by: f64| {
            let (mut y, mut f) = (y, [0.0; 2]);
            y[column] += by;
            system.rhs(0.5, &y, &mut f);
            f
        };
        let (up, down) = (at(1e-5), at(-1e-5));
        for row in 0..2 {
            let difference = (up[row] - down[row]) / 2e-5;
            assert!((jacobian[2 * row + column] - difference).abs() < 1e-9);
        }
    }

    let loss = Cotangents::At(&[(200, &[1.0, 0.5])]);
    let gradient = problem.gradient(&scheme, &found, loss, &Options::default()).unwrap();
    for (k, parameter) in equation.parameters().iter().enumerate() {
        let last = |by: f64| {
            let moved = equation.clone().with_value(parameter.name(), parameter.value() + by);
            let problem = EquationProblem::new(&moved.unwrap()).unwrap();
            let solution = problem.solve(&scheme, &steps, Options::default()).unwrap();
            solution.last()[0] + 0.5 * solution.last()[1]
        };
        let difference = (last(1e-5) - last(-1e-5)) / 2e-5;
        assert!((gradient[k] - difference).abs() < 1e-8, "{}", parameter.name());
    }
    // An implicit scheme, whose steps use the Jacobian.
    problem.solve(&ProductTrapezoid, &steps, Options::default()).unwrap();
}

/// A table of |t - 1|, as a function of time, of a shifted time and of a state, against the formula.
#[test]
fn tables_are_forcings_and_characteristics() {
    let table = "table load: [-1, 1, 4] -> [2, 0, 3]";
    let steps = Steps::Uniform(400);
    for (data, formula) in [
        ("load(t)", "abs(t - 1)"),
        ("load(t - 1)", "abs(t - 2)"),
        ("load(t)*cos(t) - y load(y)", "abs(t - 1) cos(t) - y abs(y - 1)"),
    ] {
        let text = |right: &str| {
            format!(
                "D^alpha y = k ({right}) - y; alpha = 0.7; k = 2; y(0) = 0.3; t in [0, 3]; {table}"
            )
        };
        let (trapezoid, collocation) = (ProductTrapezoid, Collocation::default());
        let adaptive = Steps::adaptive(1e-9, 1e-9);
        let schemes: [(&dyn Scheme, _, _); 2] =
            [(&trapezoid, &steps, 1e-12), (&collocation, &adaptive, 1e-8)];
        for (scheme, steps, tolerance) in schemes {
            let last = |right| {
                let solution = problem(&text(right)).solve(scheme, steps, Options::default());
                solution.unwrap().last()[0]
            };
            let (tabulated, exact) = (last(data), last(formula));
            assert!((tabulated - exact).abs() < tolerance, "{data}: {tabulated} {exact}");
        }
        // Gradients pass through the table.
        let scheme = AdamsBashforthMoulton::default();
        let loss = || Cotangents::At(&[(400, &[1.0])]);
        let gradient = |right| {
            let problem = problem(&text(right));
            let solution = problem.solve(&scheme, &steps, Options::default()).unwrap();
            problem.gradient(&scheme, &solution, loss(), &Options::default()).unwrap()
        };
        for (a, b) in gradient(data).iter().zip(gradient(formula)) {
            assert!((a - b).abs() < 1e-11, "{data}: {a} {b}");
        }
    }
    let short = "y' = load(t); y(0) = 1; t in [0, 5]; table load: [0, 4] -> [0, 1]";
    let error = EquationProblem::new(&Equation::parse(short).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the table `load` has values from 0 to 4, but `load(t)` needs them from 0 to 5: write `extended` after \
         its data, or change the interval of time"
    );
}

#[test]
fn random_initial_values_are_those_of_paths() {
    let equation = Equation::parse("D^0.7 y = -y; y(0) = normal(1, 0.2); t in [0, 1]").unwrap();
    assert_eq!(
        EquationProblem::new(&equation).unwrap_err().to_string(),
        "y has a random initial value, which hpfracc-sde draws for each path (`hpfracc simulate`): write a number \
         to solve the equation"
    );
}

/// Nodes and lagged times that move over a jump: its contribution would be lost.
#[test]
fn moving_over_a_jump_is_refused() {
    let jump = "D^0.8 y = k if(t < 1.03, 1, 0); y(0) = 0; k = 1; T = 5; t in [0, T]";
    let history = "D^0.8 y = -k y(t - tau); y(t) = if(t < -0.5, 1, 0) for t < 0; y(0) = 0; k = 1
        tau = 1.03; t in [0, 5]";
    for (text, moving) in [(jump, "T"), (history, "tau")] {
        let problem = EquationProblem::new(&Equation::parse(text).unwrap()).unwrap();
        let (scheme, options) = (AdamsBashforthMoulton::default(), Options::default());
        let solution = problem.solve(&scheme, &Steps::Uniform(50), Options::default()).unwrap();
        let of = |name: &str| problem.sensitivity(&scheme, &solution, name, &options);
        let refused = of(moving).unwrap_err().to_string();
        assert!(refused.contains("may jump at a time"), "{refused}");
        assert!(of("k").is_ok());
        let loss = Cotangents::At(&[(50, &[1.0])]);
        assert!(problem.gradient(&scheme, &solution, loss, &options).is_err());
    }
}
