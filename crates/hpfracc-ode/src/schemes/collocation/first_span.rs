//! The first span of a segment, so short that f is one power of the distance from its origin.

use super::legendre_moments::power;
use super::mesh::Span;
use hpfracc_operators::Number;
use hpfracc_special::gamma;

/// `f_c(s) = coefficients[c] s^exponents[c]`.
#[derive(Debug, Clone)]
pub(super) struct FirstSpan {
    pub(super) span: Span,
    pub(super) exponents: Vec<f64>,
    pub(super) coefficients: Vec<f64>,
}

/// `1/Gamma(alpha) int_0^h (h - s)^(alpha-1) s^exponent ds`.
pub(super) fn integral_of_power<T: Number>(alpha: T, exponent: f64, h: f64) -> T {
    whole_beta(alpha, exponent) * power(h, alpha + exponent)
}

/// `1/Gamma(alpha) int_0^h (h + distance - s)^(alpha-1) s^exponent ds`: an incomplete beta
/// function, from the side on which its series converges fast.
pub(super) fn integral_of_early_power<T: Number>(
    alpha: T,
    exponent: f64,
    h: f64,
    distance: f64,
) -> T {
    let t = h + distance;
    let after = T::constant(exponent + 1.0);
    let part = if distance > h {
        alpha.recip_gamma() * incomplete_beta(h / t, after, alpha)
    } else {
        whole_beta(alpha, exponent)
            - alpha.recip_gamma() * incomplete_beta(distance / t, alpha, after)
    };
    part * power(t, alpha + exponent)
}

/// `B(alpha, exponent + 1)/Gamma(alpha)`.
fn whole_beta<T: Number>(alpha: T, exponent: f64) -> T {
    (alpha + (exponent + 1.0)).recip_gamma() * gamma(exponent + 1.0)
}

/// `int_0^x u^(a-1) (1-u)^(b-1) du` for x <= 1/2: `x^a sum_k (1-b)_k/k! x^k/(a+k)`.
fn incomplete_beta<T: Number>(x: f64, a: T, b: T) -> T {
    let (mut coefficient, mut sum) = (T::constant(1.0), a.recip());
    for k in 1..64 {
        let k = f64::from(k);
        coefficient = coefficient * (-b + k) / k * x;
        sum = sum + coefficient / (a + k);
        let size = coefficient.value().abs().max(coefficient.derivative().abs());
        if size < f64::EPSILON * f64::EPSILON {
            break;
        }
    }
    power(x, a) * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::recip_gamma;

    #[test]
    fn without_a_power_these_are_differences_of_powers() {
        for alpha in [0.2, 1.0, 1.7] {
            for distance in [0.0f64, 1e-9, 0.1, 0.3, 0.30001, 5.0] {
                let (h, t) = (0.3f64, 0.3 + distance);
                let exact = recip_gamma(alpha + 1.0) * (t.powf(alpha) - distance.powf(alpha));
                let value = integral_of_early_power(alpha, 0.0, h, distance);
                assert!((value - exact).abs() < 5e-15 * exact, "{alpha} {distance}");
            }
        }
    }

    #[test]
    fn both_series_agree_where_they_meet() {
        for (alpha, exponent) in [(0.3, -0.7), (0.6, 0.4), (1.5, -0.2)] {
            let below = integral_of_early_power(alpha, exponent, 1.0, 1.0 - 1e-15);
            let above = integral_of_early_power(alpha, exponent, 1.0, 1.0 + 1e-15);
            assert!((below / above - 1.0).abs() < 2e-14, "{alpha} {exponent}");
            let at_the_end = integral_of_early_power(alpha, exponent, 1.0, 0.0);
            assert!((at_the_end / integral_of_power(alpha, exponent, 1.0) - 1.0).abs() < 1e-15);
        }
    }
}
