//! The quadrature of powers near the start, in twice the precision: it cancels against the exact
//! derivative, and its recurrence adds up rounding errors.

use super::stencil::difference_of_power;
use crate::Number;
use crate::schemes::lubich::Bdf;
use hpfracc_special::DoubleDouble;

/// A number with its derivative in alpha.
type Pair = [DoubleDouble; 2];

const ZERO: Pair = [DoubleDouble { hi: 0.0, lo: 0.0 }; 2];

/// The quadrature of t^k at n = 0, 1, ..., on a unit step, from the series
/// `delta^alpha (1-x)^-(i+1)`.
pub(super) fn quadrature<N: Number>(alpha: N, bdf: Bdf, k: usize, n: usize) -> Vec<N> {
    let mut sum = vec![ZERO; n];
    for i in 0..=k {
        let factor = difference_of_power(i, k);
        if factor != 0.0 {
            for (sum, u) in sum.iter_mut().skip(i).zip(series(alpha.value(), bdf, i + 1, n)) {
                *sum = [0, 1].map(|part| sum[part].plus(u[part].scaled(factor)));
            }
        }
    }
    sum.into_iter().map(|[value, derivative]| alpha.function(value.hi, derivative.hi)).collect()
}

/// As [`Bdf::series`]: `m c0 u_m = sum_j (alpha j delta_j + k q_(j-1) - delta_j (m-j)) u_(m-j)`.
fn series(alpha: f64, bdf: Bdf, k: usize, n: usize) -> Vec<Pair> {
    let (q, delta) = bdf.polynomials();
    let base = Bdf::unit(delta[0]);
    let first = base.powf(alpha);
    let mut u = vec![[first, first * base.ln()].map(DoubleDouble::from)];
    for m in 1..n {
        let mut sum = ZERO;
        for j in 1..=bdf.p().min(m) {
            let slope = j as f64 * delta[j];
            let rest = k as f64 * q[j - 1] - delta[j] * (m - j) as f64;
            let factor = DoubleDouble::product(alpha, slope).plus(DoubleDouble::from(rest));
            let [value, derivative] = u[m - j];
            sum[0] = sum[0].plus(value.times(factor));
            sum[1] = sum[1].plus(derivative.times(factor)).plus(value.scaled(slope));
        }
        let divisor = DoubleDouble::from(delta[0] * m as f64);
        u.push(sum.map(|sum| sum.over(divisor)));
    }
    u
}
