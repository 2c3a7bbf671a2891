//! The Wright function.

use std::f64::consts::PI;

use num_complex::Complex64;

use crate::SpecialError;
use crate::error::{finite, in_range};
use crate::gamma::recip_gamma;

/// Halvings of the step before the rule is given up.
const MOST_HALVINGS: usize = 8;

/// A value whose terms exceed it by more than this part of 1/ε is refused.
const LARGEST_LOSS: f64 = 1e-8;

/// W_{λ,μ}(z), the Wright function, at real z.
///
#[doc = formula!("wright", r"W_{\lambda,\mu}(z) = \sum_{k \ge 0} \frac{z^k}{k! \, \Gamma(\lambda k+\mu)} = \frac{1}{2 \pi i} \int e^{s + z s^{-\lambda}} s^{-\mu} \, ds")]
///
/// λ > -1, real μ and z; NaN gives NaN. Measured against mpmath for -0.9 <= λ <= 2, 0 <= μ <= 3 and
/// -25 <= z <= 6 with |z|^(1/(1+λ)) <= 60: error at most 5e-15 max(1, |W|), and 1e-14 |W| where W
/// decays exponentially (λ < 0, z < 0). Where W is small for z > 0 because 1/Γ(μ) is, errors are
/// relative to the values of other μ. For λ < 0 and z > 0 the integrand can exceed the value: 1e-12
/// at z = 40; where more than half of the digits would go, the answer is an error.
///
/// The series for |z| <= 1/2 and where all its terms have one sign; otherwise the trapezoidal rule
/// on the parabola s = v(1+iu)² (Luchko, Fract. Calc. Appl. Anal. 11 (2008) 57), with `v` chosen so
/// that the largest value of the integrand is as small as possible, near the saddle point; the step
/// is halved until two sums agree. 20 to 500 microseconds, and up to 10 milliseconds where large
/// arguments make the integrand oscillate. For λ > 0, where that takes too many nodes, the
/// series again if its terms do not cancel.
///
/// ```
/// use hpfracc_special::wright;
/// // W_{1,1}(-x) = J_0(2√x)
/// assert!((wright(1.0, 1.0, -1.0)? - 0.223_890_779_141_235_67).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// [`SpecialError::OutOfRange`] for λ <= -1, [`SpecialError::NotFinite`] for λ, μ not finite or z
/// infinite, [`SpecialError::Overflow`] where the integrand is no number, or its exponent, rounded,
/// leaves it less than half of the digits: |μ| or |z| is large, or λ close to -1,
/// [`SpecialError::NotConverged`] where the integrand would need more than 262 144 nodes to begin
/// with, for large λ, large negative μ and λ very close to -1, and where more than half of the
/// digits would go. For λ > 0 these are errors only where the terms of the series cancel, too.
pub fn wright(lambda: f64, mu: f64, z: f64) -> Result<f64, SpecialError> {
    finite("lambda", lambda)?;
    finite("mu", mu)?;
    in_range(lambda > -1.0, "lambda", lambda, "lambda > -1")?;
    if z.is_infinite() {
        return Err(SpecialError::NotFinite { name: "z", value: z });
    }
    if z.is_nan() {
        return Ok(z);
    }
    if lambda == 0.0 {
        return Ok(z.exp() * recip_gamma(mu));
    }
    if z == 0.0 {
        return Ok(recip_gamma(mu));
    }
    if (z.abs() <= 0.5 && lambda > -0.8) || (lambda > 0.0 && mu >= 0.0 && z > 0.0) {
        return series(lambda, mu, z).map(|Summed { sum, .. }| sum);
    }
    match integral(lambda, mu, z) {
        // Where its terms do not cancel, the series has the digits that the integrand has lost.
        Err(refusal) if lambda > 0.0 => match series(lambda, mu, z) {
            Ok(Summed { sum, sizes }) if sizes.is_finite() && sizes <= 8.0 * sum.abs() => Ok(sum),
            _ => Err(refusal),
        },
        done => done,
    }
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
    in_range(nu > 0.0 && nu < 1.0, "nu", nu, "0 < nu < 1")?;
    wright(-nu, 1.0 - nu, -x)
}

