//! Axes and grids, and what they refuse.

use super::{BOUNDARIES, Boundary, cells, grid};
use hpfracc_spatial::{Axis, BoxGrid, Discretisation, SpatialError};

#[test]
fn fields_are_row_major() {
    let axes = vec![cells(3, BOUNDARIES[0]), cells(4, BOUNDARIES[1]), cells(5, BOUNDARIES[2])];
    let grid = grid(axes.clone());
    let field = grid.sample(|p| p[0] + 10.0 * p[1] + 100.0 * p[2]);
    assert_eq!((grid.len(), field.len(), grid.dim()), (60, 60, 3));
    for i in 0..3 {
        for j in 0..4 {
            for k in 0..5 {
                let p = [axes[0].points()[i], axes[1].points()[j], axes[2].points()[k]];
                let index = (i * 4 + j) * 5 + k;
                assert_eq!(field[index], p[0] + 10.0 * p[1] + 100.0 * p[2]);
                assert_eq!(grid.coordinates(index), p);
            }
        }
    }
    let volume = 1.4_f64.powi(3);
    assert!((grid.integral(&vec![1.0; 60]).unwrap() - volume).abs() < 1e-14);
    assert!((grid.weights().iter().sum::<f64>() - volume).abs() < 1e-14);
    assert!(matches!(
        grid.integral(&[1.0]),
        Err(SpatialError::Length { what: "field", found: 1, expected: 60 })
    ));
}

#[test]
fn axes_refuse_bad_ends_sizes_and_boundaries() {
    let pair = [Boundary::Neumann; 2];
    for (from, to, n, boundaries) in [
        (f64::NAN, 1.0, 8, pair),
        (0.0, f64::INFINITY, 8, pair),
        (1.0, 1.0, 8, pair),
        (1.0, 0.0, 8, pair),
        (0.0, 1.0, 2, pair),
        (0.0, 1.0, 8, [Boundary::Robin(-1.0), Boundary::Neumann]),
        (0.0, 1.0, 8, [Boundary::Neumann, Boundary::Robin(f64::NAN)]),
    ] {
        let found = Axis::new(from, to, n, boundaries);
        assert!(matches!(found, Err(SpatialError::OutOfRange { .. })), "{found:?}");
    }
    let half_periodic = Axis::new(0.0, 1.0, 8, [Boundary::Periodic, Boundary::Neumann]);
    assert!(matches!(half_periodic, Err(SpatialError::Axis { .. })));
    let message = half_periodic.unwrap_err().to_string();
    assert!(message.contains("[Periodic, Neumann]"), "{message}");
}

#[test]
fn discretisations_refuse_boundaries_and_sizes() {
    let with = |n, boundaries, d| Axis::new(0.0, 1.0, n, boundaries).unwrap().with(d);
    let robin = [Boundary::Robin(1.0), Boundary::Neumann];
    let found = with(8, robin, Discretisation::Fourth);
    assert!(matches!(found, Err(SpatialError::Axis { .. })));
    let found = with(8, [Boundary::Periodic; 2], Discretisation::Legendre);
    assert!(matches!(found, Err(SpatialError::Axis { .. })));
    let found = with(4, [Boundary::Neumann; 2], Discretisation::Fourth);
    assert!(matches!(found, Err(SpatialError::OutOfRange { .. })));
    let found = with(2049, [Boundary::Neumann; 2], Discretisation::Legendre);
    assert!(matches!(found, Err(SpatialError::OutOfRange { .. })));
    let back = with(8, robin, Discretisation::Legendre).unwrap();
    let back = back.with(Discretisation::Second).unwrap();
    assert_eq!(back, Axis::new(0.0, 1.0, 8, robin).unwrap());
}

#[test]
fn grids_refuse_none_and_four_axes() {
    for count in [0, 4] {
        let found = BoxGrid::new(vec![cells(4, BOUNDARIES[0]); count]);
        assert!(matches!(found, Err(SpatialError::OutOfRange { .. })));
    }
    let large = cells(70_000, BOUNDARIES[0]);
    assert!(BoxGrid::new(vec![large.clone(), large]).is_err());
}
