//! The three-parameter Mittag-Leffler (Prabhakar) function.

use num_complex::Complex64;
use std::f64::consts::PI;

use super::MittagLeffler;
use super::loop_integrals::loop_integrals;
use crate::SpecialError;
use crate::error::{finite, in_range};
use crate::gamma::{digamma, gamma as gamma_function, recip_gamma};

/// The largest order accepted.
const LARGEST_ALPHA: f64 = 10.0;
/// The third parameter, and the smallest second one: beyond them the integrals cancel.
const SMALLEST_GAMMA: f64 = -2.0;
const SMALLEST_WHOLE_GAMMA: f64 = -5.0;
const LARGEST_GAMMA: f64 = 5.0;
const SMALLEST_BETA: f64 = -5.0;
/// Natural γ up to this are derivatives of the two-parameter function.
const LARGEST_DERIVATIVE: f64 = 4.0;

/// E^γ_{α,β}(x), the Prabhakar function, at real x.
///
#[doc = formula!("prabhakar", r"E^\gamma_{\alpha,\beta}(z) = \sum_{k \ge 0} \frac{(\gamma)_k \, z^k}{k! \, \Gamma(\alpha k+\beta)}, \quad (\gamma)_k = \frac{\Gamma(\gamma+k)}{\Gamma(\gamma)}")]
///
/// 0 < α <= 10, β >= -5, -2 <= γ <= 5 or γ = -3, -4, -5, every real `x`; NaN gives NaN. Close to
/// γ = 0, where the function falls back to 1/Γ(β), errors are relative to E^1_{α,β}(x). Measured
/// against mpmath for
/// |x|^{1/α} < 60: error / max(1, |E|) at most 2e-14 for α <= 1, and 2e-12 for α <= 3.3,
/// where several branch points can be close in imaginary part (median 2e-16).
///
/// The series (Prabhakar, Yokohama Math. J. 19 (1971) 7) for small |x|; a derivative of E_{α,β}
/// for γ = 1..4; a finite sum for γ = 0, -1, -2, ...; otherwise the inverse Laplace transform of
/// s^{αγ-β} (s^α - z)^{-γ} on parabolas around its branch points. About 15 microseconds.
///
/// ```
/// use hpfracc_special::{mittag_leffler, prabhakar};
/// let (e, p) = (mittag_leffler(0.6, 0.9, -2.0)?, prabhakar(0.6, 0.9, 1.0, -2.0)?);
/// assert!((e - p).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// [`SpecialError::NotPositive`] for `alpha`, [`SpecialError::OutOfRange`] for `alpha > 10`,
/// `beta < -5` and other `gamma`, [`SpecialError::NotFinite`] for `beta` and `gamma`.
pub fn prabhakar(alpha: f64, beta: f64, gamma: f64, x: f64) -> Result<f64, SpecialError> {
    Ok(prabhakar_complex(alpha, beta, gamma, x.into())?.re)
}

/// E^γ_{α,β}(z) at complex z; see [`prabhakar`].
///
/// ```
/// use hpfracc_special::{Complex64, prabhakar_complex};
/// // α = β = 1, γ = 2: (1+z) e^z
/// let z = Complex64::new(-1.0, 2.0);
/// let p = prabhakar_complex(1.0, 1.0, 2.0, z)?;
/// assert!((p - (1.0 + z) * z.exp()).norm() < 1e-14);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// As [`prabhakar`].
pub fn prabhakar_complex(
    alpha: f64,
    beta: f64,
    gamma: f64,
    z: Complex64,
) -> Result<Complex64, SpecialError> {
    let natural = check(alpha, beta, gamma)?;
    if gamma == 0.0 {
        return Ok(if z.is_nan() { z } else { recip_gamma(beta).into() });
    }
    if z.is_infinite() || z.is_nan() {
        return Ok(limit(alpha, beta, gamma, z));
    }
    let value = if (gamma < 0.0 && natural) || z.norm() <= radius(alpha, gamma) {
        terms(alpha, beta, gamma, z, recip_gamma)
    } else if natural && (1.0..=LARGEST_DERIVATIVE).contains(&gamma) {
        // E^{k+1}_{α,β+αk} = E_{α,β}^{(k)}/k!.
        let k = gamma as usize - 1;
        let factorial: f64 = (1..=k).map(|j| j as f64).product();
        let e = MittagLeffler::new(alpha, beta - alpha * k as f64)?;
        e.derivative_complex(z, k) / factorial
    } else {
        loop_integrals(alpha, beta, gamma, z)[0]
    };
    Ok(if z.im == 0.0 { value.re.into() } else { value })
}

