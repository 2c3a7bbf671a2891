//! Identities that hold for every argument.

use std::f64::consts::PI;

use hpfracc_special::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// α where something happens, and between.
fn alphas() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.5),
        Just(1.0),
        Just(2.0),
        0.1..3.0f64,
        (-1e-3..1e-3f64).prop_map(|d| 1.0 + d),
        (-1e-3..1e-3f64).prop_map(|d| 2.0 + d),
    ]
}

fn betas() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(2.0), -1.0..4.0f64]
}

/// z with |z|^{1/α} up to 40.
fn argument(alpha: f64, size: f64, angle: f64) -> Complex64 {
    Complex64::from_polar((40.0 * size * size).powf(alpha), angle)
}

/// The same cases in every run.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn exponential(x in -700.0..700.0f64, y in -50.0..50.0f64) {
        let e = MittagLeffler::new(1.0, 1.0).unwrap();
        prop_assert!((e.eval(x) - x.exp()).abs() <= 1e-15 * x.exp());
        let z = Complex64::new(x, y);
        prop_assert!((e.eval_complex(z) - z.exp()).norm() <= 1e-15 * x.exp());
        // β = 2: (e^z - 1)/z, which does use the contour.
        let e = MittagLeffler::new(1.0, 2.0).unwrap();
        let expected = if x == 0.0 { 1.0 } else { x.exp_m1() / x };
        prop_assert!((e.eval(x) - expected).abs() <= 5e-15 * expected, "{} {}", e.eval(x), expected);
    }

    #[test]
    fn trigonometric(x in 0.0..100.0f64) {
        let cos = mittag_leffler(2.0, 1.0, -x * x).unwrap();
        prop_assert!((cos - x.cos()).abs() <= 3e-14, "{} {}", cos, x.cos());
        let sinc = mittag_leffler(2.0, 2.0, -x * x).unwrap();
        prop_assert!((x * sinc - x.sin()).abs() <= 3e-14);
        let cosh = mittag_leffler(2.0, 1.0, x * x).unwrap();
        prop_assert!((cosh - x.cosh()).abs() <= 3e-14 * x.cosh(), "{} {}", cosh, x.cosh());
    }

    #[test]
    fn error_function(x in -26.0..300.0f64) {
        let e = mittag_leffler(0.5, 1.0, -x).unwrap();
        prop_assert!((e - erfcx(x)).abs() <= 5e-15 * erfcx(x), "{} {}", e, erfcx(x));
    }

    #[test]
    fn recurrence_in_beta(alpha in alphas(), beta in betas(), size in 0.0..1.0f64, angle in -PI..PI) {
        // E_{α,β}(z) = 1/Γ(β) + z E_{α,α+β}(z)
        let z = argument(alpha, size, angle);
        let left = mittag_leffler_complex(alpha, beta, z).unwrap();
        let right = z * mittag_leffler_complex(alpha, alpha + beta, z).unwrap();
        let first = recip_gamma(beta);
        let scale = left.norm().max(right.norm()).max(first.abs());
        // α+β is rounded; the value changes by about ln|s| times that.
        prop_assert!((left - right - first).norm() <= 2e-14 * scale.max(1.0), "{left} {right} {first}");
    }

    #[test]
    fn duplication(alpha in 0.2..1.5f64, size in 0.0..0.8f64, angle in -PI..PI) {
        // 2 E_{2α,β}(z²) = E_{α,β}(z) + E_{α,β}(-z)
        let z = argument(alpha, size, angle);
        let e = MittagLeffler::new(alpha, 1.0).unwrap();
        let (plus, minus) = (e.eval_complex(z), e.eval_complex(-z));
        let left = 2.0 * mittag_leffler_complex(2.0 * alpha, 1.0, z * z).unwrap();
        let scale = plus.norm().max(minus.norm()).max(1.0);
        // z² is rounded, which the growth exponent |s|/α magnifies.
        let growth = 1.0 + 40.0 * size * size / alpha;
        prop_assert!((left - plus - minus).norm() <= 1e-14 * growth * scale, "{left} {}", plus + minus);
    }

    #[test]
    fn conjugate_symmetry(alpha in alphas(), beta in betas(), size in 0.0..1.0f64, angle in -PI..PI) {
        let z = argument(alpha, size, angle);
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let (value, mirrored) = (e.eval_complex(z), e.eval_complex(z.conj()).conj());
        prop_assert!((value - mirrored).norm() <= 1e-15 * value.norm().max(1.0));
        // The real axis is continuous with what surrounds it.
        let real = e.eval(z.re);
        let above = e.eval_complex(Complex64::new(z.re, 1e-300));
        prop_assert!((above - real).norm() <= 1e-14 * real.abs().max(1.0), "{above} {real}");
    }

    #[test]
    fn slices_are_scalars(
        alpha in alphas(),
        beta in betas(),
        x in proptest::collection::vec(-60.0..5.0f64, 0..70),
        spread in 1.0..2.0f64,
    ) {
        let x: Vec<f64> = x.iter().map(|x| x.signum() * x.abs().powf(spread)).collect();
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let mut out = vec![f64::NAN; x.len()];
        e.eval_slice(&x, &mut out).unwrap();
        for (&x, &y) in x.iter().zip(&out) {
            let value = e.eval(x);
            let equal = value == y || (value - y).abs() <= 2e-14 * value.abs().max(1.0);
            prop_assert!(equal, "{x}: {value} {y}");
        }
    }

    #[test]
    fn derivatives_are_slopes(alpha in alphas(), beta in betas(), x in -20.0..3.0f64) {
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let h = 1e-3 * alpha.min(1.0) * (1.0 + x.abs()) / 20.0;
        // Fourth-order central difference.
        let d = |h: f64| (e.eval(x + h) - e.eval(x - h)) / (2.0 * h);
        let slope = (4.0 * d(h) - d(2.0 * h)) / 3.0;
        let found = e.derivative(x, 1);
        let scale = (1..4).map(|k| e.derivative(x, k).abs()).fold(1.0, f64::max);
        if slope.is_nan() {
            // ∞ - ∞
            prop_assert_eq!(found, f64::INFINITY);
            return Ok(());
        }
        prop_assert!(found == slope || (found - slope).abs() <= 1e-8 * scale, "{found} {slope}");
    }

    #[test]
    fn complete_monotonicity(alpha in 0.05..1.0f64, x in 0.0..1e5f64) {
        // For 0 < α <= 1, E_α(-x) decreases between its two bounds (Simon, Electron. J. Probab.
        // 19 (2014) 1, theorem 4).
        let e = mittag_leffler(alpha, 1.0, -x).unwrap();
        let lower = 1.0 / (1.0 + gamma(1.0 - alpha) * x);
        let upper = 1.0 / (1.0 + x / gamma(1.0 + alpha));
        prop_assert!(lower * (1.0 - 1e-12) <= e && e <= upper * (1.0 + 1e-12), "{lower} {e} {upper}");
    }

    #[test]
    fn gamma_identities(x in -20.0..20.0f64, a in 0.01..30.0f64, d in -3.0..3.0f64) {
        // Γ(x+1) = x Γ(x); ψ(x+1) = ψ(x) + 1/x, next to poles up to the rounding of x+1.
        let near = (x - x.round()).abs();
        prop_assume!(near > 1e-3);
        let g = gamma(x + 1.0);
        prop_assert!((g - x * gamma(x)).abs() <= 3e-15 * g.abs() / near);
        let psi = digamma(x + 1.0);
        prop_assert!((psi - digamma(x) - 1.0 / x).abs() <= 1e-14 * psi.abs().max(1.0) / (near * near));
        // (a)_d (a+d)_{-d} = 1.
        let whole = pochhammer(a, d) * pochhammer(a + d, -d);
        prop_assume!((a + d) > 0.01);
        prop_assert!((whole - 1.0).abs() <= 1e-13);
        // P + Q = 1, and the recurrence Q(a+1,x) = Q(a,x) + x^a e^{-x}/Γ(a+1).
        let y = x.abs();
        let (p, q) = (gamma_p(a, y).unwrap(), gamma_q(a, y).unwrap());
        prop_assert!((p + q - 1.0).abs() <= 2e-15);
        let next = gamma_q(a + 1.0, y).unwrap();
        let step = y.powf(a) * (-y).exp() * recip_gamma(a + 1.0);
        prop_assert!((next - q - step).abs() <= 1e-14);
    }

    #[test]
    fn binomial_weights_invert(alpha in -2.0..3.0f64) {
        // (1-x)^α (1-x)^{-α} = 1: the convolution of the two sequences is the unit.
        let n = 40;
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        binomial_weights(alpha, &mut a);
        binomial_weights(-alpha, &mut b);
        for k in 0..n {
            let products = (0..=k).map(|j| a[j] * b[k - j]);
            let scale: f64 = products.clone().map(f64::abs).sum();
            let sum: f64 = products.sum();
            let unit = if k == 0 { 1.0 } else { 0.0 };
            prop_assert!((sum - unit).abs() <= 1e-15 * scale.max(1.0) * 4.0, "{k}: {sum}");
        }
    }
}

