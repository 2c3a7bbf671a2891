//! Systems and operators without symmetry against collocation of the equations of their points,
//! which shares nothing with this crate.

use crate::reference::{by_collocation, largest};
use hpfracc_pde::models::{AdvectionDiffusion, GrayScott};
use hpfracc_pde::{Equation, Reaction, Settings, TimeScheme, graded_steps, solve, solve_linear};
use hpfracc_spatial::{AdvectionScheme, Axis, Boundary, BoxGrid, Laplacian};
use hpfracc_special::mittag_leffler;
use hpfracc_testkit::observed_order;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Solution at t = 1 by n graded steps.
fn stepped(equation: &Equation<'_>, scheme: TimeScheme, alpha: f64, n: usize) -> Vec<f64> {
    let steps = Some(graded_steps(alpha, n).unwrap());
    let settings = Settings { scheme, steps, ..Settings::default() };
    solve(equation, 1.0, settings).unwrap().last().to_vec()
}

/// Checks that steps converge to a reference with order 2.
fn check_order_two(equation: &Equation<'_>, scheme: TimeScheme, alpha: f64, exact: &[f64]) {
    let error = |n: usize| (1.0 / n as f64, largest(&stepped(equation, scheme, alpha, n), exact));
    let errors = [error(100), error(200), error(400)];
    let order = observed_order(&errors);
    assert!((order - 2.0).abs() < 0.2, "{scheme:?}, order {alpha}: {order}, {errors:?}");
}

/// Entries of the spectral power s of the periodic second difference on n points of spacing h, by
/// the sum of its modes.
fn periodic_power(n: usize, h: f64, s: f64) -> Vec<f64> {
    let eigenvalue = |k: usize| (2.0 / h * (PI * k as f64 / n as f64).sin()).powi(2).powf(s);
    let entry = |d: usize| {
        let mode = |k: usize| eigenvalue(k) * (TAU * (k * d) as f64 / n as f64).cos();
        (1..n).map(mode).sum::<f64>() / n as f64
    };
    (0..n * n).map(|at| entry((at / n).abs_diff(at % n))).collect()
}

#[test]
fn gray_scott() {
    let (n, feed, kill, d) = (8, 0.5, 0.06, [3e-3, 1e-3]);
    let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, n).unwrap()]).unwrap();
    let mut start = vec![1.0; 2 * n];
    start[n..].copy_from_slice(&grid.sample(|x| 1.0 + (TAU * x[0]).sin()));
    for (alpha, s) in [(0.6, 1.0), (0.9, 0.7)] {
        let power = periodic_power(n, 1.0 / n as f64, s);
        let rhs = |_: f64, c: &[f64], f: &mut [f64]| {
            for i in 0..n {
                let row = &power[i * n..][..n];
                let spread = |c: &[f64]| row.iter().zip(c).map(|(a, c)| a * c).sum::<f64>();
                let (u, v) = (c[i], c[n + i]);
                f[i] = -d[0] * spread(&c[..n]) - u * v * v + feed * (1.0 - u);
                f[n + i] = -d[1] * spread(&c[n..]) + u * v * v - (feed + kill) * v;
            }
        };
        let exact = by_collocation(&[alpha], 1.0, &[&start], rhs);
        let model = GrayScott { alpha, s, diffusion: d, feed, kill };
        let equation = model.equation(grid.clone()).unwrap().start(&start).unwrap();
        for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit] {
            check_order_two(&equation, scheme, alpha, &exact);
        }
    }
}

