use hpfracc_spatial::IntegralLaplacian1d;
use std::f64::consts::{FRAC_PI_2, PI};

/// (-Lap)^(1/2) u = 1 on (-1, 1): the integral definition has u(0) = 1, the spectral one, the
/// power of -d2/dx2 with Dirichlet conditions, 8 Catalan / pi^2.
#[test]
fn integral_and_spectral_laplacians_differ() {
    let n = 1023;
    let operator = IntegralLaplacian1d::new(1.0, (-1.0, 1.0), n).unwrap();
    let integral = operator.poisson(&vec![1.0; n]).unwrap().values[n / 2];
    assert!((integral - 1.0).abs() < 1e-3, "{integral}");
    let corrected = operator.with_boundary_correction();
    let integral = corrected.poisson(&vec![1.0; n]).unwrap().values[n / 2];
    assert!((integral - 1.0).abs() < 1e-12, "{integral}");

    // Sine series 1 = sum_k 4/(pi k) sin(k pi (x+1)/2), k odd, over the eigenvalues (k pi/2)^1, at
    // x = 0; averages of partial sums of an alternating series converge fast.
    let term = |k: f64| 4.0 / (PI * k) / (FRAC_PI_2 * k) * (FRAC_PI_2 * k).sin();
    let mut sum = 0.0;
    let count = 20_000;
    for j in 0..count {
        sum += term(f64::from(2 * j + 1));
    }
    let spectral = sum + 0.5 * term(f64::from(2 * count + 1));
    let catalan = 0.915_965_594_177_219;
    assert!((spectral - 8.0 * catalan / (PI * PI)).abs() < 1e-9, "{spectral}");
    assert!((integral - spectral).abs() > 0.25);
}
