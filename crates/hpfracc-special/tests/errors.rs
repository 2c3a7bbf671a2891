//! Bad parameters are typed errors with the value; NaN and infinities propagate; nothing panics.

use hpfracc_special::*;

#[test]
fn bad_parameters_name_the_value() {
    for alpha in [0.0, -1.5, f64::INFINITY] {
        let error = MittagLeffler::new(alpha, 1.0).unwrap_err();
        assert_eq!(error, SpecialError::NotPositive { name: "alpha", value: alpha });
        assert_eq!(mittag_leffler(alpha, 1.0, 0.1).unwrap_err(), error);
        assert_eq!(mittag_leffler_derivative(alpha, 1.0, 1, 0.1).unwrap_err(), error);
        assert_eq!(prabhakar(alpha, 1.0, 0.5, 0.1).unwrap_err(), error);
    }
    assert!(MittagLeffler::new(f64::NAN, 1.0).is_err());
    assert_eq!(
        mittag_leffler(-1.5, 1.0, 0.0).unwrap_err().to_string(),
        "`alpha` is -1.5, expected a positive finite number"
    );
    assert_eq!(
        mittag_leffler(21.0, 1.0, 0.0).unwrap_err().to_string(),
        "`alpha` is 21, expected alpha <= 20"
    );
    assert_eq!(
        mittag_leffler(1.0, f64::NEG_INFINITY, 0.0),
        Err(SpecialError::NotFinite { name: "beta", value: f64::NEG_INFINITY })
    );
    assert_eq!(gamma_p(-2.0, 1.0), Err(SpecialError::NotPositive { name: "a", value: -2.0 }));
    assert!(matches!(
        gamma_q(2.0, -1.0),
        Err(SpecialError::OutOfRange { name: "x", value: -1.0, .. })
    ));
}

/// Far negative second parameters, and third ones beyond what was measured, are refused; what is
/// accepted never panics.
#[test]
fn parameters_beyond_the_ranges() {
    for beta in [-100.5, -170.5, -200.0, -1e4, -1e300] {
        assert!(matches!(
            MittagLeffler::new(0.5, beta),
            Err(SpecialError::OutOfRange { name: "beta", value, .. }) if value == beta
        ));
    }
    for gamma in [-2.5, 5.5, 170.0, 500.0] {
        let refused = prabhakar(0.5, 1.0, gamma, 0.5);
        assert!(matches!(refused, Err(SpecialError::OutOfRange { name: "gamma", .. })));
    }
    assert!(prabhakar(0.7, -60.5, 0.5, 4.0).is_err());
    for beta in [-100.0, -99.5, -50.0, -10.0, 0.0, 170.0, 500.0, 1e5, 1e300] {
        for alpha in [0.01, 0.5, 1.0, 1.5, 3.0, 20.0] {
            let e = MittagLeffler::new(alpha, beta).unwrap();
            for z in [-1e300, -1e4, -5.0, -0.5, 0.0, 0.5, 5.0, 100.0, 1e300] {
                let _ = e.eval(z);
                let _ = e.eval_complex(Complex64::new(z, 3.0));
                let mut out = [0.0];
                e.eval_slice(&[z], &mut out).unwrap();
            }
        }
    }
}

#[test]
fn lengths_must_agree() {
    let e = MittagLeffler::new(0.5, 1.0).unwrap();
    let error = e.eval_slice(&[1.0; 8], &mut [0.0; 7]).unwrap_err();
    assert_eq!(error, SpecialError::Length { found: 7, expected: 8 });
    assert_eq!(error.to_string(), "`out` has length 7, expected 8");
    let zero = Complex64::ZERO;
    let error = e.eval_complex_slice(&[zero; 1], &mut [zero; 2]).unwrap_err();
    assert_eq!(error, SpecialError::Length { found: 2, expected: 1 });
    e.eval_slice(&[], &mut []).unwrap();
}

