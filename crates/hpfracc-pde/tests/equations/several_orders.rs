//! Linear equations of several and distributed orders.

use crate::diagonal::Diagonal;
use crate::reference::largest;
use hpfracc_pde::models::Diffusion;
use hpfracc_pde::{Equation, PdeError, Settings, solve, solve_linear};
use hpfracc_spatial::{
    AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Diffusion as VariableDiffusion,
    Laplacian, SpatialError, TimeDerivative,
};
use hpfracc_special::gamma;
use hpfracc_testkit::Table;
use std::sync::Arc;

fn derivative(case: &str) -> TimeDerivative {
    match case {
        "two" => TimeDerivative::multi_term(&[(2.0, 0.9), (1.0, 0.4)]),
        "three" => TimeDerivative::multi_term(&[(0.5, 0.3), (1.0, 0.75), (0.2, 1.4)]),
        "uniform" => TimeDerivative::distributed((0.0, 1.0), |_| 1.0),
        "rising" => TimeDerivative::distributed((0.0, 1.0), |a| a),
        "wave" => TimeDerivative::distributed((1.2, 1.8), |_| 1.0),
        "across" => TimeDerivative::distributed((0.5, 1.5), |_| 1.0),
        _ => TimeDerivative::multi_term(&[(0.7, 0.8), (1.3, 1.6)]),
    }
    .unwrap()
}

/// Equation of the three data with the diagonal operator of these eigenvalues.
fn equation(case: &str, operator: Diagonal, data: [f64; 3]) -> Equation<'static> {
    let derivative = derivative(case);
    let n = operator.eigenvalues.len();
    let wave = derivative.highest_order() > 1.0;
    let equation = Equation::new(Arc::new(operator)).time_derivative(0, derivative).unwrap();
    let equation = equation.coefficient(0.5).unwrap().start(&vec![data[0]; n]).unwrap();
    let equation = equation.constant_source(0, &vec![data[2]; n]).unwrap();
    if wave { equation.start_velocity(&vec![data[1]; n]).unwrap() } else { equation }
}

/// Modes, shifted solves and partial fractions against a table of high precision.
#[test]
fn solutions_agree_with_high_precision() {
    let table = Table::parse(include_str!("data/several_orders.csv"));
    let tolerance = 1e-10;
    for case in ["two", "three", "uniform", "rising", "wave", "across", "commensurate"] {
        let rows: Vec<_> = table.rows().filter(|row| row.text("case") == case).collect();
        let mut rates: Vec<f64> = rows.iter().map(|row| row.number("lambda")).collect();
        let mut times: Vec<f64> = rows.iter().map(|row| row.number("t")).collect();
        for list in [&mut rates, &mut times] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        let eigenvalues: Vec<f64> = rates.iter().map(|rate| 2.0 * rate).collect();
        for with_modes in [true, false] {
            for (k, name) in ["start", "velocity", "source"].into_iter().enumerate() {
                let mut data = [0.0; 3];
                data[k] = 1.0;
                let operator = Diagonal { eigenvalues: eigenvalues.clone(), with_modes };
                let found =
                    solve_linear(&equation(case, operator, data), &times, tolerance).unwrap();
                for row in &rows {
                    let (t, rate) = (row.number("t"), row.number("lambda"));
                    let at = |list: &[f64], x: f64| list.iter().position(|y| *y == x).unwrap();
                    let value = found[at(&times, t)][at(&rates, rate)];
                    // Natural size: the solution for lambda = 0.
                    let size =
                        rows.iter().find(|r| r.number("t") == t && r.number("lambda") == 0.0);
                    let size = size.unwrap().number(name).abs();
                    let error = (value - row.number(name)).abs();
                    let bound =
                        if case == "commensurate" && with_modes { 1e-13 } else { tolerance };
                    assert!(
                        error <= 3.0 * bound * size,
                        "{case} {name} {rate} {t} {with_modes}: {error:e} of {size:e}"
                    );
                }
            }
        }
    }
}

