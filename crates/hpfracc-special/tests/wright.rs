//! The Wright function against the mpmath table and closed forms.

use std::f64::consts::PI;

use hpfracc_special::*;
use hpfracc_testkit::Table;

#[test]
fn wright_agrees_with_the_table() {
    let mut worst = (0.0, String::new());
    for row in Table::parse(include_str!("data/wright.csv")).rows() {
        let f = row.numbers();
        let found = wright(f[0], f[1], f[2]).unwrap();
        let error = (found - f[3]).abs() / f[4];
        if error.is_nan() || error > worst.0 {
            worst =
                (error, format!("W_{{{},{}}}({}) = {:e}, found {found:e}", f[0], f[1], f[2], f[3]));
        }
    }
    println!("wright: worst {:.1e} for {}", worst.0, worst.1);
    assert!(worst.0 <= 1e-13, "{:e}: {}", worst.0, worst.1);
}

#[test]
fn m_wright_closed_forms() {
    for x in [-3.0f64, -0.2, 0.0, 0.3, 1.0, 4.0, 12.0] {
        let expected = (-0.25 * x * x).exp() / PI.sqrt();
        let found = m_wright(0.5, x).unwrap();
        assert!((found - expected).abs() <= 5e-14 * expected, "{x}: {found:e} {expected:e}");
    }
    // The moments of the density: ∫ M_ν = 1, ∫ x M_ν = 1/Γ(1+ν).
    for nu in [0.25, 0.5, 0.7] {
        let h = 0.01;
        let value = |k: i32| m_wright(nu, f64::from(k) * h).unwrap();
        let (mut zeroth, mut first) = (0.0, 0.0);
        for k in (0..4000).step_by(2) {
            // Simpson's rule.
            let (a, b, c) = (value(k), value(k + 1), value(k + 2));
            let x = f64::from(k) * h;
            zeroth += h / 3.0 * (a + 4.0 * b + c);
            first += h / 3.0 * (a * x + 4.0 * b * (x + h) + c * (x + 2.0 * h));
            if c < 1e-14 {
                break;
            }
        }
        assert!((zeroth - 1.0).abs() < 1e-9, "{nu}: {zeroth}");
        assert!((first * gamma(1.0 + nu) - 1.0).abs() < 1e-9, "{nu}: {first}");
    }
}

#[test]
fn special_orders() {
    // λ = 0: e^z/Γ(μ).
    assert!((wright(0.0, 2.5, -3.0).unwrap() - (-3f64).exp() / gamma(2.5)).abs() < 1e-16);
    // λ = -1/2, μ = 1: erfc(-z/2).
    for z in [-8.0, -2.0, -0.7, 0.6, 3.0] {
        let (found, expected) = (wright(-0.5, 1.0, z).unwrap(), erfc(-0.5 * z));
        assert!((found - expected).abs() <= 5e-14 * expected, "{z}: {found:e} {expected:e}");
    }
}

#[test]
fn bad_parameters_and_lost_digits_are_errors() {
    assert!(matches!(wright(-1.0, 1.0, 1.0), Err(SpecialError::OutOfRange { name: "lambda", .. })));
    assert!(matches!(wright(0.5, f64::NAN, 1.0), Err(SpecialError::NotFinite { name: "mu", .. })));
    assert!(matches!(
        wright(0.5, 1.0, f64::INFINITY),
        Err(SpecialError::NotFinite { name: "z", .. })
    ));
    assert!(matches!(m_wright(1.0, 1.0), Err(SpecialError::OutOfRange { name: "nu", .. })));
    assert!(wright(0.5, 1.0, f64::NAN).unwrap().is_nan());
    // Terms of size 1e120 cancel to order one.
    assert!(matches!(wright(-1.0 / 3.0, 0.5, 400.0), Err(SpecialError::NotConverged { .. })));
}
