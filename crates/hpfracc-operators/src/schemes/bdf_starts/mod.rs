//! Start corrections that make convolution quadrature exact on the first powers of t.
//!
//! Convolution quadrature takes the record as zero before its start. A start f ~ c t^k that is not
//! flat then costs errors of order h^(k+1) and h^(k+2) at fixed t, whatever the formula's order p;
//! those with zeta(-k) = 0 or zeta(-k-1) = 0 drop out, which leaves order 1 for k = 0, 2 for k = 1,
//! 4 for k = 2 and 3. The first few nodes are wrong by the size of t^(k-alpha) itself.
//!
//! The remedy is Lubich's: add the difference of the exact derivative of t^k and its quadrature,
//! times the coefficient c that a polynomial through the first samples has. Both are computed on a
//! unit step:
//!
//! ```text
//! column_k[n] = exact_k[n] - sum_j w_j (n-j)^k
//! (n-j)^k     = sum_i (Delta^i 0^k) C(n-j, i),      whose quadrature is in lubich/mod.rs
//! ```
//!
//! Far from the start the difference cancels; remainder.rs has it term by term.

mod remainder;

use crate::Toeplitz;
use crate::definitions::grunwald_letnikov::differences;
use crate::schemes::lubich::Bdf;
use crate::weights::first_differences;
use hpfracc_special::{digamma, gamma, powers, recip_gamma};
use hpfracc_types::Grid;
use remainder::Remainder;

/// What the derivative of t^k is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    /// Gamma(k+1) / Gamma(k+1-alpha) t^(k-alpha), for every k.
    RiemannLiouville,
    /// The same, but 0 for k < ceil(alpha).
    Caputo,
}

/// The powers k = 0..count that are treated exactly: those up to ceil(alpha).
///
/// Below ceil(alpha) Caputo needs them by definition. The power ceil(alpha) itself has a derivative
/// that does not vanish at the start when alpha is whole or nearly so: without it the first entries
/// would be wrong by O(1) for every step. For alpha <= 1 it also raises the order for a smooth f
/// from 2 to min(p, 4). Higher powers would raise it further but read noise as a polynomial.
pub(crate) fn count(alpha: f64) -> usize {
    alpha.ceil() as usize + 1
}

/// Samples that the stencils read.
pub(crate) fn min_points(alpha: f64, bdf: Bdf) -> usize {
    stencil_len(count(alpha) - 1, alpha, bdf).max(2)
}

/// The quadrature of order p on the grid, with its start corrections.
pub(crate) fn toeplitz(target: Target, alpha: f64, bdf: Bdf, grid: Grid) -> Toeplitz {
    let (n, scale) = (grid.n(), grid.dt().powf(-alpha));
    let w = bdf.series(alpha, differences(alpha), n);
    assemble(target, alpha, bdf, scaled(&w, scale), |k| {
        scaled(&column(target, alpha, bdf, k, n), scale)
    })
}

/// Its derivative in alpha.
pub(crate) fn toeplitz_derivative(target: Target, alpha: f64, bdf: Bdf, grid: Grid) -> Toeplitz {
    let (n, scale, ln_h) = (grid.n(), grid.dt().powf(-alpha), grid.dt().ln());
    let d_scaled = |v: &[f64], dv: &[f64]| -> Vec<f64> {
        v.iter().zip(dv).map(|(v, dv)| scale * (dv - ln_h * v)).collect()
    };
    let q = differences(alpha);
    let w = d_scaled(&bdf.series(alpha, q, n), &bdf.series_derivative(alpha, q, n));
    assemble(target, alpha, bdf, w, |k| {
        d_scaled(&column(target, alpha, bdf, k, n), &column_derivative(target, alpha, bdf, k, n))
    })
}

