//! `y[n] = sum_{k <= n} w[k] x[n-k]` and its transpose `x[j] = sum_{n >= j} w[n-j] y[n]`.

use crate::Direction;

pub(super) fn run(w: &[f64], direction: Direction, from: &[f64], to: &mut [f64]) {
    for (i, to) in to.iter_mut().enumerate() {
        *to = match direction {
            Direction::Forward => (0..=i).map(|k| w[k] * from[i - k]).sum(),
            Direction::Transpose => (i..from.len()).map(|n| w[n - i] * from[n]).sum(),
        };
    }
}