/// Equal orders collapse to one with the sum of the weights, and a narrow density is its mean.
#[test]
fn equal_orders_are_one_order() {
    let grid =
        BoxGrid::new(vec![Axis::new(0.0, 1.0, 30, [Boundary::Dirichlet; 2]).unwrap()]).unwrap();
    let with = |kappa: f64, derivative: TimeDerivative| {
        let equation = Diffusion { alpha: 0.6, kappa }.equation(grid.clone()).unwrap();
        let equation = equation.time_derivative(0, derivative).unwrap();
        let equation = equation.start_from(|x| x[0]).unwrap();
        solve_linear(&equation, &[0.05, 1.0], 1e-11).unwrap()
    };
    let one = with(0.25, TimeDerivative::of_order(0.6).unwrap());
    let two = with(1.0, TimeDerivative::multi_term(&[(1.0, 0.6), (3.0, 0.6)]).unwrap());
    for (one, two) in one.iter().zip(&two) {
        assert!(largest(one, two) < 2e-10);
    }
    // A symmetric density of width d changes the symbol by the relative d^2 (ln s)^2 / 24.
    let narrow = |d: f64| {
        let ends = (0.6 - d / 2.0, 0.6 + d / 2.0);
        let found = with(0.25, TimeDerivative::distributed(ends, |_| 1.0 / d).unwrap());
        largest(&found[1], &one[1])
    };
    let (wide, near) = (narrow(0.1), narrow(0.05));
    assert!((3.9..4.1).contains(&(wide / near)) && near < 1e-3, "{wide:e} {near:e}");
}

/// Boxes and variable coefficients: transforms and shifted solves agree, with all data.
#[test]
fn shifted_solves_agree_with_modes() {
    let grid =
        BoxGrid::new(vec![Axis::new(0.0, 1.0, 40, [Boundary::Dirichlet; 2]).unwrap()]).unwrap();
    let with_modes = Arc::new(Laplacian::new(grid.clone(), &[1.0]).unwrap());
    let without = Arc::new(VariableDiffusion::new(grid, |_| 1.0).unwrap());
    for case in ["two", "across"] {
        let complete = |equation: Equation<'static>| {
            let equation = equation.time_derivative(0, derivative(case)).unwrap();
            let equation = equation.coefficient(0.3).unwrap().source(0, |_| 0.0).unwrap();
            equation.start_from(|x| 1.0 - x[0]).unwrap()
        };
        let finish = |equation: Equation<'static>| {
            let derivative = derivative(case);
            let equation = equation.time_derivative(0, derivative.clone()).unwrap();
            let equation = equation.coefficient(0.3).unwrap().start_from(|x| 1.0 - x[0]).unwrap();
            let equation = equation.constant_source(0, &[1.0; 40]).unwrap();
            let wave = derivative.highest_order() > 1.0;
            if wave { equation.start_velocity(&[0.5; 40]).unwrap() } else { equation }
        };
        let times = [0.0, 0.02, 0.15, 2.0];
        let exact =
            solve_linear(&finish(Equation::on_box(with_modes.clone())), &times, 1e-10).unwrap();
        let found =
            solve_linear(&finish(Equation::on_box(without.clone())), &times, 1e-10).unwrap();
        for (a, b) in found.iter().zip(&exact) {
            assert!(largest(a, b) < 1e-8, "{case}: {:e}", largest(a, b));
        }
        let error = solve_linear(&complete(Equation::on_box(with_modes.clone())), &times, 1e-10);
        let name = if case == "two" { "function of time" } else { "start_velocity" };
        assert!(error.unwrap_err().to_string().contains(name));
    }
}

