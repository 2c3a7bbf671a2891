//! Shown quantities, events and noise of texts.

use super::{difference, grid, problem};
use hpfracc_equation::FieldEquation;
use hpfracc_pde::hpfracc_ode::Observer;
use hpfracc_pde::{FieldProblem, PdeError, Settings, TimeScheme, ZeroOutside, solve};
use hpfracc_spatial::{Boundary, End, Face, Graph, GraphLaplacian};
use std::f64::consts::PI;
use std::sync::Arc;

#[test]
fn shown_quantities_are_those_of_the_fields() {
    let plane = grid(&[(20, Boundary::Dirichlet), (10, Boundary::Neumann)]);
    let text = "D u = lap(u) + k v; D v = lap(v); k = 3; u(0) = 0; v(0) = 0
        show a = integral(u v); show b = mean(u) + t; show c = max(u) - min(v); show d = k u + x
        show e = integral(grad_x(u)); show f = integral(max(u, mean(v)))";
    let face = Face { axis: 0, end: End::Upper };
    let of_text = problem(text, &plane).boundary(0, face, |t, _| 2.0 * t).unwrap();
    let shown = of_text.shown().unwrap();
    assert_eq!(shown.names(), ["a", "b", "c", "d", "e", "f"]);
    let (u, v) = (plane.sample(|x| x[0] * x[1]), plane.sample(|x| 1.0 - x[1]));
    let rows = shown.at(0.5, &[&u[..], &v].concat());
    let mean = |u: &[f64]| u.iter().sum::<f64>() / u.len() as f64;
    let products: Vec<f64> = u.iter().zip(&v).map(|(u, v)| u * v).collect();
    let largest: Vec<f64> = u.iter().map(|u| u.max(mean(&v))).collect();
    let uniform = [
        (0, plane.integral(&products).unwrap()),
        (1, mean(&u) + 0.5),
        (2, u.iter().copied().fold(0.0, f64::max) - v.iter().copied().fold(1.0, f64::min)),
        // The differences telescope to the values on the faces, 2 t and 0.
        (4, 1.0),
        (5, plane.integral(&largest).unwrap()),
    ];
    for (row, value) in uniform {
        assert!(rows[row].iter().all(|u| (u - value).abs() < 1e-12), "{row} {:?}", &rows[row][..3]);
    }
    let expected: Vec<f64> = (0..200).map(|k| 3.0 * u[k] + plane.coordinates(k)[0]).collect();
    assert!(difference(&rows[3], &expected) < 1e-15);
}

/// Integrals are those of the place: volumes of nodes, and the weights of a graph.
#[test]
fn integrals_of_domains_and_graphs() {
    let text = "D u = lap^0.5(u); u(0) = 1; show a = integral(u); show b = mean(u)";
    let line = ZeroOutside::on(&[(-1.0, 1.0, 3)]).unwrap();
    let equation = FieldEquation::parse(text, &["x"]).unwrap();
    let rows = FieldProblem::zero_outside(equation, line).unwrap().shown().unwrap();
    assert_eq!(rows.at(0.0, &[1.0, 2.0, 6.0]), [[4.5; 3], [3.0; 3]]);
    let path = Graph::undirected(3, &[(0, 1, 1.0), (1, 2, 1.0)]).unwrap();
    let walk = Arc::new(GraphLaplacian::random_walk(&path).unwrap());
    let equation = FieldEquation::parse(text, &[]).unwrap();
    let problem = FieldProblem::with_operator(equation, walk).unwrap();
    let [sum, mean] = &problem.shown().unwrap().at(0.0, &[1.0, 2.0, 6.0])[..] else { panic!() };
    // Degrees 1, 2, 1.
    assert!((sum[0] - 11.0).abs() < 1e-14 && (mean[0] - 2.75).abs() < 1e-14, "{sum:?}");
}

fn with_events(
    problem: &FieldProblem,
    scheme: TimeScheme,
    until: f64,
) -> (f64, Vec<f64>, Vec<f64>) {
    let mut events = problem.events().unwrap();
    let observers = events.iter_mut().map(|event| event as &mut dyn Observer).collect();
    let steps = Some(hpfracc_pde::graded_steps(problem.orders()[0], 200).unwrap());
    let settings = Settings { scheme, steps, observers, ..Settings::default() };
    let solution = solve(&problem.equation().unwrap(), until, settings).unwrap();
    let hits = events[0].hits().iter().map(|hit| hit.t).collect();
    (solution.end(), solution.last().to_vec(), hits)
}

