//! Equations from text against ready equations, closed forms and differences.

mod derivatives;
mod orders;
mod places;
mod refusals;
mod watched;

use hpfracc_equation::FieldEquation;
use hpfracc_pde::hpfracc_ode::System;
use hpfracc_pde::models::{AllenCahn, Cattaneo, CattaneoForm, GrayScott, PorousMedium};
use hpfracc_pde::{FieldProblem, MethodOfLines, Settings, solve, solve_linear};
use hpfracc_spatial::{Axis, Boundary, BoxGrid, End, Face, Graph, GraphLaplacian, SpatialOperator};
use std::f64::consts::PI;
use std::sync::Arc;

pub(crate) const NAMES: [&str; 3] = ["x", "y", "z"];

pub(crate) fn grid(shape: &[(usize, Boundary)]) -> BoxGrid {
    let axis = |&(n, boundary): &(usize, Boundary)| Axis::new(0.0, 1.0, n, [boundary; 2]).unwrap();
    BoxGrid::new(shape.iter().map(axis).collect()).unwrap()
}

pub(crate) fn problem(text: &str, grid: &BoxGrid) -> FieldProblem {
    let equation = FieldEquation::parse(text, &NAMES[..grid.dim()]);
    FieldProblem::on_box(equation.unwrap_or_else(|e| panic!("{e}")), grid.clone()).unwrap()
}

/// Right-hand side at a state.
fn rhs(problem: &FieldProblem, t: f64, u: &[f64]) -> Vec<f64> {
    let mut f = vec![0.0; u.len()];
    MethodOfLines::new(problem.equation().unwrap()).rhs(t, u, &mut f);
    f
}

pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn texts_are_the_ready_equations() {
    let grid = grid(&[(40, Boundary::Neumann)]);
    let start = |x: &[f64]| 0.2 + 0.1 * (PI * x[0]).cos();
    let text = |equation: &str| format!("{equation}; u(0) = 0.2 + 0.1 cos(pi x)");
    let last = |equation: &hpfracc_pde::Equation<'_>| {
        solve(equation, 0.5, Settings::default()).unwrap().last().to_vec()
    };

    let model = AllenCahn { alpha: 0.7, epsilon: 0.1 };
    let ready = model.equation(grid.clone()).unwrap().start_from(start).unwrap();
    let text_of = text("D^alpha u = epsilon^2 lap(u) + u - u^3; alpha = 0.7; epsilon = 0.1");
    let same = problem(&text_of, &grid).equation().unwrap();
    assert!(difference(&last(&ready), &last(&same)) < 1e-11);

    // Waves, without steps.
    let velocity = "u'(0) = 0";
    let model = Cattaneo { alpha: 0.7, tau: 2.0, kappa: 0.3, form: CattaneoForm::Subdiffusive };
    let ready = model.equation(grid.clone()).unwrap().start_from(start).unwrap();
    let ready = ready.start_velocity(&[0.0; 40]).unwrap();
    let entry = hpfracc_pde::catalogue::named("cattaneo").unwrap().text;
    let same = problem(&format!("{}; {velocity}", text(entry)), &grid);
    let same = ["alpha", "tau", "kappa"]
        .into_iter()
        .zip([0.7, 2.0, 0.3])
        .fold(same, |p, (name, value)| p.with_value(name, value).unwrap());
    let at_two = |equation| solve_linear(equation, &[2.0], 1e-10).unwrap().remove(0);
    assert!(difference(&at_two(&ready), &at_two(&same.linear_equation().unwrap())) < 1e-9);

    let model = PorousMedium { alpha: 0.8, m: 2.0 };
    let ready = model.equation(grid.clone()).unwrap().start_from(start).unwrap();
    let same = problem(&text("D^0.8 u = lap(u^2)"), &grid).equation().unwrap();
    assert!(difference(&last(&ready), &last(&same)) < 1e-8);
    // The same flux as the gradient of u times 2 u, with the mean of two cells: exactly equal.
    let same = problem(&text("D^0.8 u = div(2 u grad(u))"), &grid).equation().unwrap();
    assert!(difference(&last(&ready), &last(&same)) < 1e-8);
}