fn assemble(
    target: Target,
    alpha: f64,
    bdf: Bdf,
    w: Vec<f64>,
    column: impl Fn(usize) -> Vec<f64>,
) -> Toeplitz {
    let q = differences(alpha).min(w.len());
    let stencil_of = |k| stencil(k, stencil_len(k, alpha, bdf));
    let mut firsts = first_differences(q);
    // Powers below q that Caputo leaves out are taken out of the first differences; later ones have
    // none. As columns they would cancel against them, at the size of f(0) h^-alpha.
    let left_out = (0..q).take_while(|k| vanishes(target, alpha, *k)).count();
    for first in &mut firsts {
        let differences = first.clone();
        for k in 0..left_out {
            let value = |(j, c): (usize, &f64)| c * (j as f64).powi(k as i32);
            let of_power: f64 = differences.iter().enumerate().map(value).sum();
            let stencil = stencil_of(k);
            first.resize(first.len().max(stencil.len()), 0.0);
            first.iter_mut().zip(stencil).for_each(|(c, s)| *c -= of_power * s);
        }
    }
    let quadrature = Toeplitz::of_differences(q, w).with_first_differences(firsts);
    (left_out..count(alpha))
        .fold(quadrature, |toeplitz, k| toeplitz.with_start(column(k), stencil_of(k)))
}

fn scaled(v: &[f64], scale: f64) -> Vec<f64> {
    v.iter().map(|v| scale * v).collect()
}

/// exact_k - quadrature of t^k, on a unit step. Where the exact value at n = 0 is infinite the
/// quadrature is kept.
fn column(target: Target, alpha: f64, bdf: Bdf, k: usize, n: usize) -> Vec<f64> {
    let near = if vanishes(target, alpha, k) { n } else { n.min(remainder::from(bdf)) };
    let quadrature = quadrature(k, near, |i| bdf.series(alpha, i, near));
    if vanishes(target, alpha, k) {
        return scaled(&quadrature, -1.0);
    }
    let factor = gamma(k as f64 + 1.0) * recip_gamma(k as f64 + 1.0 - alpha);
    let mut power = vec![0.0; near];
    powers(k as f64 - alpha, &mut power);
    let mut column: Vec<f64> = power.iter().zip(&quadrature).map(|(t, q)| factor * t - q).collect();
    column[0] = exact_at_start(alpha, k).map_or(0.0, |exact| exact - quadrature[0]);
    column.resize(n, 0.0);
    Remainder::new(alpha, bdf, k).write(&mut column, near);
    column
}

fn column_derivative(target: Target, alpha: f64, bdf: Bdf, k: usize, n: usize) -> Vec<f64> {
    let near = if vanishes(target, alpha, k) { n } else { n.min(remainder::from(bdf)) };
    let quadrature = quadrature(k, near, |i| bdf.series_derivative(alpha, i, near));
    if vanishes(target, alpha, k) {
        return scaled(&quadrature, -1.0);
    }
    let x = k as f64 + 1.0 - alpha;
    let (factor, slope) = (gamma(k as f64 + 1.0), digamma_over_gamma(x));
    let mut column: Vec<f64> = (0..near)
        .map(|m| {
            let t = m as f64;
            factor * t.powf(k as f64 - alpha) * (slope - recip_gamma(x) * t.ln()) - quadrature[m]
        })
        .collect();
    // Beside a whole order the value at the start jumps; the slope is that of the quadrature.
    column[0] = exact_at_start(alpha, k).map_or(0.0, |_| -quadrature[0]);
    column.resize(n, 0.0);
    Remainder::new(alpha, bdf, k).write_slopes(&mut column, near);
    column
}

/// The derivative of t^k at t = 0, unless it is infinite.
fn exact_at_start(alpha: f64, k: usize) -> Option<f64> {
    let power = k as f64 - alpha;
    if power > 0.0 {
        Some(0.0)
    } else if power == 0.0 {
        Some(gamma(k as f64 + 1.0))
    } else if power.fract() == 0.0 {
        // A classical derivative of a polynomial of lower degree.
        Some(0.0)
    } else {
        None
    }
}

