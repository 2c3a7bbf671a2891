//! Start corrections that make convolution quadrature exact on the first powers of t.
//!
//! Convolution quadrature takes f as zero before the first sample. A start f ~ c t^k that is not
//! flat then costs errors of order h^(k+1) and h^(k+2) at fixed t, whatever the order p of the
//! formula; those with zeta(-k) = 0 or zeta(-k-1) = 0 drop out, which leaves order 1 for k = 0, 2
//! for k = 1, 4 for k = 2 and
//! 3. The errors at the first few nodes are of the size of t^(k-alpha) itself.
//!
//! Lubich's correction adds the difference of the exact derivative of t^k and its quadrature,
//! times the coefficient c of t^k in a polynomial through the first samples. Both are computed on a
//! unit step:
//!
//! ```text
//! column_k[n] = exact_k[n] - sum_j w_j (n-j)^k
//! (n-j)^k     = sum_i (Delta^i 0^k) C(n-j, i),      whose quadrature is in lubich/mod.rs
//! ```
//!
//! Far from the start the difference cancels; remainder.rs computes it term by term.
//!
//! A weakly singular start t^q, q not whole, has coefficients c of size h^(q-k). Columns that fall
//! as n^(-1-alpha) then cost h^(q+1). For k >= p the formula's own error of t^k, from
//! h^p D^(alpha+p) t^k on, falls more slowly and would cost h^(q+p-k): columns do not remove it. At
//! whole orders it is zero. (With Caputo's alpha > 1 they do: lower coefficients cost as much.)

mod quadrature;
mod remainder;
mod stencil;

use crate::schemes::lubich::{Bdf, differences};
use crate::schemes::sequences::powers;
use crate::weights::first_differences;
use crate::{Number, Toeplitz};
use hpfracc_special::gamma;
use hpfracc_types::Grid;
use quadrature::quadrature;
use remainder::{FormulaError, Remainder};
use stencil::{Stencil, difference_of_power};

/// The exact derivative of t^k.
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
/// from 2 to min(p, 4). Higher powers would raise it further but would fit noise.
pub(crate) fn count(alpha: f64) -> usize {
    alpha.ceil() as usize + 1
}

/// Number of samples that the stencils use.
pub(crate) fn min_points(alpha: f64, bdf: Bdf) -> usize {
    stencil_len(count(alpha) - 1, alpha, bdf).max(2)
}

/// The quadrature of order p on the grid, with its start corrections.
pub(crate) fn toeplitz<N: Number>(target: Target, alpha: N, bdf: Bdf, grid: Grid) -> Toeplitz<N> {
    let (n, scale) = (grid.n(), N::constant(grid.dt()).powf(-alpha));
    let scaled = |v: Vec<N>| v.into_iter().map(|v| scale * v).collect::<Vec<N>>();
    let order = alpha.value();
    let w = scaled(bdf.series(alpha, differences(order), n));
    let q = differences(order).min(n);
    let stencil_of = |k| Stencil::of_power(k, stencil_len(k, order, bdf));
    let start = |toeplitz: Toeplitz<N>, column: Vec<N>, stencil: &Stencil| {
        let (weights, denominator) = stencil.numbers();
        if weights.iter().all(|w| *w == 0.0) {
            return toeplitz;
        }
        toeplitz.with_start(column.into_iter().map(|c| c / denominator).collect(), weights)
    };
    // Powers below q that Caputo leaves out are taken out of the first differences; later ones have
    // none. As columns they would cancel against them, at the size of f(0) h^-alpha.
    let left_out = (0..q).take_while(|k| vanishes(target, order, *k)).count();
    let coefficients: Vec<Stencil> = (0..left_out).map(stencil_of).collect();
    let mut quadrature = Toeplitz::of_differences(q, w);
    for (i, differences) in first_differences(q).into_iter().enumerate() {
        let differences: Vec<i128> = differences.into_iter().map(|c| c as i128).collect();
        let first = Stencil::of_remainder(&differences, &coefficients);
        let column = std::iter::repeat_n(N::constant(0.0), i);
        let column = column.chain(quadrature.causal[..n - i].iter().copied()).collect();
        quadrature = start(quadrature, column, &first);
    }
    (left_out..count(order)).fold(quadrature, |toeplitz, k| {
        start(toeplitz, scaled(column(target, alpha, bdf, k, n)), &stencil_of(k))
    })
}

