//! Predictions against solutions, and derivatives against finer differences.

use crate::case::{grid, problem, product, rows};
use hpfracc_fit::{FieldModel, Model};
use hpfracc_pde::{Settings, graded_steps, solve};
use hpfracc_spatial::Boundary;

fn check(text: &str, exact: bool) {
    let line = grid(&[(0.0, 1.0, 24, Boundary::Dirichlet)]);
    let columns = product(&[0.0, 0.1, 0.5, 0.7], &[0.03, 0.4, 0.77, 1.0]);
    let model = FieldModel::new(problem(text, &line), &["u"], &columns[0], &[&columns[1]]);
    let model = model.unwrap().steps(60).unwrap();
    let start: Vec<f64> = model.parameters().iter().map(|p| p.start.unwrap()).collect();
    let found = rows(&model, &start, &columns, true);
    let values = rows(&model, &start, &columns, false);
    let lanes = columns[0].len();
    assert_eq!(found[..lanes], values[..], "{text}");
    for (k, value) in start.iter().enumerate() {
        let step = if exact { 2e-3 } else { 3e-3 } * value.abs();
        let at = |multiple: f64| {
            let mut parameters = start.clone();
            parameters[k] += multiple * step;
            rows(&model, &parameters, &columns, false)
        };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
        let derivatives = &found[(1 + k) * lanes..(2 + k) * lanes];
        let scale = derivatives.iter().fold(1e-3f64, |a, b| a.max(b.abs()));
        for lane in 0..lanes {
            let expected = (8.0 * (c[lane] - b[lane]) - d[lane] + a[lane]) / (12.0 * step);
            let error = (derivatives[lane] - expected).abs() / scale;
            let name = &model.parameters()[k].name;
            let bound = if exact || name != "s" { 2e-7 } else { 2e-6 };
            assert!(error < bound, "{text}: {name} {lane}: {error:e}");
        }
    }
}

#[test]
fn derivatives_with_respect_to_all_kinds_of_parameters() {
    check("D^alpha u = kappa lap(u); alpha = 0.7; kappa = 0.1; a = 0.8; u(0) = a sin(pi x)", true);
    check("D^0.8 u = kappa lap^s(u) + q x; kappa = 0.1; s = 0.6; q = 0.3; u(0) = sin(pi x)", true);
    let wave =
        "D^alpha u = c^2 lap(u); alpha = 1.6; c = 0.7; b = 0.4; u(0) = sin(pi x); u'(0) = b x";
    check(wave, true);
    check("D^alpha u = div((1 + m x) grad(u)); alpha = 0.7; m = 0.5; u(0) = sin(pi x)", true);
    let reaction =
        "D^alpha u = kappa lap(u) + r u (1 - u); alpha = 0.8; kappa = 0.1; r = 2; a = 0.3
                    u(0) = a sin(pi x)";
    check(reaction, false);
    let power =
        "D^alpha u = -kappa (-lap)^s(u) + r u (1 - u); alpha = 0.8; kappa = 0.1; s = 0.7; r = 2
                 u(0) = 0.3 sin(pi x)";
    check(power, false);
    let wave = "D^alpha u = c^2 lap(u) - u^3; alpha = 1.6; c = 0.7; b = 0.4; u(0) = sin(pi x); u'(0) = b x";
    check(wave, false);
    let drift =
        "D^alpha u = kappa lap(u) - v grad(u) + b lap(u^m); alpha = 0.8; kappa = 0.1; v = 0.5
                 b = 0.05; m = 2; u(0) = 1 + sin(pi x)";
    check(drift, false);
}

/// Values at points of the grid and at saved times are those of a solve with many steps.
#[test]
fn predictions_are_solutions() {
    let text = "D^alpha u = kappa lap(u) + r u (1 - u); alpha = 0.8; kappa = 0.1; r = 2; u(0) = 0.3 sin(pi x) + y/9";
    let plane = grid(&[(0.0, 1.0, 12, Boundary::Neumann), (0.0, 2.0, 10, Boundary::Neumann)]);
    let times = [0.0, 0.13, 0.8, 1.0];
    let columns = FieldModel::points(&plane, &times);
    let fields = problem(text, &plane);
    let steps = Some(graded_steps(0.8, 1000).unwrap());
    let settings = Settings { steps, save: times.to_vec(), ..Settings::default() };
    let expected = solve(&fields.equation().unwrap(), 1.0, settings).unwrap().saved().concat();
    let coordinates = [&columns[1][..], &columns[2]];
    let model = FieldModel::new(fields, &["u"], &columns[0], &coordinates).unwrap();
    let found = rows(&model, &[0.8, 0.1, 2.0], &columns, false);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 2e-5, "{found} {expected}");
    }
}

/// Times that are none of the data have a solve of their own, and points without a solution no value.
#[test]
fn other_points() {
    let line = grid(&[(0.0, 1.0, 100, Boundary::Dirichlet)]);
    for text in
        ["D^0.7 u = 0.1 lap(u); u(0) = sin(pi x)", "D^0.7 u = 0.1 lap(u) + u^3; u(0) = sin(pi x)"]
    {
        let data = product(&[0.5, 1.0], &[0.5]);
        let model = FieldModel::new(problem(text, &line), &["u"], &data[0], &[&data[1]]).unwrap();
        let columns =
            [vec![0.25, 1.5, -1.0, f64::NAN, 0.5, 0.5], vec![0.5, 0.5, 0.5, 0.5, 1.1, 0.5]];
        let found = rows(&model, &[], &columns, false);
        let finite: Vec<bool> = found.iter().map(|u| u.is_finite()).collect();
        assert_eq!(finite, [true, true, false, false, false, true], "{text}: {found:?}");
        let same = rows(&model, &[], &[vec![0.5], vec![0.5]], false);
        assert!((same[0] - found[5]).abs() < 1e-5);
        assert!(found[0] > found[5] && found[5] > found[1], "{found:?}");
    }
}

/// Parameters have the range in which they make sense.
#[test]
fn ranges_of_parameters() {
    let line = grid(&[(0.0, 1.0, 10, Boundary::Neumann)]);
    let text = "D^alpha u = -kappa (-lap)^s(u) + mu lap(u) + v grad(u) - w lap(u) + e^2 lap(u)
                D^beta v2 = k lap(v2); alpha = 0.7; kappa = 0.1; s = 0.6; mu = 0.1; v = 0.1; w = -0.1; e = 1
                beta = 1.2; k = 1 in [0.5, 2]; u(0) = 1; v2(0) = 1; v2'(0) = 0";
    let fields = problem(text, &line);
    let model = FieldModel::new(fields, &["v2", "u"], &[1.0], &[&[0.5]]).unwrap();
    assert_eq!(model.responses(), 2);
    let bounds = |name: &str| {
        let of = model.parameters().iter().find(|known| known.name == name).unwrap();
        (of.lower, of.upper)
    };
    let (tiny, all) = (0f64.next_up(), f64::INFINITY);
    assert_eq!(bounds("alpha"), (tiny, 1.0));
    assert_eq!(bounds("beta"), (1f64.next_up(), 2f64.next_down()));
    assert_eq!(bounds("kappa"), (tiny, all));
    assert_eq!(bounds("s"), (tiny, 2.0));
    assert_eq!(bounds("k"), (0.5, 2.0));
    // The part of a coefficient that has others beside it has no sign of its own.
    for name in ["mu", "v", "w", "e"] {
        assert_eq!(bounds(name), (-all, all), "{name}");
    }
}
