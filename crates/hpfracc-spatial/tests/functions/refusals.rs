use crate::operators::{Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{
    Function, Graph, GraphLaplacian, OperatorFunction, SpatialError, Way, remove_null_space,
};

fn refused(function: Function, way: Way, tolerance: f64) -> SpatialError {
    let a = Tridiagonal::new(8);
    OperatorFunction::new(&a, function, way, tolerance).err().expect("an error")
}

#[test]
fn parameters_out_of_range() {
    let relaxation = |alpha, t| Function::MittagLeffler { alpha, t };
    for (function, tolerance) in [
        (Function::Power(f64::NAN), 1e-6),
        (Function::Power(100.0), 1e-6),
        (Function::Exponential { t: -1.0 }, 1e-6),
        (Function::Exponential { t: f64::INFINITY }, 1e-6),
        (relaxation(0.0, 1.0), 1e-6),
        (relaxation(2.0, 1.0), 1e-6),
        (relaxation(0.5, f64::NAN), 1e-6),
        (Function::Power(0.5), 0.0),
        (Function::Power(0.5), f64::NAN),
    ] {
        let error = refused(function, Way::Auto, tolerance);
        assert!(matches!(error, SpatialError::OutOfRange { .. }), "{function}: {error}");
    }
}

#[test]
fn ways_that_do_not_fit() {
    for (function, way) in [
        (Function::Power(0.5), Way::Contour),
        (Function::Exponential { t: 1.0 }, Way::Rational),
        (Function::MittagLeffler { alpha: 0.5, t: 1.0 }, Way::Sinc),
        (Function::Power(0.5), Way::Modes),
    ] {
        let error = refused(function, way, 1e-6);
        assert!(matches!(error, SpatialError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains("use `Way::"), "{error}");
    }
    let large = Tridiagonal::new(5000);
    let error = OperatorFunction::new(&large, Function::Power(0.5), Way::Dense, 1e-6).err();
    assert!(matches!(error, Some(SpatialError::OutOfRange { value: 5000.0, .. })));
}

#[test]
fn tolerances_that_are_not_reached() {
    let a = GraphLaplacian::combinatorial(&Graph::torus(&[30, 30]).unwrap()).unwrap();
    let error = OperatorFunction::new(&a, Function::Power(0.3), Way::Chebyshev, 1e-9).err();
    let Some(SpatialError::Tolerance { tolerance: 1e-9, reached, .. }) = error else {
        panic!("{error:?}");
    };
    assert!(reached > 1e-9 && reached < 1e-1, "{reached}");
}

/// The dense matrix has rounding errors of its largest eigenvalue, which negative powers magnify.
#[test]
fn error_bounds_of_dense_matrices_hold_for_negative_powers() {
    let n = 300;
    let a = Tridiagonal::new(n);
    let x: Vec<f64> = numbers(n, 0.3).iter().map(|x| 1.0 + x).collect();
    for s in [-2.0, -1.0, -0.5, 0.5, 2.0] {
        let f = OperatorFunction::new(&a, Function::Power(s), Way::Dense, 1e-4).unwrap();
        let mut y = vec![0.0; n];
        f.apply(&x, &mut y).unwrap();
        let largest = a.eigenvalue(1).powf(s).max(a.eigenvalue(n).powf(s));
        let error = distance(&y, &a.function(|l| l.powf(s), &x)) / (largest * norm(&x));
        let bound = f.error_bound();
        assert!(error <= bound && bound < 1e5 * error + 1e-13, "{s}: {error:.1e} {bound:.1e}");
        assert_eq!(bound > 1e-10, s < 0.0, "{s}: {bound:.1e}");
    }
    let power = Function::Power(-1.0);
    let error = OperatorFunction::new(&a, power, Way::Dense, 1e-12).err();
    assert!(matches!(error, Some(SpatialError::Tolerance { tolerance: 1e-12, .. })), "{error:?}");
    // Auto takes another way.
    let f = OperatorFunction::new(&a, power, Way::Auto, 1e-10).unwrap();
    assert!(f.way() != Way::Dense && f.error_bound() <= 1e-10, "{}", f.explain());
}

#[test]
fn bad_fields() {
    let a = Tridiagonal::new(4);
    let f = OperatorFunction::new(&a, Function::Power(0.5), Way::Auto, 1e-6).unwrap();
    let mut y = [0.0; 4];
    let error = f.apply(&[0.0; 3], &mut y).unwrap_err();
    assert_eq!(error.to_string(), "x has 3 values, expected 4");
    let error = f.apply(&[0.0, 1.0, f64::INFINITY, 0.0], &mut y).unwrap_err();
    assert_eq!(error.to_string(), "x is inf at index 2");
    assert!(f.apply(&[0.0; 4], &mut [0.0; 5]).is_err());
    assert!(f.apply_transpose(&[0.0; 5], &mut y).is_err());
    assert!(f.apply_exponent_derivative(&[0.0; 5], &mut y).is_err());
    let heat = Function::Exponential { t: 1.0 };
    let f = OperatorFunction::new(&a, heat, Way::Auto, 1e-6).unwrap();
    let error = f.apply_exponent_derivative(&[0.0; 4], &mut y).unwrap_err();
    assert!(matches!(error, SpatialError::Unsupported { .. }));
    let ring = GraphLaplacian::combinatorial(&Graph::ring(3).unwrap()).unwrap();
    assert!(remove_null_space(&ring, &mut y).is_err());
}
