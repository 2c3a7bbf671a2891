//! `y = W x` and its transpose `x = W' y`, W row-major.

use crate::Direction;

pub(super) fn run(w: &[f64], direction: Direction, from: &[f64], to: &mut [f64]) {
    // Distances in W of the entries of a sum, and of the sums.
    let (along, across) = match direction {
        Direction::Forward => (1, from.len()),
        Direction::Transpose => (to.len(), 1),
    };
    for (i, to) in to.iter_mut().enumerate() {
        *to = from.iter().enumerate().map(|(j, from)| w[i * across + j * along] * from).sum();
    }
}
