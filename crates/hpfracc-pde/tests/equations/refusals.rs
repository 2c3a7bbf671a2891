//! Bad input: typed errors that name value and place.

use hpfracc_ode::System;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{OdeError, Steps};
use hpfracc_pde::models::{
    AdvectionDiffusion, AllenCahn, Burgers, Diffusion, FisherKpp, FokkerPlanck, PorousMedium,
};
use hpfracc_pde::{
    Equation, Flux, MethodOfLines, PdeError, Reaction, Settings, State, Term, graded_steps, solve,
    solve_linear,
};
use hpfracc_spatial::{
    AdvectionScheme, Axis, Boundary, BoxGrid, End, Face, Laplacian, SpatialError,
};
use hpfracc_spatial::{Graph, GraphLaplacian};
use std::sync::Arc;

fn grid(n: usize) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).unwrap()]).unwrap()
}

fn diffusion() -> Equation<'static> {
    Diffusion { alpha: 0.5, kappa: 1.0 }.equation(grid(8)).unwrap()
}

#[test]
fn orders_and_coefficients() {
    for alpha in [0.0, -0.5, 2.0, 2.5, f64::NAN] {
        let found = diffusion().order(alpha);
        assert!(matches!(found, Err(PdeError::OutOfRange { what: "the order alpha", value, .. })
            if value.to_bits() == alpha.to_bits()));
        assert!(graded_steps(alpha, 10).is_err());
    }
    for kappa in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Diffusion { alpha: 0.5, kappa }.equation(grid(8)).is_err());
        assert!(FisherKpp { alpha: 0.5, kappa, rate: 1.0 }.equation(grid(8)).is_err());
        assert!(FisherKpp { alpha: 0.5, kappa: 1.0, rate: kappa }.equation(grid(8)).is_err());
        assert!(AllenCahn { alpha: 0.5, epsilon: kappa }.equation(grid(8)).is_err());
        assert!(diffusion().coefficient(kappa).is_err());
    }
    assert!(matches!(graded_steps(0.5, 0), Err(PdeError::OutOfRange { value: 0.0, .. })));
    assert!(matches!(
        diffusion().orders(&[0.5, 0.5]),
        Err(PdeError::Length { found: 2, expected: 1, .. })
    ));
}

#[test]
fn starts() {
    let mut u = [1.0; 8];
    u[5] = f64::NAN;
    let found = diffusion().start(&u);
    assert!(matches!(found, Err(PdeError::NotFinite { field: 0, index: 5, .. })));
    let found = diffusion().start(&[1.0; 7]);
    assert!(matches!(found, Err(PdeError::Length { found: 7, expected: 8, .. })));
    let found = diffusion().start_from(|x| 1.0 / (x[0] - x[0]));
    assert!(matches!(found, Err(PdeError::NotFinite { index: 0, .. })));
    let found = solve(&diffusion(), 1.0, Settings::default());
    assert!(matches!(found, Err(PdeError::NoStart)));
    let wave = diffusion().order(1.5).unwrap().start(&[1.0; 8]).unwrap();
    let found = solve(&wave, 1.0, Settings::default());
    assert!(matches!(found, Err(PdeError::NoVelocity { field: 0, alpha: 1.5 })));
    let found = solve_linear(&wave, &[1.0], 1e-9);
    assert!(matches!(found, Err(PdeError::NoVelocity { .. })));
    let useless = diffusion().start(&[1.0; 8]).unwrap().start_velocity(&[2.0; 8]).unwrap();
    let found = solve(&useless, 1.0, Settings::default());
    assert!(matches!(
        found,
        Err(PdeError::Ode(OdeError::InitialUnused { component: 0, value: 2.0, .. }))
    ));
    // A start that disagrees with the boundary values is none of these.
    let fine = diffusion().start(&[1.0; 8]).unwrap();
    assert!(solve(&fine, 1.0, Settings::default()).is_ok());
}

