//! One sum of exponentials for the powers of all orders.
//!
//! ```text
//! t^-a / Gamma(1-a) = sin(pi a)/pi int_0^inf p^(a-1) exp(-p t) dp,                0 < a < 1
//!                   ~ sin(pi a)/pi sum_j H (1 + exp(-x_j)) p_j^a exp(-p_j t),    p = exp(x - exp(-x)) / longest
//! ```
//!
//! with x_j at equal distances H: the map of McLean (see
//! [`SumOfExponentials`](crate::SumOfExponentials)). The order is in the power alone, so that one
//! set of p_j serves every order above the lowest.

use crate::Number;
use crate::schemes::exponential_moments::exponential_moment;

/// Distance of the x_j. The error of the rule, about exp(-pi^2/H), is 3.2e-13 of t^-a, the same for
/// all orders and times; 0.32 has 2.4e-12.
const STEP: f64 = 0.3;

/// ln of the truncation error at both ends, relative to t^-a.
const LN_NEGLIGIBLE: f64 = -34.5;

/// The p_j and the factors of exp(-p_j (k-1)) in the integrals of `sum_j .. p_j^0` over a cell (k,
/// k+1), k >= 1, in units of the step: one list for each polynomial of [`polynomials`].
pub(super) struct Shared {
    pub(super) ln_rates: Vec<f64>,
    pub(super) factors: [Vec<f64>; 3],
}

/// The slopes of the interpolant on a cell for its first, second and third difference, 1,
/// theta - 1/2 and (3 theta^2 - 1)/6, given the moments 1, v, v^2 in the distance v = 1 - theta
/// from the end of the cell.
pub(super) fn polynomials<N: Number>([one, v, square]: [N; 3]) -> [N; 3] {
    [one, one * 0.5 - v, one * (1.0 / 3.0) - v + square * 0.5]
}

impl Shared {
    /// For lags 1 to n and orders from `lowest` on.
    pub(super) fn new(n: usize, lowest: f64) -> Self {
        let longest = n as f64;
        // For larger rates exp(-p t) is negligible from t = 1 on; for smaller ones p^a is, for
        // every order. The lowest order is rounded down to a power of 2, so that a small change of
        // the orders changes no rate.
        let last = (longest * (3.0 - LN_NEGLIGIBLE)).ln();
        let first = LN_NEGLIGIBLE / lowest.log2().floor().exp2();
        let (mut ln_rates, mut factors) = (Vec::new(), [const { Vec::new() }; 3]);
        let mut x = last;
        while x - (-x).exp() >= first {
            let ln_rate = x - (-x).exp() - longest.ln();
            let p = ln_rate.exp();
            let scale = STEP * (1.0 + (-x).exp()) * (-p).exp();
            let moments = [1.0, 2.0, 3.0].map(|a| exponential_moment(a, p));
            ln_rates.push(ln_rate);
            for (factors, moment) in factors.iter_mut().zip(polynomials(moments)) {
                factors.push(scale * moment);
            }
            x -= STEP;
        }
        Self { ln_rates, factors }
    }
}
