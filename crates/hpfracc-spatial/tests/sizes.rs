//! Sizes that do not fit into memory are refused before they are allocated.

use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Diffusion, Graph, IntegralLaplacian, IntegralLaplacian1d, Laplacian,
    SkewedLaplacian1d, SpatialError, Tridiagonal,
};
use hpfracc_types::available_memory;

fn too_large<T>(result: Result<T, SpatialError>) {
    let error = result.err().expect("an error");
    let SpatialError::Memory { source, .. } = &error else { panic!("{error}") };
    assert!(source.needed > source.available, "{error}");
    assert!(error.to_string().contains("bytes of memory"), "{error}");
}

#[test]
fn sizes_beyond_any_memory() {
    too_large(Axis::new(0.0, 1.0, 1 << 58, [Boundary::Neumann; 2]));
    too_large(Graph::preferential_attachment(1 << 31, (1 << 31) - 1, 1));
    too_large(Graph::small_world(1 << 31, 1 << 29, 0.1, 1));
    for error in [Graph::path(1 << 40), Graph::ring(1 << 40), Graph::torus(&[1 << 31; 3])] {
        assert!(matches!(error, Err(SpatialError::OutOfRange { .. })));
    }
}

/// Sizes that are allowed where the memory is large.
#[test]
fn sizes_beyond_the_memory_of_this_machine() {
    let available = available_memory().unwrap_or(u64::MAX) as f64;
    let beyond = |numbers: f64| 8.0 * numbers > available;
    let n = 1 << 28;
    if beyond(12.0 * n as f64) {
        too_large(IntegralLaplacian1d::new(1.0, (0.0, 1.0), n));
        too_large(SkewedLaplacian1d::riesz_feller(1.5, 0.2, (0.0, 1.0), n));
        too_large(IntegralLaplacian::on(1.0, &[(0.0, 1.0, 1 << 14); 2]));
        too_large(IntegralLaplacian::masked(1.0, &[(0.0, 1.0, 1 << 14); 2], &[true]));
    }
    let side = (1 << 16) - 1;
    let nodes = (side * side) as f64;
    let axis = Axis::new(0.0, 1.0, side, [Boundary::Neumann; 2]).unwrap();
    let grid = BoxGrid::new(vec![axis.clone(), axis.clone()]);
    if beyond(nodes) {
        too_large(grid);
    } else if beyond(2.0 * nodes) {
        let grid = grid.unwrap();
        too_large(Laplacian::new(grid.clone(), &[1.0; 2]));
        too_large(Diffusion::new(grid, |_| 1.0));
    }
    if beyond(3.0 * f64::from(u32::MAX)) {
        too_large(Graph::undirected(u32::MAX as usize, &[]));
        too_large(Graph::path(u32::MAX as usize));
    }
}

#[test]
#[should_panic(expected = "values of the right-hand side")]
fn tridiagonal_solves_of_another_length_panic() {
    let matrix = Tridiagonal { lower: vec![-1.0; 3], diagonal: vec![3.0; 3], upper: vec![-1.0; 3] };
    matrix.factors().unwrap().solve(&mut [1.0; 2]);
}
