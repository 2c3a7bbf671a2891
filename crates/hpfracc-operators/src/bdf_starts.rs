//! Start corrections that make convolution quadrature exact on the first powers of t.
//!
//! Convolution quadrature takes the record as zero before its start. A start f ~ c t^k that is not
//! flat then costs an error of order h^(k+1) at fixed t, whatever the formula's order p
//! (k = 0: 1, k = 1: 2, none for k = 2, k = 3: 4). The remedy is Lubich's: add the difference of
//! the exact derivative of t^k and its quadrature, times the coefficient c that a polynomial
//! through the first samples has. Both are computed on a unit step:
//!
//! ```text
//! column_k[n] = exact_k[n] - sum_j w_j (n-j)^k
//! (n-j)^k     = sum_i (Delta^i 0^k) C(n-j, i),      whose quadrature is in lubich.rs
//! ```

use crate::lubich::Bdf;
use crate::{StartCorrection, Toeplitz};
use hpfracc_special::{digamma, gamma, powers, recip_gamma};
use hpfracc_types::Grid;

/// What the derivative of t^k is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    /// Gamma(k+1) / Gamma(k+1-alpha) t^(k-alpha), for every k.
    RiemannLiouville,
    /// The same, but 0 for k < ceil(alpha).
    Caputo,
}

/// The powers k = 0..count that are treated exactly.
///
/// Caputo needs those below ceil(alpha) by definition. From p = 3 the power 1 is added, which
/// raises the order for a smooth f from 2 to min(p, 4). Higher powers would raise it further but
/// read noise as a polynomial and extrapolate it over the record.
pub(crate) fn count(target: Target, alpha: f64, bdf: Bdf) -> usize {
    let for_order = if bdf.p() >= 3 { 2 } else { 1 };
    match target {
        Target::RiemannLiouville => for_order,
        Target::Caputo => for_order.max(alpha.ceil() as usize),
    }
}

/// Samples that the stencils read.
pub(crate) fn min_points(target: Target, alpha: f64, bdf: Bdf) -> usize {
    let last = count(target, alpha, bdf) - 1;
    stencil_len(last, bdf).max(2)
}

/// The quadrature of order p on the grid, with its start corrections.
pub(crate) fn toeplitz(target: Target, alpha: f64, bdf: Bdf, grid: Grid) -> Toeplitz {
    let (n, scale) = (grid.n(), grid.dt().powf(-alpha));
    let w = bdf.series(alpha, 0, n);
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
    let w = d_scaled(&bdf.series(alpha, 0, n), &bdf.series_derivative(alpha, 0, n));
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
    let starts = (0..count(target, alpha, bdf))
        .map(|k| StartCorrection { column: column(k), stencil: stencil(k, stencil_len(k, bdf)) })
        .collect();
    Toeplitz { starts, ..Toeplitz::causal(w) }
}

fn scaled(v: &[f64], scale: f64) -> Vec<f64> {
    v.iter().map(|v| scale * v).collect()
}

/// exact_k - quadrature of t^k, on a unit step. At n = 0 the exact value may be infinite and the
/// quadrature is kept, unless the target is zero.
fn column(target: Target, alpha: f64, bdf: Bdf, k: usize, n: usize) -> Vec<f64> {
    let quadrature = quadrature(k, n, |i| bdf.series(alpha, i, n));
    if vanishes(target, alpha, k) {
        return scaled(&quadrature, -1.0);
    }
    let factor = gamma(k as f64 + 1.0) * recip_gamma(k as f64 + 1.0 - alpha);
    let mut power = vec![0.0; n];
    powers(k as f64 - alpha, &mut power);
    let mut column: Vec<f64> = power.iter().zip(&quadrature).map(|(t, q)| factor * t - q).collect();
    column[0] = 0.0;
    column
}

fn column_derivative(target: Target, alpha: f64, bdf: Bdf, k: usize, n: usize) -> Vec<f64> {
    let quadrature = quadrature(k, n, |i| bdf.series_derivative(alpha, i, n));
    if vanishes(target, alpha, k) {
        return scaled(&quadrature, -1.0);
    }
    let x = k as f64 + 1.0 - alpha;
    let (factor, slope) = (gamma(k as f64 + 1.0), digamma_over_gamma(x));
    let mut power = vec![0.0; n];
    powers(k as f64 - alpha, &mut power);
    let mut column: Vec<f64> = (0..n)
        .map(|m| {
            let ln_t = if m == 0 { 0.0 } else { (m as f64).ln() };
            factor * power[m] * (slope - recip_gamma(x) * ln_t) - quadrature[m]
        })
        .collect();
    column[0] = 0.0;
    column
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
/// p + k to keep the formula's order.
fn stencil_len(k: usize, bdf: Bdf) -> usize {
    if k == 0 { 1 } else { bdf.p() + k }
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
            for k in 0..count(Target::RiemannLiouville, alpha, bdf) {
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

    #[test]
    fn digamma_over_gamma_is_continuous_at_the_poles() {
        for j in [0.0, 1.0, 2.0, 3.0] {
            let (at, near) = (digamma_over_gamma(-j), digamma_over_gamma(-j + 1e-7));
            assert!((at - near).abs() < 1e-5 * (1.0 + at.abs()), "{j}: {at} {near}");
        }
    }
}
