//! Powers of the natural numbers and their differences: the raw material of product-integration
//! weights.
//!
//! Formed literally, `(k+1)^b - 2k^b + (k-1)^b` has lost five digits of six at k = 1e6. Here a
//! block of indices around a centre `m` shares one power, and the rest is a polynomial:
//!
//! ```text
//! Σ_s w_s (k+o_s)^b = m^b Σ_l q_l t^l,    t = (k-m)/m,  h = 1/m,
//! q_l = Σ_{p≥0} C(b,l+p) C(l+p,p) M_p h^p,    M_p = Σ_s w_s o_s^p,
//! ```
//!
//! which follows from the binomial series of (1 + t + o_s h)^b. The vanishing moments `M_p` of a
//! difference are left out by name, not by cancellation.

pub(crate) mod blocks;

use self::blocks::{DEGREE, FIRST_BLOCK, Polynomial, in_powers_of};
use std::f64::consts::LN_2;
use std::ops::RangeInclusive;

/// Largest power of h: (1/34)^12 is 4e-19.
const SHIFTS: usize = 12;
/// Exponents outside make the binomials too large for the degree of a block.
const BLOCK_EXPONENTS: RangeInclusive<f64> = -2.0..=6.0;

/// out\[k\] = k^c for k = 0, 1, ..., `out.len() - 1`.
///
/// `out[0]` is 0 for c > 0, 1 for c = 0, ∞ for c < 0. Measured relative error at most 5e-16 up to
/// k = 1e6. About 2 ns an entry for -2 <= c <= 6, 12 ns for other exponents.
///
/// ```
/// let mut p = [0.0; 4];
/// hpfracc_special::powers(0.5, &mut p);
/// assert_eq!(p, [0.0, 1.0, 2f64.sqrt(), 3f64.sqrt()]);
/// ```
pub fn powers(c: f64, out: &mut [f64]) {
    write_powers(c, out, false, |power, value, _| *power = value);
}

/// out\[k\] = k^c ln k, the derivative of [`powers`] in `c`; `out[0]` = 0.
///
/// Measured relative error at most 6e-16 up to k = 1e6. Cost as [`powers`].
///
/// ```
/// let mut p = [0.0; 3];
/// hpfracc_special::powers_derivative(1.0, &mut p);
/// assert_eq!(p, [0.0, 0.0, 2.0 * 2f64.ln()]);
/// ```
pub fn powers_derivative(c: f64, out: &mut [f64]) {
    write_powers(c, out, true, |power, _, derivative| *power = derivative);
}

/// Writes entries by `write` from the numbers of [`powers`] and, if `derivative`, those of
/// [`powers_derivative`] in the same pass. Inlined, so that the caller's vector instructions serve.
///
/// ```
/// let mut p = [(0.0, 0.0); 3];
/// hpfracc_special::write_powers(1.0, &mut p, true, |entry, p, dp| *entry = (p, dp));
/// assert_eq!(p[2], (2.0, 2.0 * 2f64.ln()));
/// ```
#[inline(always)]
pub fn write_powers<T>(c: f64, out: &mut [T], derivative: bool, write: impl Fn(&mut T, f64, f64)) {
    let small = |k: usize| {
        let (n, power) = (k as f64, (k as f64).powf(c));
        (power, if k < 2 { 0.0 } else { power * n.ln() })
    };
    fill(c, out, derivative, small, |p| if p == 0 { 1.0 } else { 0.0 }, write);
}

/// out\[k\] = (k+1)^b - k^b, with 0^b := 0.
///
/// Measured relative error at most 8e-16 up to k = 1e6. About 2 ns an entry for -2 <= b <= 6, 25 ns
/// for other exponents.
///
/// ```
/// let mut d = [0.0; 3];
/// hpfracc_special::forward_differences_of_powers(2.0, &mut d);
/// assert_eq!(d, [1.0, 3.0, 5.0]);
/// ```
pub fn forward_differences_of_powers(b: f64, out: &mut [f64]) {
    write_forward_differences_of_powers(b, out, false, |difference, value, _| {
        *difference = value;
    });
}

/// out\[k\] = (k+1)^b ln(k+1) - k^b ln k, the derivative of [`forward_differences_of_powers`] in
/// `b`, with 0^b ln 0 := 0.
///
/// Measured relative error at most 8e-16 up to k = 1e6 (for b < 0 relative to the larger of its two
/// parts, which may cancel). Cost as [`forward_differences_of_powers`].
///
/// ```
/// let mut d = [0.0; 2];
/// hpfracc_special::forward_differences_of_powers_derivative(1.0, &mut d);
/// assert_eq!(d, [0.0, 2.0 * 2f64.ln()]);
/// ```
pub fn forward_differences_of_powers_derivative(b: f64, out: &mut [f64]) {
    write_forward_differences_of_powers(b, out, true, |difference, _, derivative| {
        *difference = derivative;
    });
}

