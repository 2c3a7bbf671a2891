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

/// Distance of the x_j. The error of the rule, about exp(-pi^2/H), is 3.2e-13 of t^-a, the same for
/// all orders and times; 0.32 has 2.4e-12.
const STEP: f64 = 0.3;

/// ln of the truncation error at both ends, relative to t^-a.
const LN_NEGLIGIBLE: f64 = -34.5;

/// The p_j and the factors of exp(-p_j (k-1)) in the integrals of `sum_j .. p_j^0` over a cell (k,
/// k+1), k >= 1, in units of the step.
pub(super) struct Shared {
    pub(super) ln_rates: Vec<f64>,
    pub(super) factors: Vec<f64>,
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
        let (mut ln_rates, mut factors) = (Vec::new(), Vec::new());
        let mut x = last;
        while x - (-x).exp() >= first {
            let ln_rate = x - (-x).exp() - longest.ln();
            let p = ln_rate.exp();
            // int_1^2 exp(-p t) dt.
            let cell = (-p).exp() * if p == 0.0 { 1.0 } else { -(-p).exp_m1() / p };
            ln_rates.push(ln_rate);
            factors.push(STEP * (1.0 + (-x).exp()) * cell);
            x -= STEP;
        }
        Self { ln_rates, factors }
    }
}
