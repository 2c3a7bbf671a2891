//! Derivatives of the Prabhakar function in beta, against differences and identities.

use hpfracc_special::{digamma, prabhakar, prabhakar_beta_derivative, recip_gamma};

/// Of fourth order; the error of values near 1 is magnified by 1/step.
fn difference(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let step = 2e-3;
    (8.0 * (f(at + step) - f(at - step)) - (f(at + 2.0 * step) - f(at - 2.0 * step)))
        / (12.0 * step)
}

#[test]
fn prabhakar_in_beta() {
    for (alpha, gamma) in
        [(0.3, 0.5), (0.6, 1.5), (0.6, -1.5), (0.9, 1.0), (0.7, -2.0), (1.4, 1.2), (1.9, -0.5)]
    {
        for beta in [-0.6, 0.2, 1.0, 2.7] {
            for x in [-20.0, -3.0, -0.5, 0.0, 0.4, 2.0] {
                let expected = difference(|b| prabhakar(alpha, b, gamma, x).unwrap(), beta);
                let found = prabhakar_beta_derivative(alpha, beta, gamma, x).unwrap();
                let value = prabhakar(alpha, beta, gamma, x).unwrap();
                let size = 1.0 + expected.abs() + value.abs();
                let what = format!("{alpha} {beta} {gamma} {x}: {found} {expected}");
                assert!((found - expected).abs() < 1e-8 * size, "{what}");
            }
        }
    }
}

/// gamma = -1: 1/Gamma(beta) - x/Gamma(alpha+beta), to rounding, also at the poles of Gamma.
#[test]
fn prabhakar_in_beta_is_exact_for_polynomials() {
    let slope = |b: f64| -digamma(b) * recip_gamma(b);
    for (beta, x) in [(0.7, -3.0), (2.0, 5.0)] {
        let found = prabhakar_beta_derivative(0.6, beta, -1.0, x).unwrap();
        let exact = slope(beta) - x * slope(beta + 0.6);
        assert!((found - exact).abs() < 1e-14, "{found} {exact}");
    }
    // d/db 1/Gamma(b) at -2: (-1)^2 2!
    assert!((prabhakar_beta_derivative(0.6, -2.0, 0.0, 1.0).unwrap() - 2.0).abs() < 1e-14);
    assert!(prabhakar_beta_derivative(0.6, 1.0, 1.5, f64::INFINITY).unwrap().is_nan());
    assert!(prabhakar_beta_derivative(0.6, -6.0, 1.5, 1.0).is_err());
}