#[test]
fn long_slices_are_short_slices() {
    // Longer than a task of the parallel evaluation, with every regime in every chunk.
    let n = 10_001;
    let x: Vec<f64> = (0..n).map(|i| -(f64::from(i) * 0.618).fract().powi(4) * 1e3).collect();
    let z: Vec<Complex64> = x.iter().map(|&x| Complex64::from_polar((-x).sqrt(), x)).collect();
    for (alpha, beta) in [(0.6, 1.0), (0.6, 0.0), (1.4, 1.0)] {
        let e = MittagLeffler::new(alpha, beta).unwrap();
        let mut out = vec![f64::NAN; x.len()];
        e.eval_slice(&x, &mut out).unwrap();
        let mut complex = vec![Complex64::ZERO; z.len()];
        e.eval_complex_slice(&z, &mut complex).unwrap();
        for i in 0..x.len() {
            let value = e.eval(x[i]);
            assert!((out[i] - value).abs() <= 1e-14, "{}: {} {value}", x[i], out[i]);
            let value = e.eval_complex(z[i]);
            assert!((complex[i] - value).norm() <= 1e-14 * value.norm().max(1.0));
        }
    }
}

#[test]
fn values_whose_exponential_overflows_first() {
    // E_{1,3}(z) = (e^z - 1 - z)/z²; e^z overflows at 709.8, E at 723.
    for x in [705.0f64, 715.0, 722.0] {
        let found = mittag_leffler(1.0, 3.0, x).unwrap();
        let expected = (0.5 * x).exp() / x * ((0.5 * x).exp() / x);
        assert!((found - expected).abs() <= 2e-15 * expected, "{x}: {found:e} {expected:e}");
    }
    assert_eq!(mittag_leffler(1.0, 3.0, 730.0), Ok(f64::INFINITY));
}

