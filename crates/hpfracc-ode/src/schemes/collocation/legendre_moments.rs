//! Integrals of `(x - u)^(alpha-1)` against the Legendre polynomials `P_j(u)`.
//!
//! Inside and outside of [-1, 1] they satisfy, for j >= 1, the same recurrence,
//!
//! ```text
//! (j + 1 + alpha) M_{j+1} = (2j + 1) x M_j - (j - alpha) M_{j-1},
//! ```
//!
//! from `(j+1) P_{j+1} = (2j+1) u P_j - j P_{j-1}` and, by parts,
//! `(2j+1) P_j = P'_{j+1} - P'_{j-1}`. For x > 1 the moments are its minimal solution: they fall
//! like `rho^-j`, `rho = x + sqrt(x^2 - 1)`, and the recurrence runs downwards (Miller), as a
//! continued fraction of their ratios. Where `rho^p` is below e, and inside, upwards is stable.

use hpfracc_operators::Number;

/// Writes the integrals over [-1, x], from `1 + x`, which is in [0, 2].
pub(super) fn inside<T: Number>(alpha: T, from_left: f64, out: &mut [T]) {
    let Some(first) = out.first_mut() else { return };
    *first = power(from_left, alpha) / alpha;
    let x = from_left - 1.0;
    let second = out[0] * (-(alpha / (alpha + 1.0) * from_left) + x);
    upwards(alpha, x, second, out);
}

/// Writes the integrals over [-1, 1], from `x - 1 >= 0`. Returns how many there are before all
/// others are below rounding; the others are not written.
pub(super) fn outside<T: Number>(alpha: T, from_right: f64, out: &mut [T]) -> usize {
    let p = out.len();
    if p == 0 {
        return 0;
    }
    let (x, far) = (1.0 + from_right, 2.0 + from_right);
    let whole = power(far, alpha) / alpha;
    // (x+1)^alpha - (x-1)^alpha, of which little is left when x is large.
    out[0] = if from_right == 0.0 {
        whole
    } else {
        whole * -(-alpha * (2.0 / from_right).ln_1p()).exp_m1()
    };
    let root = (from_right * far).sqrt();
    let ln_rho = (from_right + root).ln_1p();
    if p as f64 * ln_rho < 1.0 {
        let after = alpha + 1.0;
        let first = (power(far, after) - power(from_right, after)) / after;
        upwards(alpha, x, out[0] * x - first, out);
        return p;
    }
    // exp(-39) is below 2^-56; the ratio that the recurrence starts from is forgotten like rho^-2j.
    let last = (39.0 / ln_rho).ceil() as usize;
    let start = last.min(p + (19.0 / ln_rho).ceil() as usize);
    let kept = p.min(last + 1);
    let mut ratio = T::constant(1.0 / (x + root));
    for j in (1..=start).rev() {
        let k = j as f64;
        let below = -((alpha + (k + 1.0)) * ratio) + (2.0 * k + 1.0) * x;
        ratio = (-alpha + k) / below;
        if j < kept {
            out[j] = ratio;
        }
    }
    for j in 1..kept {
        out[j] = out[j] * out[j - 1];
    }
    kept
}

fn upwards<T: Number>(alpha: T, x: f64, second: T, out: &mut [T]) {
    if out.len() > 1 {
        out[1] = second;
    }
    for j in 2..out.len() {
        let k = (j - 1) as f64;
        let numerator = out[j - 1] * ((2.0 * k + 1.0) * x) - (-alpha + k) * out[j - 2];
        out[j] = numerator / (alpha + (k + 1.0));
    }
}

/// x^exponent for a positive exponent, also of 0.
pub(super) fn power<T: Number>(x: f64, exponent: T) -> T {
    if x > 0.0 { T::constant(x).powf(exponent) } else { T::constant(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_testkit::Table;

    #[test]
    fn moments_agree_with_the_table() {
        let table = Table::parse(include_str!("../../../tests/data/collocation/moments.csv"));
        for row in table.rows() {
            let (alpha, offset) = (row.number("alpha"), row.number("offset"));
            let (degree, exact) = (row.number("degree") as usize, row.number("value"));
            let mut out = vec![f64::NAN; degree + 1];
            let inside_it = row.text("place") == "inside";
            let kept = if inside_it {
                inside(alpha, offset, &mut out);
                degree + 1
            } else {
                outside(alpha, offset, &mut out)
            };
            let value = if degree < kept { out[degree] } else { 0.0 };
            // Relative to the largest moment of the element; the upward recurrence accumulates
            // rounding.
            let largest = if inside_it { 2f64.powf(alpha) / alpha } else { out[0] };
            let error = (value - exact).abs() / largest;
            let place = row.text("place");
            assert!(
                error < 1e-15 * (2 + degree) as f64,
                "{place} {alpha} {offset} {degree}: {value} {exact} {error:e}"
            );
        }
    }
}
