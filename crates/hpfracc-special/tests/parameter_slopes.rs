//! Derivatives of Mittag-Leffler functions in their parameters, against differences and identities.

use hpfracc_special::{
    MittagLeffler, SpecialError, digamma, mittag_leffler, prabhakar, prabhakar_beta_derivative,
    recip_gamma,
};

/// Of fourth order; the error of values near 1 is magnified by 1/step.
fn difference(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let step = 2e-3;
    (8.0 * (f(at + step) - f(at - step)) - (f(at + 2.0 * step) - f(at - 2.0 * step)))
        / (12.0 * step)
}

#[test]
fn slopes_of_relaxation_functions() {
    let x = [0.0, -1e-9, -0.3, -0.9, -1.1, -4.0, -30.0, -1e3, -1e6];
    for alpha in [0.1, 0.5, 0.8, 0.95] {
        for beta in [1.0, 2.0] {
            let e = MittagLeffler::new(alpha, beta).unwrap();
            let (mut by_argument, mut by_order) = ([0.0; 9], [0.0; 9]);
            e.slopes_slice(&x, &mut by_argument, &mut by_order).unwrap();
            for ((x, a), o) in x.iter().zip(by_argument).zip(by_order) {
                let size = 1.0 / (1.0 - x);
                let expected = e.derivative(*x, 1);
                assert!((a - expected).abs() < 1e-13 * size, "{alpha} {beta} {x}: {a} {expected}");
                let expected = difference(|alpha| mittag_leffler(alpha, beta, *x).unwrap(), alpha);
                let what = format!("{alpha} {beta} {x}: {o} {expected}");
                assert!((o - expected).abs() < 3e-9 * size, "{what}");
            }
        }
    }
}

/// (alpha, x, d/dx, d/d alpha) of E_alpha(x) by mpmath with 40 digits: the trapezoidal rule for the
/// spectral integral, differentiated by a step of 1e-13.
const SLOPES: &[(f64, f64, f64, f64)] = &[
    (0.1, -0.3, 0.6103691304725863, -0.08987048315758045),
    (0.1, -1.1, 0.2268755172386451, -0.14570145612884525),
    (0.1, -4.0, 0.03860278086265122, -0.105000653937263),
    (0.1, -30.0, 0.0009788756546236551, -0.021805735176764773),
    (0.1, -1000.0, 9.340631553407734e-07, -0.0007047896279647696),
    (0.1, -1000000.0, 9.357770030411454e-13, -7.064429178437641e-07),
    (0.5, -0.3, 0.6876195663549195, -0.03258090414099278),
    (0.5, -1.1, 0.24457215369522334, -0.15366934346664968),
    (0.5, -4.0, 0.032383506095021455, -0.1646080797371414),
    (0.5, -30.0, 0.0006258354105074841, -0.03471017934378293),
    (0.5, -1000.0, 5.641887372654967e-07, -0.001105791938752266),
    (0.5, -1000000.0, 5.6418958354691e-13, -1.1077899038729019e-06),
    (0.8, -0.3, 0.7321555206730588, 0.021501356955962978),
    (0.8, -1.1, 0.2861520654384708, -0.13943212356599238),
    (0.8, -4.0, 0.025449746984204612, -0.2447075596530291),
    (0.8, -30.0, 0.0002635305376328263, -0.03885747317216297),
    (0.8, -1000.0, 2.1836700319310903e-07, -0.0011525666378342863),
    (0.8, -1000000.0, 2.1782542520183437e-13, -1.152084987096759e-06),
    (0.9, -0.3, 0.7392478187045062, 0.040445392446916105),
    (0.9, -1.1, 0.3077431240337715, -0.12092228351857684),
    (0.9, -4.0, 0.022137607936429167, -0.2905759642214234),
    (0.9, -30.0, 0.0001313893866034134, -0.038150336636134666),
    (0.9, -1000.0, 1.0546341829926573e-07, -0.001097088913930571),
    (0.9, -1000000.0, 1.0511404913218585e-13, -1.0956808637378647e-06),
];

#[test]
fn slopes_agree_with_the_table() {
    let mut worst = 0f64;
    for &(alpha, x, by_argument, by_order) in SLOPES {
        let (mut a, mut o) = ([0.0], [0.0]);
        MittagLeffler::new(alpha, 1.0).unwrap().slopes_slice(&[x], &mut a, &mut o).unwrap();
        let errors = [(a[0] - by_argument).abs(), (o[0] - by_order).abs()];
        worst = worst.max(errors[0].max(errors[1]) * (1.0 - x));
        println!("{alpha} {x}: {:.1e} {:.1e}", errors[0] * (1.0 - x), errors[1] * (1.0 - x));
    }
    assert!(worst < 1e-14, "{worst:e}");
}

#[test]
fn slopes_refuse_what_has_poles_on_the_sheet() {
    let (mut a, mut o) = ([0.0], [0.0]);
    let e = MittagLeffler::new(0.5, 1.0).unwrap();
    let refused = e.slopes_slice(&[0.1], &mut a, &mut o);
    assert!(matches!(refused, Err(SpecialError::OutOfRange { name: "x", .. })));
    assert!(e.slopes_slice(&[f64::NAN], &mut a, &mut o).is_err());
    assert!(e.slopes_slice(&[-1.0, -2.0], &mut a, &mut o).is_err());
    let one = MittagLeffler::new(1.0, 1.0).unwrap();
    let refused = one.slopes_slice(&[-1.0], &mut a, &mut o);
    assert!(matches!(refused, Err(SpecialError::OutOfRange { name: "alpha", .. })));
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