/// Writes entries by `write` from the numbers of [`forward_differences_of_powers`] and, if
/// `derivative`, those of [`forward_differences_of_powers_derivative`] in the same pass.
///
/// ```
/// let mut d = [(0.0, 0.0); 2];
/// let write = |entry: &mut (f64, f64), d, dd| *entry = (d, dd);
/// hpfracc_special::write_forward_differences_of_powers(1.0, &mut d, true, write);
/// assert_eq!(d, [(1.0, 0.0), (1.0, 2.0 * 2f64.ln())]);
/// ```
#[inline(always)]
pub fn write_forward_differences_of_powers<T>(
    b: f64,
    out: &mut [T],
    derivative: bool,
    write: impl Fn(&mut T, f64, f64),
) {
    let small = |k: usize| {
        if k == 0 {
            return (1.0, 0.0);
        }
        let n = k as f64;
        let (next, step) = ((n + 1.0).powf(b), (1.0 / n).ln_1p());
        // The larger power is the factor.
        let value =
            if b > 0.0 { -next * (-b * step).exp_m1() } else { n.powf(b) * (b * step).exp_m1() };
        (value, if k == 1 { next * LN_2 } else { n.ln() * value + next * step })
    };
    fill(b, out, derivative, small, |p| if p == 0 { 0.0 } else { 1.0 }, write);
}

/// out\[0\] = 1, out\[k\] = (k+1)^b - 2k^b + (k-1)^b, with 0^b := 0.
///
/// Measured relative error at most 1e-15 up to k = 1e6, also near b = 1, where the value is
/// proportional to b - 1. About 2 ns an entry for -2 <= b <= 6, 30 to 100 ns for other exponents.
///
/// ```
/// let mut d = [0.0; 4];
/// hpfracc_special::second_differences_of_powers(2.0, &mut d);
/// assert_eq!(d, [1.0, 2.0, 2.0, 2.0]);
/// ```
pub fn second_differences_of_powers(b: f64, out: &mut [f64]) {
    write_second_differences_of_powers(b, out, false, |difference, value, _| {
        *difference = value;
    });
}

/// The derivative of [`second_differences_of_powers`] in `b`, with 0^b ln 0 := 0.
///
/// Measured error at most 1e-15 of the larger of the two parts ln k · (value) and
/// k^b d/db(value/k^b), up to k = 1e6. Cost as [`second_differences_of_powers`].
///
/// ```
/// let mut d = [0.0; 2];
/// hpfracc_special::second_differences_of_powers_derivative(1.0, &mut d);
/// assert_eq!(d, [0.0, 2.0 * 2f64.ln()]);
/// ```
pub fn second_differences_of_powers_derivative(b: f64, out: &mut [f64]) {
    write_second_differences_of_powers(b, out, true, |difference, _, derivative| {
        *difference = derivative;
    });
}

/// Writes entries by `write` from the numbers of [`second_differences_of_powers`] and, if
/// `derivative`, those of [`second_differences_of_powers_derivative`] in the same pass.
///
/// ```
/// let mut d = [(0.0, 0.0); 2];
/// let write = |entry: &mut (f64, f64), d, dd| *entry = (d, dd);
/// hpfracc_special::write_second_differences_of_powers(1.0, &mut d, true, write);
/// assert_eq!(d, [(1.0, 0.0), (0.0, 2.0 * 2f64.ln())]);
/// ```
#[inline(always)]
pub fn write_second_differences_of_powers<T>(
    b: f64,
    out: &mut [T],
    derivative: bool,
    write: impl Fn(&mut T, f64, f64),
) {
    let small = |k: usize| match k {
        0 => (1.0, 0.0),
        // Without cancellation at both ends.
        1 if b > 4.0 => (b.exp2() - 2.0, b.exp2() * LN_2),
        1 => (2.0 * ((b - 1.0) * LN_2).exp_m1(), b.exp2() * LN_2),
        _ if b.abs() > LARGE_EXPONENT * k as f64 => second_difference(b, k as f64),
        _ => {
            let n = k as f64;
            let (value, change) = series(b, 1.0 / n, second_moment);
            let power = n.powf(b);
            (power * value, power * (n.ln() * value + change))
        }
    };
    fill(b, out, derivative, small, second_moment, write);
}

/// For exponents beyond this multiple of k, differences of powers of k do not cancel.
const LARGE_EXPONENT: f64 = 3.0;

