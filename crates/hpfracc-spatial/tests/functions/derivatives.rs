use crate::operators::{Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{
    Complex64, Function, Graph, GraphLaplacian, OperatorFunction, ShiftedSolver, SpatialError,
    SpatialOperator, Spectrum, Way,
};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn exponent_derivatives_agree_with_the_eigenvectors() {
    let modes = Tridiagonal::with_modes(40);
    let plain = Tridiagonal::new(40);
    let x = numbers(40, 0.5);
    for s in [-1.4, -0.5, 0.3, 1.0, 1.7] {
        let exact = plain.function(|l| l.powf(s) * l.ln(), &x);
        for (way, tolerance, bound) in [
            (Way::Modes, 1e-12, 1e-12),
            (Way::Dense, 1e-10, 1e-11),
            (Way::Chebyshev, 1e-12, 1e-7),
            (Way::Lanczos, 1e-12, 1e-9),
            (Way::Rational, 1e-11, 1e-10),
            (Way::Sinc, 1e-11, 1e-10),
        ] {
            let a: &dyn SpatialOperator = if way == Way::Modes { &modes } else { &plain };
            let f = OperatorFunction::new(a, Function::Power(s), way, tolerance).unwrap();
            let mut y = vec![0.0; 40];
            f.apply_exponent_derivative(&x, &mut y).unwrap();
            let error = distance(&y, &exact) / norm(&exact);
            assert!(error < bound, "{s} {way:?}: {error:.1e}");
        }
    }
}

#[test]
fn errors_of_exponent_derivatives_are_below_the_tolerance() {
    let a = Tridiagonal::new(60);
    let x = numbers(60, 0.5);
    for s in [-1.5, -0.3, 0.7, 1.0] {
        let exact = a.function(|l| l.powf(s) * l.ln(), &x);
        // Relative to |x| and the largest value on the spectrum.
        let largest = [1, 60].map(|k| a.eigenvalue(k)).map(|l| (l.powf(s) * l.ln()).abs());
        let size = norm(&x) * largest[0].max(largest[1]);
        for (way, tolerance) in [Way::Rational, Way::Sinc]
            .into_iter()
            .flat_map(|way| [1e-3, 1e-6, 1e-9, 1e-11].map(|tolerance| (way, tolerance)))
        {
            let f = OperatorFunction::new(&a, Function::Power(s), way, tolerance).unwrap();
            let mut y = vec![0.0; 60];
            f.apply_exponent_derivative(&x, &mut y).unwrap();
            let error = distance(&y, &exact) / size;
            assert!(error <= 2.0 * tolerance, "{s} {way:?} {tolerance:.0e}: {error:.1e}");
        }
    }
}

/// Counts the solvers it prepares.
struct Counting {
    of: Tridiagonal,
    count: AtomicUsize,
}

impl SpatialOperator for Counting {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.of.apply(x, y);
    }

    fn spectrum(&self) -> Spectrum {
        self.of.spectrum()
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.of.shifted(z)
    }
}

#[test]
fn solvers_of_derivatives_are_prepared_on_request_and_once() {
    let (x, mut y) = (numbers(30, 0.5), vec![0.0; 30]);
    for s in [-0.5, 0.5, 1.0, 2.0] {
        let a = Counting { of: Tridiagonal::new(30), count: AtomicUsize::new(0) };
        let count = || a.count.load(Ordering::Relaxed);
        let f = OperatorFunction::new(&a, Function::Power(s), Way::Rational, 1e-6).unwrap();
        let of_values = count();
        assert_eq!(of_values == 0, s.fract() == 0.0, "{s}");
        f.apply(&x, &mut y).unwrap();
        assert_eq!(count(), of_values);
        f.apply_exponent_derivative(&x, &mut y).unwrap();
        let of_derivatives = count();
        f.apply_exponent_derivative(&x, &mut y).unwrap();
        assert_eq!(count(), of_derivatives);
    }
}

#[test]
fn exponent_derivatives_on_a_graph_agree_with_differences() {
    let a = GraphLaplacian::normalised(&Graph::small_world(80, 2, 0.1, 3).unwrap()).unwrap();
    let (x, h) = (numbers(80, 0.5), 1e-3);
    let apply = |s: f64| {
        let f = OperatorFunction::new(&a, Function::Power(s), Way::Dense, 1e-10).unwrap();
        let mut y = vec![0.0; 80];
        f.apply(&x, &mut y).unwrap();
        y
    };
    // Central differences of order 4.
    let at = [-2.0, -1.0, 1.0, 2.0].map(|k| apply(0.6 + k * h));
    let difference: Vec<f64> = (0..80)
        .map(|i| (at[0][i] - 8.0 * at[1][i] + 8.0 * at[2][i] - at[3][i]) / (12.0 * h))
        .collect();
    for way in [Way::Dense, Way::Rational, Way::Lanczos] {
        let f = OperatorFunction::new(&a, Function::Power(0.6), way, 1e-12).unwrap();
        let mut y = vec![0.0; 80];
        f.apply_exponent_derivative(&x, &mut y).unwrap();
        let error = distance(&y, &difference) / norm(&difference);
        assert!(error < 1e-7, "{way:?}: {error:.1e}");
    }
}
