//! Bad input: typed errors that name value and place.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{OdeError, Steps};
use hpfracc_pde::models::{AllenCahn, Diffusion, FisherKpp};
use hpfracc_pde::{Equation, PdeError, Reaction, Settings, graded_steps, solve, solve_linear};
use hpfracc_spatial::{Axis, Boundary, BoxGrid, End, Face, Laplacian, SpatialError};
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