/// Short times belong to the highest order, long ones to the lowest; the relaxation of a
/// distributed order from 0 decays like 1 / (lambda ln t).
#[test]
fn asymptotics_are_those_of_the_outer_orders() {
    let lambda = 3.0;
    let at = |case: &str, t: f64| {
        let operator = Diagonal { eigenvalues: vec![2.0 * lambda], with_modes: true };
        solve_linear(&equation(case, operator, [1.0, 0.0, 0.0]), &[t], 1e-12).unwrap()[0][0]
    };
    // 1 - lambda t^0.9 / (2 Gamma(1.9)), with a relative error of order t^0.5.
    let early = |t: f64| (1.0 - at("two", t)) / (lambda * t.powf(0.9) / (2.0 * gamma(1.9)));
    assert!((early(1e-6) - 1.0).abs() < 2e-3 && (early(1e-4) - 1.0).abs() < 2e-2);
    // t^-0.4 / (lambda Gamma(0.6)), with a relative error of order t^-0.4.
    let late = |t: f64| at("two", t) * lambda * gamma(0.6) * t.powf(0.4);
    assert!(
        (late(1e6) - 1.0).abs() < 1e-2 && (late(1e10) - 1.0).abs() < 2e-4,
        "{} {}",
        late(1e6),
        late(1e10)
    );
    let slow = |t: f64| at("uniform", t) * lambda * t.ln();
    let (near, far) = (slow(1e6) - 1.0, slow(1e12) - 1.0);
    assert!(near.abs() < 0.1 && far.abs() < 0.6 * near.abs(), "{near} {far}");
}

/// Two orders alpha and 2 alpha by partial fractions, with real, complex and close roots, against
/// the contour, for which the orders are moved apart by rounding.
#[test]
fn partial_fractions_agree_with_the_contour() {
    let eigenvalues: Vec<f64> =
        [0.0, 0.1, 0.15, 0.1538, 0.15384, 0.153_846, 0.1539, 0.16, 1.0, 50.0].to_vec();
    for alpha in [0.3, 0.45, 0.7] {
        for t in [0.1, 1.0, 7.0] {
            let with = |highest: f64, tolerance: f64| {
                let terms = [(0.4, alpha), (0.26, highest)];
                let derivative = TimeDerivative::multi_term(&terms).unwrap();
                let operator = Diagonal { eigenvalues: eigenvalues.clone(), with_modes: true };
                let equation = Equation::new(Arc::new(operator));
                let equation = equation.time_derivative(0, derivative).unwrap();
                let equation = equation.start(&[1.0; 10]).unwrap();
                let equation = equation.constant_source(0, &[0.7; 10]).unwrap();
                let velocity = if alpha > 0.5 { 0.4 } else { 0.0 };
                let equation = equation.start_velocity(&[velocity; 10]).unwrap();
                solve_linear(&equation, &[t], tolerance).unwrap().remove(0)
            };
            let (exact, found) = (with(2.0 * alpha + 1e-14, 1e-11), with(2.0 * alpha, 1e-11));
            let size = exact.iter().fold(1.0, |most: f64, u| most.max(u.abs()));
            let error = largest(&found, &exact) / size;
            assert!(error < 1e-10, "{alpha} {t}: {error:e}");
        }
    }
}

/// Order 2 and the telegraph equation have modes only.
#[test]
fn order_two_needs_modes() {
    let of = |derivative: TimeDerivative, with_modes: bool| {
        let operator = Diagonal { eigenvalues: vec![9.0], with_modes };
        let equation = Equation::new(Arc::new(operator)).time_derivative(0, derivative).unwrap();
        let equation = equation.start(&[1.0]).unwrap().start_velocity(&[0.5]).unwrap();
        solve_linear(&equation, &[1.3], 1e-10)
    };
    let wave = of(TimeDerivative::of_order(2.0).unwrap(), true).unwrap()[0][0];
    assert!((wave - (3.9_f64.cos() + 0.5 * 3.9_f64.sin() / 3.0)).abs() < 1e-13);
    let two = TimeDerivative::multi_term(&[(1.0, 1.0), (1.0, 2.0)]).unwrap();
    for derivative in [TimeDerivative::of_order(2.0).unwrap(), two] {
        let error = of(derivative, false).unwrap_err();
        assert!(error.to_string().contains("order"), "{error}");
    }
}

