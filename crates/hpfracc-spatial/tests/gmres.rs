//! GMRES for real and complex equations, and the reductions of fields.

use hpfracc_spatial::reductions::{axpy, dot, for_blocks, norm, rows_of, sum, sum_blocks, update};
use hpfracc_spatial::{Complex64, Convergence, Gmres, Scalar, SpatialError, Stopping};
use std::ops::Range;

fn copy<T: Copy>(x: &[T], y: &mut [T]) {
    y.copy_from_slice(x);
}

/// `y = (i + 1)^power x_i - x_(i+1)` with a complex factor.
fn bidiagonal<T: Scalar>(power: f64, factor: T) -> impl Fn(&[T], &mut [T]) {
    move |x: &[T], y: &mut [T]| {
        for i in 0..x.len() {
            let next = x.get(i + 1).copied().unwrap_or_default();
            y[i] = factor * x[i].scale((1.0 + i as f64).powf(power)) - next;
        }
    }
}

/// Solves without a preconditioner, and compares the residual with the reported one.
fn solve<T: Scalar>(
    apply: impl Fn(&[T], &mut [T]),
    b: &[T],
    stopping: Stopping,
) -> Result<Convergence, SpatialError> {
    let (mut x, mut r) = (vec![T::from(7.0); b.len()], vec![T::default(); b.len()]);
    let done = Gmres::default().solve(&apply, copy, b, &mut x, stopping);
    apply(&x, &mut r);
    axpy(T::from(-1.0), b, &mut r);
    let residual = norm(&r) / norm(b);
    match &done {
        Ok(Convergence { residual: reported, .. })
        | Err(SpatialError::NotConverged { residual: reported, .. }) => {
            assert!((reported - residual).abs() <= 1e-3 * residual, "{reported:e} {residual:e}");
        }
        Err(error) => panic!("{error}"),
    }
    done
}

#[test]
fn real_and_complex_equations_are_solved_with_restarts() {
    let b: Vec<f64> = (0..200).map(|i| 2.0 + f64::from(i).sin()).collect();
    let complex: Vec<Complex64> = b.iter().map(|b| Complex64::new(*b, 1.0 - b)).collect();
    for tolerance in [1e-2, 1e-6, 1e-11] {
        let stopping = Stopping { tolerance, iterations: 3000 };
        let done = solve(bidiagonal(1.0, 1.0), &b, stopping).unwrap();
        assert!(done.residual <= tolerance, "{done:?}");
        assert!(tolerance > 1e-3 || done.iterations > 60, "{done:?}");
        let done = solve(bidiagonal(1.0, Complex64::new(1.0, 0.4)), &complex, stopping).unwrap();
        assert!(done.residual <= tolerance, "{done:?}");
    }
}

/// A cycle that does not halve the residual is not the end: the next ones go on. Rotations of 300
/// planes by angles up to 2.9 have eigenvalues all around 0 but for a gap.
#[test]
fn slow_restarted_convergence_goes_on() {
    let apply = |x: &[f64], y: &mut [f64]| {
        for k in 0..300 {
            let (sin, cos) = (2.9 * (k as f64 + 0.5) / 300.0).sin_cos();
            let (a, b) = (x[2 * k], x[2 * k + 1]);
            (y[2 * k], y[2 * k + 1]) = (cos * a - sin * b, sin * a + cos * b);
        }
    };
    let b = vec![1.0; 600];
    let stopping = Stopping { tolerance: 1e-4, iterations: 5000 };
    let error = solve(apply, &b, Stopping { iterations: 60, ..stopping }).unwrap_err();
    let SpatialError::NotConverged { iterations: 60, residual, .. } = error else {
        panic!("{error}");
    };
    assert!(residual > 0.5, "{residual}");
    let done = solve(apply, &b, stopping).unwrap();
    assert!(done.residual <= 1e-4 && done.iterations > 600, "{done:?}");
}

/// The residual of the recurrence falls below the tolerance; that of the solution does not.
#[test]
fn tolerances_below_rounding_are_not_reached() {
    let apply = |x: &[f64], y: &mut [f64]| {
        for i in 0..x.len() {
            let at = |j: usize| x.get(j).copied().unwrap_or(0.0);
            y[i] = 2.0 * x[i] - 1.1 * at(i.wrapping_sub(1)) - 0.9 * at(i + 1);
        }
    };
    let stopping = Stopping { tolerance: 1e-16, iterations: 1000 };
    let error = solve(apply, &[1.0; 50], stopping).unwrap_err();
    let SpatialError::NotConverged { iterations, residual, .. } = error else {
        panic!("{error}");
    };
    assert!(iterations < 300 && residual < 1e-12, "{iterations} {residual:e}");
}

/// With an error of 1e-5 in the products, the residual of the recurrence says nothing.
#[test]
fn inexact_products_are_seen() {
    let mut calls = 0usize;
    let apply = |x: &[f64], y: &mut [f64]| {
        bidiagonal(1.0, 1.0)(x, y);
        calls += 1;
        let error = |i: usize| 1e-5 * ((calls * calls + 7 * i) as f64).sin();
        y.iter_mut().enumerate().for_each(|(i, y)| *y *= 1.0 + error(i));
    };
    let mut x = [0.0; 30];
    let stopping = Stopping { tolerance: 1e-10, iterations: 2000 };
    let done = Gmres::default().solve(apply, copy, &[1.0; 30], &mut x, stopping);
    assert!(matches!(done, Err(SpatialError::NotConverged { .. })), "{done:?}");
}

