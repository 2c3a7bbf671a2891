//! The functions without fused operations, against those of the system.

use hpfracc_lanes::unfused::{exp, exp_m1, ln, sin_cos, sinc_cos};

#[test]
fn are_exact_to_rounding() {
    let mut worst = [0.0f64; 4];
    for i in 0..200_000 {
        let t = f64::from(i) / 2e5;
        for x in [0.5 + t, 1.0 - t * 1e-5 + 1e-9, (1400.0 * (t - 0.5)).exp(), 1e-30 + t] {
            let error = (ln(x) - x.ln()).abs() / x.ln().abs().max(1e-300);
            worst[0] = worst[0].max(if x == 1.0 { 0.0 } else { error });
        }
        let a = (t - 0.5) * std::f64::consts::FRAC_PI_2;
        let ((sinc, cos), (sin, same)) = (sinc_cos(a), sin_cos(a));
        let error = (sinc * a - a.sin()).abs().max((sin - a.sin()).abs());
        worst[1] = worst[1].max(error / a.sin().abs().max(1e-300));
        worst[2] = worst[2].max((cos - a.cos()).abs().max((same - cos).abs()));
        for y in [1400.0 * (t - 0.5), 2.0 * (t - 0.5), 1e-3 * (t - 0.5), 1e-12 * t + 1e-20] {
            let error = (exp_m1(y) - y.exp_m1()).abs() / y.exp_m1().abs().max(1e-300);
            worst[3] = worst[3].max(error);
        }
    }
    println!("{worst:?}");
    assert!(worst.iter().all(|error| *error < 8e-16), "{worst:?}");
    assert_eq!([exp_m1(0.0), exp_m1(1e9), ln(1.0)], [0.0, f64::INFINITY, 0.0]);
}

#[test]
fn exponentials_are_exact_to_two_roundings() {
    for j in -70_000..=70_000 {
        let x = f64::from(j) * 0.01;
        let error = (exp(x) - x.exp()).abs() / x.exp();
        assert!(error < 2.0 * f64::EPSILON, "{x}: {error:e}");
        let x = (f64::from(j) * 0.001) as f32;
        let exact = f64::from(x).exp();
        let error = (f64::from(exp(x)) - exact).abs() / exact;
        assert!(error < 2.0 * f64::from(f32::EPSILON), "{x}: {error:e}");
    }
    assert_eq!((exp(1e4), exp(-1e4)), (f64::INFINITY, 0.0));
    assert_eq!((exp(90f32), exp(-1e30f32)), (f32::INFINITY, 0.0));
    assert!(exp(f64::NAN).is_nan() && exp(f32::NAN).is_nan());
}