fn vanishes(target: Target, alpha: f64, k: usize) -> bool {
    target == Target::Caputo && (k as f64) < alpha
}

/// The quadrature of t^k, from the series `delta^alpha (1-x)^-(i+1)` by number i + 1.
fn quadrature(k: usize, n: usize, series: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    let mut sum = vec![0.0; n];
    for i in 0..=k {
        let factor = difference_of_power(i, k);
        if factor != 0.0 {
            let u = series(i + 1);
            for m in i..n {
                sum[m] += factor * u[m - i];
            }
        }
    }
    sum
}

/// Delta^i 0^k = sum_j (-1)^(i-j) C(i, j) j^k, a whole number.
fn difference_of_power(i: usize, k: usize) -> f64 {
    signed_binomials(i).enumerate().map(|(j, c)| c * (j as f64).powi(k as i32)).sum()
}

/// (-1)^(i-j) C(i, j) for j = 0..=i.
fn signed_binomials(i: usize) -> impl Iterator<Item = f64> {
    let mut c = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    (0..=i).map(move |j| {
        let now = c;
        c = -c * (i - j) as f64 / (j + 1) as f64;
        now
    })
}

/// The power 0 reads one sample. A coefficient of t^k from s samples is off by h^(s-k): others read
/// p + k to keep the formula's order, and enough to tell apart all powers treated.
fn stencil_len(k: usize, alpha: f64, bdf: Bdf) -> usize {
    if k == 0 { 1 } else { (bdf.p() + k).max(count(alpha)) }
}

/// Weights of the first `len` samples for the coefficient of n^k in the polynomial through them.
fn stencil(k: usize, len: usize) -> Vec<f64> {
    let mut weights = vec![0.0; len];
    // C(x, i) as a polynomial in x, lowest power first.
    let mut newton = vec![1.0];
    for i in 0..len {
        let coefficient = newton.get(k).copied().unwrap_or(0.0);
        for (weight, c) in weights.iter_mut().zip(signed_binomials(i)) {
            *weight += coefficient * c;
        }
        let mut next = vec![0.0; newton.len() + 1];
        for (power, c) in newton.iter().enumerate() {
            next[power + 1] += c / (i + 1) as f64;
            next[power] -= c * i as f64 / (i + 1) as f64;
        }
        newton = next;
    }
    weights
}

