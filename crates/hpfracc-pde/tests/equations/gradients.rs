//! Gradients with respect to orders, parameters and starts against differences; tangents against
//! adjoints.

use hpfracc_ode::{
    Cotangents, Options, ProductTrapezoid, Steps, Variation, gradient, solve, tangent,
};
use hpfracc_pde::models::{Burgers, CahnHilliard, FisherKpp};
use hpfracc_pde::{Equation, Flux, Reaction, SpectralPower, Term};
use hpfracc_spatial::{
    AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Diffusion, Discretisation, End,
    Face, IntegralLaplacian1d, Laplacian, SkewedLaplacian1d, SpatialOperator,
};
use std::sync::Arc;

const STEPS: usize = 30;

fn steps() -> Steps {
    Steps::Graded { n: STEPS, exponent: 2.0 }
}

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (2.0 * i as f64).sin()).collect()
}

/// `sum_i w_i u_i(1)`.
fn loss(equation: &Equation<'_>) -> f64 {
    let problem = equation.problem(1.0).unwrap();
    let solution = solve(&problem, &ProductTrapezoid, &steps(), Options::default()).unwrap();
    solution.last().iter().zip(weights(equation.len())).map(|(u, w)| u * w).sum()
}

/// Compares the gradient of the loss with differences in each parameter, the order and the initial
/// values (those of `start`, and then velocities if it has more), and with the tangent in a
/// direction of all.
fn check<'a>(name: &str, of: impl Fn(f64, &[f64]) -> Equation<'a>, start: &[f64], alpha: f64) {
    let equation = of(alpha, start);
    let theta = equation.parameters().to_vec();
    let problem = equation.problem(1.0).unwrap();
    let scheme = &ProductTrapezoid;
    let solution = solve(&problem, scheme, &steps(), Options::default()).unwrap();
    let w = weights(equation.len());
    let at = [(STEPS, &w[..])];
    let options = Options::default();
    let bar = gradient(&problem, scheme, &solution, Cotangents::At(&at), &options).unwrap();
    let close = |what: &str, found: f64, of: &dyn Fn(f64) -> f64, size: f64| {
        let h = 2e-4 * size;
        let central = |h: f64| (of(h) - of(-h)) / (2.0 * h);
        let difference = (4.0 * central(h / 2.0) - central(h)) / 3.0;
        let error = (found - difference).abs() / (difference.abs() + 1e-3);
        assert!(error < 1e-7, "{name}, {what}: {found} {difference} {error:e}");
    };
    for k in 0..theta.len() {
        let moved = |h: f64| {
            let mut theta = theta.clone();
            theta[k] += h;
            loss(&of(alpha, start).with_parameters(&theta).unwrap())
        };
        close(&format!("parameter {k}"), bar.parameters[k], &moved, theta[k].abs().max(0.1));
    }
    let by_order = |h: f64| loss(&of(alpha + h, start));
    close("order", bar.orders.iter().sum(), &by_order, 1.0);
    let n = equation.len();
    for i in [0, n / 2, n - 1, start.len() - 1] {
        let moved = |h: f64| {
            let mut start = start.to_vec();
            start[i] += h;
            loss(&of(alpha, &start))
        };
        close(&format!("start {i}"), bar.initial[[i / n, i % n]], &moved, 1.0);
    }
    let mut direction = Variation::zeros(&problem);
    direction.initial.iter_mut().enumerate().for_each(|(i, d)| *d = (i as f64).cos());
    for (i, d) in direction.initial.iter_mut().enumerate().skip(n) {
        // Orders up to 1 have no velocities.
        *d = if problem.order(i - n) > 1.0 { *d } else { 0.0 };
    }
    direction.parameters.iter_mut().enumerate().for_each(|(i, d)| *d = 0.3 + i as f64);
    direction.orders.iter_mut().for_each(|d| *d = 0.7);
    let moved = tangent(&problem, scheme, &solution, &direction, &options).unwrap();
    let last = moved.row(STEPS);
    let forward: f64 = last.iter().zip(&w).map(|(u, w)| u * w).sum();
    let pairs = [
        (
            bar.initial.iter().copied().collect::<Vec<_>>(),
            direction.initial.iter().copied().collect::<Vec<_>>(),
        ),
        (bar.parameters.to_vec(), direction.parameters.to_vec()),
        (bar.orders.to_vec(), direction.orders.to_vec()),
    ];
    let backward: f64 = pairs.iter().flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| a * b).sum();
    let size: f64 =
        pairs.iter().flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| (a * b).abs()).sum();
    assert!((forward - backward).abs() < 1e-12 * size, "{name}: {forward} {backward}");
}

