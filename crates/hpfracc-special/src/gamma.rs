//! Gamma function, its reciprocal, logarithm and logarithmic derivative.

use std::f64::consts::PI;

/// Γ(x), the gamma function.
///
#[doc = formula!("gamma", r"\Gamma(x) = \int_0^\infty t^{x-1} e^{-t} \, dt \quad (x > 0), \quad \Gamma(x+1) = x \Gamma(x)")]
///
/// Every real `x`. At the poles -1, -2, ... the value is NaN, at ±0 it is ±∞; beyond 171.62 it
/// overflows to ∞. Measured relative error at most 8e-16. The Lanczos sum of the `libm` crate.
///
/// ```
/// use hpfracc_special::gamma;
/// assert!((gamma(0.5) - std::f64::consts::PI.sqrt()).abs() < 1e-15);
/// ```
#[must_use]
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// 1/Γ(x), the reciprocal gamma function, which is entire.
///
/// Every real `x`; exactly zero at 0, -1, -2, ... . Measured relative error at most 1e-15 where
/// the value neither underflows nor overflows (overflow begins near x = -170.6).
///
/// ```
/// use hpfracc_special::recip_gamma;
/// assert_eq!(recip_gamma(-3.0), 0.0);
/// assert_eq!(recip_gamma(4.0), 1.0 / 6.0);
/// ```
#[must_use]
pub fn recip_gamma(x: f64) -> f64 {
    if x <= 0.0 && x == x.trunc() {
        // Minus infinity too: 1/Γ has no limit there, but its zeros continue for ever.
        return 0.0;
    }
    if x.abs() < 1e-20 {
        // 1/Γ(x) = x + γ x² + ..., also where Γ overflows.
        return x;
    }
    if x > -160.0 {
        // Overflow of Γ beyond 171.6 gives zero; the true value is below 1e-308.
        1.0 / libm::tgamma(x)
    } else {
        // 1/Γ(x) = sin(πx) Γ(1-x)/π, with Γ(1-x) = (-x) Γ(-x) last because it overflows first.
        sin_pi(x) / PI * libm::tgamma(-x) * -x
    }
}

/// 1/Γ(x + e) for a correction `e` far below the spacing of the numbers near `x`.
///
/// Near a zero of 1/Γ the rounding of an argument such as `b - a k` costs all relative
/// accuracy; carrying the rounding error in `e` preserves it.
pub(crate) fn recip_gamma_corrected(x: f64, e: f64) -> f64 {
    if e == 0.0 {
        return recip_gamma(x);
    }
    let pole = x.round();
    let distance = (x - pole) + e;
    if pole <= 0.0 && distance.abs() < 1e-9 {
        // Γ(-n + ε) = (-1)^n / n! (1/ε + ψ(n+1) + O(ε))
        let sign = if pole % 2.0 == 0.0 { 1.0 } else { -1.0 };
        return sign * libm::tgamma(1.0 - pole) * distance / (1.0 + distance * digamma(1.0 - pole));
    }
    let r = recip_gamma(x);
    let c = r * digamma(x) * e;
    if c.is_finite() { r - c } else { r }
}

/// ln|Γ(x)| and the sign of Γ(x).
///
/// Every real `x`; (∞, 1) at 0, -1, -2, ... . Measured error at most 4e-16 relative for x > 0
/// and 4e-16 · max(1, |ln|Γ||) below, where ln|Γ| has zeros. From the `libm` crate.
///
/// ```
/// use hpfracc_special::ln_gamma;
/// let (value, sign) = ln_gamma(-0.5);
/// assert!((value - (2.0 * std::f64::consts::PI.sqrt()).ln()).abs() < 1e-15);
/// assert_eq!(sign, -1.0);
/// ```
#[must_use]
pub fn ln_gamma(x: f64) -> (f64, f64) {
    if x <= 0.0 && x == x.trunc() {
        return (f64::INFINITY, 1.0);
    }
    let (value, sign) = libm::lgamma_r(x);
    (value, if sign < 0 { -1.0 } else { 1.0 })
}

/// The positive zero of ψ as a sum of two numbers.
const PSI_ZERO: (f64, f64) = (1.461_632_144_968_362_2, 9.549_995_429_965_697e-17);

