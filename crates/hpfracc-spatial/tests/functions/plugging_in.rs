use crate::operators::{Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{
    Complex64, Function, Graph, GraphLaplacian, OperatorFunction, PlusConstant, Power,
    SpatialError, SpatialOperator, Way, lowest_eigenvalue_estimate, matern_field,
};
use hpfracc_special::MittagLeffler;

#[test]
fn powers_are_operators() {
    let (plain, with_modes) = (Tridiagonal::new(50), Tridiagonal::with_modes(50));
    let x = numbers(50, 0.4);
    let e = MittagLeffler::new(0.7, 1.0).unwrap();
    let (s, t) = (0.6, 0.05f64);
    let exact = plain.function(|l| e.eval(-l.powf(s) * t.powf(0.7)), &x);
    let function = Function::MittagLeffler { alpha: 0.7, t };
    for (a, way, outer) in [
        (&with_modes, Way::Auto, Way::Auto),
        (&with_modes, Way::Modes, Way::Contour),
        (&plain, Way::Dense, Way::Contour),
        (&plain, Way::Rational, Way::Lanczos),
        (&plain, Way::Chebyshev, Way::Chebyshev),
    ] {
        let power = Power::new(a, s, way, 1e-12).unwrap();
        let f = OperatorFunction::new(&power, function, outer, 1e-10).unwrap();
        let mut y = vec![0.0; 50];
        f.apply(&x, &mut y).unwrap();
        let error = distance(&y, &exact) / norm(&x);
        assert!(error < 1e-9, "{way:?} {outer:?}: {error:.1e}");
    }
    assert!(Power::new(&plain, -0.5, Way::Auto, 1e-9).is_err());
}

#[test]
fn shifted_powers_are_solved() {
    for a in [Tridiagonal::new(30), Tridiagonal::with_modes(30)] {
        let power = Power::new(&a, 0.5, Way::Auto, 1e-12).unwrap();
        let b = numbers(30, 0.2);
        let exact = a.function(|l| 1.0 / (2.0 + l.sqrt()), &b);
        let mut x = b.clone();
        power.shifted(Complex64::from(2.0)).unwrap().solve_real(&mut x).unwrap();
        assert!(distance(&x, &exact) < 1e-11 * norm(&exact));
        let mut x: Vec<Complex64> = b.iter().map(|b| Complex64::from(*b)).collect();
        power.shifted(Complex64::new(2.0, 1.0)).unwrap().solve(&mut x).unwrap();
        let real = a.function(|l| (1.0 / Complex64::new(2.0 + l.sqrt(), 1.0)).re, &b);
        let found: Vec<f64> = x.iter().map(|x| x.re).collect();
        assert!(distance(&found, &real) < 1e-11 * norm(&real));
    }
}

#[test]
fn matern_fields_have_their_covariance() {
    let n = 40;
    let laplacian = GraphLaplacian::combinatorial(&Graph::ring(n).unwrap()).unwrap();
    let operator = PlusConstant::new(&laplacian, 0.5).unwrap();
    let field = matern_field(&operator, 1.5, 1e-10).unwrap();
    let (mut e, mut u, mut row) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    e[0] = 1.0;
    // The covariance of (kappa^2 + L)^(-nu/2) w is (kappa^2 + L)^-nu.
    field.apply(&e, &mut u).unwrap();
    field.apply(&u, &mut row).unwrap();
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
    for (i, found) in row.iter().enumerate() {
        let term = |k: usize| {
            (2.5 - 2.0 * angle(k).cos()).powf(-1.5) * (angle(k) * i as f64).cos() / n as f64
        };
        let exact: f64 = (0..n).map(term).sum();
        assert!((found - exact).abs() < 1e-12);
    }
    let lengths = [&e[..3], &[f64::NAN; 40][..]];
    assert!(lengths.iter().all(|x| field.apply(x, &mut u).is_err()));
    assert!(matern_field(&operator, 0.0, 1e-6).is_err());
    assert!(PlusConstant::new(&laplacian, 0.0).is_err());
}

#[test]
fn lowest_eigenvalues_are_estimated() {
    let graph = Graph::torus(&[40, 40]).unwrap();
    let a = GraphLaplacian::combinatorial(&graph).unwrap();
    let exact = 2.0 - 2.0 * (std::f64::consts::TAU / 40.0).cos();
    let estimate = lowest_eigenvalue_estimate(&a, 400).unwrap();
    assert!((0.999..1.1).contains(&(estimate / exact)), "{estimate} {exact}");
    assert!(lowest_eigenvalue_estimate(&a, 0).is_err());
    assert_eq!(a.clone().with_lowest(exact).unwrap().spectrum().lowest, exact);
    assert!(a.clone().with_lowest(0.0).is_err() && a.with_lowest(9.0).is_err());
}

/// The lowest Ritz value of a path falls with each step until their number is that of the nodes.
#[test]
fn estimates_that_have_not_settled_are_errors() {
    let path = |n: usize| GraphLaplacian::combinatorial(&Graph::path(n).unwrap()).unwrap();
    let exact = |n: usize| 2.0 - 2.0 * (std::f64::consts::PI / n as f64).cos();
    for steps in [1, 8, 100, 400] {
        let error = lowest_eigenvalue_estimate(&path(2000), steps).unwrap_err();
        let SpatialError::NotConverged { iterations, residual, .. } = error else {
            panic!("{error}");
        };
        assert!(iterations == steps && residual > 0.01, "{steps}: {error}");
    }
    for n in [3, 20, 300] {
        let estimate = lowest_eigenvalue_estimate(&path(n), 4 * n).unwrap();
        assert!((0.999..1.1).contains(&(estimate / exact(n))), "{n}: {estimate}");
    }
    // The error reaches functions that need a lower bound; stating one mends it.
    let unknown = path(2000);
    let root = Function::Power(-0.5);
    let error = OperatorFunction::new(&unknown, root, Way::Rational, 1e-6).err();
    assert!(matches!(error, Some(SpatialError::NotConverged { .. })), "{error:?}");
    let known = path(2000).with_lowest(exact(2000)).unwrap();
    assert!(OperatorFunction::new(&known, root, Way::Rational, 1e-6).is_ok());
}
