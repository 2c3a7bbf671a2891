//! Integrals and derivatives of functions against closed forms.

use hpfracc_ode::{OdeError, caputo_of_function, integral_of_function};
use hpfracc_special::{gamma, mittag_leffler};

const TIMES: [f64; 6] = [3.0, 1.0, 0.0, 1e-6, 0.1, 2.999];

#[test]
fn derivatives_of_exponentials_and_powers() {
    for alpha in [0.1, 0.5, 0.9, 1.3, 2.7] {
        let m = f64::ceil(alpha);
        let found = caputo_of_function(alpha, 0.0, &TIMES, f64::exp).unwrap();
        for (t, found) in TIMES.into_iter().zip(found) {
            // D^alpha exp(t) = t^(m-alpha) E_{1,1+m-alpha}(t)
            let exact = t.powf(m - alpha) * mittag_leffler(1.0, 1.0 + m - alpha, t).unwrap();
            assert!((found - exact).abs() < 1e-12 * 20.0, "{alpha} {t}: {found} {exact}");
        }
        let power = move |t: f64| gamma(4.5) / gamma(4.5 - m) * t.powf(3.5 - m);
        let found = caputo_of_function(alpha, 0.0, &TIMES, power).unwrap();
        for (t, found) in TIMES.into_iter().zip(found) {
            let exact = gamma(4.5) / gamma(4.5 - alpha) * t.powf(3.5 - alpha);
            assert!((found - exact).abs() < 1e-12 * 50.0, "{alpha} {t}: {found} {exact}");
        }
    }
}

#[test]
fn the_start_may_be_anywhere() {
    let shifted = integral_of_function(0.7, -5.0, &[-4.0], |t| (t + 5.0).sin()).unwrap();
    let from_zero = integral_of_function(0.7, 0.0, &[1.0], f64::sin).unwrap();
    assert!((shifted[0] - from_zero[0]).abs() < 1e-13);
    assert_eq!(caputo_of_function(2.0, 0.0, &[1.5], |t| 3.0 * t).unwrap(), [4.5]);
}

/// Sizes do not matter.
#[test]
fn tiny_and_huge_functions() {
    let unit = integral_of_function(0.4, 0.0, &[2.0], f64::cos).unwrap()[0];
    for size in [1e-290, 1e-30, 1e30, 1e290] {
        let found = integral_of_function(0.4, 0.0, &[2.0], |t| size * t.cos()).unwrap()[0];
        assert!((found / size - unit).abs() < 1e-12, "{size:e}");
    }
    assert_eq!(integral_of_function(0.4, 0.0, &[2.0], |_| 0.0).unwrap(), [0.0]);
}

#[test]
fn bad_arguments_are_named() {
    let integral = |alpha, t0, times: &[f64]| integral_of_function(alpha, t0, times, f64::cos);
    assert!(matches!(integral(-0.5, 0.0, &[1.0]), Err(OdeError::Order { .. })));
    assert!(matches!(integral(f64::NAN, 0.0, &[1.0]), Err(OdeError::Order { .. })));
    assert!(matches!(integral(0.5, 0.0, &[f64::NAN]), Err(OdeError::OutOfRange { .. })));
    assert!(matches!(integral(0.5, 0.0, &[1.0, -1.0]), Err(OdeError::Outside { t: -1.0, .. })));
    let ends = |t: f64| if t < 0.5 { 1.0 } else { f64::NAN };
    let error = integral_of_function(0.5, 0.0, &[1.0], ends).unwrap_err();
    assert!(matches!(error, OdeError::NotFinite { component: 0, .. }), "{error}");
}