fn axis(n: usize, boundary: Boundary) -> Axis {
    Axis::new(0.0, 1.0, n, [boundary; 2]).unwrap()
}

fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + 0.3 * (1.7 * i as f64).sin()).collect()
}

#[test]
fn tridiagonal_operators() {
    let of = |alpha: f64, start: &[f64]| {
        let grid = BoxGrid::new(vec![axis(16, Boundary::Dirichlet)]).unwrap();
        let equation = FisherKpp { alpha, kappa: 0.1, rate: 2.0 }.equation(grid).unwrap();
        let upper = Face { axis: 0, end: End::Upper };
        let equation = equation.boundary(0, upper, |t, _| 1.0 + t).unwrap();
        equation.source(0, |at| at.x[0] * (1.0 + at.t)).unwrap().start(start).unwrap()
    };
    check("Fisher-KPP", of, &start(16), 0.6);
}

#[test]
fn operators_that_are_not_symmetric() {
    let of = |alpha: f64, start: &[f64]| {
        let diffusion =
            Diffusion::new(BoxGrid::new(vec![axis(14, Boundary::Robin(1.0))]).unwrap(), |x| {
                0.1 + x[0]
            })
            .unwrap();
        let velocity: Vec<f64> = (0..15).map(|i| 0.2 * f64::from(i)).collect();
        let operator =
            AdvectionDiffusion::new(&diffusion, &velocity, AdvectionScheme::Central).unwrap();
        let decay = Reaction::new(
            |_, [u]: &[f64; 1], [k]: &[f64; 1]| [-k * u * u],
            |_, [u], [k]| ([[-2.0 * k * u]], [[-u * u]]),
        );
        let equation = Equation::new(Arc::new(operator)).order(alpha).unwrap();
        equation.term(decay, &[0.7]).unwrap().start(start).unwrap()
    };
    check("advection", of, &start(14), 0.8);
}

#[test]
fn several_fields_on_a_plane() {
    let of = |alpha: f64, start: &[f64]| {
        let grid = BoxGrid::new(vec![
            axis(5, Boundary::Neumann),
            axis(4, Boundary::Dirichlet).with(Discretisation::Legendre).unwrap(),
        ])
        .unwrap();
        let laplacian = Arc::new(Laplacian::new(grid, &[1.0, 1.0]).unwrap());
        let exchange = Reaction::new(
            |_, [u, v]: &[f64; 2], [a, b]: &[f64; 2]| [a * v - b * u * u, u * v - a * v],
            |_, [u, v], [a, b]| ([[-2.0 * b * u, *a], [*v, u - a]], [[*v, -u * u], [-v, 0.0]]),
        );
        let equation = Equation::coupled(vec![laplacian.clone(), laplacian]).unwrap();
        let equation = equation.order(alpha).unwrap().coefficients(&[0.1, 0.03]).unwrap();
        equation.term(exchange, &[0.5, 0.8]).unwrap().start(start).unwrap()
    };
    check("two fields", of, &start(40), 0.7);
}

fn cube() -> impl Term {
    Reaction::new(
        |_, [u]: &[f64; 1], [a]: &[f64; 1]| [a * u * u * u],
        |_, [u], [a]| ([[3.0 * a * u * u]], [[u * u * u]]),
    )
}

#[test]
fn fluxes() {
    let of = |alpha: f64, start: &[f64]| {
        let grid = BoxGrid::new(vec![axis(12, Boundary::Neumann)]).unwrap();
        let laplacian = Arc::new(Laplacian::new(grid, &[0.05]).unwrap());
        let equation = Equation::new(laplacian.clone()).order(alpha).unwrap();
        equation.term(Flux::new(laplacian, cube()), &[1.3]).unwrap().start(start).unwrap()
    };
    check("flux", of, &start(12), 0.5);
    let of = |alpha: f64, start: &[f64]| {
        let axis = Axis::periodic(0.0, 1.0, 12).unwrap();
        Burgers { alpha, nu: 0.1 }.equation(axis).unwrap().start(start).unwrap()
    };
    check("Burgers", of, &start(12), 0.7);
}