/// Fields of different orders, one above 1, that react with each other.
#[test]
fn mixed_orders() {
    let (n, orders) = (6, [0.6, 1.5]);
    let (h, d) = (1.0 / n as f64, [0.05, 0.02]);
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap()]).unwrap();
    let laplacian = Arc::new(Laplacian::new(grid, &[1.0]).unwrap());
    let exchange = Reaction::new(
        |_, [u, v]: &[f64; 2], [a]: &[f64; 1]| [a * v - u * u, -a * u * v],
        |_, [u, v], [a]| ([[-2.0 * u, *a], [-a * v, -a * u]], [[*v], [-u * v]]),
    );
    let start: Vec<f64> = (0..2 * n).map(|i| 0.6 + 0.3 * (i as f64).sin()).collect();
    let mut velocity = vec![0.0; 2 * n];
    velocity[n..].iter_mut().enumerate().for_each(|(i, v)| *v = 0.4 * (i as f64).cos());
    let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
        for field in 0..2 {
            for i in 0..n {
                let u = &y[field * n..][..n];
                let (before, after) = (u[i.saturating_sub(1)], u[(i + 1).min(n - 1)]);
                f[field * n + i] = d[field] * (before - 2.0 * u[i] + after) / (h * h);
            }
        }
        for i in 0..n {
            f[i] += 0.7 * y[n + i] - y[i] * y[i];
            f[n + i] -= 0.7 * y[i] * y[n + i];
        }
    };
    let each: Vec<f64> = (0..2 * n).map(|i| orders[i / n]).collect();
    let exact = by_collocation(&each, 1.0, &[&start, &velocity], rhs);
    let equation = Equation::coupled(vec![laplacian.clone(), laplacian]).unwrap();
    let equation = equation.orders(&orders).unwrap().coefficients(&d).unwrap();
    let equation = equation.term(exchange, &[0.7]).unwrap();
    let equation = equation.start(&start).unwrap().start_velocity(&velocity).unwrap();
    for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit] {
        check_order_two(&equation, scheme, 0.6, &exact);
    }
}

/// Without reactions each field of a system decays by the function of its own order.
#[test]
fn mixed_orders_without_steps() {
    let n = 30;
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).unwrap()]);
    let grid = grid.unwrap();
    let laplacian = Arc::new(Laplacian::new(grid.clone(), &[1.0]).unwrap());
    let mode = grid.sample(|x| (2.0 * PI * x[0]).sin());
    let lambda = (4.0 * (n * n) as f64) * (PI / n as f64).sin().powi(2);
    let zero = vec![0.0; n];
    let equation = Equation::coupled(vec![laplacian.clone(), laplacian]).unwrap();
    let equation = equation.orders(&[0.4, 1.7]).unwrap().coefficients(&[0.1, 0.3]).unwrap();
    let equation = equation.start(&[&mode[..], &mode].concat()).unwrap();
    let equation = equation.start_velocity(&[&zero[..], &mode].concat()).unwrap();
    let found = solve_linear(&equation, &[0.8], 1e-10).unwrap();
    let t = 0.8f64;
    let e = |alpha: f64, beta: f64, c: f64| {
        mittag_leffler(alpha, beta, -c * lambda * t.powf(alpha)).unwrap()
    };
    let factors = [e(0.4, 1.0, 0.1), e(1.7, 1.0, 0.3) + t * e(1.7, 2.0, 0.3)];
    for (factor, u) in factors.iter().zip(found[0].chunks_exact(n)) {
        let exact: Vec<f64> = mode.iter().map(|m| factor * m).collect();
        assert!(largest(u, &exact) < 1e-12);
    }
}

#[test]
fn advection_and_diffusion() {
    let (n, kappa) = (10, 0.1);
    let h = 1.0 / n as f64;
    let v = |x: f64| 1.0 + 0.5 * (TAU * x).sin();
    let start: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
    for (scheme, upwind) in [(AdvectionScheme::Central, 0.0), (AdvectionScheme::Upwind, 1.0)] {
        // Flux through the face before cell i.
        let flux = |u: &[f64], i: usize| {
            let (left, right, v) = (u[(i + n - 1) % n], u[i % n], v(i as f64 * h));
            let advected = if upwind > 0.0 { v * left } else { 0.5 * v * (left + right) };
            advected - kappa * (right - left) / h
        };
        let rhs = |_: f64, u: &[f64], f: &mut [f64]| {
            (0..n).for_each(|i| f[i] = (flux(u, i) - flux(u, i + 1)) / h);
        };
        let exact = by_collocation(&[0.7], 1.0, &[&start], rhs);
        let axis = Axis::periodic(0.0, 1.0, n).unwrap();
        let model = AdvectionDiffusion { alpha: 0.7, kappa, scheme };
        let equation = model.equation(axis, v).unwrap().start(&start).unwrap();
        check_order_two(&equation, TimeScheme::ProductTrapezoid, 0.7, &exact);
    }
}