#[test]
fn events_stop_a_solve() {
    let line = grid(&[(40, Boundary::Neumann)]);
    // u = exp(t): mean 2 at ln 2.
    let growth = problem("D u = 0 lap(u) + u; u(0) = 1; when mean(u) = 2 rising: stop", &line);
    assert!(!growth.is_linear());
    let refused = growth.linear_equation().err().unwrap().to_string();
    assert!(refused.contains("events"), "{refused}");
    for (scheme, tolerance) in [
        (TimeScheme::ProductTrapezoid, 1e-4),
        (TimeScheme::L1, 1e-2),
        (TimeScheme::ImplicitExplicit, 1e-3),
    ] {
        let (end, last, hits) = with_events(&growth, scheme, 2.0);
        assert!((end - 2f64.ln()).abs() < tolerance && hits == [end], "{scheme:?} {end}");
        assert!(last.iter().all(|u| (u - 2.0).abs() < 1e-9), "{scheme:?}");
    }
    let falling = problem("D u = u; u(0) = 1; when mean(u) = 2 falling: stop", &line);
    assert_eq!(with_events(&falling, TimeScheme::ProductTrapezoid, 2.0).0, 2.0);
    // Several orders have events by L1.
    let text = "D u + D^0.5 u = lap(u); u(0) = 1 + cos(pi x); when max(u) = 1.5: stop";
    let (end, last, _) = with_events(&problem(text, &line), TimeScheme::L1, 5.0);
    assert!(end < 5.0 && (last.iter().copied().fold(0.0, f64::max) - 1.5).abs() < 1e-9, "{end}");
}

#[test]
fn fields_jump_at_events() {
    let line = grid(&[(10, Boundary::Neumann)]);
    let text = "D u = 0 u; D v = 0 v; u(0) = x; v(0) = 1
        when t = 0.5: u = u + v, v = 3 max(u) x";
    let (end, last, hits) = with_events(&problem(text, &line), TimeScheme::ProductTrapezoid, 1.0);
    assert!(end == 1.0 && hits.len() == 1 && (hits[0] - 0.5).abs() < 1e-9, "{hits:?}");
    let x = line.axes()[0].points();
    let expected: Vec<f64> =
        x.iter().map(|x| x + 1.0).chain(x.iter().map(|x| 3.0 * 0.95 * x)).collect();
    assert!(difference(&last, &expected) < 1e-12);
}

/// A mean takes away what a reaction adds.
#[test]
fn means_conserve_mass() {
    let line = grid(&[(32, Boundary::Neumann)]);
    let text = "D^0.8 u = 0.001 lap(u) + u - u^3 - mean(u - u^3); u(0) = 0.3 + 0.2 cos(pi x)";
    let of_text = problem(text, &line);
    assert!(!of_text.is_linear());
    let solution = solve(&of_text.equation().unwrap(), 3.0, Settings::default()).unwrap();
    let mass = line.integral(solution.last()).unwrap();
    assert!((mass - 0.3).abs() < 1e-9, "{mass}");
    assert!(difference(solution.last(), &line.sample(|x| 0.3 + 0.2 * (PI * x[0]).cos())) > 0.1);
}

#[cfg(feature = "noise")]
#[test]
fn noise_of_a_text_is_that_of_the_equation() {
    use hpfracc_pde::{SpaceTimeNoise, models::Diffusion, solve_path};
    let line = grid(&[(12, Boundary::Dirichlet)]);
    let text = "D^0.8 u = 0.1 lap(u) - s dW/dt; s = 0.3; u(0) = 0";
    let of_text = problem(text, &line);
    assert!(of_text.has_noise() && !of_text.is_linear());
    let refused = of_text.equation().err().unwrap();
    assert!(matches!(refused, PdeError::Noise), "{refused}");
    assert!(of_text.linear_equation().err().unwrap().to_string().contains("noise"));
    let (equation, noise) = of_text.noisy(5).unwrap();
    let same = Diffusion { alpha: 0.8, kappa: 0.1 }.equation(line.clone()).unwrap();
    let same = same.start(&[0.0; 12]).unwrap();
    let of_grid = SpaceTimeNoise::new(0.3, 5).unwrap().on_grid(&line).unwrap();
    let one = solve_path(&equation, 1.0, 20, &noise, 2).unwrap();
    let other = solve_path(&same, 1.0, 20, &of_grid, 2).unwrap();
    assert!(difference(one.last(), other.last()) < 1e-12);
    // A field without noise of its own has none.
    let two = problem("D u = lap(u) + 0.5 dW/dt; D v = lap(v); u(0) = 0; v(0) = 0", &line);
    let (equation, noise) = two.noisy(5).unwrap();
    let path = solve_path(&equation, 1.0, 20, &noise, 0).unwrap();
    let (u, v) = path.last().split_at(12);
    assert!(v.iter().all(|v| *v == 0.0) && u.iter().any(|u| *u != 0.0));
    // Two amplitudes for one field.
    let twice = SpaceTimeNoise::of_fields(&[0.1, 0.2], 5).unwrap();
    let refused = solve_path(&same, 1.0, 20, &twice, 0).err().unwrap().to_string();
    assert!(refused.contains("the list of amplitudes has 2 values, expected 1"), "{refused}");
    assert!(
        SpaceTimeNoise::of_fields(&[], 5).is_err()
            && SpaceTimeNoise::of_fields(&[-1.0], 5).is_err()
    );
}

/// Without the feature, too, a noise is never left out.
#[test]
fn noise_is_not_ignored() {
    let of_text = problem("D u = lap(u) + dW/dt; u(0) = 0", &grid(&[(12, Boundary::Dirichlet)]));
    assert!(matches!(of_text.equation(), Err(PdeError::Noise)));
}
