//! Several, variable and distributed orders in texts.

use super::{difference, grid, problem};
use hpfracc_pde::models::AllenCahn;
use hpfracc_pde::{FieldProblem, PdeError, Settings, Solution, TimeScheme, solve, solve_linear};
use hpfracc_spatial::{Boundary, BoxGrid, TimeDerivative};
use std::f64::consts::PI;

fn line() -> BoxGrid {
    grid(&[(30, Boundary::Dirichlet)])
}

fn stepped(problem: &FieldProblem, scheme: TimeScheme, n: usize) -> Solution {
    let steps = Some(hpfracc_pde::graded_steps(problem.orders()[0], n).unwrap());
    let settings = Settings { scheme, steps, ..Settings::default() };
    solve(&problem.equation().unwrap(), 1.0, settings).unwrap()
}

/// A sine decays by the relaxation of the discrete eigenvalue, whatever the orders are.
#[test]
fn linear_texts_of_several_orders_are_those_of_the_equation() {
    let grid = line();
    for (text, derivative) in [
        ("D^0.8 u + 0.5 D^0.3 u = lap(u)", TimeDerivative::multi_term(&[(1.0, 0.8), (0.5, 0.3)])),
        (
            "2 D u + b D^0.4 u = 2 lap(u) - 3 D^c u; b = 4; c = 0.6",
            TimeDerivative::multi_term(&[(1.0, 1.0), (2.0, 0.4), (1.5, 0.6)]),
        ),
        (
            "int(2 a D^a u, a in [b, 1]) = lap(u); b = 0.2",
            TimeDerivative::distributed((0.2, 1.0), |a| 2.0 * a),
        ),
        (
            "D u + 3 int(D^a u, a in [0, 1]) = lap(u)",
            TimeDerivative::distributed((0.0, 1.0), |_| 3.0)
                .and_then(|d| d.plus(&TimeDerivative::first())),
        ),
    ] {
        let text = format!("{text}; u(0) = sin(pi x)");
        let of_text = problem(&text, &grid);
        assert!(of_text.is_linear(), "{text}");
        let model = hpfracc_pde::models::Diffusion { alpha: 1.0, kappa: 1.0 };
        let same = model.equation(grid.clone()).unwrap();
        let same = same.start_from(|x| (PI * x[0]).sin()).unwrap();
        let same = same.time_derivative(0, derivative.unwrap()).unwrap();
        let times = [0.1, 1.0];
        let tolerance = of_text.default_tolerance();
        let one = solve_linear(&of_text.linear_equation().unwrap(), &times, tolerance).unwrap();
        let other = solve_linear(&same, &times, tolerance).unwrap();
        for (one, other) in one.iter().zip(&other) {
            assert!(difference(one, other) < 1e-13, "{text}");
        }
        // The steps approach it: the weights are on the right derivatives.
        assert_eq!(of_text.default_scheme(), TimeScheme::L1);
        let l1 = stepped(&of_text, TimeScheme::L1, 400);
        assert!(difference(l1.last(), &one[1]) < 2e-3, "{text}");
    }
}

#[test]
fn orders_that_are_equal_are_one_order() {
    let several = problem("D^0.7 u + 2 D^0.7 u = 3 lap(u); u(0) = sin(pi x)", &line());
    let one = problem("D^0.7 u = lap(u); u(0) = sin(pi x)", &line());
    let at_one = |problem: &FieldProblem| {
        solve_linear(&problem.linear_equation().unwrap(), &[1.0], 1e-12).unwrap().remove(0)
    };
    assert!(difference(&at_one(&several), &at_one(&one)) < 1e-14);
}

