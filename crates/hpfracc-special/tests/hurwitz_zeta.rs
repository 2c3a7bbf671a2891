//! Hurwitz zeta function against the mpmath table, identities and refusals.

use hpfracc_special::{SpecialError, hurwitz_zeta, trigamma};
use hpfracc_testkit::Table;

#[test]
fn values_agree_with_the_table() {
    let mut worst = (0.0, 0.0, 0.0);
    for row in Table::parse(include_str!("data/hurwitz_zeta.csv")).rows() {
        let (s, q, value) = (row.number("s"), row.number("q"), row.number("value"));
        let error = (hurwitz_zeta(s, q).unwrap() / value - 1.0).abs();
        if error > worst.0 {
            worst = (error, s, q);
        }
    }
    assert!(worst.0 < 1e-15, "{worst:?}");
}

#[test]
fn the_second_order_is_the_trigamma_function() {
    for q in [0.1, 0.7, 1.0, 3.3, 8.9, 9.0, 15.0, 1e3] {
        assert!((hurwitz_zeta(2.0, q).unwrap() / trigamma(q) - 1.0).abs() < 2e-15, "{q}");
    }
}

#[test]
fn limits_and_refusals() {
    assert!(hurwitz_zeta(f64::NAN, 1.0).unwrap().is_nan());
    assert_eq!(hurwitz_zeta(f64::INFINITY, 1.0), Ok(1.0));
    assert_eq!(hurwitz_zeta(1.5, f64::INFINITY), Ok(0.0));
    assert_eq!(hurwitz_zeta(400.0, 1e-3), Ok(f64::INFINITY));
    for (s, q, name) in [(1.0, 1.0, "s"), (-2.0, 1.0, "s"), (2.0, 0.0, "q"), (2.0, -0.5, "q")] {
        let refused = hurwitz_zeta(s, q).unwrap_err();
        assert!(matches!(refused, SpecialError::OutOfRange { name: found, .. } if found == name));
    }
}
