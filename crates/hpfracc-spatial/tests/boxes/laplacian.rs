//! The Laplacian against dense matrices.

use super::conformance::{Conformance, apply, random};
use super::{BOUNDARIES, Boundary, axis, cells, grid};
use hpfracc_spatial::{
    Axis, BoxGrid, Complex64, Discretisation, Laplacian, Modes, SpatialError, SpatialOperator,
};
use nalgebra::{DMatrix, SymmetricEigen};

/// The three-point difference with ghost cells, written out.
fn dense(axis: &Axis) -> DMatrix<f64> {
    let (n, h) = (axis.len(), axis.cell_width());
    let mut a = DMatrix::zeros(n, n);
    for i in 0..n {
        a[(i, i)] += 2.0;
        for (outside, j) in [(i == 0, i + n - 1), (i == n - 1, i + 1)] {
            let boundary = axis.boundaries()[usize::from(j > i && j != i + n - 1)];
            let ghost = match boundary {
                Boundary::Periodic => 0.0,
                Boundary::Dirichlet => -1.0,
                Boundary::Neumann => 1.0,
                Boundary::Robin(beta) => (1.0 / h - beta / 2.0) / (1.0 / h + beta / 2.0),
            };
            if outside && boundary != Boundary::Periodic {
                a[(i, i)] -= ghost;
            } else {
                a[(i, j % n)] -= 1.0;
            }
        }
    }
    a / (h * h)
}

fn matrix(a: &dyn SpatialOperator) -> DMatrix<f64> {
    let n = a.len();
    let mut m = DMatrix::zeros(n, n);
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        m.column_mut(j).copy_from_slice(&apply(a, &unit));
    }
    m
}

fn laplacian(axes: Vec<Axis>, kappa: &[f64]) -> Laplacian {
    Laplacian::new(BoxGrid::new(axes).unwrap(), kappa).unwrap()
}

#[test]
fn one_axis_is_the_difference_with_ghost_cells() {
    for boundaries in BOUNDARIES {
        for n in [3, 4, 5, 8, 9, 30, 31] {
            let axis = cells(n, boundaries);
            let a = laplacian(vec![axis.clone()], &[1.0]);
            let expected = dense(&axis);
            let error = (matrix(&a) - &expected).amax() / expected.amax();
            assert!(error < 1e-14, "{boundaries:?} {n}: {error:e}");
            let mut values = SymmetricEigen::new(expected).eigenvalues.as_slice().to_vec();
            values.sort_by(f64::total_cmp);
            let mut found = Modes::eigenvalues(&a).to_vec();
            found.sort_by(f64::total_cmp);
            for (found, value) in found.iter().zip(&values) {
                assert!((found - value).abs() < 1e-13 * values[n - 1], "{found} {value}");
            }
        }
    }
}

#[test]
fn order_four_is_a_correction_of_order_two() {
    for boundaries in &BOUNDARIES[..5] {
        for n in [5, 6, 7, 8, 9, 10, 31] {
            let second = dense(&cells(n, *boundaries));
            let h = 1.4 / n as f64;
            let expected = &second + &second * &second * (h * h / 12.0);
            let a = laplacian(vec![axis(n, *boundaries, Discretisation::Fourth)], &[1.0]);
            let error = (matrix(&a) - &expected).amax() / expected.amax();
            assert!(error < 1e-14, "{boundaries:?} {n}: {error:e}");
        }
    }
}

#[test]
fn one_axis_conforms() {
    for boundaries in BOUNDARIES {
        for n in [3, 4, 5, 16, 17, 100, 101] {
            Conformance::default().check(&laplacian(vec![cells(n, boundaries)], &[0.7]));
        }
    }
    for boundaries in &BOUNDARIES[..5] {
        let axis = axis(40, *boundaries, Discretisation::Fourth);
        Conformance::default().check(&laplacian(vec![axis], &[0.7]));
    }
}

#[test]
fn two_and_three_axes_conform() {
    for (k, boundaries) in BOUNDARIES.into_iter().enumerate() {
        let other = BOUNDARIES[(k + 4) % 9];
        let pair = vec![cells(13, boundaries), cells(10, other)];
        Conformance::default().check(&laplacian(pair, &[0.7, 2.0]));
        let axes = vec![cells(5, other), cells(6, boundaries), cells(7, BOUNDARIES[(k + 1) % 9])];
        Conformance::default().check(&laplacian(axes, &[1.0, 0.2, 3.0]));
    }
}

#[test]
fn large_fields_conform() {
    // Several blocks of lines, the last of them not full, in parallel.
    let axes = vec![cells(150, BOUNDARIES[1]), cells(131, BOUNDARIES[2])];
    Conformance::default().check(&laplacian(axes, &[1.0, 1.0]));
    let axes = vec![cells(30, BOUNDARIES[0]), cells(41, BOUNDARIES[4]), cells(19, BOUNDARIES[6])];
    Conformance::default().check(&laplacian(axes, &[1.0, 1.0, 2.0]));
}

#[test]
fn several_axes_are_a_sum_of_kronecker_products() {
    let axes = [cells(4, BOUNDARIES[3]), cells(5, BOUNDARIES[6]), cells(3, BOUNDARIES[0])];
    let kappa = [1.0, 0.5, 2.0];
    let identity = |n: usize| DMatrix::<f64>::identity(n, n);
    let expected = dense(&axes[0]).kronecker(&identity(15)) * kappa[0]
        + identity(4).kronecker(&dense(&axes[1])).kronecker(&identity(3)) * kappa[1]
        + identity(20).kronecker(&dense(&axes[2])) * kappa[2];
    let error = (matrix(&laplacian(axes.to_vec(), &kappa)) - &expected).amax() / expected.amax();
    assert!(error < 1e-14, "{error:e}");
}

#[test]
fn threads_do_not_change_the_bits() {
    let axes = vec![cells(96, BOUNDARIES[1]), cells(21, BOUNDARIES[4]), cells(33, BOUNDARIES[0])];
    let x = random(96 * 21 * 33, 20);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let a = laplacian(axes.clone(), &[1.0, 0.3, 0.1]);
            let mut y = apply(&a, &x);
            a.shifted(Complex64::ONE).unwrap().solve_real(&mut y).unwrap();
            let mut z = y.clone();
            a.to_modes(&mut z);
            (y, z)
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn modes_are_in_the_order_of_their_frequencies() {
    for boundaries in &BOUNDARIES[1..] {
        let a = laplacian(vec![cells(17, *boundaries)], &[1.0]);
        assert!(Modes::eigenvalues(&a).is_sorted(), "{boundaries:?}");
    }
}

#[test]
fn bad_coefficients_and_shifts_are_refused() {
    let grid = grid(vec![cells(8, BOUNDARIES[1])]);
    for kappa in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = Laplacian::new(grid.clone(), &[kappa]).err();
        assert!(matches!(found, Some(SpatialError::OutOfRange { what: "kappa", .. })), "{found:?}");
    }
    let found = Laplacian::new(grid.clone(), &[1.0, 1.0]).err();
    assert!(matches!(found, Some(SpatialError::Length { found: 2, expected: 1, .. })));
    let a = Laplacian::new(grid, &[1.0]).unwrap();
    let value = Modes::eigenvalues(&a)[3];
    assert!(matches!(a.shifted((-value).into()), Err(SpatialError::OutOfRange { .. })));
    let robin = BoxGrid::new(vec![cells(2049, BOUNDARIES[6])]).unwrap();
    assert!(matches!(Laplacian::new(robin, &[1.0]), Err(SpatialError::OutOfRange { .. })));
}