#[test]
fn two_fields_on_a_plane() {
    let axes = [12, 10].map(|n| Axis::periodic(0.0, 1.0, n).unwrap());
    let grid = BoxGrid::new(axes.to_vec()).unwrap();
    let model = GrayScott { alpha: 0.9, s: 0.8, diffusion: [2e-2, 1e-2], feed: 0.04, kill: 0.06 };
    let text =
        "D^0.9 u = 0.02 lap^0.8(u) - u v^2 + F (1 - u); D^0.9 v = -0.01 (-lap)^0.8(v) + u v^2 - (F + k) v
        F = 0.04; k = 0.06; u(0) = 1 - 0.5 sin(pi x)^2; v(0) = 0.3 cos(pi y)^2";
    let mut start = grid.sample(|x| 1.0 - 0.5 * (PI * x[0]).sin().powi(2));
    start.extend(grid.sample(|x| 0.3 * (PI * x[1]).cos().powi(2)));
    let ready = model.equation(grid.clone()).unwrap().start(&start).unwrap();
    let same = problem(text, &grid).equation().unwrap();
    let [one, other] = [&ready, &same]
        .map(|equation| solve(equation, 1.0, Settings::default()).unwrap().last().to_vec());
    assert!(difference(&one, &other) < 1e-11);
}

/// Fields with values on the boundary, in terms and in the linear part.
#[test]
fn boundary_values_reach_all_operators() {
    // u = 1 + x: second derivatives vanish.
    let grid = grid(&[(20, Boundary::Dirichlet)]);
    let u = grid.sample(|x| 1.0 + x[0]);
    let with_values = |text: &str| {
        let face = |end| Face { axis: 0, end };
        problem(&format!("{text}; u(0) = 1"), &grid)
            .boundary(0, face(End::Lower), |_, _| 1.0)
            .and_then(|p| p.boundary(0, face(End::Upper), |t, _| 2.0 + 0.0 * t))
            .unwrap()
    };
    let zero = vec![0.0; 20];
    for text in ["D u = 0.3 lap(u)", "D u = div(grad(u) + 0 u grad(u))", "D u = div(2 grad(u))"] {
        assert!(difference(&rhs(&with_values(text), 0.0, &u), &zero) < 1e-10, "{text}");
    }
    let one = vec![1.0; 20];
    assert!(difference(&rhs(&with_values("D u = grad(u)"), 0.0, &u), &one) < 1e-11);
    // Expressions take their value from the fields there: (1 + x)^2 has the second derivative 2,
    // and is 2 h^2/8 off at the boundary.
    let f = rhs(&with_values("D u = lap(u^2)"), 0.0, &u);
    assert!(difference(&f[1..19], &[2.0; 18]) < 1e-10, "{f:?}");
    assert!((f[0] - 1.5).abs() < 1e-10);
    let f = rhs(&with_values("D u = div(u)"), 0.0, &u);
    assert!(difference(&f, &one) < 1e-11);
    // div((1 + x) grad(u)) = 1 whatever the way.
    for text in ["D u = div((1 + x) grad(u))", "D u = div(u grad(u))"] {
        assert!(difference(&rhs(&with_values(text), 0.0, &u), &one) < 1e-10, "{text}");
    }
}

#[test]
fn operators_on_several_axes() {
    let axes = vec![
        Axis::periodic(0.0, 1.0, 16).unwrap(),
        Axis::new(0.0, 1.0, 12, [Boundary::Neumann, Boundary::Dirichlet]).unwrap(),
    ];
    let grid = BoxGrid::new(axes).unwrap();
    let u = grid.sample(|x| (2.0 * PI * x[0]).sin() * (0.5 * PI * x[1]).cos());
    // Products of sines are eigenvectors of the differences.
    let second = |h: f64, k: f64| -(2.0 * (0.5 * k * h).sin() / h).powi(2);
    let lambda = second(1.0 / 16.0, 2.0 * PI) + second(1.0 / 12.0, 0.5 * PI);
    let scaled = |c: f64| u.iter().map(|u| c * u).collect::<Vec<_>>();
    for (text, c) in [
        ("D u = lap(u)", lambda),
        ("D u = u - u + div(grad(u))", lambda),
        ("D u = 0 u + div((1 + 0 u) grad(u))", lambda),
        ("D u = -(-lap)^0.3(u)", -(-lambda).powf(0.3)),
        ("D u = lap(lap(u))", lambda * lambda),
        ("D u = -(-lap)^2(u)", -lambda * lambda),
    ] {
        let f = rhs(&problem(&format!("{text}; u(0) = 1"), &grid), 0.0, &u);
        assert!(difference(&f, &scaled(c)) < 1e-11 * lambda * lambda, "{text}");
    }
    let along = rhs(&problem("D u = grad_x(u); u(0) = 1", &grid), 0.0, &u);
    let slope = (2.0 * PI / 16.0).sin() * 16.0;
    let expected = grid.sample(|x| slope * (2.0 * PI * x[0]).cos() * (0.5 * PI * x[1]).cos());
    assert!(difference(&along, &expected) < 1e-11);
}

