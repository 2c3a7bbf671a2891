use crate::point::{Point, equation};
use hpfracc_equation::Derivative;
use hpfracc_equation::catalogue::{ENTRIES, named};
use hpfracc_special::gamma;

/// Exact solutions solve the Volterra equation `y = y0 + v0 t + I^alpha f`, and that of a derivative
/// with a nonsingular kernel, `y = y0 + (1 - alpha) (f - f(0)) + alpha I^b f`, b = 1 for Caputo-Fabrizio
/// and alpha for Atangana-Baleanu. The substitution `v = (t - s)^b` makes the kernel constant; the
/// midpoint rule takes the rest.
#[test]
fn exact_solutions_solve_their_equations() {
    const CELLS: u32 = 4000;
    let mut count = 0;
    for entry in ENTRIES.iter() {
        let equation = equation(entry);
        let exact = equation.shown().iter().find(|shown| shown.name().starts_with("exact_"));
        let Some(exact) = exact.filter(|_| equation.states()[0].lower_orders().is_empty()) else {
            continue;
        };
        let exact = |t: f64| Point::at(t).values(&equation, &[exact.value()])[0];
        let drift = |s: f64| {
            let (y, lagged) = ([exact(s)], delayed(&equation, s, &exact));
            Point { t: s, y: &y, lagged: &lagged, lower: &[] }.drift(&equation)[0]
        };
        let state = &equation.states()[0];
        let (order, t) = (equation.value(state.order()), 0.8_f64);
        let start: Vec<f64> = match state.history() {
            Some(_) => vec![exact(0.0)],
            None => state.initial().iter().map(|row| equation.value(row.unwrap())).collect(),
        };
        let taylor: f64 = start.iter().zip([1.0, t]).map(|(row, power)| row * power).sum();
        let nonsingular = [1.0 - order, order];
        let (order, [local, memory]) = match state.definition() {
            Derivative::CaputoFabrizio => (1.0, nonsingular),
            Derivative::AtanganaBaleanu => (order, nonsingular),
            _ => (order, [0.0, 1.0]),
        };
        let width = t.powf(order) / f64::from(CELLS);
        let cells = (0..CELLS).map(|k| t - (width * (f64::from(k) + 0.5)).powf(1.0 / order));
        let integral = cells.map(drift).sum::<f64>() * width / gamma(order + 1.0);
        let immediate = if local == 0.0 { 0.0 } else { local * (drift(t) - drift(0.0)) };
        let error = (taylor + immediate + memory * integral - exact(t)).abs();
        assert!(error < 2e-5, "{}: {error:e}", entry.name);
        count += 1;
    }
    assert_eq!(count, 8);
}

fn delayed(equation: &hpfracc_equation::Equation, t: f64, exact: &impl Fn(f64) -> f64) -> Vec<f64> {
    equation.delays().iter().map(|delay| exact(t - equation.value(*delay))).collect()
}

/// Derivatives of the linear function above order 1 are 0.
#[test]
fn linear_solution_of_bagley_and_torvik() {
    let equation = equation(named("bagley-torvik-linear").unwrap());
    for t in [0.0, 0.5, 4.0] {
        let y = Point::at(t).values(&equation, &[equation.shown()[0].value()]);
        assert_eq!(Point { t, y: &y, lagged: &[], lower: &[0.0] }.drift(&equation), [0.0]);
    }
}