/// Orders above 1: the velocities are initial values too.
#[test]
fn orders_above_one() {
    let n = 10;
    let of = |alpha: f64, start: &[f64]| {
        let grid = BoxGrid::new(vec![axis(n, Boundary::Dirichlet)]).unwrap();
        let laplacian = Arc::new(Laplacian::new(grid, &[1.0]).unwrap());
        let equation = Equation::on_box(laplacian).order(alpha).unwrap().coefficient(0.1).unwrap();
        let equation = equation.term(cube(), &[-0.8]).unwrap().start(&start[..n]).unwrap();
        equation.start_velocity(&start[n..]).unwrap()
    };
    check("wave", of, &start(2 * n), 1.4);
}

/// A field of order alpha and one of order alpha + 0.9, whose velocity does not vary with that of
/// the first, which is 0.
#[test]
fn mixed_orders() {
    let n = 5;
    let of = |alpha: f64, start: &[f64]| {
        let grid = BoxGrid::new(vec![axis(n, Boundary::Neumann)]).unwrap();
        let laplacian = Arc::new(Laplacian::new(grid, &[1.0]).unwrap());
        let exchange = Reaction::new(
            |_, [u, v]: &[f64; 2], [a]: &[f64; 1]| [a * v - u * u, -a * u * v],
            |_, [u, v], [a]| ([[-2.0 * u, *a], [-a * v, -a * u]], [[*v], [-u * v]]),
        );
        let equation = Equation::coupled(vec![laplacian.clone(), laplacian]).unwrap();
        let equation = equation.orders(&[alpha, alpha + 0.9]).unwrap();
        let equation = equation.coefficients(&[0.1, 0.05]).unwrap().term(exchange, &[0.7]).unwrap();
        let equation = equation.start(&start[..2 * n]).unwrap();
        equation.start_velocity(&start[2 * n..]).unwrap()
    };
    let mut values = start(4 * n);
    values[2 * n..3 * n].fill(0.0);
    check("mixed orders", of, &values, 0.6);
}

/// Powers in modes, also with weights: Legendre nodes are not equal.
#[test]
fn spectral_powers() {
    for legendre in [false, true] {
        let of = |alpha: f64, start: &[f64]| {
            let second = axis(4, Boundary::Dirichlet);
            let second =
                if legendre { second.with(Discretisation::Legendre).unwrap() } else { second };
            let grid = BoxGrid::new(vec![axis(5, Boundary::Neumann), second]).unwrap();
            let laplacian = Arc::new(Laplacian::new(grid, &[1.0, 1.0]).unwrap());
            let power = Arc::new(SpectralPower::new(laplacian, 0.6).unwrap());
            let equation = Equation::new(power).order(alpha).unwrap().coefficient(0.2).unwrap();
            equation.term(cube(), &[-0.7]).unwrap().start(start).unwrap()
        };
        check("spectral power", of, &start(20), 0.7);
    }
}

#[test]
fn cahn_hilliard() {
    for plane in [false, true] {
        let of = |alpha: f64, start: &[f64]| {
            let axes = if plane {
                vec![axis(5, Boundary::Neumann), Axis::periodic(0.0, 1.0, 4).unwrap()]
            } else {
                vec![axis(20, Boundary::Neumann)]
            };
            let model = CahnHilliard { alpha, epsilon: 0.2 };
            let equation = model.equation(BoxGrid::new(axes).unwrap()).unwrap();
            equation.start(start).unwrap()
        };
        let smooth: Vec<f64> = (0..20).map(|i| 0.2 + 0.3 * (0.3 * f64::from(i)).sin()).collect();
        check("Cahn-Hilliard", of, &smooth, 0.8);
    }
}

/// Operators whose shifted solves are iterative: a symmetric one, and one that is not.
#[test]
fn iterative_shifted_solves() {
    let n = 14;
    for skewed in [false, true] {
        for cubic in [false, true] {
            let of = |alpha: f64, start: &[f64]| {
                let operator: Arc<dyn SpatialOperator> = if skewed {
                    let weights = [1.0, 0.3];
                    let operator =
                        SkewedLaplacian1d::grunwald_letnikov(1.5, weights, (0.0, 1.0), n).unwrap();
                    Arc::new(operator)
                } else {
                    Arc::new(IntegralLaplacian1d::new(1.3, (0.0, 1.0), n).unwrap())
                };
                let equation = Equation::new(operator).order(alpha).unwrap();
                let equation = equation.coefficient(0.1).unwrap();
                let equation =
                    if cubic { equation.term(cube(), &[-0.7]).unwrap() } else { equation };
                equation.start(start).unwrap()
            };
            check(if skewed { "skewed" } else { "integral" }, of, &start(n), 0.7);
        }
    }
}
