//! The Wright function.

use std::f64::consts::PI;

use num_complex::Complex64;

use crate::SpecialError;
use crate::gamma::recip_gamma;

/// Halvings of the step before the rule is given up.
const MOST_HALVINGS: usize = 8;

/// A value whose terms exceed it by more than this part of 1/ε is refused.
const LARGEST_LOSS: f64 = 1e-8;

/// W_{λ,μ}(z), the Wright function, at real z.
///
#[doc = formula!("wright", r"W_{\lambda,\mu}(z) = \sum_{k \ge 0} \frac{z^k}{k! \, \Gamma(\lambda k+\mu)} = \frac{1}{2 \pi i} \int e^{s + z s^{-\lambda}} s^{-\mu} \, ds")]
///
/// λ > -1, real μ and z; NaN gives NaN. Measured against mpmath for -0.9 <= λ <= 2 and |z| <= 50:
/// error at most 5e-15 max(1, |W|), and 1e-14 |W| where W decays exponentially (λ < 0, z < 0).
/// For λ < 0 and z > 0 the integrand can exceed the value: 1e-12 at z = 40; where more than half
/// of the digits would go, the answer is an error.
///
/// The series for |z| <= 1/2 and where all its terms have one sign; otherwise the trapezoidal
/// rule on the parabola s = v(1+iu)² (Luchko, Fract. Calc. Appl. Anal. 11 (2008) 57), with `v`
/// chosen so that the largest value of the integrand is as small as possible, near the saddle
/// point; the step is halved until two sums agree. 20 to 500 microseconds.
///
/// ```
/// use hpfracc_special::wright;
/// // W_{1,1}(-x) = J_0(2√x)
/// assert!((wright(1.0, 1.0, -1.0)? - 0.223_890_779_141_235_67).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// [`SpecialError::OutOfRange`] for λ <= -1, [`SpecialError::NotFinite`] for λ, μ not finite or
/// z infinite, [`SpecialError::Overflow`] where |μ| or |z| is so large that the
/// integrand is no number, [`SpecialError::NotConverged`] very close to λ = -1, where two million
/// nodes do not resolve the integrand, and where more than half of the digits would go.
pub fn wright(lambda: f64, mu: f64, z: f64) -> Result<f64, SpecialError> {
    for (name, value) in [("lambda", lambda), ("mu", mu)] {
        if !value.is_finite() {
            return Err(SpecialError::NotFinite { name, value });
        }
    }
    if lambda <= -1.0 {
        let expected = "lambda > -1";
        return Err(SpecialError::OutOfRange { name: "lambda", value: lambda, expected });
    }
    if z.is_infinite() {
        return Err(SpecialError::NotFinite { name: "z", value: z });
    }
    if z.is_nan() {
        return Ok(z);
    }
    if lambda == 0.0 {
        return Ok(z.exp() * recip_gamma(mu));
    }
    if (z.abs() <= 0.5 && lambda > -0.8) || (lambda > 0.0 && mu >= 0.0 && z > 0.0) {
        return series(lambda, mu, z);
    }
    integral(lambda, mu, z)
}

/// M_ν(x) = W_{-ν,1-ν}(-x), the Wright function of Mainardi.
///
#[doc = formula!("m_wright", r"M_\nu(x) = \sum_{k \ge 0} \frac{(-x)^k}{k! \, \Gamma(1-\nu-\nu k)}, \quad M_{1/2}(x) = \frac{e^{-x^2/4}}{\sqrt{\pi}}")]
///
/// 0 < ν < 1, real x: the density of fractional diffusion for x >= 0. Accuracy and cost as
/// [`wright`]; the exponential decay for large x is followed with relative accuracy.
/// Mainardi, Fractional Calculus and Waves in Linear Viscoelasticity (2010), appendix F,
/// doi:10.1142/p614.
///
/// ```
/// use hpfracc_special::m_wright;
/// let expected = (-1.0f64).exp() / std::f64::consts::PI.sqrt();
/// assert!((m_wright(0.5, 2.0)? - expected).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// [`SpecialError::OutOfRange`] unless 0 < ν < 1, otherwise as [`wright`].
pub fn m_wright(nu: f64, x: f64) -> Result<f64, SpecialError> {
    if !(nu > 0.0 && nu < 1.0) {
        return Err(SpecialError::OutOfRange { name: "nu", value: nu, expected: "0 < nu < 1" });
    }
    wright(-nu, 1.0 - nu, -x)
}

