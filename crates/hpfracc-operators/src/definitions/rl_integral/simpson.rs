//! The product Simpson rule: the quadratic interpolant on pairs of cells counted back from t_n,
//! against the exact integral of the kernel; see [`Pairs`] for the weights.
//!
//! Even lags get the far end of one pair and the near end of the next, odd lags the middle of one.
//! At the start the Toeplitz weights include too much: at even n the near end of a pair that lies
//! before the samples, at odd n all but the first cell of a pair that contains t = 0.

use crate::schemes::pairs::Pairs;
use crate::schemes::sequences::forward_differences_of_powers;
use crate::{Number, StartCorrection, Toeplitz};

/// By lag, to be multiplied by h^alpha / Gamma(alpha+2).
pub(super) fn weights<N: Number>(alpha: N, n: usize) -> Toeplitz<N> {
    let pairs = Pairs::new(alpha, n);
    let weight = |lag: usize| match lag {
        0 => pairs.near(1),
        _ if lag % 2 == 1 => pairs.middle(lag),
        _ => pairs.far(lag - 1) + pairs.near(lag + 1),
    };
    // alpha (alpha+1) int_n^{n+1} u^(alpha-1) du
    let factor = alpha + 1.0;
    let cells = forward_differences_of_powers(alpha, n, |cell| factor * cell);
    // With f_0 in the differences of the other corrections, its own at odd n is the sum of all.
    let constants = |n: usize| match n % 2 {
        0 => pairs.near(n + 1) * -1.0,
        _ => pairs.far(n) - cells[n],
    };
    let column = (0..n).map(constants).collect();
    let mut starts = vec![StartCorrection { column, stencil: vec![1.0] }];
    starts.extend(pairs.starts());
    Toeplitz { starts, ..Toeplitz::causal((0..n).map(weight).collect()) }
}