#[test]
fn sources_name_time_and_point() {
    let equation = diffusion().start(&[1.0; 8]).unwrap();
    let bad = equation
        .clone()
        .source(0, |at| if at.t > 0.5 && at.index == 2 { f64::NAN } else { 0.0 })
        .unwrap();
    let settings = Settings { steps: Some(Steps::Uniform(10)), ..Settings::default() };
    match solve(&bad, 1.0, settings) {
        Err(PdeError::SourceNotFinite { field: 0, t, index: 2, point, value }) => {
            assert!((t - 0.6).abs() < 1e-12 && value.is_nan());
            assert_eq!(point, [0.3125]);
        }
        other => panic!("{other:?}"),
    }
    let found = equation.clone().constant_source(0, &[f64::INFINITY; 8]);
    assert!(matches!(found, Err(PdeError::NotFinite { index: 0, .. })));
    assert!(equation.clone().source(1, |_| 0.0).is_err());
    let exploding = Reaction::new(
        |at, [u]: &[f64; 1], _: &[f64; 0]| [if at.index == 3 { u / 0.0 } else { 0.0 }],
        |_, _, _| ([[0.0]], [[]]),
    );
    let found = solve(&equation.term(exploding, &[]).unwrap(), 1.0, Settings::default());
    assert!(matches!(found, Err(PdeError::RightSideNotFinite { index: 3, .. })), "{found:?}");
}

#[test]
fn boundaries() {
    let nowhere = Face { axis: 1, end: End::Lower };
    let found = diffusion().constant_boundary(0, nowhere, 1.0);
    assert!(matches!(found, Err(PdeError::Spatial(SpatialError::Axis { axis: 1, .. }))));
    let face = Face { axis: 0, end: End::Lower };
    assert!(diffusion().constant_boundary(0, face, f64::NAN).is_err());
    let graph = GraphLaplacian::combinatorial(&Graph::ring(5).unwrap()).unwrap();
    let on_graph = Equation::new(Arc::new(graph));
    let found = on_graph.clone().boundary(0, face, |_, _| 0.0);
    assert!(matches!(found, Err(PdeError::NoBox { .. })));
    assert!(matches!(on_graph.clone().start_from(|_| 0.0), Err(PdeError::NoBox { .. })));
    assert!(matches!(
        on_graph.with_grid(&grid(8)),
        Err(PdeError::Length { found: 8, expected: 5, .. })
    ));
}

#[test]
fn equations_that_need_steps() {
    let model = AllenCahn { alpha: 0.5, epsilon: 0.1 };
    let equation = model.equation(grid(8)).unwrap().start(&[0.5; 8]).unwrap();
    let found = solve_linear(&equation, &[1.0], 1e-9);
    assert!(matches!(found, Err(PdeError::NotLinear { what: "nonlinear terms" })));
    let equation = diffusion().start(&[1.0; 8]).unwrap();
    for t in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(solve_linear(&equation, &[t], 1e-9), Err(PdeError::OutOfRange { .. })));
    }
    assert!(solve_linear(&equation, &[1.0], 0.0).is_err());
}

/// A field whose history does not fit into memory is refused before the first step.
#[test]
fn memory() {
    let axis = || Axis::periodic(0.0, 1.0, 1000).unwrap();
    let grid = BoxGrid::new(vec![axis(), axis()]).unwrap();
    let laplacian = Arc::new(Laplacian::new(grid, &[1.0, 1.0]).unwrap());
    let equation = Equation::new(laplacian).order(0.5).unwrap();
    let equation = equation.start(&vec![0.0; 1_000_000]).unwrap();
    let steps = Some(Steps::Graded { n: 1_000_000, exponent: 2.0 });
    let history = HistoryChoice::Direct;
    let found = solve(&equation, 1.0, Settings { steps, history, ..Settings::default() });
    assert!(matches!(found, Err(PdeError::Ode(OdeError::Memory(_)))), "{found:?}");
}