#[test]
fn variable_orders_are_functions_of_time() {
    let grid = line();
    let text =
        "D^(a + b exp(-t)) u = 0.01 lap(u) + u - u^3; a = 0.4; b = 0.5; u(0) = 0.1 sin(pi x)";
    let of_text = problem(text, &grid);
    assert!(!of_text.is_linear() && (of_text.orders()[0] - 0.9).abs() < 1e-15);
    let model = AllenCahn { alpha: 1.0, epsilon: 0.1 };
    let same = model.equation(grid.clone()).unwrap();
    let same = same.start_from(|x| 0.1 * (PI * x[0]).sin()).unwrap();
    let same = same.variable_order(0, |t| 0.4 + 0.5 * (-t).exp()).unwrap();
    for scheme in [TimeScheme::L1, TimeScheme::ImplicitExplicit] {
        let steps = Some(hpfracc_pde::graded_steps(0.9, 100).unwrap());
        let settings = Settings { scheme, steps, ..Settings::default() };
        let exact = solve(&same, 1.0, settings).unwrap();
        assert!(difference(stepped(&of_text, scheme, 100).last(), exact.last()) < 1e-10);
    }
    // A variable order is no linear equation without steps, even if all else is linear.
    let linear = problem("D^(0.9 - 0.1 t) u = lap(u); u(0) = 1", &grid);
    assert!(!linear.is_linear());
    let refused = linear.linear_equation().err().unwrap().to_string();
    assert!(refused.contains("a variable order"), "{refused}");
    // A value of a parameter reaches the order, another order replaces it.
    let moved = of_text.clone().with_value("b", 0.0).unwrap();
    assert!(
        difference(
            stepped(&moved, TimeScheme::L1, 100).last(),
            stepped(&of_text, TimeScheme::L1, 100).last()
        ) > 1e-4
    );
}

#[test]
fn orders_outside_their_range_are_refused() {
    let grid = line();
    let failed = |text: &str, scheme| {
        let problem = problem(&format!("{text}; u(0) = 1"), &grid);
        let settings = Settings { scheme, ..Settings::default() };
        let solved = problem.equation().and_then(|equation| solve(&equation, 1.0, settings));
        solved.map(|_| ()).unwrap_err()
    };
    let error = failed("D u + D^0.5 u = lap(u) - u^2", TimeScheme::ProductTrapezoid);
    assert!(matches!(error, PdeError::SeveralOrders { field: 0 }), "{error}");
    let error = failed("D^(0.8 + t) u = lap(u)", TimeScheme::L1).to_string();
    assert!(error.contains("order"), "{error}");
    let error = failed("D^t u = lap(u)", TimeScheme::L1).to_string();
    assert!(error.contains("t = 0"), "{error}");
    let text = "D u + b D^0.5 u = lap(u); b = 1; u(0) = 1";
    let error = problem(text, &grid).with_value("b", -1.0).unwrap().equation().err().unwrap();
    assert!(error.to_string().contains("the weight of an order"), "{error}");
    let text = "D^c u + D^0.5 u = lap(u); c = 0.8; u(0) = 1";
    let error = problem(text, &grid).with_value("c", 1.2).err().unwrap().to_string();
    assert!(error.contains("1.2"), "{error}");
    let text = "int((0.5 - a) D^a u, a in [0, 1]) = lap(u); u(0) = 1";
    let error = problem(text, &grid).equation().err().unwrap().to_string();
    assert!(error.contains("the density of an order"), "{error}");
}

/// Waves with a damping of lower order, which need a velocity.
#[test]
fn orders_above_one_have_a_velocity() {
    let text = "D^1.9 u + 0.2 D^1.5 u = lap(u); u(0) = sin(pi x); u'(0) = 0";
    let of_text = problem(text, &line());
    let u = solve_linear(&of_text.linear_equation().unwrap(), &[0.0, 1.0], 1e-9).unwrap();
    let mode = (u[1][15] / u[0][15], u[1][3] / u[0][3]);
    assert!((mode.0 - mode.1).abs() < 1e-8 && mode.0 < 0.0 && mode.0 > -1.0, "{mode:?}");
}
