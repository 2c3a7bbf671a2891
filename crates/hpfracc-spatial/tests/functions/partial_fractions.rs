use hpfracc_spatial::{PartialFractions, SpatialError};

fn largest_error(f: &PartialFractions, [a, b]: [f64; 2]) -> f64 {
    let point = |k: usize| a * (b / a).powf(k as f64 / 7000.0);
    let error = |l: f64| (f.eval(l) * l.powf(f.exponent()) - 1.0).abs();
    (0..=7000).map(|k| error(point(k))).fold(0.0, f64::max)
}

#[test]
fn poles_are_few_and_the_error_is_relative() {
    // Condition number, tolerance, most poles.
    for (kappa, tolerance, most) in [
        (1e4, 1e-3, 6),
        (1e4, 1e-6, 11),
        (1e4, 1e-9, 16),
        (1e6, 1e-6, 14),
        (1e6, 1e-10, 24),
        (1e8, 1e-6, 18),
        (1e8, 1e-10, 30),
    ] {
        for g in [0.1, 0.3, 0.5, 0.8, 0.95] {
            let interval = [3.0, 3.0 * kappa];
            let f = PartialFractions::inverse_power(g, interval, tolerance).unwrap();
            let error = largest_error(&f, interval);
            assert!(error <= 1.1 * tolerance, "{kappa:.0e} {tolerance:.0e} {g}: {error:.1e}");
            assert!(f.error() <= tolerance);
            let poles = f.poles().len();
            assert!(poles <= most, "{kappa:.0e} {tolerance:.0e} {g}: {poles} poles");
            assert!(f.poles().iter().all(|p| *p > 0.0));
        }
    }
}

#[test]
fn sinc_quadrature_keeps_its_bound() {
    for kappa in [1.0, 1e3, 1e8] {
        for tolerance in [1e-3, 1e-6, 1e-12] {
            for g in [0.02, 0.3, 0.5, 0.9, 0.99] {
                let interval = [1e-3, 1e-3 * kappa];
                let f = PartialFractions::sinc(g, interval, tolerance).unwrap();
                let error = largest_error(&f, interval);
                assert!(error <= tolerance, "{kappa:.0e} {tolerance:.0e} {g}: {error:.1e}");
                let poles = f.poles().len();
                assert!(poles <= 150 || !(0.3..=0.9).contains(&g), "{g}: {poles} poles");
            }
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    for (g, interval, tolerance) in [
        (0.0, [1.0, 2.0], 1e-6),
        (1.0, [1.0, 2.0], 1e-6),
        (f64::NAN, [1.0, 2.0], 1e-6),
        (0.5, [0.0, 2.0], 1e-6),
        (0.5, [3.0, 2.0], 1e-6),
        (0.5, [1.0, f64::INFINITY], 1e-6),
        (0.5, [1.0, 2.0], 0.0),
        (0.5, [1.0, 2.0], 1e-20),
    ] {
        for make in [PartialFractions::inverse_power, PartialFractions::sinc] {
            let error = make(g, interval, tolerance).unwrap_err();
            assert!(matches!(error, SpatialError::OutOfRange { .. }), "{error}");
        }
    }
}
