//! Products that are NaN or infinite give errors.

use crate::operators::Tridiagonal;
use hpfracc_spatial::{
    Complex64, Function, Modes, OperatorFunction, ShiftedSolver, SpatialError, SpatialOperator,
    Spectrum, Way, lowest_eigenvalue_estimate,
};

/// An operator whose products, shifted solves and eigenvalues have one value replaced.
struct Faulty {
    exact: Tridiagonal,
    value: f64,
    eigenvalues: Option<Vec<f64>>,
}

struct FaultySolver(f64);

impl ShiftedSolver for FaultySolver {
    fn solve(&self, x: &mut [Complex64]) -> Result<(), SpatialError> {
        x[2] = self.0.into();
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<(), SpatialError> {
        x[2] = self.0;
        Ok(())
    }
}

impl Modes for Faulty {
    fn eigenvalues(&self) -> &[f64] {
        self.eigenvalues.as_deref().unwrap()
    }

    fn to_modes(&self, _: &mut [f64]) {}

    fn to_values(&self, _: &mut [f64]) {}
}

impl SpatialOperator for Faulty {
    fn len(&self) -> usize {
        self.exact.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.exact.apply(x, y);
        y[2] = self.value;
    }

    fn spectrum(&self) -> Spectrum {
        self.exact.spectrum()
    }

    fn modes(&self) -> Option<&dyn Modes> {
        self.eigenvalues.as_ref().map(|_| self as &dyn Modes)
    }

    fn shifted(&self, _: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        Ok(Box::new(FaultySolver(self.value)))
    }
}

fn not_finite(error: Option<SpatialError>) -> bool {
    matches!(error, Some(SpatialError::NotFinite { .. }))
}

#[test]
fn results_are_errors_not_numbers() {
    let (n, x) = (12, [1.0; 12]);
    for value in [f64::NAN, f64::INFINITY] {
        let a = Faulty { exact: Tridiagonal::new(n), value, eigenvalues: None };
        assert!(not_finite(lowest_eigenvalue_estimate(&a, 50).err()));
        for (function, way) in [
            (Function::Power(0.5), Way::Lanczos),
            (Function::Exponential { t: 0.1 }, Way::Lanczos),
            (Function::Exponential { t: 0.1 }, Way::Chebyshev),
            (Function::Exponential { t: 0.1 }, Way::Contour),
            (Function::Power(-0.5), Way::Rational),
            (Function::Power(0.5), Way::Dense),
        ] {
            let apply = || {
                let f = OperatorFunction::new(&a, function, way, 1e-8)?;
                f.apply(&x, &mut [0.0; 12])
            };
            assert!(not_finite(apply().err()), "{function} {way:?} {value}");
        }
        let mut eigenvalues = vec![1.0; n];
        eigenvalues[5] = value;
        let a = Faulty { exact: Tridiagonal::new(n), value, eigenvalues: Some(eigenvalues) };
        let f = OperatorFunction::new(&a, Function::Power(0.5), Way::Modes, 1e-8);
        assert!(not_finite(f.err()));
    }
}

#[test]
fn results_that_overflow_are_errors() {
    let a = Tridiagonal::new(8);
    let f = OperatorFunction::new(&a, Function::Power(1.5), Way::Dense, 1e-8).unwrap();
    assert!(not_finite(f.apply(&[1e308; 8], &mut [0.0; 8]).err()));
}
