//! Mittag-Leffler functions of matrices.
#![cfg(feature = "matrix")]

use hpfracc_special::*;
use nalgebra::DMatrix;

/// Reproducible entries in (-1, 1).
fn entries(n: usize, seed: u64) -> DMatrix<f64> {
    let mut state = seed;
    DMatrix::from_fn(n, n, |_, _| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// The defining sum, for matrices of moderate norm; errors grow like exp(‖A‖^{1/α}).
fn series(alpha: f64, beta: f64, a: &DMatrix<f64>) -> DMatrix<f64> {
    let n = a.nrows();
    let (mut sum, mut power) = (DMatrix::zeros(n, n), DMatrix::identity(n, n));
    for k in 0..300 {
        sum += &power * recip_gamma(alpha * f64::from(k) + beta);
        power *= a;
    }
    sum
}

fn close(found: &DMatrix<f64>, expected: &DMatrix<f64>, bound: f64, what: &str) {
    let error = (found - expected).norm() / expected.norm();
    println!("{what}: {error:.1e}");
    assert!(error <= bound, "{what}: relative error {error:.1e}");
}

#[test]
fn general_matrices_agree_with_the_series() {
    for n in [1, 2, 3, 5, 8] {
        for (alpha, beta) in [(0.7, 1.0), (1.0, 1.0), (1.0, 0.5), (1.5, 2.0), (2.2, 0.0)] {
            let a = entries(n, 7 + n as u64) * 0.8;
            let what = format!("E({alpha},{beta}) order {n}");
            close(
                &mittag_leffler_matrix(alpha, beta, &a).unwrap(),
                &series(alpha, beta, &a),
                2e-13,
                &what,
            );
        }
    }
}

#[test]
fn symmetric_and_general_ways_agree() {
    let b = entries(6, 3);
    let symmetric = (&b + b.transpose()) * 3.0;
    let expected = mittag_leffler_matrix(0.8, 1.0, &symmetric).unwrap();
    // A complex unitary similarity hides the symmetry of the real matrix.
    let mut disturbed = symmetric.clone();
    disturbed[(0, 1)] *= 1.0 + f64::EPSILON;
    assert_ne!(disturbed, disturbed.transpose());
    close(&mittag_leffler_matrix(0.8, 1.0, &disturbed).unwrap(), &expected, 1e-12, "both ways");
}

#[test]
fn equal_eigenvalues_use_derivatives() {
    // A Jordan block: the entries of f(J) are f^{(k)}(λ)/k!.
    for (alpha, beta, lambda) in
        [(0.6, 1.0, -2.5), (1.0, 1.0, -3.0), (0.9, 0.9, 0.3), (1.7, 1.0, -8.0)]
    {
        let n = 5;
        let jordan = DMatrix::from_fn(n, n, |i, j| {
            if i == j {
                lambda
            } else if j == i + 1 {
                1.0
            } else {
                0.0
            }
        });
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let factorial = |k: usize| (1..=k).map(|j| j as f64).product::<f64>();
        let expected = DMatrix::from_fn(n, n, |i, j| {
            if j < i { 0.0 } else { e.derivative(lambda, j - i) / factorial(j - i) }
        });
        close(
            &mittag_leffler_matrix(alpha, beta, &jordan).unwrap(),
            &expected,
            1e-13,
            "Jordan block",
        );
    }
}

#[test]
fn spread_eigenvalues_with_interleaved_clusters() {
    // Similar to a diagonal matrix, by a well-conditioned similarity.
    let values = [-50.0, -1.0, -50.5, 2.0, -1.001, -1e3, 0.0, -1.0];
    let n = values.len();
    let s = DMatrix::identity(n, n) + entries(n, 11) * 0.1;
    let inverse = s.clone().try_inverse().unwrap();
    let with = |d: &dyn Fn(f64) -> f64| {
        &s * DMatrix::from_diagonal(&nalgebra::DVector::from_iterator(n, values.map(d))) * &inverse
    };
    for (alpha, beta) in [(0.5, 1.0), (0.9, 1.0), (1.3, 1.0), (1.0, 2.0)] {
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let found = mittag_leffler_matrix(alpha, beta, &with(&|x| x)).unwrap();
        close(&found, &with(&|x| e.eval(x)), 2e-13, &format!("spread, E({alpha},{beta})"));
    }
}

#[test]
fn equal_eigenvalues_apart_in_the_schur_form() {
    // A triangular matrix is its own Schur form: its blocks must be made contiguous.
    let values = [-1.0, 0.5, -1.0 + 1e-9, 0.5 - 1e-8, -1.0];
    let a = DMatrix::from_fn(5, 5, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => 0.3 + 0.1 * (i + 2 * j) as f64,
        std::cmp::Ordering::Equal => values[i],
        std::cmp::Ordering::Greater => 0.0,
    });
    for (alpha, beta) in [(0.8, 1.0), (1.0, 1.0), (1.5, 0.5)] {
        let found = mittag_leffler_matrix(alpha, beta, &a).unwrap();
        close(&found, &series(alpha, beta, &a), 2e-13, "interleaved");
    }
}

#[test]
fn a_vanishing_derivative_does_not_end_the_series() {
    // E_{2,1}(-x²) = cos x has slope zero at x = π.
    let lambda = -std::f64::consts::PI.powi(2);
    let e = MittagLeffler::new(2.0, 1.0).unwrap();
    let jordan =
        DMatrix::from_row_slice(3, 3, &[lambda, 1.0, 0.0, 0.0, lambda, 1.0, 0.0, 0.0, lambda]);
    let found = mittag_leffler_matrix(2.0, 1.0, &jordan).unwrap();
    let expected = 0.5 * e.derivative(lambda, 2);
    assert!(expected.abs() > 1e-3);
    assert!((found[(0, 2)] - expected).abs() < 1e-15, "{} {expected}", found[(0, 2)]);
}

#[test]
fn bad_matrices_are_errors() {
    let wide = DMatrix::<f64>::zeros(2, 3);
    let error = SpecialError::NotSquare { rows: 2, columns: 3 };
    assert_eq!(mittag_leffler_matrix(0.5, 1.0, &wide), Err(error));
    let mut a = DMatrix::<f64>::zeros(2, 2);
    a[(1, 0)] = f64::INFINITY;
    let error = SpecialError::MatrixEntry { row: 1, column: 0, value: f64::INFINITY };
    assert_eq!(mittag_leffler_matrix(0.5, 1.0, &a), Err(error));
    let empty = DMatrix::<f64>::zeros(0, 0);
    assert_eq!(mittag_leffler_matrix(0.5, 1.0, &empty).unwrap().shape(), (0, 0));
}