/// Operators with a complex spectrum have no solution without steps.
#[test]
fn operators_that_are_not_self_adjoint() {
    let axis = Axis::periodic(0.0, 1.0, 8).unwrap();
    let scheme = AdvectionScheme::Upwind;
    let model = AdvectionDiffusion { alpha: 0.5, kappa: 0.1, scheme };
    let advection = model.equation(axis, |_| 1.0).unwrap().start(&[1.0; 8]).unwrap();
    let found = solve_linear(&advection, &[1.0], 1e-9);
    assert!(matches!(found, Err(PdeError::NotSelfAdjoint { field: 0 })));
    assert!(found.unwrap_err().to_string().contains("the operator of field 0"));
    assert!(solve(&advection, 1.0, Settings::default()).is_ok());
    let trap = FokkerPlanck { alpha: 0.5, kappa: 0.1 }.equation((-1.0, 1.0), 8, |x| x).unwrap();
    let found = solve_linear(&trap.start(&[1.0; 8]).unwrap(), &[1.0], 1e-9);
    assert!(matches!(found, Err(PdeError::NotSelfAdjoint { field: 0 })));
}

/// Velocities belong to fields with orders above 1, with steps and without.
#[test]
fn velocities() {
    let refused = |found: PdeError, place: usize| match found {
        PdeError::Ode(OdeError::InitialUnused { derivative: 1, component, value, alpha }) => {
            assert_eq!((component, value), (place, 2.0));
            assert!(alpha <= 1.0);
        }
        other => panic!("{other:?}"),
    };
    let mut velocity = [0.0; 8];
    let idle = diffusion().start(&[1.0; 8]).unwrap();
    let with = idle.clone().start_velocity(&velocity).unwrap();
    assert_eq!(
        solve_linear(&with, &[1.0], 1e-9).unwrap(),
        solve_linear(&idle, &[1.0], 1e-9).unwrap()
    );
    velocity[3] = 2.0;
    for alpha in [0.5, 1.0] {
        let equation = idle.clone().order(alpha).unwrap().start_velocity(&velocity).unwrap();
        refused(solve_linear(&equation, &[1.0], 1e-9).unwrap_err(), 3);
        refused(solve(&equation, 1.0, Settings::default()).unwrap_err(), 3);
    }
    let laplacian = || Arc::new(Laplacian::new(grid(8), &[1.0]).unwrap());
    let mixed = Equation::coupled(vec![laplacian(), laplacian()]).unwrap();
    let mixed = mixed.orders(&[1.5, 0.5]).unwrap().start(&[1.0; 16]).unwrap();
    let equation = mixed.start_velocity(&[2.0; 16]).unwrap();
    refused(solve_linear(&equation, &[1.0], 1e-9).unwrap_err(), 8);
    refused(solve(&equation, 1.0, Settings::default()).unwrap_err(), 8);
}

/// Boundary values that no part of the equation would see.
#[test]
fn boundary_values_without_a_linear_part() {
    let face = Face { axis: 0, end: End::Lower };
    let porous = PorousMedium { alpha: 0.5, m: 2.0 }.equation(grid(8)).unwrap();
    let axis = Axis::new(0.0, 1.0, 8, [Boundary::Dirichlet; 2]).unwrap();
    let burgers = Burgers { alpha: 0.5, nu: 0.1 }.equation(axis).unwrap();
    for equation in [porous, burgers] {
        let found = equation.clone().constant_boundary(0, face, 1.0);
        assert!(matches!(found, Err(PdeError::NoBox { .. })));
        assert!(matches!(equation.boundary(0, face, |t, _| t), Err(PdeError::NoBox { .. })));
    }
    let refused = |found: Result<Equation<'_>, PdeError>| {
        let what = "the coefficient of a field with boundary values";
        assert!(matches!(found, Err(PdeError::OutOfRange { what: found, value: 0.0, .. })
            if found == what));
    };
    let inside = diffusion().without_linear_part().unwrap();
    refused(inside.constant_boundary(0, face, 1.0));
    let with = diffusion().constant_boundary(0, face, 1.0).unwrap();
    refused(with.clone().without_linear_part());
    refused(with.with_parameters(&[0.0]));
    assert!(diffusion().with_parameters(&[0.0]).is_ok());
}

