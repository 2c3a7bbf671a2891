//! The product Simpson rule: the quadratic interpolant on pairs of cells counted back from t_n,
//! against the exact integral of the kernel; see [`Pairs`] for the weights.
//!
//! Even lags get the far end of one pair and the near end of the next, odd lags the middle of one.
//! Where the record starts the Toeplitz weights go on too far: at even n by the near end of a pair
//! that lies before the record, at odd n by all but the first cell of a pair that straddles its start.

use crate::schemes::dual::{Dual, DualToeplitz};
use crate::schemes::pairs::Pairs;
use hpfracc_special::{forward_differences_of_powers, forward_differences_of_powers_derivative};
use hpfracc_types::Grid;

/// By lag, to be multiplied by h^alpha / Gamma(alpha+2).
pub(super) fn weights(alpha: f64, grid: Grid) -> DualToeplitz {
    let (n, alpha) = (grid.n(), Dual::order(alpha));
    let pairs = Pairs::new(alpha, n);
    let weight = |lag: usize| match lag {
        0 => pairs.near(1),
        _ if lag % 2 == 1 => pairs.middle(lag),
        _ => pairs.far(lag - 1) + pairs.near(lag + 1),
    };
    // alpha (alpha+1) int_n^{n+1} u^(alpha-1) du
    let (mut cells, mut slopes) = (vec![0.0; n], vec![0.0; n]);
    forward_differences_of_powers(alpha.value, &mut cells);
    forward_differences_of_powers_derivative(alpha.value, &mut slopes);
    let cell = |n: usize| (alpha + 1.0) * Dual::new(cells[n], slopes[n]);
    // With f_0 in the differences of the other starts, what is left of it at odd n is the sum of all.
    let constants = |n: usize| match n % 2 {
        0 => pairs.near(n + 1) * -1.0,
        _ => pairs.far(n) - cell(n),
    };
    let mut starts = vec![((0..n).map(constants).collect(), vec![1.0])];
    starts.extend(pairs.starts());
    DualToeplitz { differences: 0, causal: (0..n).map(weight).collect(), starts }
}