/// exact_k - quadrature of t^k, on a unit step. Where the exact value at n = 0 is infinite the
/// quadrature is used.
fn column<N: Number>(target: Target, alpha: N, bdf: Bdf, k: usize, n: usize) -> Vec<N> {
    let vanishes = vanishes(target, alpha.value(), k);
    let removes_formula_error = k < bdf.p() || (target == Target::Caputo && alpha.value() > 1.0);
    if vanishes {
        return of_series(k, n, |i| bdf.series(alpha, i, n)).into_iter().map(|q| -q).collect();
    }
    let near = n.min(remainder::from(bdf));
    let quadrature = quadrature(alpha, bdf, k, near);
    let factor = (-alpha + (k as f64 + 1.0)).recip_gamma() * gamma(k as f64 + 1.0);
    let power = powers(-alpha + k as f64, near, |power| factor * power);
    let mut column: Vec<N> = power.iter().zip(&quadrature).map(|(t, q)| *t - *q).collect();
    // Next to a whole order the exact value at n = 0 jumps; the derivative is that of the
    // quadrature.
    let exact = exact_at_start(alpha.value(), k);
    column[0] = exact.map_or(N::constant(0.0), |exact| -quadrature[0] + exact);
    if !removes_formula_error {
        let error = FormulaError::new(alpha, bdf, k);
        for (n, entry) in column.iter_mut().enumerate().skip(1) {
            *entry = *entry + error.at(n);
        }
    }
    column.resize(n, N::constant(0.0));
    Remainder::new(alpha, bdf, k, removes_formula_error).write(&mut column, near);
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
fn of_series<N: Number>(k: usize, n: usize, series: impl Fn(usize) -> Vec<N>) -> Vec<N> {
    let mut sum = vec![N::constant(0.0); n];
    for i in 0..=k {
        let factor = difference_of_power(i, k);
        if factor != 0.0 {
            let u = series(i + 1);
            for m in i..n {
                sum[m] = sum[m] + u[m - i] * factor;
            }
        }
    }
    sum
}

/// The power 0 reads one sample. A coefficient of t^k from s samples is off by h^(s-k): others read
/// p + k to keep the formula's order, and enough to separate all powers treated.
fn stencil_len(k: usize, alpha: f64, bdf: Bdf) -> usize {
    if k == 0 { 1 } else { (bdf.p() + k).max(count(alpha)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;
    use hpfracc_special::recip_gamma;
    use hpfracc_testkit::{Table, record_error};

    #[test]
    fn corrected_quadrature_is_exact_on_the_powers_it_names() {
        for (alpha, p) in [(0.3, 1), (0.6, 4), (1.4, 2), (1.6, 6), (2.5, 3)] {
            let (bdf, n) = (Bdf::new(p).unwrap(), 60);
            for k in 0..count(alpha).min(p) {
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

    /// Entries are differences of numbers of size n^(k-alpha) near the start and series far from
    /// it.
    #[test]
    fn columns_agree_with_the_table() {
        let table = Table::parse(include_str!("../../../tests/data/bdf_columns.csv"));
        let n = 1_000_000;
        let mut worst = [0.0f64; 2];
        let mut known: Option<(String, Vec<Dual>)> = None;
        for row in table.rows() {
            let key = ["p", "alpha", "power"].map(|column| row.text(column)).join(" ");
            if known.as_ref().is_none_or(|(k, _)| *k != key) {
                let bdf = Bdf::new(row.number("p") as usize).unwrap();
                let (alpha, power) = (row.number("alpha"), row.number("power") as usize);
                let target = Target::RiemannLiouville;
                known = Some((key, column(target, Dual::variable(alpha), bdf, power, n)));
            }
            let (_, column) = known.as_ref().unwrap();
            let Dual { value, derivative } = column[row.number("k") as usize];
            for (i, (found, name)) in
                [(value, "weight"), (derivative, "derivative")].into_iter().enumerate()
            {
                let size = row.number("weight").abs().max(1.0);
                let error = (found - row.number(name)).abs() / size;
                worst[i] = worst[i].max(error);
            }
        }
        let what = "start corrections of BDF";
        record_error(&format!("{what}, relative to the larger of 1 and each"), worst[0], 1e-13);
        record_error(&format!("derivatives of {what} in alpha, likewise"), worst[1], 1e-12);
        assert!(worst[0] < 1e-13 && worst[1] < 1e-12, "{worst:?}");
    }

    #[test]
    fn the_remainder_meets_the_difference() {
        for (alpha, p) in [(0.1, 1), (0.6, 2), (0.6, 5), (1.4, 3), (2.5, 6), (8.5, 2)] {
            let (bdf, order) = (Bdf::new(p).unwrap(), Dual::variable(alpha));
            for k in 0..count(alpha) {
                let n = 800;
                let mut far = vec![Dual::constant(0.0); n];
                Remainder::new(order, bdf, k, true).write(&mut far, remainder::from(bdf));
                let q = of_series(k, n, |i| bdf.series(order, i, n));
                let t = 700f64;
                let factor = (-order + (k as f64 + 1.0)).recip_gamma() * gamma(k as f64 + 1.0);
                let exact = factor * Dual::constant(t).powf(-order + k as f64);
                let (found, expected) = (far[700], exact - q[700]);
                let scale = 1e-13 * t.powi(k as i32);
                for (found, expected, scale) in [
                    (found.value, expected.value, scale),
                    (found.derivative, expected.derivative, 20.0 * scale),
                ] {
                    let error = (found - expected).abs();
                    assert!(error < scale, "{alpha} {p} {k}: {found:e} {expected:e}");
                }
            }
        }
    }
}