/// ψ(x)/(x - x₀) on [1, 2], x₀ the zero, in powers of x - 3/2, highest first. Interpolated in
/// Chebyshev points with 40 digits; error 3e-18.
const PSI_QUOTIENT: [f64; 23] = [
    0.00011881232908510335,
    -0.0001782188548855923,
    9.653646261410062e-05,
    -0.00014480643368061614,
    0.00032395945401345196,
    -0.00048595039220036254,
    0.0006909255761282986,
    -0.0010364584817312839,
    0.0015633696313653504,
    -0.0023454947397380833,
    0.003518106563802472,
    -0.005279937255532708,
    0.007927021796868154,
    -0.011908220105959716,
    0.017907248317313294,
    -0.026975796659787055,
    0.040760833940846085,
    -0.06192213327548831,
    0.09498872445289039,
    -0.14840492305388092,
    0.24054248424078697,
    -0.4236274212814606,
    0.9510558760318328,
];

/// ψ(x) = Γ'(x)/Γ(x), the digamma function.
///
/// Every real `x`; NaN at the poles 0, -1, -2, ... . Measured relative error at most 1e-15 for
/// x > 0 (also near the zero 1.4616...), and 2e-15 · max(1, |ψ|) below. Recurrence to [1, 2]
/// and a polynomial there, the asymptotic series above 10 (DLMF 5.11.2), reflection below 0
/// (DLMF 5.5.4).
///
/// ```
/// use hpfracc_special::digamma;
/// assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-15);
/// ```
#[must_use]
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.trunc() {
            return f64::NAN;
        }
        // π cot(πx), reduced before π enters.
        let r = x - x.round();
        return digamma(1.0 - x) - PI / (PI * r).tan();
    }
    if x >= 10.0 {
        let y = 1.0 / (x * x);
        const C: [f64; 8] = [
            -0.443_259_803_921_568_6,
            0.083_333_333_333_333_33,
            -0.021_092_796_092_796_094,
            0.007_575_757_575_757_576,
            -0.004_166_666_666_666_667,
            0.003_968_253_968_253_968,
            -0.008_333_333_333_333_333,
            0.083_333_333_333_333_33,
        ];
        return x.ln() - 0.5 / x - y * C.iter().fold(0.0, |s, &c| s * y + c);
    }
    let mut y = x;
    let mut sum = 0.0;
    while y > 2.0 {
        y -= 1.0;
        sum += 1.0 / y;
    }
    if y < 1.0 {
        sum -= 1.0 / y;
        y += 1.0;
    }
    let q = PSI_QUOTIENT.iter().fold(0.0, |s, &c| s * (y - 1.5) + c);
    ((y - PSI_ZERO.0) - PSI_ZERO.1) * q + sum
}

/// Trigamma's argument from which its asymptotic series is used.
const TRIGAMMA_ASYMPTOTIC: f64 = 12.0;

/// ψ'(x), the trigamma function, the derivative of [`digamma`].
///
#[doc = formula!("trigamma", r"\psi'(x) = \sum_{k=0}^\infty \frac{1}{(x+k)^2}")]
///
/// Every real `x`; ∞ at the poles 0, -1, -2, ... . Measured relative error at most 1e-15. Recurrence to
/// 12 and beyond, the asymptotic series there (DLMF 5.15.8), reflection below 0 (DLMF 5.15.6).
///
/// ```
/// use hpfracc_special::trigamma;
/// assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn trigamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.trunc() {
            return f64::INFINITY;
        }
        let quotient = PI / sin_pi(x);
        return quotient * quotient - trigamma(1.0 - x);
    }
    let mut y = x;
    let mut terms = [0.0; TRIGAMMA_ASYMPTOTIC as usize];
    let mut count = 0;
    while y < TRIGAMMA_ASYMPTOTIC {
        terms[count] = 1.0 / (y * y);
        y += 1.0;
        count += 1;
    }
    // 1/y + 1/(2 y²) + sum of B_2k / y^(2k+1)
    const BERNOULLI: [f64; 8] = [
        -3617.0 / 510.0,
        7.0 / 6.0,
        -691.0 / 2730.0,
        5.0 / 66.0,
        -1.0 / 30.0,
        1.0 / 42.0,
        -1.0 / 30.0,
        1.0 / 6.0,
    ];
    let square = 1.0 / (y * y);
    let series = BERNOULLI.iter().fold(0.0, |sum, b| (sum + b) * square);
    let tail = (1.0 + (0.5 / y + series)) / y;
    // The smallest first.
    terms[..count].iter().rev().fold(tail, |sum, term| sum + term)
}

/// sin(πx) with the argument reduced exactly.
pub(crate) fn sin_pi(x: f64) -> f64 {
    let r = x - 2.0 * (0.5 * x).round();
    let r = if r.abs() <= 0.5 { r } else { r.signum() - r };
    (PI * r).sin()
}
