use crate::operators::{Diagonal, Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{Function, Graph, GraphLaplacian, OperatorFunction, SpatialOperator, Way};

const WAYS: [Way; 5] = [Way::Dense, Way::Chebyshev, Way::Lanczos, Way::Rational, Way::Sinc];

#[test]
fn ways_agree_with_the_eigenvectors() {
    let a = Tridiagonal::new(60);
    let x = numbers(60, 0.2);
    for s in [-2.3, -1.0, -0.5, 0.3, 0.9, 1.0, 1.6, 2.0] {
        let exact = a.function(|l| l.powf(s), &x);
        for way in WAYS {
            for tolerance in [1e-4, 1e-9] {
                let f = OperatorFunction::new(&a, Function::Power(s), way, tolerance).unwrap();
                let mut y = vec![0.0; 60];
                f.apply(&x, &mut y).unwrap();
                // Chebyshev errors are relative to the largest value of the function.
                let largest = a.eigenvalue(1).powf(s).max(a.eigenvalue(60).powf(s));
                let scale = if way == Way::Chebyshev { largest * norm(&x) } else { norm(&exact) };
                let error = distance(&y, &exact) / scale;
                let bound = 2.0 * f.error_bound().max(1e-12);
                assert!(error <= bound && bound <= 2.1 * tolerance, "{s} {way:?} {error:.1e}");
                assert!(f.explain().contains("of 60 values"), "{}", f.explain());
            }
        }
    }
}

#[test]
fn modes_are_exact() {
    let a = Tridiagonal::with_modes(33);
    let x = numbers(33, 0.4);
    for s in [-0.7, 0.0, 0.4, 1.0] {
        let f = OperatorFunction::new(&a, Function::Power(s), Way::Auto, 1e-10).unwrap();
        assert_eq!(f.way(), Way::Modes);
        let mut y = vec![0.0; 33];
        f.apply(&x, &mut y).unwrap();
        let exact = a.function(|l| l.powf(s), &x);
        assert!(distance(&y, &exact) <= 1e-12 * norm(&exact));
    }
}

#[test]
fn wide_spectra_take_few_poles() {
    let eigenvalues: Vec<f64> = (0..200).map(|k| 10f64.powf(-4.0 + f64::from(k) / 25.0)).collect();
    let a = Diagonal(eigenvalues.clone());
    let x = vec![1.0; 200];
    for s in [0.5, -0.5] {
        let f = OperatorFunction::new(&a, Function::Power(s), Way::Rational, 1e-9).unwrap();
        let mut y = vec![0.0; 200];
        f.apply(&x, &mut y).unwrap();
        for (y, l) in y.iter().zip(&eigenvalues) {
            assert!((y / l.powf(s) - 1.0).abs() < 2e-9);
        }
    }
}

#[test]
fn torus_by_the_closed_form() {
    let side = 24;
    let a = GraphLaplacian::combinatorial(&Graph::torus(&[side, side]).unwrap()).unwrap();
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / side as f64;
    let mut x = vec![0.0; side * side];
    x[0] = 1.0;
    let exact: Vec<f64> = (0..side * side)
        .map(|node| {
            let (i, j) = (node / side, node % side);
            let mut sum = 0.0;
            for (p, q) in (0..side).flat_map(|p| (0..side).map(move |q| (p, q))) {
                let l = 4.0 - 2.0 * angle(p).cos() - 2.0 * angle(q).cos();
                sum += l.max(0.0).sqrt() * (angle(p * i % side) + angle(q * j % side)).cos();
            }
            sum / (side * side) as f64
        })
        .collect();
    let mut y = vec![0.0; side * side];
    for (way, tolerance) in [
        (Way::Lanczos, 1e-8),
        (Way::Rational, 1e-9),
        (Way::Sinc, 1e-6),
        (Way::Chebyshev, 1e-3),
        (Way::Auto, 1e-8),
    ] {
        let f = OperatorFunction::new(&a, Function::Power(0.5), way, tolerance).unwrap();
        f.apply(&x, &mut y).unwrap();
        let error = distance(&y, &exact) / norm(&exact);
        assert!(error <= 3.0 * tolerance, "{way:?} {error:.1e}");
    }
}

#[test]
fn hubs_and_random_walks_agree_with_the_dense_matrix() {
    let graph = Graph::preferential_attachment(400, 3, 11).unwrap();
    let x = numbers(400, 0.9);
    for a in [
        GraphLaplacian::combinatorial(&graph).unwrap(),
        GraphLaplacian::normalised(&graph).unwrap(),
        GraphLaplacian::random_walk(&graph).unwrap(),
    ] {
        let apply = |way: Way, function: Function, tolerance: f64| {
            let f = OperatorFunction::new(&a, function, way, tolerance).unwrap();
            let mut y = vec![0.0; a.len()];
            f.apply(&x, &mut y).unwrap();
            y
        };
        for (function, ways) in [
            (Function::Power(0.5), [Way::Lanczos, Way::Rational]),
            (Function::Power(1.3), [Way::Lanczos, Way::Rational]),
            (Function::Exponential { t: 0.7 }, [Way::Lanczos, Way::Contour]),
            (Function::Exponential { t: 0.7 }, [Way::Chebyshev, Way::Auto]),
            (Function::MittagLeffler { alpha: 0.6, t: 2.0 }, [Way::Lanczos, Way::Contour]),
        ] {
            let exact = apply(Way::Dense, function, 1e-10);
            for way in ways {
                let error = distance(&apply(way, function, 1e-10), &exact) / norm(&exact);
                assert!(error < 1e-9, "{:?} {function} {way:?} {error:.1e}", a.normalisation());
            }
        }
    }
}

#[test]
fn transposed_applications_are_adjoint() {
    let graph = Graph::preferential_attachment(200, 3, 2).unwrap();
    let a = GraphLaplacian::random_walk(&graph).unwrap();
    let (x, y) = (numbers(200, 0.3), numbers(200, 0.8));
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    for (function, way) in [
        (Function::Power(0.5), Way::Dense),
        (Function::Power(0.5), Way::Rational),
        (Function::Power(2.0), Way::Chebyshev),
        (Function::Exponential { t: 1.0 }, Way::Chebyshev),
        (Function::Exponential { t: 1.0 }, Way::Contour),
    ] {
        let f = OperatorFunction::new(&a, function, way, 1e-12).unwrap();
        let (mut fx, mut fty) = (vec![0.0; 200], vec![0.0; 200]);
        f.apply(&x, &mut fx).unwrap();
        f.apply_transpose(&y, &mut fty).unwrap();
        let scale = norm(&fx) * norm(&y);
        assert!((dot(&fx, &y) - dot(&x, &fty)).abs() < 1e-12 * scale, "{function} {way:?}");
    }
}

#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    let a = GraphLaplacian::normalised(&Graph::torus(&[190, 190]).unwrap()).unwrap();
    let x = numbers(a.len(), 0.3);
    let apply = |threads: usize, way: Way| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut y = vec![0.0; x.len()];
        pool.install(|| {
            let f = OperatorFunction::new(&a, Function::Power(0.5), way, 1e-2).unwrap();
            f.apply(&x, &mut y).unwrap();
        });
        y
    };
    for way in [Way::Lanczos, Way::Chebyshev, Way::Rational] {
        assert_eq!(apply(1, way), apply(3, way), "{way:?}");
    }
}