#[test]
fn workspaces_serve_equations_of_other_sizes() {
    let mut gmres = Gmres::default();
    for n in [50, 7, 120] {
        let b = vec![1.0; n];
        let (mut x, mut again) = (vec![0.0; n], vec![0.0; n]);
        gmres.solve(bidiagonal(0.5, 1.0), copy, &b, &mut x, Stopping::default()).unwrap();
        Gmres::default()
            .solve(bidiagonal(0.5, 1.0), copy, &b, &mut again, Stopping::default())
            .unwrap();
        assert_eq!(x, again);
    }
}

#[test]
fn bad_input_is_refused() {
    let stopping = Stopping::default();
    let solve = |b: &[f64], stopping: Stopping, apply: fn(&[f64], &mut [f64])| {
        Gmres::default().solve(apply, copy, b, &mut [1.0; 2], stopping)
    };
    let error = solve(&[1.0; 3], stopping, copy).unwrap_err();
    assert_eq!(error.to_string(), "solution x has 2 values, expected 3");
    let error = solve(&[1.0, f64::NAN], stopping, copy).unwrap_err();
    assert_eq!(error.to_string(), "right-hand side b is NaN at index 1");
    let b = [Complex64::ONE, Complex64::new(0.0, f64::INFINITY)];
    let error = Gmres::default().solve(copy, copy, &b, &mut [Complex64::ONE; 2], stopping);
    assert_eq!(error.unwrap_err().to_string(), "right-hand side b is inf at index 1");
    let error = solve(&[1.0; 2], Stopping { tolerance: 0.0, ..stopping }, copy).unwrap_err();
    assert!(matches!(error, SpatialError::OutOfRange { .. }));
    let error = solve(&[1.0; 2], stopping, |_, y| y.fill(f64::NAN)).unwrap_err();
    assert!(matches!(error, SpatialError::NotConverged { .. }));
    // A singular matrix.
    let error = solve(&[1.0; 2], stopping, |x, y| (y[0], y[1]) = (x[0] + x[1], 0.0)).unwrap_err();
    assert!(matches!(error, SpatialError::NotConverged { .. }));
    let mut x = [1.0; 2];
    let done = Gmres::default().solve(copy, copy, &[0.0; 2], &mut x, stopping).unwrap();
    assert_eq!((x, done.iterations, done.residual), ([0.0; 2], 0, 0.0));
}

#[test]
fn reductions_have_the_same_bits_for_any_number_of_threads() {
    let n = 100_003;
    let x: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.37).sin()).collect();
    let complex: Vec<Complex64> = x.iter().map(|x| Complex64::new(*x, x * x)).collect();
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut y = x.clone();
            update(&mut y, |i, y| *y *= i as f64);
            axpy(0.3, &x, &mut y);
            let third = n as usize / 3;
            let work = |points: Range<usize>, rows: [&mut [f64]; 3]| {
                rows.into_iter().flatten().for_each(|y| *y += points.start as f64);
                x[points].iter().sum::<f64>()
            };
            let sums = sum_blocks(third, rows_of(&mut y, third), work, |a, b| a + b);
            let numbers = (dot(&x, &y), norm(&y), sum(y.len(), |i| y[i]));
            (numbers, dot(&complex, &complex), norm(&complex), sums, y)
        })
    };
    let (serial, parallel) = (all(1), all(3));
    assert_eq!(serial, parallel);
    let exact: f64 = complex.iter().map(|c| c.norm_sqr()).sum();
    assert!((serial.1 - exact).norm() < 1e-12 * exact, "the inner product conjugates");
    assert!((serial.2.powi(2) - exact).abs() < 1e-12 * exact);
}

#[test]
fn blocks_cover_all_points_of_all_fields_once() {
    for n in [0, 1, 4096, 4097, 32_767, 32_768, 163_843] {
        let mut fields = vec![0.0; 2 * n];
        for_blocks(n, rows_of::<2, _>(&mut fields, n), |points, [first, second]| {
            assert!(points.len() <= 4096 && first.len() == points.len());
            for ((i, first), second) in points.zip(first).zip(second) {
                *first += i as f64;
                *second -= i as f64;
            }
        });
        let expected = (0..n).map(|i| i as f64).chain((0..n).map(|i| -(i as f64)));
        assert!(fields.iter().copied().eq(expected), "{n}");
        let exact = (n * n.saturating_sub(1) / 2) as f64;
        assert_eq!(sum(n, |i| i as f64), exact);
        assert_eq!(dot(&fields[..n], &vec![1.0; n]), exact);
    }
}

/// The Laplacian of a chain needs more than one cycle of iterations.
#[test]
fn inexact_solves_restart_and_save_the_last_product() {
    let n = 400;
    let apply = |x: &[f64], y: &mut [f64]| {
        for i in 0..n {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            let after = if i + 1 < n { x[i + 1] } else { 0.0 };
            y[i] = 2.02 * x[i] - before - after;
        }
    };
    let copy = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
    let b: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin() + 0.5).collect();
    let stopping = Stopping { tolerance: 1e-5, iterations: 400 };
    let solve = |mut gmres: Gmres| {
        let (mut x, mut y, mut products) = (vec![0.0; n], vec![0.0; n], 0);
        let counted = |x: &[f64], y: &mut [f64]| {
            products += 1;
            apply(x, y);
        };
        let done = gmres.solve(counted, copy, &b, &mut x, stopping).unwrap();
        apply(&x, &mut y);
        axpy(-1.0, &b, &mut y);
        assert!(norm(&y) < 1.001e-5 * norm(&b), "{done:?}");
        assert!(done.iterations > 60, "{done:?}");
        products
    };
    assert_eq!(solve(Gmres::default()), solve(Gmres::inexact()) + 1);
}

#[test]
#[should_panic(expected = "lengths of the two fields")]
fn products_of_fields_of_unequal_lengths_panic() {
    dot(&[1.0; 3], &[1.0; 2]);
}