fn series(lambda: f64, mu: f64, z: f64) -> Result<f64, SpecialError> {
    const MOST_TERMS: usize = 100_000;
    let (mut sum, mut power, mut small) = (0.0f64, 1.0f64, 0);
    for k in 0..MOST_TERMS {
        let argument = lambda * k as f64 + mu;
        // The product of a large and a small number, neither of which need be representable.
        let (ln_gamma, sign) = crate::gamma::ln_gamma(argument);
        let term = if argument < 160.0 && argument > -160.0 && power.abs() > 1e-290 {
            power * recip_gamma(argument)
        } else if ln_gamma == f64::INFINITY {
            0.0
        } else {
            let log = k as f64 * z.abs().ln() - crate::gamma::ln_gamma(k as f64 + 1.0).0;
            let signs = if z < 0.0 && k % 2 == 1 { -sign } else { sign };
            signs * (log - ln_gamma).exp()
        };
        sum += term;
        small = if term.abs() <= 1e-17 * sum.abs() { small + 1 } else { 0 };
        if small == 3 || sum.is_infinite() {
            return Ok(sum);
        }
        power *= z / (k + 1) as f64;
    }
    Err(SpecialError::NotConverged { method: "Wright series", steps: MOST_TERMS })
}

/// Nodes added at once, at most: some tenths of a second. The halvings alone would take half a minute.
const MOST_NODES: usize = 1 << 21;

/// The contour s = v (1+iu)^p. With p = 2 it is a parabola; p > 2 passes around the origin to
/// the next sheets of s^{-λ}, where the saddle points for λ < 0, z > 0 lie.
struct Path {
    lambda: f64,
    mu: f64,
    z: f64,
    vertex: f64,
    power: f64,
}

impl Path {
    /// Logarithm of the integrand, with ds/du but for its constant factor.
    fn exponent(&self, u: f64) -> Complex64 {
        let one = Complex64::new(0.5 * (u * u).ln_1p(), u.atan());
        let log = one * self.power + self.vertex.ln();
        let s = if self.power == 2.0 {
            Complex64::new(1.0 - u * u, 2.0 * u) * self.vertex
        } else {
            log.exp()
        };
        s + self.z * (log * -self.lambda).exp() - log * self.mu + one * (self.power - 1.0)
    }

    /// |d/du| of the exponent, which a step must resolve: an oscillation that is sampled once a
    /// period looks like none.
    fn rate(&self, u: f64) -> f64 {
        let w = Complex64::new(1.0, u);
        let log = w.ln() * self.power + self.vertex.ln();
        let power = (log * -self.lambda).exp();
        let inner = log.exp() - self.lambda * self.z * power - self.mu;
        ((inner * self.power + (self.power - 1.0)) / w).norm()
    }

    /// The largest real part of the exponent, and the u beyond which it stays 42 below that.
    fn extent(&self) -> (f64, f64) {
        let mut top = f64::NEG_INFINITY;
        let mut last = 0.0;
        let mut u = 0.0;
        // Re s ~ -v u^p decides in the end; whatever grows before is seen on a fine grid.
        while u < 3.0 * last + 8.0 / self.vertex.sqrt() + 1.0 {
            let e = self.exponent(u).re;
            top = top.max(e);
            if e > top - 42.0 {
                last = u;
            }
            u += 0.05 + 0.05 * u;
        }
        (top, last * 1.06 + 0.06)
    }

