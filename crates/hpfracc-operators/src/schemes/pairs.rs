//! The quadratic interpolant on pairs of cells, integrated against a power of the lag.
//!
//! Pairs are counted back from t_n, so that the weight of a sample depends on its lag alone, and on
//! whether the lag is even or odd. A pair is centred at an odd lag c; its three samples have the
//! weights
//!
//! ```text
//! near(c)   = alpha (alpha+1) int_{-1}^1 (c+v)^(alpha-1) v (v-1) / 2 dv      at lag c - 1
//! middle(c) = alpha (alpha+1) int_{-1}^1 (c+v)^(alpha-1) (1 - v^2) dv        at lag c
//! far(c)    = alpha (alpha+1) int_{-1}^1 (c+v)^(alpha-1) v (v+1) / 2 dv      at lag c + 1
//! ```
//!
//! to be multiplied by h^alpha / Gamma(alpha+2). If n is odd the pairs leave the first cell over;
//! it takes the cubic through the first four samples.
//!
//! alpha > 0 is the Riemann–Liouville integral. For -1 < alpha < 0 the same formulas give the
//! finite part of the divergent integral: the derivative of order -alpha. At c = 1, where the
//! kernel is singular, they are its analytic continuation; from c = 3 on series about c.

use crate::schemes::power_sums::PowerSum;
use crate::schemes::sequences::powers;
use crate::{Number, StartCorrection};

/// Samples of the cubic on the first cell.
pub(crate) const MIN_POINTS: usize = 4;

pub(crate) struct Pairs<N> {
    alpha: N,
    /// int (c+v)^(alpha-1) v^2 / 2 dv, int (c+v)^(alpha-1) v / 2 dv, int (c+v)^(alpha-1) (1-v^2) dv
    square: PowerSum<N>,
    linear: PowerSum<N>,
    middle: PowerSum<N>,
    /// k^(alpha-1).
    powers: Vec<N>,
}

impl<N: Number> Pairs<N> {
    /// For grids of n points; -1 < alpha, not 0.
    pub(crate) fn new(alpha: N, n: usize) -> Self {
        let b = alpha - 1.0;
        Self {
            alpha,
            square: PowerSum::even(b, 1.0, |p| 1.0 / (p + 3) as f64),
            linear: PowerSum::odd(b, 1.0, |p| 1.0 / (p + 2) as f64),
            middle: PowerSum::even(b, 1.0, |p| 2.0 / (p + 1) as f64 - 2.0 / (p + 3) as f64),
            powers: powers(b, n + 1, |power| power),
        }
    }

    /// The weight of the sample at lag c - 1 in the pair centred at c = 1, 3, ...
    pub(crate) fn near(&self, c: usize) -> N {
        match c {
            1 => self.first_pair(self.alpha * -1.0 + 2.0),
            _ => self.sum(&self.square, c) - self.sum(&self.linear, c),
        }
    }

    /// The weight of the sample at lag c in the pair centred there.
    pub(crate) fn middle(&self, c: usize) -> N {
        match c {
            1 => self.first_pair(self.alpha * 4.0),
            _ => self.sum(&self.middle, c),
        }
    }

    /// The weight of the sample at lag c + 1 in the pair centred at c.
    pub(crate) fn far(&self, c: usize) -> N {
        match c {
            1 => self.first_pair(self.alpha * self.alpha),
            _ => self.sum(&self.square, c) + self.sum(&self.linear, c),
        }
    }

    /// Start corrections for f_1 - f_0, f_2 - f_1 and f_3 - f_2, given Toeplitz weights that
    /// continue with pairs before the first sample and are right for constants: at odd n the cubic
    /// on the first cell, minus the part of the pair centred at lag n that is included in the
    /// weight of f_1.
    pub(crate) fn starts(&self) -> Vec<StartCorrection<N>> {
        // The sums of the last three, two and one Lagrange polynomials on the first four samples:
        // in the time since the first one, and in the lag at n = 1.
        let sums = [
            ([0.0, 11.0, -6.0, 1.0], [6.0, -2.0, -3.0, -1.0], vec![-1.0, 1.0]),
            ([0.0, -7.0, 9.0, -2.0], [0.0, -5.0, 3.0, 2.0], vec![0.0, -1.0, 1.0]),
            ([0.0, 2.0, -3.0, 1.0], [0.0, 1.0, 0.0, -1.0], vec![0.0, 0.0, -1.0, 1.0]),
        ];
        let column = |(of_time, of_lag, stencil): ([f64; 4], [f64; 4], Vec<f64>)| {
            let moment = |p: usize| {
                let terms = of_time.iter().enumerate().map(|(j, q)| q / (p + j + 1) as f64);
                let sign = if p.is_multiple_of(2) { 1.0 } else { -1.0 };
                sign / 6.0 * terms.sum::<f64>()
            };
            let cell = PowerSum::new(self.alpha - 1.0, 1.0, moment);
            let mut column = vec![N::constant(0.0); self.powers.len() - 1];
            for (n, entry) in column.iter_mut().enumerate().skip(1).step_by(2) {
                *entry = if n == 1 { self.first_cell(of_lag) } else { self.sum(&cell, n) };
                if stencil.len() == 2 {
                    *entry = *entry - self.near(n);
                }
            }
            StartCorrection { column, stencil }
        };
        sums.into_iter().map(column).collect()
    }

    fn sum(&self, sum: &PowerSum<N>, c: usize) -> N {
        self.factor() * sum.at(N::constant(c as f64), self.powers[c])
    }

    /// alpha (alpha + 1)
    fn factor(&self) -> N {
        self.alpha * (self.alpha + 1.0)
    }

    /// `numerator` 2^alpha / (alpha + 2)
    fn first_pair(&self, numerator: N) -> N {
        numerator * N::constant(2.0).powf(self.alpha) * (self.alpha + 2.0).recip()
    }

    /// alpha (alpha + 1) / 6 int_0^1 u^(alpha-1) (q_0 + q_1 u + q_2 u^2 + q_3 u^3) du
    fn first_cell(&self, q: [f64; 4]) -> N {
        let alpha = self.alpha;
        let sum = (alpha + 1.0) * q[0]
            + alpha * q[1]
            + self.factor() * (alpha + 2.0).recip() * q[2]
            + self.factor() * (alpha + 3.0).recip() * q[3];
        sum * (1.0 / 6.0)
    }
}