/// Whether γ is whole, if the parameters are in the range.
fn check(alpha: f64, beta: f64, gamma: f64) -> Result<bool, SpecialError> {
    super::check_parameters(alpha, beta)?;
    in_range(alpha <= LARGEST_ALPHA, "alpha", alpha, "alpha <= 10")?;
    finite("gamma", gamma)?;
    let natural = gamma == gamma.trunc();
    let smallest = if natural { SMALLEST_WHOLE_GAMMA } else { SMALLEST_GAMMA };
    let within = (smallest..=LARGEST_GAMMA).contains(&gamma);
    in_range(within, "gamma", gamma, "-2 <= gamma <= 5, or -3, -4, -5")?;
    in_range(beta >= SMALLEST_BETA, "beta", beta, "beta >= -5")?;
    Ok(natural)
}

/// ∂E^γ_{α,β}(x)/∂β at real x; see [`prabhakar`] for the function.
///
#[doc = formula!("prabhakar_beta_derivative", r"\frac{\partial}{\partial \beta} E^\gamma_{\alpha,\beta}(z) = -\frac{1}{2 \pi i} \int e^s s^{-\beta} \ln s \, (1 - z s^{-\alpha})^{-\gamma} \, ds")]
///
/// The series, differentiated term by term, for small |x|; the function's own contour otherwise,
/// with the factor -ln s: nothing is differenced. Ranges and accuracy are those of [`prabhakar`];
/// about 20 microseconds. The value at ±∞ is NaN.
///
/// ```
/// use hpfracc_special::{digamma, prabhakar_beta_derivative};
/// // γ = 0: d/dβ 1/Γ(β) = -ψ(β)/Γ(β)
/// let d = prabhakar_beta_derivative(0.6, 3.0, 0.0, -2.0)?;
/// assert!((d + 0.5 * digamma(3.0)).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// As [`prabhakar`].
pub fn prabhakar_beta_derivative(
    alpha: f64,
    beta: f64,
    gamma: f64,
    x: f64,
) -> Result<f64, SpecialError> {
    let natural = check(alpha, beta, gamma)?;
    if !x.is_finite() {
        return Ok(f64::NAN);
    }
    if gamma == 0.0 {
        return Ok(recip_gamma_derivative(beta));
    }
    let z = Complex64::from(x);
    Ok(if (gamma < 0.0 && natural) || z.norm() <= radius(alpha, gamma) {
        terms(alpha, beta, gamma, z, recip_gamma_derivative).re
    } else {
        loop_integrals(alpha, beta, gamma, z)[1].re
    })
}

/// d/dx 1/Γ(x) = -ψ(x)/Γ(x), by reflection where both factors have poles.
fn recip_gamma_derivative(x: f64) -> f64 {
    if x > 0.5 {
        return -digamma(x) * recip_gamma(x);
    }
    let (sine, cosine) = (PI * x).sin_cos();
    gamma_function(1.0 - x) * (cosine - digamma(1.0 - x) * sine / PI)
}

/// Where the series loses little to cancellation and needs few terms.
fn radius(alpha: f64, gamma: f64) -> f64 {
    let r = match alpha {
        a if a < 0.2 => 0.5,
        a if a < 0.4 => 0.7,
        _ => 0.9,
    };
    f64::min(r, 2.0 / (1.0 + gamma.abs()))
}

/// The defining sum, Σ (γ)_k z^k / k! of(αk+β), `of` being 1/Γ or its derivative.
fn terms(alpha: f64, beta: f64, gamma: f64, z: Complex64, of: fn(f64) -> f64) -> Complex64 {
    let (mut sum, mut factor) = (Complex64::ZERO, Complex64::ONE);
    for k in 0..20_000 {
        let k = f64::from(k);
        let argument = alpha * k + beta;
        let term = factor * of(argument);
        sum += term;
        factor *= z * ((gamma + k) / (k + 1.0));
        if factor == Complex64::ZERO {
            break;
        }
        let past = argument > 1.0 && k > gamma.abs();
        if past && term.norm() <= 1e-17 * sum.norm() {
            break;
        }
    }
    sum
}

/// The value at infinity, NaN where there is none; for γ = 1 that of E_{α,β}.
fn limit(alpha: f64, beta: f64, gamma: f64, z: Complex64) -> Complex64 {
    let nowhere = Complex64::new(f64::NAN, f64::NAN);
    if gamma <= 0.0 || z.is_nan() {
        return nowhere;
    }
    // Off the real line the growing exponential turns however small the angle is.
    if z.im == 0.0 {
        // cos √-x, times a power that decays.
        let decays = alpha < 2.0 || (alpha == 2.0 && beta > gamma);
        let value = if z.re > 0.0 {
            f64::INFINITY
        } else if decays {
            0.0
        } else {
            f64::NAN
        };
        return value.into();
    }
    if z.arg().abs() > 0.5 * alpha * PI { Complex64::ZERO } else { nowhere }
}
