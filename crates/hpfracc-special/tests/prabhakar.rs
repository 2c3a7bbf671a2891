//! The Prabhakar function and the derivatives of E_{α,β}, against the mpmath tables.

use hpfracc_special::*;
use hpfracc_testkit::Table;

fn check(table: &str, bound: f64, eval: impl Fn(&[f64], Complex64) -> Complex64) {
    let mut worst = (0.0, String::new());
    let mut errors = Vec::new();
    for row in Table::parse(table).rows() {
        let f = row.numbers();
        let (z, value) = (Complex64::new(f[3], f[4]), Complex64::new(f[5], f[6]));
        let error = (eval(&f[..3], z) - value).norm() / value.norm().max(1.0);
        if error.is_nan() || error > worst.0 {
            worst = (error, format!("{:?} at {z}: {value:e}", &f[..3]));
        }
        errors.push(error);
    }
    errors.sort_by(f64::total_cmp);
    println!("worst {:.1e} for {}, median {:.1e}", worst.0, worst.1, errors[errors.len() / 2]);
    assert!(worst.0 <= bound, "error {:e} for {}", worst.0, worst.1);
}

#[test]
fn prabhakar_agrees_with_the_table() {
    check(include_str!("data/prabhakar.csv"), 2e-13, |p, z| {
        if z.im == 0.0 {
            prabhakar(p[0], p[1], p[2], z.re).unwrap().into()
        } else {
            prabhakar_complex(p[0], p[1], p[2], z).unwrap()
        }
    });
}

#[test]
fn derivatives_agree_with_the_table() {
    check(include_str!("data/derivatives.csv"), 1e-13, |p, z| {
        if z.im == 0.0 {
            mittag_leffler_derivative(p[0], p[1], p[2] as usize, z.re).unwrap().into()
        } else {
            mittag_leffler_derivative_complex(p[0], p[1], p[2] as usize, z).unwrap()
        }
    });
}

#[test]
fn gamma_one_is_the_two_parameter_function() {
    for alpha in [0.4, 1.0, 1.6] {
        for x in [-30.0, -2.0, 0.4, 3.0] {
            // Next to 1 the loop integrals are used, at 1 the derivative of order 0.
            let near = prabhakar(alpha, 0.8, 1.0 + 1e-13, x).unwrap();
            let at = prabhakar(alpha, 0.8, 1.0, x).unwrap();
            let e = mittag_leffler(alpha, 0.8, x).unwrap();
            assert!((at - e).abs() <= 1e-15 * e.abs().max(1.0));
            assert!((near - e).abs() <= 5e-12 * e.abs().max(1.0), "{alpha} {x}: {near} {e}");
        }
    }
}

#[test]
fn limits_and_bad_parameters() {
    assert!(prabhakar(0.5, 1.0, 0.5, f64::NAN).unwrap().is_nan());
    assert_eq!(prabhakar(0.5, 1.0, 0.5, f64::NEG_INFINITY), Ok(0.0));
    assert_eq!(prabhakar(0.5, 1.0, 0.5, f64::INFINITY), Ok(f64::INFINITY));
    assert_eq!(prabhakar(0.5, 1.0, 0.5, 1e3), Ok(f64::INFINITY));
    // For γ = 1 those of the Mittag-Leffler function, also where the growing exponential turns
    // without end, and where cos √-x is divided by a power.
    for (alpha, beta) in [(1.0, 5e-324), (0.5, 1.0), (2.0, 1.0), (2.0, 1.5), (2.5, 4.0)] {
        let plain = MittagLeffler::new(alpha, beta).unwrap();
        for (re, im) in [(1.0, 0.0), (1.0, 5e-324), (1.0, -2.0), (-1.0, 0.0), (-1.0, 5e-324)] {
            let z = Complex64::new(re * f64::INFINITY, im);
            let (found, expected) =
                (prabhakar_complex(alpha, beta, 1.0, z).unwrap(), plain.eval_complex(z));
            let same = found == expected || (found.is_nan() && expected.is_nan());
            assert!(same, "{alpha} {beta} {z}: {found}, expected {expected}");
        }
    }
    assert!(prabhakar(2.0, 1.5, 2.0, f64::NEG_INFINITY).unwrap().is_nan());
    // Branch points at 1e30, which steps of 1/50 would never pass.
    assert_eq!(prabhakar(0.5, 3e149, 1.5, 1e15), Ok(0.0));
    assert!(matches!(
        prabhakar(11.0, 1.0, 0.5, 1.0),
        Err(SpecialError::OutOfRange { name: "alpha", value: 11.0, .. })
    ));
    assert!(matches!(
        prabhakar(0.5, 1.0, f64::INFINITY, 1.0),
        Err(SpecialError::NotFinite { name: "gamma", .. })
    ));
}