/// The sum of a series.
struct Summed {
    sum: f64,
    /// The sum of their sizes, to which rounding is relative.
    sizes: f64,
}

fn series(lambda: f64, mu: f64, z: f64) -> Result<Summed, SpecialError> {
    const MOST_TERMS: usize = 100_000;
    let (mut sum, mut sizes, mut power, mut small) = (0.0f64, 0.0, 1.0f64, 0);
    for k in 0..MOST_TERMS {
        let argument = lambda * k as f64 + mu;
        // The product of a large and a small number, neither of which need be representable.
        let (ln_gamma, sign) = crate::gamma::ln_gamma(argument);
        let plain = argument.abs() < 160.0 && (1e-290..1e290).contains(&power.abs());
        let term = if plain {
            power * recip_gamma(argument)
        } else if ln_gamma == f64::INFINITY {
            0.0
        } else {
            let log = k as f64 * z.abs().ln() - crate::gamma::ln_gamma(k as f64 + 1.0).0;
            let signs = if z < 0.0 && k % 2 == 1 { -sign } else { sign };
            signs * (log - ln_gamma).exp()
        };
        sum += term;
        sizes += term.abs();
        // At the poles of Γ terms are zero, but later ones need not be small.
        let begun = sum != 0.0 || power == 0.0 || argument > 0.0;
        small = if begun && term.abs() <= 1e-17 * sum.abs() { small + 1 } else { 0 };
        if small == 3 || sum.is_infinite() {
            return Ok(Summed { sum, sizes });
        }
        power *= z / (k + 1) as f64;
    }
    Err(SpecialError::NotConverged { method: "Wright series", steps: MOST_TERMS })
}

/// Largest number of nodes added at once, which take some milliseconds.
const MOST_NODES: usize = 3 << 14;

/// Below its logarithm a value is zero in double precision.
const LN_SMALLEST: f64 = -746.0;

