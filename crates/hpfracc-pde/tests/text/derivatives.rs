//! Derivatives of equations from text.

use super::{grid, problem};
use hpfracc_pde::hpfracc_ode::{Differentiable, System};
use hpfracc_pde::{FieldProblem, MethodOfLines};
use hpfracc_spatial::{Boundary, End, Face};

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    (0..n).map(|i| ((i as f64 + 1.0) * (seed as f64 + 0.7)).sin()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Products with the Jacobian against differences, and transposed ones against them.
fn check(problem: &FieldProblem, what: &str) {
    let equation = problem.equation().unwrap();
    let theta = equation.parameters().to_vec();
    let system = MethodOfLines::new(equation.clone());
    let n = equation.len();
    let u: Vec<f64> = numbers(n, 1).iter().map(|u| 1.3 + 0.4 * u).collect();
    let (du, mut dtheta, fbar) = (numbers(n, 2), numbers(theta.len(), 3), numbers(n, 4));
    for (dtheta, theta) in dtheta.iter_mut().zip(&theta[..equation.field_count()]) {
        // A field without a linear part has the coefficient 0.
        *dtheta *= f64::from(*theta > 0.0);
    }
    let mut df = vec![0.0; n];
    system.jvp(0.3, &u, &du, &dtheta, &mut df);

    let moved = |h: f64| {
        let at: Vec<f64> = u.iter().zip(&du).map(|(u, du)| u + h * du).collect();
        let theta: Vec<f64> = theta.iter().zip(&dtheta).map(|(t, dt)| t + h * dt).collect();
        let mut f = vec![0.0; n];
        let moved = equation.clone().with_parameters(&theta).unwrap();
        MethodOfLines::new(moved).rhs(0.3, &at, &mut f);
        f
    };
    let (above, below) = (moved(1e-5), moved(-1e-5));
    let size = df.iter().map(|d| d.abs()).fold(1.0, f64::max);
    for (i, df) in df.iter().enumerate() {
        let difference = (above[i] - below[i]) / 2e-5;
        assert!((df - difference).abs() < 1e-7 * size, "{what}: {df} {difference}");
    }

    let (mut ubar, mut thetabar) = (vec![0.0; n], vec![0.0; theta.len()]);
    system.vjp(0.3, &u, &fbar, &mut ubar, &mut thetabar);
    let (forward, backward) = (dot(&df, &fbar), dot(&ubar, &du) + dot(&thetabar, &dtheta));
    let scale = dot(&df, &df).sqrt() * dot(&fbar, &fbar).sqrt();
    assert!((forward - backward).abs() < 1e-12 * scale, "{what}: {forward} {backward}");
}

#[test]
fn products_with_jacobians() {
    for text in [
        "D u = 0.3 lap(u) + r u (1 - u/K); r = 2; K = 3",
        "D u = 0.3 lap(u) + a lap(u^m); a = 0.2; m = 2",
        "D u = 0.3 lap(u) + div((a + u^2 sin(x)) grad(exp(b u))); a = 1; b = 0.5",
        "D u = 0.3 lap(u) - a div(u^2) + grad(lap(u) u)^2/100; a = 1",
        "D u = 0.3 lap(u) + (lap(u) - a)^2/1000; a = 1",
        "D u = 0.3 lap(u) + b (-lap)^0.4(u^2) + t x; b = -1",
        "D u = 0.3 lap(u) + a u (1 - mean(u^2)) - integral(x grad(u)) u; a = 2",
    ] {
        for boundary in [Boundary::Dirichlet, Boundary::Neumann, Boundary::Periodic] {
            let line = grid(&[(9, boundary)]);
            let mut problem = problem(&format!("{text}; u(0) = 1"), &line);
            if boundary != Boundary::Periodic && !text.contains("(-lap)") {
                let face = Face { axis: 0, end: End::Upper };
                problem = problem.boundary(0, face, |t, _| 0.5 + t).unwrap();
            }
            check(&problem, &format!("{text} {boundary:?}"));
        }
    }
    let plane = grid(&[(4, Boundary::Neumann), (5, Boundary::Dirichlet)]);
    let text = "D u = 0.3 lap(u) - a div([u v, u^2]); a = 1
        D^0.8 v = div((1 + u) grad(v) + v grad(u)) + grad_y(u) v; u(0) = 1; v(0) = 1";
    check(&problem(text, &plane), "two fields on a plane");
}
