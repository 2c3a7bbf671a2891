//! The defining series near the origin.

use std::sync::OnceLock;

use num_complex::Complex64;

use crate::gamma::recip_gamma;

/// Beyond this order the series serves up to |z|^{1/α} = `SIZE`, since even for z < 0 the values
/// grow almost like the largest term; for larger ones the function is the exponentials alone.
pub(super) const LARGEST_ALPHA: f64 = 10.0;
const SIZE: f64 = 20.0;

/// E_{α,β}(z) = Σ z^k / Γ(αk+β) for |z| <= `radius`.
#[derive(Debug, Clone)]
pub(super) struct Taylor {
    alpha: f64,
    beta: f64,
    pub(super) radius: f64,
    /// Made when the first argument comes that needs them.
    coefficients: OnceLock<Vec<f64>>,
}

impl Taylor {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        // For small α the terms fall hardly faster than |z|^k, and the contour costs less. The
        // loss by cancellation, about exp(|z|^{1/α}), is small for all of these.
        let radius = match alpha {
            a if a < 0.2 => 0.5,
            a if a < 0.4 => 0.7,
            a if a <= LARGEST_ALPHA => 0.9,
            a => SIZE.powf(a).min(1e300),
        };
        Self { alpha, beta, radius, coefficients: OnceLock::new() }
    }

    pub(super) fn coefficients(&self) -> &[f64] {
        self.coefficients.get_or_init(|| {
            let mut coefficients = Vec::new();
            let mut power = 1.0;
            let mut largest = 0f64;
            for k in 0..400 {
                let argument = self.alpha.mul_add(f64::from(k), self.beta);
                let c = recip_gamma(argument);
                coefficients.push(c);
                largest = largest.max(c.abs() * power);
                // Past the zeros of 1/Γ a small term means small terms from there on.
                if argument > 1.0 && c.abs() * power < 2e-17 * largest {
                    break;
                }
                power = (power * self.radius).min(1e300);
            }
            coefficients
        })
    }

    pub(super) fn eval(&self, x: f64) -> f64 {
        self.coefficients().iter().rev().fold(0.0, |s, &c| s * x + c)
    }

    /// Horner's rule with real coefficients in complex arithmetic.
    pub(super) fn eval_complex(&self, z: Complex64) -> Complex64 {
        self.coefficients().iter().rev().fold(Complex64::ZERO, |s, &c| s * z + c)
    }
}
