//! Functions and conjugate gradients refuse operators that are not self-adjoint.

use hpfracc_spatial::{
    AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Complex64, Contour, Diffusion,
    Function, IterativeSolver, OperatorFunction, PlusConstant, Power, SkewedLaplacian1d,
    SpatialError, SpatialOperator, Stopping, Way, conjugate_gradients, lowest_eigenvalue_estimate,
    matern_field, multi_shift_conjugate_gradients,
};

const N: usize = 20;

/// Advection with diffusion, a one-sided derivative, and the latter plus a constant.
fn check_each(check: impl Fn(&dyn SpatialOperator)) {
    let axis = Axis::new(0.0, 1.0, N, [Boundary::Dirichlet; 2]).unwrap();
    let diffusion = Diffusion::new(BoxGrid::new(vec![axis]).unwrap(), |_| 1.0).unwrap();
    let velocity = vec![30.0; N + 1];
    check(&AdvectionDiffusion::new(&diffusion, &velocity, AdvectionScheme::Upwind).unwrap());
    let skewed = SkewedLaplacian1d::grunwald_letnikov(1.5, [1.0, 0.2], (0.0, 1.0), N).unwrap();
    check(&skewed);
    check(&PlusConstant::new(&skewed, 0.5).unwrap());
}

fn refused<T>(result: Result<T, SpatialError>) {
    let error = result.err().expect("an error");
    assert!(matches!(error, SpatialError::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("not self-adjoint"), "{error}");
}

#[test]
fn functions_are_refused() {
    check_each(|a| {
        assert!(!a.is_self_adjoint());
        for way in [
            Way::Auto,
            Way::Dense,
            Way::Modes,
            Way::Chebyshev,
            Way::Lanczos,
            Way::Rational,
            Way::Sinc,
            Way::Contour,
        ] {
            for function in [Function::Power(0.5), Function::Exponential { t: 0.1 }] {
                refused(OperatorFunction::new(a, function, way, 1e-6));
            }
        }
        refused(Power::new(a, 0.5, Way::Auto, 1e-6));
        refused(matern_field(&PlusConstant::new(a, 0.5).unwrap(), 1.5, 1e-6));
        refused(lowest_eigenvalue_estimate(a, 100));
        let contour = Contour::new(0.5, [1.0, 1.0], 1e-6, a.spectrum().highest).unwrap();
        refused(contour.solve(a, &[1.0; N]));
    });
}

#[test]
fn conjugate_gradients_are_refused() {
    let (b, mut x) = ([1.0; N], [0.0; N]);
    let stopping = Stopping::default();
    check_each(|a| refused(IterativeSolver::new(a, Complex64::ONE, None, stopping)));
    let check = |a: &SkewedLaplacian1d, x: &mut [f64]| {
        refused(conjugate_gradients(a, 1.0, None, &b, x, stopping));
        refused(multi_shift_conjugate_gradients(a, &[1.0], &b, x, stopping));
    };
    check(&SkewedLaplacian1d::riesz_feller(1.5, 0.3, (0.0, 1.0), N).unwrap(), &mut x);
}

#[test]
fn skewed_laplacians_with_equal_sides_are_self_adjoint() {
    for alpha in [0.6, 1.5, 2.0] {
        let equal = SkewedLaplacian1d::grunwald_letnikov(alpha, [0.3; 2], (0.0, 1.0), N).unwrap();
        let symmetric = SkewedLaplacian1d::riesz_feller(alpha, 0.0, (0.0, 1.0), N).unwrap();
        for a in [equal, symmetric] {
            assert!(a.is_self_adjoint(), "{alpha}");
            let root = Power::new(&a, 0.5, Way::Auto, 1e-9).unwrap();
            let (mut x, mut y, mut z) = ([1.0; N], [0.0; N], [0.0; N]);
            x[3] = -2.0;
            root.apply(&x, &mut y);
            root.apply(&y, &mut z);
            a.apply(&x, &mut y);
            let size = a.spectrum().highest;
            assert!(y.iter().zip(z).all(|(y, z)| (y - z).abs() < 1e-11 * size), "{alpha}");
        }
    }
}