/// (k+1)^b - 2k^b + (k-1)^b and its derivative in b, as multiples of the largest power.
fn second_difference(b: f64, k: f64) -> (f64, f64) {
    let (largest, smallest) = if b > 0.0 { (k + 1.0, k - 1.0) } else { (k - 1.0, k + 1.0) };
    let term = |n: f64| {
        let (ratio, log) = ((n / largest).powf(b), (n / largest).ln());
        // 0 ln 0 = 0
        (ratio, if ratio == 0.0 { 0.0 } else { ratio * log })
    };
    let ((middle, middle_slope), (least, least_slope)) = (term(k), term(smallest));
    let (value, change) = (1.0 - 2.0 * middle + least, least_slope - 2.0 * middle_slope);
    let power = largest.powf(b);
    let factor = largest.ln() * value + change;
    (power * value, if factor == 0.0 { 0.0 } else { power * factor })
}

/// Offsets 1, 0, -1 with weights 1, -2, 1.
fn second_moment(p: usize) -> f64 {
    if p > 0 && p.is_multiple_of(2) { 2.0 } else { 0.0 }
}

/// Σ_p C(b,p) M_p h^p and its derivative in b.
fn series(b: f64, h: f64, moment: impl Fn(usize) -> f64) -> (f64, f64) {
    let (mut c, mut dc) = (1.0, 0.0);
    let (mut value, mut change) = (0.0, 0.0);
    let mut power = 1.0;
    for p in 0..400 {
        let m = moment(p) * power;
        value += c * m;
        change += dc * m;
        // Past p = |b| the terms shrink at least as fast as powers of 2 h.
        let next = (c.abs() + dc.abs()) * power * p as f64;
        if p as f64 > b.abs() + 4.0 && next <= 1e-19 * (value.abs() + change.abs()) {
            break;
        }
        let n = (p + 1) as f64;
        dc = (dc * (b - p as f64) + c) / n;
        c *= (b - p as f64) / n;
        power *= h;
    }
    (value, change)
}

/// Writes each entry from its value and its derivative in b: the first ones by `small`, the others
/// by blocks. `moment` is M_p.
#[inline(always)]
fn fill<T>(
    b: f64,
    out: &mut [T],
    derivative: bool,
    small: impl Fn(usize) -> (f64, f64),
    moment: impl Fn(usize) -> f64,
    write: impl Fn(&mut T, f64, f64),
) {
    let in_blocks = BLOCK_EXPONENTS.contains(&b);
    let first = if in_blocks { FIRST_BLOCK.min(out.len()) } else { out.len() };
    for (k, entry) in out[..first].iter_mut().enumerate() {
        let (value, slope) = small(k);
        write(entry, value, slope);
    }
    let later = &mut out[first..];
    if later.is_empty() {
        return;
    }
    let (rows, slopes) = rows(b, moment);
    let polynomials = |centre: f64, h: f64| {
        let scale = centre.powf(b);
        let q = in_powers_of(h, &rows);
        let mut dq = [0.0; DEGREE + 1];
        if derivative {
            let (log, slope) = (centre.ln(), in_powers_of(h, &slopes));
            for l in 0..=DEGREE {
                dq[l] = scale * (log * q[l] + slope[l]);
            }
        }
        [q.map(|q| scale * q), dq]
    };
    blocks::fill(first, later, polynomials, write);
}

/// The coefficients C(b,l+p) C(l+p,p) M_p of t^l h^p and their derivatives in b.
fn rows(
    b: f64,
    moment: impl Fn(usize) -> f64,
) -> ([Polynomial; SHIFTS + 1], [Polynomial; SHIFTS + 1]) {
    // C(b,i) and d/db C(b,i).
    let mut binomials = [(1.0, 0.0); DEGREE + SHIFTS + 1];
    for i in 1..binomials.len() {
        let (c, dc) = binomials[i - 1];
        let (factor, n) = (b - (i - 1) as f64, i as f64);
        binomials[i] = (c * factor / n, (dc * factor + c) / n);
    }
    let [mut rows, mut slopes] = [[[0.0; DEGREE + 1]; SHIFTS + 1]; 2];
    for (p, multiplicities) in MULTIPLICITIES.iter().enumerate() {
        let moment = moment(p);
        for (l, multiplicity) in multiplicities.iter().enumerate() {
            let (c, dc) = binomials[l + p];
            rows[p][l] = c * multiplicity * moment;
            slopes[p][l] = dc * multiplicity * moment;
        }
    }
    (rows, slopes)
}

/// C(l+p,p) by p and l.
const MULTIPLICITIES: [Polynomial; SHIFTS + 1] = {
    let mut table = [[1.0; DEGREE + 1]; SHIFTS + 1];
    let mut p = 1;
    while p <= SHIFTS {
        let mut l = 1;
        while l <= DEGREE {
            table[p][l] = table[p - 1][l] + table[p][l - 1];
            l += 1;
        }
        p += 1;
    }
    table
};
