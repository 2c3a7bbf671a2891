use libm::{erfc, exp, log};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The number that a standard normal variable is below with probability p, between 0 and 1.
///
/// Formula 26.2.23 of Abramowitz and Stegun, of 3 digits, and two steps of Halley's method, each of
/// which triples them.
pub(super) fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let t = (-2.0 * log(p)).sqrt();
    let numerator = 2.515517 + t * (0.802853 + t * 0.010328);
    let denominator = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut x = numerator / denominator - t;
    for _ in 0..2 {
        let error = 0.5 * erfc(-x * FRAC_1_SQRT_2) - p;
        let newton = error * (2.0 * PI).sqrt() * exp(x * x / 2.0);
        x -= newton / (1.0 + x * newton / 2.0);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    /// Values of mpmath.
    #[test]
    fn known_values() {
        for (p, expected) in [
            (1e-10, -6.361340902404056),
            (0.001, -3.090232306167813),
            (0.25, -0.674489750196082),
            (0.5, 0.0),
            (0.975, 1.959963984540054),
        ] {
            let found = normal_quantile(p);
            assert!((found - expected).abs() < 4e-15 * (1.0 + expected.abs()), "{p}: {found}");
        }
    }
}