#[test]
fn nan_propagates_and_infinity_gives_the_limit() {
    let inf = f64::INFINITY;
    // (α, β, E(-∞)); E(+∞) is ∞.
    let limits = [
        (0.3, 1.0, Some(0.0)),
        (1.0, 1.0, Some(0.0)),
        (1.0, -2.0, Some(0.0)),
        (1.5, 0.5, Some(0.0)),
        (2.0, 2.0, Some(0.0)),
        (2.0, 1.0, None),
        (3.0, 1.0, None),
    ];
    for (alpha, beta, minus) in limits {
        let e = MittagLeffler::new(alpha, beta).unwrap();
        assert!(e.eval(f64::NAN).is_nan());
        assert!(e.eval_complex(Complex64::new(f64::NAN, 1.0)).is_nan());
        assert!(e.eval_complex(Complex64::new(1.0, f64::NAN)).is_nan());
        assert_eq!(e.eval(inf), inf, "E({alpha},{beta})(∞)");
        let found = e.eval(-inf);
        assert!(minus.map_or(found.is_nan(), |v| v == found), "E({alpha},{beta})(-∞) = {found}");
        let mut out = [0.0; 4];
        e.eval_slice(&[f64::NAN, inf, -inf, 0.0], &mut out).unwrap();
        assert!(out[0].is_nan() && out[1] == inf && out[3] == recip_gamma(beta));
        assert!(out[2] == found || found.is_nan() && out[2].is_nan());
    }
    let e = MittagLeffler::new(0.8, 1.0).unwrap();
    assert_eq!(e.eval_complex(Complex64::new(-inf, 3.0)), Complex64::ZERO);
    assert!(e.eval_complex(Complex64::new(3.0, inf)) == Complex64::ZERO);
}

/// Arguments at the ends of the range: no panic, and the right order of magnitude.
#[test]
fn extreme_arguments() {
    for alpha in [1e-3, 0.05, 0.3, 1.0, 1.7, 2.0, 2.5, 7.0, 20.0] {
        for beta in [-50.5, 0.0, 1.0, 30.0, 1000.0] {
            let e = MittagLeffler::new(alpha, beta).unwrap();
            for size in [f64::MIN_POSITIVE, 1e-300, 1e-10, 1e10, 1e200, f64::MAX] {
                for direction in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (-0.6, -0.8)] {
                    let z = Complex64::new(size * direction.0, size * direction.1);
                    let value = e.eval_complex(z);
                    if size < 1e-5 {
                        let first = recip_gamma(beta);
                        let error = (value - first).norm();
                        assert!(
                            error
                                <= 2.0 * size * recip_gamma(alpha + beta).abs()
                                    + 1e-15 * first.abs()
                        );
                    } else if alpha < 0.9 && direction.0 < 0.0 {
                        // -z^{-1}/Γ(β-α), or what follows where that vanishes.
                        let bound = 1.1 / size * recip_gamma(beta - alpha).abs();
                        let next = 2.0 / size / size * recip_gamma(beta - 2.0 * alpha).abs();
                        assert!(value.norm() <= bound + next, "E({alpha},{beta})({z}) = {value}");
                    }
                }
            }
            assert!(!e.eval(1e9).is_nan(), "E({alpha},{beta})(1e9)");
            assert!(!e.derivative(-1e9, 2).is_nan(), "E''({alpha},{beta})(-1e9)");
        }
    }
}

#[test]
fn gamma_family_at_its_singularities() {
    let inf = f64::INFINITY;
    assert!(gamma(-3.0).is_nan() && digamma(0.0).is_nan() && digamma(-2.0).is_nan());
    assert_eq!((gamma(0.0), gamma(200.0), recip_gamma(inf)), (inf, inf, 0.0));
    assert_eq!((trigamma(0.0), trigamma(-2.0), trigamma(inf)), (inf, inf, 0.0));
    assert_eq!(ln_gamma(-4.0), (inf, 1.0));
    for n in 0..40 {
        assert_eq!(recip_gamma(-f64::from(n)), 0.0);
        assert_eq!(pochhammer(-f64::from(n), 0.5), 0.0);
    }
    assert_eq!((erfcx(-30.0), erfcx(inf), erfc(-inf)), (inf, 0.0, 2.0));
    assert_eq!((gamma_p(0.5, 0.0), gamma_q(0.5, 0.0)), (Ok(0.0), Ok(1.0)));
    assert_eq!((gamma_p(0.5, inf), gamma_q(0.5, inf)), (Ok(1.0), Ok(0.0)));
    for f in [gamma, recip_gamma, digamma, trigamma, erf, erfc, erfcx] {
        assert!(f(f64::NAN).is_nan());
    }
    assert!(gamma_p(1.0, f64::NAN).unwrap().is_nan() && gamma_ratio(f64::NAN, 1.0).is_nan());
    assert!(pochhammer(1.0, f64::NAN).is_nan() && beta(f64::NAN, 1.0).is_nan());
}
