//! Quotients of gamma functions, and the beta function made of them.
//!
//! For x, y >= 15 Stirling's series (DLMF 5.11.1), with S(x) = 1/(12 x) - ...,
//!
//! ```text
//! Γ(y)/Γ(x) = x^d exp((y-½) ln(1 + d/x) - d + S(y) - S(x)),   d = y - x
//! ```
//!
//! whose exponent has the size d²/x. While that is small, doubles are enough. Otherwise, as for
//! arguments of any other sign and size, logarithms of gamma functions are computed with 32 digits:
//! the absolute error of a logarithm is the relative error of the result.

use crate::DoubleDouble;
use crate::gamma::{digamma, gamma, recip_gamma, recip_gamma_corrected};
use std::f64::consts::{LN_2, PI};

/// Γ(x+d)/Γ(x), the rising factorial (x)_d for real `d`.
///
/// Unlike [`gamma_ratio`] it takes the shift itself, so that nothing is lost when `x` is large
/// and `x + d` must be rounded: this is the form for weights such as Γ(k-α)/Γ(k+1).
///
/// Every real `x` and `d`. Where `x` is a pole of Γ, the value is zero, or for an integer `d` with
/// `x + d` a pole too the product x (x+1) ... (x+d-1) (or its reciprocal, for d < 0); where only
/// `x + d` is a pole it is NaN. Measured relative error at most 2e-15 for arguments up to 1e12,
/// wherever the result is a normal number.
///
/// ```
/// use hpfracc_special::pochhammer;
/// assert!((pochhammer(1e6, 0.5) - 999.999875000007812).abs() < 1e-12);
/// assert_eq!(pochhammer(-5.0, 2.0), 20.0);
/// ```
#[must_use]
pub fn pochhammer(x: f64, d: f64) -> f64 {
    if d == 0.0 && !x.is_nan() {
        return 1.0;
    }
    if !(x.is_finite() && d.is_finite()) {
        return match () {
            () if x == f64::INFINITY && d.is_finite() => {
                if d > 0.0 {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
            () if x.is_finite() && d == f64::INFINITY => recip_gamma(x) * f64::INFINITY,
            () => f64::NAN,
        };
    }
    let y = DoubleDouble::sum(x, d);
    if !y.hi.is_finite() {
        // Numbers of this size are integers.
        return if y.hi > 0.0 { y.hi } else { 0.0 };
    }
    quotient(y, DoubleDouble::from(x), d)
}

/// Γ(a)/Γ(b) without overflow of the parts.
///
/// Every real `a` and `b`; zero where only `b` is a pole, NaN where only `a` is one; where both are,
/// the limit along a line of constant a - b. Measured relative error at most 2e-15 for arguments up
/// to 1e12, wherever the result is a normal number; the quotient of the two given numbers is meant,
/// see [`pochhammer`] for an exact difference.
///
/// ```
/// use hpfracc_special::gamma_ratio;
/// assert!((gamma_ratio(1e6 + 0.5, 1e6) - 999.999875000007812).abs() < 1e-12);
/// ```
#[must_use]
pub fn gamma_ratio(a: f64, b: f64) -> f64 {
    if !(a.is_finite() && b.is_finite()) {
        return gamma(a) * recip_gamma(b);
    }
    if a == b {
        return 1.0;
    }
    quotient(DoubleDouble::from(a), DoubleDouble::from(b), a - b)
}

/// B(a, b) = Γ(a)Γ(b)/Γ(a+b), the beta function.
///
/// Every real `a` and `b`; zero where only `a + b` is a pole of Γ, NaN where `a` or `b` is one.
/// Measured relative error at most 2e-15 for arguments up to 1e12, wherever the result is a normal
/// number.
///
/// ```
/// use hpfracc_special::beta;
/// assert!((beta(2.0, 3.0) - 1.0 / 12.0).abs() < 1e-16);
/// ```
#[must_use]
pub fn beta(a: f64, b: f64) -> f64 {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    if !(a.is_finite() && b.is_finite()) {
        // B(a, b) b^a -> Γ(a) for b -> ∞.
        let decays = b == f64::INFINITY && a > 0.0;
        return if decays { 0.0 } else { f64::NAN };
    }
    let c = DoubleDouble::sum(a, b);
    if is_pole(DoubleDouble::from(a)) || is_pole(DoubleDouble::from(b)) {
        return f64::NAN;
    }
    if c.hi.is_infinite() || is_pole(c) {
        return 0.0;
    }
    let small = |x: f64| (1e-280..100.0).contains(&x.abs());
    if b <= STIRLING && small(a) && small(b) && small(c.hi) {
        return gamma(a) * (gamma(b) * recip_gamma_corrected(c.hi, c.lo));
    }
    let [la, lb, lc] = [DoubleDouble::from(a), DoubleDouble::from(b), c].map(LnGamma::new);
    let ln = if a >= STIRLING || (a > 0.0 && b >= STIRLING) {
        la.ln.minus(ln_quotient(c, DoubleDouble::from(b)))
    } else if a <= -STIRLING && b >= STIRLING {
        // Γ(a) reflected: -a and b may be large and close.
        let minus_a = DoubleDouble::from(-a);
        ln_quotient(DoubleDouble::from(b), minus_a).plus(ln_reflection(minus_a)).minus(lc.ln)
    } else {
        la.ln.plus(lb.ln).minus(lc.ln)
    };
    la.sign * lb.sign * lc.sign * exp(ln)
}

/// From here on Stirling's series has full accuracy.
pub(crate) const STIRLING: f64 = 15.0;

/// Γ(y)/Γ(x) for y and x of which one is a double, with their difference rounded.
fn quotient(y: DoubleDouble, x: DoubleDouble, d: f64) -> f64 {
    match (is_pole(x), is_pole(y)) {
        (true, true) => {
            // Both reflected: (-1)^d Γ(1-x)/Γ(1-y), with integers.
            let sign = if d % 2.0 == 0.0 { 1.0 } else { -1.0 };
            let one = DoubleDouble::from(1.0);
            return sign * quotient(one.minus(x), one.minus(y), d);
        }
        (true, false) => return 0.0,
        (false, true) => return f64::NAN,
        (false, false) => {}
    }
    let least = x.hi.min(y.hi);
    if least >= STIRLING && is_close(least, d) {
        return by_series(y, x, d);
    }
    let most = x.hi.max(y.hi);
    if most <= -STIRLING && is_close(-most, d) {
        // Γ(z) Γ(-z) = -π / (z sin πz)
        let sines = sin_pi(x) / sin_pi(y);
        return sines * (x.hi / y.hi) * by_series(x.negated(), y.negated(), d);
    }
    let moderate = |z: f64| z.abs() >= 1e-280 && (-160.0..=170.0).contains(&z);
    if least < STIRLING && moderate(x.hi) && moderate(y.hi) {
        return recip_gamma_corrected(x.hi, x.lo) / recip_gamma_corrected(y.hi, y.lo);
    }
    let (of_y, of_x) = (LnGamma::new(y), LnGamma::new(x));
    of_y.sign * of_x.sign * exp(of_y.ln.minus(of_x.ln))
}

/// Whether an error of the size eps d²/x in the exponent is below those of powers, for arguments
/// x, x + d >= 15 of this least size, or the power x^d infinite.
fn is_close(least: f64, d: f64) -> bool {
    d * d <= least || d.abs() <= 1e-3 * least
}

/// Γ(y)/Γ(x) for y, x >= 15 that are close.
fn by_series(y: DoubleDouble, x: DoubleDouble, d: f64) -> f64 {
    let power = x.hi.powf(d);
    if power == 0.0 || power.is_infinite() {
        return power;
    }
    let value = power * small_exponent(x.hi, d).exp();
    // From the rounded arguments, x and x + d, to the given ones.
    let rest = y.minus(DoubleDouble::sum(x.hi, d)).hi;
    value * (1.0 + (rest * digamma(y.hi) - x.lo * digamma(x.hi)))
}

/// ln Γ(x+d)/Γ(x) - d ln x for x, x + d >= 15 that are close.
fn small_exponent(x: f64, d: f64) -> f64 {
    let (y, r) = (x + d, d / x);
    r * d - 0.5 * r + (y - 0.5) * log1p_minus(r) + stirling_series(y) - stirling_series(x)
}

/// ln Γ(y)/Γ(x) for y, x >= 15.
pub(crate) fn ln_quotient(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble {
    let d = y.minus(x);
    if !is_close(x.hi.min(y.hi), d.hi) {
        return LnGamma::new(y).ln.minus(LnGamma::new(x).ln);
    }
    d.times(x.ln()).plus(DoubleDouble::from(small_exponent(x.hi, d.hi)))
}

/// ln|Γ(z)| with 32 digits where |z| >= 15, else with the relative error of Γ as its absolute error,
/// and the sign of Γ(z), for z that is no pole.
pub(crate) struct LnGamma {
    pub(crate) ln: DoubleDouble,
    pub(crate) sign: f64,
}

impl LnGamma {
    pub(crate) fn new(z: DoubleDouble) -> Self {
        let sign = if z.hi > 0.0 || is_even(z) { 1.0 } else { -1.0 };
        let ln = if z.hi >= STIRLING {
            // (z-½) ln z - z + ½ ln 2π + S(z), which is to be finite.
            let z = if z.hi > LARGEST { DoubleDouble::from(LARGEST) } else { z };
            let constant = DoubleDouble::PI.ln().plus(LN_2_DD).scaled(0.5);
            let linear = z.minus(DoubleDouble::from(0.5)).times(z.ln()).minus(z);
            linear.plus(constant).plus(DoubleDouble::from(stirling_series(z.hi)))
        } else if z.hi > -STIRLING {
            ln(recip_gamma_corrected(z.hi, z.lo).abs()).negated()
        } else {
            let reflected = z.negated();
            ln_reflection(reflected).minus(Self::new(reflected).ln)
        };
        Self { ln, sign }
    }
}

/// ln |Γ(z) Γ(-z)| = ln |π / (z sin πz)|
fn ln_reflection(z: DoubleDouble) -> DoubleDouble {
    let sine = ln(sin_pi(z).abs());
    let z = if z.hi > LARGEST { DoubleDouble::from(LARGEST) } else { z };
    DoubleDouble::PI.ln().minus(sine).minus(z.ln())
}

/// ln of a positive number, which may be subnormal.
fn ln(x: f64) -> DoubleDouble {
    if x >= 1e-280 {
        return DoubleDouble::from(x).ln();
    }
    DoubleDouble::from(x * 2f64.powi(200)).ln().minus(LN_2_DD.scaled(200.0))
}

/// Larger arguments give the same zeros and infinities.
const LARGEST: f64 = 1e290;

const LN_2_DD: DoubleDouble = DoubleDouble { hi: LN_2, lo: 2.319_046_813_846_299_6e-17 };

/// e^x
pub(crate) fn exp(x: DoubleDouble) -> f64 {
    if x.hi.abs() > 1500.0 {
        return if x.hi > 0.0 { f64::INFINITY } else { 0.0 };
    }
    if x.hi.abs() > 700.0 {
        // No factor is to be infinite or subnormal.
        let half = exp(x.scaled(0.5));
        return half * half;
    }
    let value = x.hi.exp();
    value + value * x.lo
}

/// Whether z is 0, -1, -2, ...
fn is_pole(z: DoubleDouble) -> bool {
    z.hi <= 0.0 && z.hi == z.hi.trunc() && z.lo == z.lo.trunc()
}

/// Whether the largest integer below z is even.
fn is_even(z: DoubleDouble) -> bool {
    let whole = z.hi.floor();
    // Of an integer the remainder may be negative.
    let below = if whole == z.hi { z.lo.floor() } else { 0.0 };
    (whole % 2.0 + below % 2.0) % 2.0 == 0.0
}

/// sin(πz) with the argument reduced exactly.
fn sin_pi(z: DoubleDouble) -> f64 {
    // Of a large z the remainder may have whole numbers too.
    let (hi, lo) = (z.hi % 2.0, z.lo % 2.0);
    let r = DoubleDouble::sum(hi, lo);
    let turns = 2.0 * (0.5 * r.hi).round();
    let r = (r.hi - turns) + r.lo;
    let r = if r.abs() <= 0.5 { r } else { r.signum() - r };
    (PI * r).sin()
}

/// ln Γ(x) - (x-½) ln x + x - ½ ln 2π for x >= 15 (DLMF 5.11.1).
pub(crate) fn stirling_series(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    const C: [f64; 6] = [
        -0.001_917_526_917_526_918,
        0.000_841_750_841_750_841_8,
        -0.000_595_238_095_238_095_2,
        0.000_793_650_793_650_793_7,
        -0.002_777_777_777_777_778,
        0.083_333_333_333_333_33,
    ];
    C.iter().fold(0.0, |s, &c| s * y + c) / x
}

/// ln(1+r) - r without cancellation.
pub(crate) fn log1p_minus(r: f64) -> f64 {
    if r.abs() > 0.3 {
        return r.ln_1p() - r;
    }
    // ln(1+r) = 2 atanh(t), t = r/(2+r); then 2t - r = -r t.
    let t = r / (2.0 + r);
    let y = t * t;
    let mut s = 0.0;
    for k in (1..12).rev() {
        s = s * y + 2.0 / f64::from(2 * k + 1);
    }
    t * (s * y - r)
}