/// The part of a path on which the integrand is not negligible.
struct Extent {
    /// The largest real part of the exponent.
    top: f64,
    /// The u where it is attained.
    at: f64,
    /// The u beyond which it stays 42 below that.
    end: f64,
}

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
    /// Logarithm of the integrand, including ds/du without its constant factor.
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

    /// The rate of change that a step must resolve, since an oscillation sampled once a period
    /// looks constant, also with half the step: |d/du| of the exponent, and, where z s^{-λ} is not
    /// negligible, the frequency of s^{-λ}, in which exp(z s^{-λ}) is a power series.
    fn rate(&self, u: f64) -> f64 {
        let w = Complex64::new(1.0, u);
        let log = w.ln() * self.power + self.vertex.ln();
        let power = self.z * (log * -self.lambda).exp();
        let inner = log.exp() - self.lambda * power - self.mu;
        let counts = power.norm() > f64::EPSILON;
        let turning = if counts { (self.power * self.lambda / w).norm() } else { 0.0 };
        ((inner * self.power + (self.power - 1.0)) / w).norm().max(turning)
    }

    /// The sizes of the exponent's parts, to which rounding is relative.
    fn parts(&self, u: f64) -> f64 {
        let log = Complex64::new(1.0, u).ln() * self.power + self.vertex.ln();
        let power = (log * -self.lambda).exp();
        log.exp().norm() + (self.z * power).norm() + (self.mu * log).norm()
    }

    fn extent(&self) -> Extent {
        let mut top = f64::NEG_INFINITY;
        let mut at = 0.0;
        let mut last = 0.0;
        let mut u = 0.0;
        // Re s ~ -v u^p dominates for large u; earlier maxima are found on a fine grid.
        while u < 3.0 * last + 8.0 / self.vertex.sqrt() + 1.0 {
            let e = self.exponent(u).re;
            if e > top {
                (top, at) = (e, u);
            }
            if e > top - 42.0 {
                last = u;
            }
            u += 0.05 + 0.05 * u;
        }
        Extent { top, at, end: last * 1.06 + 0.06 }
    }

    /// The largest real part of the exponent within the sampling distance of `at`.
    fn maximum_near(&self, at: f64) -> f64 {
        let step = 0.05 + 0.05 * at;
        let (mut low, mut high) = ((at - step).max(0.0), at + step);
        let value = |u: f64| self.exponent(u).re;
        for _ in 0..40 {
            let third = (high - low) / 3.0;
            let (a, b) = (low + third, high - third);
            if value(a) < value(b) { low = a } else { high = b }
        }
        value(0.5 * (low + high)).max(value(at))
    }

    /// The vertex for which the largest value is least: golden-section search in its logarithm.
    fn lowest(lambda: f64, mu: f64, z: f64, power: f64) -> Self {
        let path = |t: f64| Self { lambda, mu, z, vertex: t.exp(), power };
        let top = |t: f64| path(t).extent().top;
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
    let Some((Extent { top: largest, at, end }, path)) =
        paths.min_by(|a, b| a.0.top.total_cmp(&b.0.top))
    else {
        return Ok(f64::NAN);
    };

    // The integral is at most that of the largest value over both halves of the path. The sampled
    // points are 0.05 |1+iu| apart: near a maximum, where the slope is zero, the error is of second
    // order, and less than a hundredth of the exponent's parts while λ is at most 1.
    let bound = largest + 0.01 * path.parts(at) + (path.power * path.vertex * end).ln();
    if lambda <= 1.0 && bound < LN_SMALLEST {
        return Ok(0.0);
    }
    let loss = path.parts(at) * f64::EPSILON;
    // A value of zero needs no digits. For λ > 0 large arguments oscillate, and the maximum may
    // have been missed.
    let zero = lambda < 0.0 && largest + loss < LN_SMALLEST;
    if !largest.is_finite() || loss.is_nan() || (loss > LARGEST_LOSS && !zero) {
        return Err(SpecialError::Overflow { method: "Wright integral" });
    }

    // h Σ over all k, by halves: first the nodes of step h, then those between.
    let value = |u: f64| (path.exponent(u) - largest).exp().re;
    let rate = (0..=64).map(|k| path.rate(f64::from(k) / 64.0 * end)).fold(0.0, f64::max);
    let nodes = (end * rate).ceil().max(12.0);
    // The step is halved twice at least.
    if 2.0 * nodes > MOST_NODES as f64 {
        // With |λ| < 1 an exponent has no maximum between samples but that near the largest one.
        let size = path.maximum_near(at) + loss + (path.power * path.vertex * end).ln();
        if lambda < 0.0 && size < LN_SMALLEST {
            return Ok(0.0);
        }
        return Err(SpecialError::NotConverged { method: "Wright integral", steps: 0 });
    }
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
            // The rounding error of terms of size one.
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

    /// J_0(2e10): exponents of 1e10, whose differences are no numbers; and a sum of positive terms,
    /// of which rounding made minus infinity.
    #[test]
    fn an_integrand_that_overflows_is_an_error() {
        for (lambda, mu, z) in [(1.0, 1.0, -1e20), (0.5, -1.5, 1e15), (0.5, -127.8, 1e300)] {
            let found = wright(lambda, mu, z);
            assert!(matches!(found, Err(SpecialError::Overflow { .. })), "{lambda} {z}: {found:?}");
        }
    }

    /// W_{1,-2}(z) = z^3/6 + z^4/24 + z^5/240 + ..: the first three terms are zero.
    #[test]
    fn zeros_at_the_poles_of_gamma_do_not_end_the_series() {
        let z = 0.125;
        let expected = 3.358_214_029_367_49e-4;
        let found = wright(1.0, -2.0, z).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-13, "{found:e} {expected:e}");
        // Of those, 101; and none but zeros.
        let found = wright(1.0, -100.0, 0.5).unwrap();
        assert!(found > 0.0 && found < 1e-150, "{found:e}");
        assert_eq!(wright(5e-324, -1.0, 0.3), Ok(0.0));
    }

    /// I_0(302.5) nearly: z^k/k! overflows where 1/Γ(k+1) makes up for it. Against 30 digits.
    #[test]
    fn powers_that_overflow_in_the_series_do_not_count() {
        let found = wright(1.0, 1.0, 22_878.0).unwrap();
        assert!((found / 5.4818684530773415e+129 - 1.0).abs() < 1e-12, "{found:e}");
    }

    /// exp(-1e8/4), without its 180 000 nodes; close to λ = -1 the parts of the exponent are a
    /// thousand times the whole.
    #[test]
    fn a_value_below_all_numbers_is_zero() {
        for (nu, x) in [(0.5, 1e4), (0.985, 1.35), (0.99, 1.2), (0.995, 1.11), (0.999, 1.0201)] {
            assert_eq!(m_wright(nu, x), Ok(0.0), "{nu} {x}");
        }
        assert_eq!(wright(1.0, 1e300, 0.0), Ok(0.0));
        // 1.5e-322, nearly the last that is a number.
        let (x, found) = (54.4f64, m_wright(0.5, 54.4).unwrap());
        let expected = (-0.25 * x * x).exp() / PI.sqrt();
        assert!((found - expected).abs() <= 1e-323, "{found:e} {expected:e}");
    }

    /// 1 - 5/Γ(λ+1) and terms that are smaller: all of z s^{-λ} is an oscillation, which the steps
    /// that do for exp(s) meet once, twice and four times a period.
    #[test]
    fn small_terms_that_oscillate_are_resolved() {
        for lambda in [20.0, 40.0, 100.0, 170.0, 171.3] {
            let found = wright(lambda, 1.0, -5.0).unwrap();
            assert!((found - 1.0).abs() < 1e-13, "{lambda}: {found}");
        }
    }

    /// Large λ and large negative μ, whose integrands oscillate a hundred thousand times. Against
    /// 60 digits.
    #[test]
    fn terms_that_do_not_cancel_are_added_up() {
        for (lambda, mu, z, expected) in [
            (3.0, -100.5, -3.0, -2.981_798_560_142_327_4e158),
            (1.93, -149.87, -41.4, 3.759_242_358_445_199e261),
            (74.1, -23.42, 296.8, 3.012_755_267_154_861_3e22),
            (109.1, -18.1, 8.08, -843_360_209_220_756.4),
            (191.06, -2.46, -43.16, -1.004_476_335_747_279_6),
        ] {
            let found = wright(lambda, mu, z).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-11, "{lambda} {mu} {z}: {found:e}");
        }
        // 1 - 1 and a tiny third term: neither method has a digit of it.
        for (lambda, z) in [(70.0, -1.197_857_166_996_989e100), (100.0, -9.332_621_544_394_415e157)]
        {
            let found = wright(lambda, 1.0, z);
            assert!(matches!(found, Err(SpecialError::NotConverged { .. })), "{lambda}: {found:?}");
        }
    }

    /// J_0(2e5), whose oscillations all eight halvings would follow for half a minute.
    #[test]
    fn an_integrand_of_too_many_oscillations_is_an_error() {
        let expected = SpecialError::NotConverged { method: "Wright integral", steps: 0 };
        assert_eq!(wright(1.0, 1.0, -1e10), Err(expected));
        // 1e9 nodes to begin with.
        assert_eq!(wright(0.3, -1e5, -5.0), Err(expected));
    }
}
