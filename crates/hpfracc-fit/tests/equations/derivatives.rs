//! Derivatives of solutions against differences of solutions.

use crate::case::AT_POWERS;
use hpfracc_equation::Equation;
use hpfracc_fit::{EquationModel, Model};
use hpfracc_lanes::{Rows, RowsMut};

/// Values, or values and derivatives, at some times.
fn rows(model: &EquationModel, parameters: &[f64], times: &[f64], derivatives: bool) -> Vec<f64> {
    let count = if derivatives { 1 + parameters.len() } else { 1 };
    let mut out = vec![0.0; model.responses() * count * times.len()];
    let (inputs, to) = (Rows::new(times, times.len()), RowsMut::new(&mut out, times.len()));
    let bound = model.at(parameters).unwrap();
    if derivatives {
        bound.derivatives(inputs, to);
    } else {
        bound.values(inputs, to);
    }
    out
}

fn check(text: &str, quantities: &[&str], times: &[f64], steps: usize) {
    let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let model = EquationModel::new(&equation, quantities, times).unwrap().steps(steps).unwrap();
    let start: Vec<f64> = model.parameters().iter().map(|p| p.start.unwrap()).collect();
    let exact = rows(&model, &start, times, true);
    let values = rows(&model, &start, times, false);
    let lanes = times.len();
    assert_eq!(exact[..values.len()], values[..]);
    for k in 0..start.len() {
        let shifted = |step: f64| {
            let mut parameters = start.clone();
            parameters[k] += step;
            rows(&model, &parameters, times, false)
        };
        let step = 1e-4 * start[k].abs().max(0.1);
        let [far_before, before, after, far_after] =
            [-2.0 * step, -step, step, 2.0 * step].map(shifted);
        for response in 0..quantities.len() {
            let scale =
                values[response * lanes..][..lanes].iter().fold(0.1f64, |a, b| a.max(b.abs()));
            for lane in 0..lanes {
                let at = response * lanes + lane;
                let difference = (8.0 * (after[at] - before[at]) - far_after[at] + far_before[at])
                    / (12.0 * step);
                let row = quantities.len() + response * start.len() + k;
                let found = exact[row * lanes + lane];
                let error = (found - difference).abs() / scale;
                let name = &model.parameters()[k].name;
                assert!(error < 2e-9, "{text}: {name} {lane}: {found} {difference} {error:e}");
            }
        }
    }
}

#[test]
fn orders_parameters_and_initial_values() {
    let equal: Vec<f64> = (0..=10).map(|k| 0.4 * f64::from(k)).collect();
    let powers: Vec<f64> = (-8..=6).map(|k| 10f64.powf(f64::from(k) / 10.0)).collect();
    let cases: [(&str, &[&str]); 4] = [
        ("D^alpha y = f - lambda y; alpha = 0.7; f = 1.2; lambda = 0.9; a = 0.4; y(0) = a", &["y"]),
        // An oscillation with two initial values.
        ("D^alpha y = -k y; alpha = 1.65; k = 2; a = 1; b = 0.3; y(0) = a; y'(0) = b", &["y"]),
        // Two orders, one tied to the other; a state, a shown quantity of time and parameters, and a definition.
        (
            "D^alpha x = -x y; D^(1 - alpha/4) y = x y - g y; alpha = 0.7; g = 0.3; x(0) = 1 - 0.1; y(0) = 0.1
             total = c (x + y); c = 2; show late = g x^2 exp(-t/4)",
            &["y", "late", "total"],
        ),
        // The start is not 0.
        ("D^alpha y = r y (1 - y); alpha = 0.72; r = 1.3; a = 0.1; y(-0.5) = a; t in [-0.5, 9]", &["y"]),
    ];
    for (text, quantities) in cases {
        check(text, quantities, &equal, 60);
        check(text, quantities, &powers, 30);
    }
}

/// Times that are no nodes of the model have a solve of their own.
#[test]
fn other_times() {
    let data: Vec<f64> = (1..=10).map(f64::from).collect();
    let model = EquationModel::new(&AT_POWERS.equation(), &["y"], &data).unwrap();
    assert!(model.has_equal_steps());
    assert_eq!(model.step_count(), 1000);
    let parameters: Vec<f64> = AT_POWERS.truth.iter().map(|(_, value)| *value).collect();
    let (t, y) = AT_POWERS.data();
    let found = rows(&model, &parameters, &t, true);
    for (t, (exact, y)) in t.iter().zip(y.iter().zip(&found)) {
        assert!((y - exact).abs() < 3e-5, "{t}: {y} {exact}");
    }
    // Beyond the data, and times without a solution, which have no value.
    let outside = rows(&model, &parameters, &[12.0, -1.0, f64::NAN, 1.0], false);
    let finite: Vec<bool> = outside.iter().map(|y| y.is_finite()).collect();
    assert_eq!(finite, [true, false, false, true]);
}
