use crate::operators::{Diagonal, Tridiagonal, distance, norm, numbers};
use hpfracc_spatial::{Contour, Function, OperatorFunction, SpatialError, Way};
use hpfracc_special::MittagLeffler;

fn eigenvalues() -> Vec<f64> {
    std::iter::once(0.0).chain((0..80).map(|k| 10f64.powf(-3.0 + f64::from(k) * 0.14))).collect()
}

#[test]
fn few_nodes_reach_twelve_digits() {
    let l = eigenvalues();
    let a = Diagonal(l.clone());
    for (alpha, tolerance, most) in [
        (0.3, 2e-12, 12),
        (0.6, 2e-12, 12),
        (0.9, 2e-12, 12),
        (1.0, 2e-12, 13),
        (0.5, 1e-6, 7),
        (0.5, 1e-10, 11),
        (1.2, 1e-9, 16),
        (1.5, 1e-9, 24),
        (1.9, 1e-6, 130),
    ] {
        let t = 0.7;
        let contour = Contour::new(alpha, [t, t], tolerance, 1e9).unwrap();
        let nodes = contour.shifts().len();
        assert!(nodes <= most, "{alpha} {tolerance:.0e}: {nodes}");
        let function = Function::MittagLeffler { alpha, t };
        let f = OperatorFunction::new(&a, function, Way::Contour, tolerance).unwrap();
        let mut y = vec![0.0; l.len()];
        f.apply(&vec![1.0; l.len()], &mut y).unwrap();
        let exact = MittagLeffler::new(alpha, 1.0).unwrap();
        for (y, l) in y.iter().zip(&l) {
            let error = (y - exact.eval(-l * t.powf(alpha))).abs();
            assert!(error <= 1.5 * tolerance, "{alpha} {l}: {error:.1e}");
        }
    }
}

#[test]
fn one_contour_serves_a_window_of_times() {
    let l = eigenvalues();
    let a = Diagonal(l.clone());
    for (alpha, ratio, tolerance, most) in [
        (0.6, 10.0, 3e-10, 24),
        (0.6, 100.0, 1e-9, 36),
        (1.0, 10.0, 1e-8, 20),
        (1.4, 5.0, 1e-7, 40),
    ] {
        let contour = Contour::new(alpha, [0.5, 0.5 * ratio], tolerance, 1e9).unwrap();
        let nodes = contour.shifts().len();
        assert!(nodes <= most, "{alpha} {ratio}: {nodes}");
        let solves = contour.solve(&a, &vec![1.0; l.len()]).unwrap();
        let exact = MittagLeffler::new(alpha, 1.0).unwrap();
        let mut y = vec![0.0; l.len()];
        for k in 0..=20 {
            let t = 0.5 * f64::powf(ratio, f64::from(k) / 20.0);
            solves.at(t.clamp(0.5, 0.5 * ratio), &mut y).unwrap();
            for (y, l) in y.iter().zip(&l) {
                let error = (y - exact.eval(-l * t.powf(alpha))).abs();
                assert!(error <= 2.0 * tolerance, "{alpha} {ratio} {t} {l}: {error:.1e}");
            }
        }
    }
}

#[test]
fn subdiffusion_on_an_interval() {
    let a = Tridiagonal::new(100);
    let x = numbers(100, 0.1);
    for (alpha, t) in [(0.4, 1e-3f64), (0.8, 0.1), (1.0, 1e-3), (1.5, 0.02)] {
        let e = MittagLeffler::new(alpha, 1.0).unwrap();
        let exact = a.function(|l| e.eval(-l * t.powf(alpha)), &x);
        for way in [Way::Contour, Way::Lanczos, Way::Chebyshev, Way::Dense] {
            let function = Function::MittagLeffler { alpha, t };
            let f = OperatorFunction::new(&a, function, way, 1e-10).unwrap();
            let mut y = vec![0.0; 100];
            f.apply(&x, &mut y).unwrap();
            let error = distance(&y, &exact) / norm(&x);
            assert!(error < 2e-10, "{alpha} {way:?}: {error:.1e}");
        }
    }
}

#[test]
fn time_zero_is_the_identity() {
    let a = Tridiagonal::new(5);
    let x = numbers(5, 0.1);
    for function in
        [Function::Exponential { t: 0.0 }, Function::MittagLeffler { alpha: 0.5, t: 0.0 }]
    {
        for way in [Way::Contour, Way::Dense, Way::Lanczos] {
            let f = OperatorFunction::new(&a, function, way, 1e-10).unwrap();
            let mut y = vec![0.0; 5];
            f.apply(&x, &mut y).unwrap();
            assert!(distance(&x, &y) < 1e-14);
        }
    }
}

#[test]
fn bad_windows_are_refused() {
    for (alpha, window, tolerance, highest) in [
        (2.0, [1.0, 1.0], 1e-6, 1.0),
        (0.5, [0.0, 1.0], 1e-6, 1.0),
        (0.5, [2.0, 1.0], 1e-6, 1.0),
        (0.5, [1.0, f64::INFINITY], 1e-6, 1.0),
        (0.5, [1.0, 1.0], 0.0, 1.0),
        (0.5, [1.0, 1.0], 1e-6, f64::NAN),
    ] {
        let error = Contour::new(alpha, window, tolerance, highest).unwrap_err();
        assert!(matches!(error, SpatialError::OutOfRange { .. }), "{error}");
    }
    let error = Contour::new(0.5, [1.0, 1.0], 1e-18, 1.0).unwrap_err();
    assert!(matches!(error, SpatialError::Tolerance { .. }));
    let contour = Contour::new(0.5, [1.0, 2.0], 1e-6, 10.0).unwrap();
    let a = Diagonal(vec![1.0]);
    let solves = contour.solve(&a, &[1.0]).unwrap();
    // Nothing is written.
    let mut y = [7.0];
    assert!(solves.at(3.0, &mut y).is_err() && solves.at(f64::NAN, &mut y).is_err());
    assert!(solves.add_at(0.5, 1.0, &mut y).is_err() && solves.add_at(1.0, 0.9, &mut y).is_err());
    let mut two = [7.0; 2];
    assert!(solves.at(1.0, &mut two).is_err());
    assert_eq!((y, two), ([7.0], [7.0; 2]));
    assert!(contour.solve(&a, &[f64::NAN]).is_err());
}