/// E_{α,β}(z) - 1/Γ(β) - z E_{α,α+β}(z), relative to the largest term.
fn defect(alpha: f64, beta: f64, z: Complex64) -> f64 {
    let left = mittag_leffler_complex(alpha, beta, z).unwrap();
    let right = z * mittag_leffler_complex(alpha, alpha + beta, z).unwrap();
    let scale = left.norm().max(right.norm()).max(1.0);
    (left - right - recip_gamma(beta)).norm() / scale
}

#[test]
fn a_pole_on_the_contour() {
    // s = (1+iu)² for |z| such that the pole is on the inner parabola.
    let mut worst = 0.0f64;
    for i in 0..2000 {
        let alpha = 0.3 + 1.6 * (f64::from(i) * 0.618).fract();
        let s = Complex64::new(1.0, 2.0 * (f64::from(i) * 0.271).fract()).powi(2);
        worst = worst.max(defect(alpha, 1.0, (s.ln() * alpha).exp()));
    }
    println!("a pole on the contour: {worst:.1e}");
    assert!(worst < 5e-15, "{worst:e}");
}

#[test]
fn poles_on_both_contours() {
    // For α > 2 two poles of equal modulus, angles 2π/α apart, can lie on two parabolas whose
    // vertices are 1 and 2.2; then only the choice of the offset keeps the nodes away from them.
    let mut worst = 0.0f64;
    for i in 0..4000 {
        let alpha = 2.05 + 1.5 * f64::from(i) / 4000.0;
        let apart = 2.0 * PI / alpha;
        let ratio = |x: f64| (0.5 * (apart - x)).cos() / (0.5 * x).cos() - 2.2f64.sqrt().recip();
        let (mut low, mut high) = (0.0, 0.5 * apart);
        if ratio(low) > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if ratio(middle) < 0.0 { low = middle } else { high = middle }
        }
        let root = 2.2f64.sqrt() / (0.5 * low).cos();
        let z = Complex64::from_polar(root.powf(2.0 * alpha), -low * alpha);
        worst = worst.max(defect(alpha, 1.0, z));
    }
    println!("poles on both contours: {worst:.1e}");
    assert!(worst < 2e-14, "{worst:e}");
}