#[test]
fn fluxes() {
    let laplacian = |n: usize| Arc::new(Laplacian::new(grid(n), &[1.0]).unwrap());
    let square = || {
        Reaction::new(|_, [u]: &[f64; 1], _: &[f64; 0]| [u * u], |_, [u], _| ([[2.0 * u]], [[]]))
    };
    let found = diffusion().term(Flux::new(laplacian(7), square()), &[]);
    assert!(matches!(
        found,
        Err(PdeError::Length { what: "the operator of a flux", found: 7, expected: 8 })
    ));
    let nested = Flux::new(laplacian(8), Flux::new(laplacian(9), square()));
    let found = diffusion().term(nested, &[]);
    assert!(matches!(found, Err(PdeError::Length { found: 9, expected: 8, .. })));
    let swap = Reaction::new(
        |_, [u, v]: &[f64; 2], _: &[f64; 0]| [*v, *u],
        |_, _, _| ([[0.0, 1.0], [1.0, 0.0]], [[], []]),
    );
    let two = Equation::coupled(vec![laplacian(8), laplacian(8)]).unwrap();
    let found = two.term(Flux::new(laplacian(8), swap), &[]);
    assert!(matches!(found, Err(PdeError::Length { found: 2, expected: 1, .. })));
    let bad = Reaction::new(
        |at, [u]: &[f64; 1], _: &[f64; 0]| [if at.t > 0.3 { f64::NAN } else { *u }],
        |_, _, _| ([[1.0]], [[]]),
    );
    let equation = diffusion().term(Flux::new(laplacian(8), bad), &[]).unwrap();
    let found = solve(&equation.start(&[1.0; 8]).unwrap(), 1.0, Settings::default());
    assert!(matches!(found, Err(PdeError::RightSideNotFinite { field: 0, t, .. }) if t > 0.3));
    let found = diffusion().term(square(), &[1.0]);
    assert!(matches!(found, Err(PdeError::Length { found: 1, expected: 0, .. })));
}

/// A term whose derivatives are wrong by a share of 1e-3 of the largest: no number of iterations
/// has a small residual.
struct Noisy;

impl Term for Noisy {
    fn field_count(&self) -> usize {
        1
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        f.iter_mut().zip(at.u).for_each(|(f, u)| *f -= u);
    }

    fn add_jvp(&self, _: &State<'_>, du: &[f64], _: &[f64], df: &mut [f64]) {
        let most = du.iter().fold(0.0, |most: f64, du| most.max(du.abs()));
        for (df, du) in df.iter_mut().zip(du) {
            *df -= 10.0 * (du / (1e-3 * most)).round() * (1e-3 * most);
        }
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], _: &mut [f64]) {
        self.add_jvp(at, fbar, &[], ubar);
    }
}

/// A solve for a gradient whose residual stays far above its tolerance has failed.
#[test]
fn residuals() {
    let equation = diffusion().term(Noisy, &[]).unwrap().start(&[1.0; 8]).unwrap();
    let right: Vec<f64> = (0..8).map(|i| (1.3 * f64::from(i)).sin()).collect();
    let solves = |tolerance: f64, transposed: bool| {
        let system = MethodOfLines::new(equation.clone()).with_tolerance(tolerance);
        let mut jacobian = system.shifted_jacobian().unwrap();
        jacobian.linearise(0.0, &[1.0; 8]);
        assert!(jacobian.shift(&[0.1; 8]));
        let mut x = right.clone();
        if transposed { jacobian.solve_transposed(&mut x) } else { jacobian.solve(&mut x) }
    };
    for transposed in [false, true] {
        assert!(solves(1e-2, transposed));
        assert!(!solves(1e-13, transposed));
    }
}
