//! What the trait `SpatialOperator` promises, for operators of graphs, with zero outside, and made
//! of others.

mod conformance;

use conformance::Conformance;
use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Diffusion, Graph, GraphLaplacian, IntegralLaplacian,
    IntegralLaplacian1d, Laplacian, Normalisation, PlusConstant, Power, SkewedLaplacian1d,
    SpatialOperator, Stopping, Way,
};

const STOPPING: Stopping = Stopping { tolerance: 1e-13, iterations: 2000 };

/// Checks an operator, its power, and its sum with a constant.
fn check_with_powers(a: &dyn SpatialOperator) {
    Conformance::default().check(a);
    Conformance::default().check(&PlusConstant::new(a, 0.7).unwrap());
    for s in [0.4, 1.5] {
        Conformance::default().check(&Power::new(a, s, Way::Auto, 1e-13).unwrap());
    }
}

#[test]
fn graph_laplacians_of_one_and_more_components_conform() {
    let connected = Graph::preferential_attachment(60, 2, 3).unwrap();
    let two = [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 2.0), (3, 4, 1.5)];
    let two = Graph::undirected(5, &two).unwrap();
    for graph in [connected, two] {
        for normalisation in
            [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk]
        {
            check_with_powers(&GraphLaplacian::new(&graph, normalisation).unwrap());
        }
    }
}

#[test]
fn laplacians_of_boxes_conform() {
    let axis = |n, boundaries| Axis::new(0.0, 1.0, n, boundaries).unwrap();
    let neumann = axis(7, [Boundary::Neumann; 2]);
    let mixed = axis(6, [Boundary::Dirichlet, Boundary::Neumann]);
    for axes in [vec![neumann.clone(), neumann.clone()], vec![neumann, mixed]] {
        let grid = BoxGrid::new(axes).unwrap();
        check_with_powers(&Laplacian::new(grid.clone(), &[1.0, 0.3]).unwrap());
        let diffusion = Diffusion::new(grid, |x| 1.0 + x[0] * x[1]).unwrap();
        check_with_powers(&diffusion.with_stopping(STOPPING).unwrap());
    }
}

#[test]
fn integral_laplacians_conform() {
    for alpha in [0.4, 1.0, 1.7] {
        let interval = || {
            let laplacian = IntegralLaplacian1d::new(alpha, (-1.0, 1.0), 40).unwrap();
            laplacian.with_stopping(STOPPING).unwrap()
        };
        check_with_powers(&interval());
        check_with_powers(&interval().with_boundary_correction());
    }
    let disk = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 0.98;
    let axes = [(-1.0, 1.0, 9), (-1.0, 1.0, 11)];
    let laplacian = || {
        let laplacian = IntegralLaplacian::inside(1.2, &axes, disk).unwrap();
        laplacian.with_stopping(STOPPING).unwrap()
    };
    check_with_powers(&laplacian());
    check_with_powers(&laplacian().with_ball_correction(&[0.0, 0.0], 1.0).unwrap());
}

#[test]
fn skewed_laplacians_conform() {
    let check = |operator: SkewedLaplacian1d| {
        let operator = operator.with_stopping(STOPPING).unwrap();
        Conformance { self_adjoint: false, ..Default::default() }.check(&operator);
    };
    for (alpha, theta) in [(0.6, 0.3), (1.5, -0.5), (1.8, 0.0)] {
        check(SkewedLaplacian1d::riesz_feller(alpha, theta, (0.0, 1.0), 40).unwrap());
    }
    for alpha in [0.5, 1.6] {
        check(SkewedLaplacian1d::grunwald_letnikov(alpha, [1.0, 0.2], (0.0, 1.0), 40).unwrap());
    }
}
