//! Transport integrals at the start of time and near the exponent -1.

use hpfracc_equation::{Rows, RowsMut};
use hpfracc_fit::{CatalogueModel, Model, catalogue};

fn model() -> CatalogueModel {
    catalogue::find("xpcs-two-time").unwrap().with("q", 1.0).unwrap()
}

/// `int t^alpha dt` from t1 to t2, out of the correlation, and its derivative with respect to alpha.
fn integral(alpha: f64, t1: f64, t2: f64) -> (f64, f64) {
    let (model, inputs) = (model(), [t1, t2]);
    let names: Vec<&str> = model.parameters().iter().map(|known| known.name.as_str()).collect();
    assert_eq!(names, ["offset", "contrast", "D0", "alpha", "D_off"]);
    let bound = model.at(&[0.0, 1.0, 1.0, alpha, 0.0]).unwrap();
    let mut out = [0.0; 6];
    bound.derivatives(Rows::new(&inputs, 1), RowsMut::new(&mut out, 1));
    (-out[0].ln(), -out[4] / out[0])
}

#[test]
fn the_start_of_time() {
    for alpha in [-0.9, -0.3, 0.0, 0.8] {
        let (value, slope) = integral(alpha, 0.0, 2.0);
        let power = 1.0 + alpha;
        let expected = 2f64.powf(power) / power;
        assert!((value / expected - 1.0).abs() < 1e-13, "{alpha}: {value} {expected}");
        let expected = expected * (2f64.ln() - 1.0 / power);
        assert!((slope / expected - 1.0).abs() < 1e-12, "{alpha}: {slope} {expected}");
        assert_eq!(integral(alpha, 0.0, 0.0), (0.0, 0.0));
        assert_eq!(integral(alpha, 2.0, 0.0), integral(alpha, 0.0, 2.0));
    }
    // The integral does not exist.
    assert!(integral(-1.2, 0.0, 1.0).0.is_nan());
}

/// At -1 it is `ln(t2/t1)`, with the derivative `(ln(t2)^2 - ln(t1)^2)/2`.
#[test]
fn the_logarithm() {
    let (t1, t2) = (0.5f64, 3.0f64);
    let (logarithm, half) = ((t2 / t1).ln(), (t2.ln().powi(2) - t1.ln().powi(2)) / 2.0);
    for distance in [0.0, 1e-15, -1e-12, 1e-9, -1e-6] {
        let (value, slope) = integral(-1.0 + distance, t1, t2);
        assert!((value - logarithm - half * distance).abs() < distance * distance + 1e-14);
        assert!((slope - half).abs() < 3.0 * distance.abs() + 1e-13, "{distance}: {slope} {half}");
    }
}

/// Both sides of the place where the series ends.
#[test]
fn the_end_of_the_series() {
    let t2 = 2.0f64;
    for size in [0.499_999, 0.500_001, -0.499_999, -0.500_001] {
        let power = size / t2.ln();
        let (value, slope) = integral(power - 1.0, 1.0, t2);
        let expected = size.exp_m1() / power;
        assert!((value / expected - 1.0).abs() < 2e-15, "{size}");
        let expected = (t2.ln() * size.exp() - expected) / power;
        assert!((slope / expected - 1.0).abs() < 2e-14, "{size}: {slope} {expected}");
    }
}

/// Close times: no cancellation in the logarithm of their ratio.
#[test]
fn close_times() {
    for alpha in [-1.0, -0.5, 0.7] {
        let (t1, t2) = (3.0f64, 3.0 + 2f64.powi(-40));
        let (value, slope) = integral(alpha, t1, t2);
        let middle = t1 + 2f64.powi(-41);
        let expected = middle.powf(alpha) * 2f64.powi(-40);
        // The correlation is 1 less the integral, which loses 12 digits.
        assert!((value - expected).abs() < 2e-16, "{value} {expected}");
        assert!((slope / expected / middle.ln() - 1.0).abs() < 1e-14, "{slope}");
    }
}