/// psi(x) / Gamma(x), the derivative of -1/Gamma, continued through the poles of psi.
fn digamma_over_gamma(x: f64) -> f64 {
    if x <= 0.0 && x.fract() == 0.0 {
        // 1/Gamma(-j + e) = (-1)^j j! e + ..., so its slope is (-1)^j j!.
        let j = -x;
        let sign = if j % 2.0 == 0.0 { 1.0 } else { -1.0 };
        -sign * gamma(j + 1.0)
    } else {
        digamma(x) * recip_gamma(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_testkit::Table;

    #[test]
    fn stencils_are_the_one_sided_differences() {
        assert_eq!(stencil(0, 1), [1.0]);
        assert_eq!(stencil(1, 2), [-1.0, 1.0]);
        assert_eq!(stencil(1, 3), [-1.5, 2.0, -0.5]);
        assert_eq!(stencil(2, 3), [0.5, -1.0, 0.5]);
    }

    #[test]
    fn corrected_quadrature_is_exact_on_the_powers_it_names() {
        for (alpha, p) in [(0.3, 1), (0.6, 4), (1.4, 2), (1.6, 6), (2.5, 3)] {
            let (bdf, n) = (Bdf::new(p).unwrap(), 60);
            for k in 0..count(alpha) {
                let w = bdf.series(alpha, 0, n);
                let column = column(Target::RiemannLiouville, alpha, bdf, k, n);
                for m in 1..n {
                    let sum: f64 = (0..=m).map(|j| w[j] * ((m - j) as f64).powi(k as i32)).sum();
                    let x = k as f64 + 1.0 - alpha;
                    let exact =
                        gamma(k as f64 + 1.0) * recip_gamma(x) * (m as f64).powf(k as f64 - alpha);
                    let scale = (m as f64).powi(k as i32);
                    assert!((sum + column[m] - exact).abs() < 1e-12 * scale, "{alpha} {p} {k} {m}");
                }
            }
        }
    }

    /// Entries are differences of numbers of size n^(k-alpha) near the start and series far from it.
    #[test]
    fn columns_agree_with_the_table() {
        let table = Table::parse(include_str!("../../../tests/data/bdf_columns.csv"));
        let n = 1_000_000;
        let mut worst = [0.0f64; 2];
        let mut known: Option<(String, [Vec<f64>; 2])> = None;
        for row in table.rows() {
            let key = ["p", "alpha", "power"].map(|column| row.text(column)).join(" ");
            if known.as_ref().is_none_or(|(k, _)| *k != key) {
                let bdf = Bdf::new(row.number("p") as usize).unwrap();
                let (alpha, power) = (row.number("alpha"), row.number("power") as usize);
                let target = Target::RiemannLiouville;
                let both = [
                    column(target, alpha, bdf, power, n),
                    column_derivative(target, alpha, bdf, power, n),
                ];
                known = Some((key, both));
            }
            let (_, both) = known.as_ref().unwrap();
            let k = row.number("k") as usize;
            for (i, name) in ["weight", "derivative"].into_iter().enumerate() {
                worst[i] = worst[i].max((both[i][k] - row.number(name)).abs());
            }
        }
        // The largest weight of these formulas is about 1.
        println!("columns within {:.1e}, derivatives within {:.1e}", worst[0], worst[1]);
        assert!(worst[0] < 5e-13 && worst[1] < 5e-12, "{worst:?}");
    }

    #[test]
    fn the_remainder_meets_the_difference() {
        for (alpha, p) in [(0.1, 1), (0.6, 2), (0.6, 5), (1.4, 3), (2.5, 6), (8.5, 2)] {
            let bdf = Bdf::new(p).unwrap();
            for k in 0..count(alpha) {
                let n = 800;
                let (mut far, mut slopes) = (vec![0.0; n], vec![0.0; n]);
                let remainder = Remainder::new(alpha, bdf, k);
                remainder.write(&mut far, remainder::from(bdf));
                remainder.write_slopes(&mut slopes, remainder::from(bdf));
                let q = quadrature(k, n, |i| bdf.series(alpha, i, n));
                let dq = quadrature(k, n, |i| bdf.series_derivative(alpha, i, n));
                let (t, x) = (700f64, k as f64 + 1.0 - alpha);
                let exact = gamma(k as f64 + 1.0) * recip_gamma(x) * t.powf(k as f64 - alpha);
                let slope = gamma(k as f64 + 1.0)
                    * t.powf(k as f64 - alpha)
                    * (digamma_over_gamma(x) - recip_gamma(x) * t.ln());
                let scale = 1e-13 * t.powi(k as i32);
                let (found, expected) = (far[700], exact - q[700]);
                assert!(
                    (found - expected).abs() < scale,
                    "{alpha} {p} {k}: {found:e} {expected:e}"
                );
                let (found, expected) = (slopes[700], slope - dq[700]);
                let scale = 20.0 * scale;
                assert!(
                    (found - expected).abs() < scale,
                    "{alpha} {p} {k}: {found:e} {expected:e}"
                );
            }
        }
    }

    #[test]
    fn digamma_over_gamma_is_continuous_at_the_poles() {
        for j in [0.0, 1.0, 2.0, 3.0] {
            let (at, near) = (digamma_over_gamma(-j), digamma_over_gamma(-j + 1e-7));
            assert!((at - near).abs() < 1e-5 * (1.0 + at.abs()), "{j}: {at} {near}");
        }
    }
}