/// Mass is conserved by fluxes, whatever they depend on.
#[test]
fn fluxes_conserve_mass() {
    let grid = grid(&[(9, Boundary::Neumann), (7, Boundary::Neumann)]);
    let text = "D u = div((1 + u^2 + x y) grad(exp(u))) + div(grad(lap(u))) + lap(u^3); u(0) = 1";
    let u = grid.sample(|x| (3.0 * x[0]).sin() + x[1] * x[1]);
    let f = rhs(&problem(text, &grid), 0.0, &u);
    let size = grid.integral(&f.iter().map(|f| f.abs()).collect::<Vec<_>>()).unwrap();
    assert!(grid.integral(&f).unwrap().abs() < 1e-13 * size);
}

#[test]
fn linear_equations_need_no_steps() {
    let grid = grid(&[(30, Boundary::Dirichlet)]);
    let text = "D^1.4 u = k lap^s(u) + q x; k = 0.2; s = 0.8; q = 2; u(0) = sin(pi x); u'(0) = x";
    let linear = problem(text, &grid);
    assert!(linear.is_linear());
    let exact = solve_linear(&linear.linear_equation().unwrap(), &[1.0], 1e-11).unwrap();
    let steps = Some(hpfracc_pde::graded_steps(1.4, 800).unwrap());
    let settings = Settings { steps, ..Settings::default() };
    let stepped = solve(&linear.equation().unwrap(), 1.0, settings).unwrap();
    assert!(difference(&exact[0], stepped.last()) < 2e-5);
    for text in ["D u = lap(u) + t; u(0) = 1", "D u = lap(u) - u; u(0) = 1"] {
        assert!(!problem(text, &grid).is_linear(), "{text}");
    }
}

/// A graph has a Laplacian and no coordinates.
#[test]
fn graphs_take_texts() {
    let graph = Graph::ring(12).unwrap();
    let laplacian: Arc<dyn SpatialOperator> =
        Arc::new(GraphLaplacian::combinatorial(&graph).unwrap());
    let text = "D^0.8 u = 0.5 lap(u) + u (1 - u); u(0) = 0.3";
    let equation = FieldEquation::parse(text, &[]).unwrap();
    let problem = FieldProblem::with_operator(equation, laplacian).unwrap();
    let u = solve(&problem.equation().unwrap(), 1.0, Settings::default()).unwrap();
    assert!(u.last().iter().all(|v| (v - u.last()[0]).abs() < 1e-12 && *v > 0.4));
}

#[test]
fn ready_texts_are_solved() {
    for entry in hpfracc_pde::catalogue::ENTRIES {
        for dimensions in 1..=entry.dimensions.min(2) {
            let equation = entry.equation(dimensions).unwrap();
            let shape = [(24, Boundary::Neumann), (16, Boundary::Neumann)];
            let problem = FieldProblem::on_box(equation, grid(&shape[..dimensions])).unwrap();
            let steps = hpfracc_pde::graded_steps(0.8, 200).unwrap();
            let settings = Settings { steps: Some(steps), ..Settings::default() };
            let last = match problem.text().has_single_orders() {
                true => problem.equation().and_then(|equation| {
                    solve(&equation, 0.5, settings).map(|solution| solution.last().to_vec())
                }),
                false => problem.linear_equation().and_then(|equation| {
                    solve_linear(&equation, &[0.5], 1e-9).map(|mut fields| fields.remove(0))
                }),
            };
            let last = last.unwrap_or_else(|e| panic!("{} {dimensions}: {e}", entry.name));
            assert!(last.iter().all(|u| u.abs() < 20.0), "{}", entry.name);
        }
        assert!(entry.equation(4).is_err());
    }
}

/// Fields that threads share, in blocks, have the values of a small one with the same columns.
#[test]
fn large_fields_are_computed_in_blocks() {
    let text = "D u = lap(u) + div((1 + u^2) grad(u)) + r u (1 - u) + x; r = 2; u(0) = 0";
    let of = |columns: usize| {
        let axes = vec![
            Axis::new(0.0, 1.0, 180, [Boundary::Dirichlet, Boundary::Neumann]).unwrap(),
            Axis::periodic(0.0, columns as f64 / 8.0, columns).unwrap(),
        ];
        let grid = BoxGrid::new(axes).unwrap();
        let u = grid.sample(|x| (2.0 * x[0]).sin() + x[0] * (2.0 * PI * x[1]).cos());
        let face = Face { axis: 0, end: End::Lower };
        let problem = problem(text, &grid).boundary(0, face, |t, _| t).unwrap();
        rhs(&problem, 0.3, &u)
    };
    let (small, large) = (of(8), of(232));
    let expected = (0..180 * 232).map(|k| small[k / 232 * 8 + k % 8]).collect::<Vec<_>>();
    let size = small.iter().map(|f| f.abs()).fold(0.0, f64::max);
    assert!(difference(&large, &expected) < 1e-12 * size);
}
