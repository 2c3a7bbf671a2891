use crate::operators::{Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{Function, Graph, GraphLaplacian, OperatorFunction, SpatialOperator, Way};

#[test]
fn exponent_derivatives_agree_with_the_eigenvectors() {
    let modes = Tridiagonal::with_modes(40);
    let plain = Tridiagonal::new(40);
    let x = numbers(40, 0.5);
    for s in [-1.4, -0.5, 0.3, 1.0, 1.7] {
        let exact = plain.function(|l| l.powf(s) * l.ln(), &x);
        for (way, bound) in [
            (Way::Modes, 1e-12),
            (Way::Dense, 1e-11),
            (Way::Chebyshev, 1e-7),
            (Way::Lanczos, 1e-9),
            (Way::Rational, 1e-7),
            (Way::Sinc, 1e-7),
        ] {
            let a: &dyn SpatialOperator = if way == Way::Modes { &modes } else { &plain };
            let f = OperatorFunction::new(a, Function::Power(s), way, 1e-12).unwrap();
            let mut y = vec![0.0; 40];
            f.apply_exponent_derivative(&x, &mut y).unwrap();
            let error = distance(&y, &exact) / norm(&exact);
            assert!(error < bound, "{s} {way:?}: {error:.1e}");
        }
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