    /// The vertex for which the largest value is least: golden-section search in its logarithm.
    fn lowest(lambda: f64, mu: f64, z: f64, power: f64) -> Self {
        let path = |t: f64| Self { lambda, mu, z, vertex: t.exp(), power };
        let top = |t: f64| path(t).extent().0;
        let scale = (lambda * z).abs().powf(1.0 / (1.0 + lambda)).max(mu).clamp(1.0, 1e12);
        let (mut low, mut high) = (1e-3f64.ln(), (3.0 * scale).ln());
        let golden = 0.618_033_988_749_895;
        let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
        let (mut fa, mut fb) = (top(a), top(b));
        for _ in 0..16 {
            if fa < fb {
                (high, b, fb) = (b, a, fa);
                a = high - golden * (high - low);
                fa = top(a);
            } else {
                (low, a, fa) = (a, b, fb);
                b = low + golden * (high - low);
                fb = top(b);
            }
        }
        path(if fa < fb { a } else { b })
    }
}

fn integral(lambda: f64, mu: f64, z: f64) -> Result<f64, SpecialError> {
    let powers: &[f64] = if lambda < 0.0 && z > 0.0 { &[2.0, 2.4, 2.8] } else { &[2.0] };
    let paths = powers.iter().map(|&p| Path::lowest(lambda, mu, z, p));
    let paths = paths.map(|p| (p.extent(), p));
    let Some(((largest, end), path)) = paths.min_by(|a, b| a.0.0.total_cmp(&b.0.0)) else {
        return Ok(f64::NAN);
    };

    if !largest.is_finite() {
        return Err(SpecialError::Overflow { method: "Wright integral" });
    }

    // h Σ over all k, by halves: first the nodes of step h, then those between.
    let value = |u: f64| (path.exponent(u) - largest).exp().re;
    let rate = (0..=64).map(|k| path.rate(f64::from(k) / 64.0 * end)).fold(0.0, f64::max);
    let nodes = (end * rate).ceil().clamp(12.0, 1e6);
    let mut h = end / nodes;
    let mut sum = 0.5 * value(0.0) + (1..=nodes as usize).map(|k| value(k as f64 * h)).sum::<f64>();
    if !sum.is_finite() {
        return Err(SpecialError::Overflow { method: "Wright integral" });
    }
    let (mut previous, mut halvings) = (f64::INFINITY, 0);
    while halvings < MOST_HALVINGS {
        let n = (end / h).round() as usize;
        if n > MOST_NODES {
            break;
        }
        halvings += 1;
        let between: f64 = (0..n).map(|k| value((k as f64 + 0.5) * h)).sum();
        let difference = (between - sum).abs() * h;
        sum += between;
        h *= 0.5;
        // The error of the finer rule is the square of that of the coarser one.
        if difference < 1e-9 && previous < 1e-3 || difference < 1e-16 {
            // The vertex as a factor of ds is left for here.
            let scale = h * path.power * path.vertex / PI * largest.exp();
            let value = sum * scale;
            // What rounding leaves of terms of size one.
            if scale * f64::EPSILON > LARGEST_LOSS * value.abs().max(1.0) {
                break;
            }
            return Ok(value);
        }
        previous = difference;
    }
    Err(SpecialError::NotConverged { method: "Wright integral", steps: halvings })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// J_0(2e6): exponents of 1e6 and more, whose differences are no numbers.
    #[test]
    fn an_integrand_that_overflows_is_an_error() {
        let found = wright(1.0, 1.0, -1e12);
        assert!(matches!(found, Err(SpecialError::Overflow { .. })), "{found:?}");
    }

    /// J_0(2e5), whose oscillations all eight halvings would follow for half a minute.
    #[test]
    fn an_integrand_of_too_many_oscillations_is_an_error() {
        let expected = SpecialError::NotConverged { method: "Wright integral", steps: 2 };
        assert_eq!(wright(1.0, 1.0, -1e10), Err(expected));
    }
}