/// Growing solutions: closed forms have them, contours refuse them.
#[test]
fn negative_eigenvalues_are_solved_or_refused() {
    let of = |terms: &[(f64, f64)]| {
        let operator = Diagonal { eigenvalues: vec![4.0, -2.0], with_modes: true };
        let derivative = TimeDerivative::multi_term(terms).unwrap();
        let equation = Equation::new(Arc::new(operator)).time_derivative(0, derivative).unwrap();
        solve_linear(
            &equation.start(&[1.0; 2]).unwrap().start_velocity(&[0.0; 2]).unwrap(),
            &[0.7],
            1e-8,
        )
    };
    // u'' + u' - 2 u = 0: (2 exp(t) + exp(-2 t)) / 3.
    let found = of(&[(1.0, 1.0), (1.0, 2.0)]).unwrap()[0][1];
    let exact = (2.0 * 0.7_f64.exp() + (-1.4_f64).exp()) / 3.0;
    assert!((found - exact).abs() < 1e-13, "{found} {exact}");
    let error = of(&[(1.0, 0.4), (1.0, 0.7)]).unwrap_err();
    assert!(matches!(error, PdeError::OutOfRange { .. }), "{error}");
}

#[test]
fn several_orders_have_no_steps_and_need_a_real_spectrum() {
    let axis = Axis::new(0.0, 1.0, 20, [Boundary::Dirichlet; 2]).unwrap();
    let diffusion = VariableDiffusion::new(BoxGrid::new(vec![axis]).unwrap(), |_| 1.0).unwrap();
    let operator =
        AdvectionDiffusion::new(&diffusion, &[2.0; 21], AdvectionScheme::Central).unwrap();
    let equation = Equation::new(Arc::new(operator));
    let equation =
        equation.time_derivative(0, derivative("two")).unwrap().start(&[1.0; 20]).unwrap();
    assert!(matches!(
        solve_linear(&equation, &[1.0], 1e-8),
        Err(PdeError::NotSelfAdjoint { field: 0 })
    ));
    let refused = solve(&equation, 1.0, Settings::default());
    assert!(matches!(refused, Err(PdeError::SeveralOrders { field: 0 })));
    assert!(equation.problem(1.0).err().unwrap().to_string().contains("solve_linear"));
    assert_eq!(equation.order_of(0), 0.9);
    assert!(equation.clone().time_derivative(1, derivative("two")).is_err());
    let moving = equation.start_velocity(&[1.0; 20]).unwrap();
    assert!(solve_linear(&moving, &[1.0], 1e-8).is_err());
}

#[test]
fn bad_orders_and_weights_are_refused() {
    let range = |result: Result<TimeDerivative, SpatialError>| {
        let error = result.unwrap_err();
        assert!(matches!(error, SpatialError::OutOfRange { .. }), "{error}");
    };
    range(TimeDerivative::multi_term(&[]));
    for (weight, alpha) in [
        (0.0, 0.5),
        (-1.0, 0.5),
        (f64::NAN, 0.5),
        (f64::INFINITY, 0.5),
        (1.0, 0.0),
        (1.0, 2.1),
        (1.0, f64::NAN),
    ] {
        range(TimeDerivative::multi_term(&[(1.0, 0.3), (weight, alpha)]));
    }
    let largest = TimeDerivative::multi_term(&[(f64::MAX, 0.5)]).unwrap();
    range(largest.plus(&largest));
    range(TimeDerivative::distributed((-0.1, 1.0), |_| 1.0));
    range(TimeDerivative::distributed((0.5, 0.5), |_| 1.0));
    range(TimeDerivative::distributed((0.5, 2.5), |_| 1.0));
    range(TimeDerivative::distributed((f64::NAN, 1.0), |_| 1.0));
    range(TimeDerivative::distributed((0.0, 1.0), |a| a - 0.5));
    range(TimeDerivative::distributed((0.0, 1.0), |_| f64::NAN));
    range(TimeDerivative::distributed((0.0, 1.0), |_| 0.0));
    let step = TimeDerivative::distributed((0.0, 1.0), |a| f64::from(u8::from(a > 0.3)));
    assert!(matches!(step, Err(SpatialError::Tolerance { .. })));
    let parts = TimeDerivative::distributed((0.0, 0.3), |_| 2.0).unwrap();
    let parts = parts.plus(&TimeDerivative::distributed((0.3, 1.0), |_| 2.0).unwrap()).unwrap();
    let p = parts.symbol(5.0.into()).re;
    assert!((p - 8.0 / 5f64.ln()).abs() < 1e-12);
}
