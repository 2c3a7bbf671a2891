//! How costs grow with sizes, from small to large: times and memory, the powers that fit them, and what
//! theory says of the same sizes.

mod ensembles;
mod histories;
mod operators;
mod training;

pub(crate) use ensembles::ensembles;
pub(crate) use histories::histories;
pub(crate) use operators::operators;
pub(crate) use training::training;

use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{label, number};
use crate::fit::{Power, Theory};
use crate::measure::{Budget, Time, interleaved};
use std::time::Instant;

/// What becomes of a quantity as a size grows.
struct Curve {
    /// Whose quantity it is.
    of: String,
    /// Which: `time`, `memory`.
    quantity: &'static str,
    /// What it should be like.
    theory: Theory,
    /// The size, and the quantity there.
    points: Vec<(f64, f64)>,
}

impl Curve {
    fn new(of: &str, quantity: &'static str, theory: Theory) -> Self {
        Self { of: of.to_owned(), quantity, theory, points: Vec::new() }
    }

    fn push(&mut self, size: usize, quantity: f64) {
        self.points.push((size as f64, quantity));
    }
}

/// A table of the fitted exponents; curves of fewer than three points have none.
fn exponents(bench: &mut Bench, curves: &[Curve]) {
    bench.note(
        "Exponent: the power of the size that fits best, by least squares of the logarithms, with its standard \
         error; behind it the slope that what theory says would have at the same sizes.",
    );
    bench.columns("what | quantity | exponent | error | theory | its slope");
    for Curve { of, quantity, theory, points } in curves {
        let slope = theory.over(points.iter().map(|(n, _)| *n));
        let (Some(power), Some(slope)) = (Power::of(points), slope) else { continue };
        bench.row([
            label(of),
            label(quantity),
            number(power.exponent, 3),
            number(power.error, 3),
            label(theory.name),
            number(slope, 3),
        ]);
    }
}

/// About two sizes in each power of ten.
fn sizes(from: usize, to: usize) -> impl Iterator<Item = usize> {
    let decades = (0..).map(|power| 10_usize.pow(power));
    let sizes = decades.flat_map(|decade| [decade, 3 * decade]);
    sizes.skip_while(move |n| *n < from).take_while(move |n| *n <= to)
}

/// The time of work by itself, with fewer rounds where it takes long, and the most bytes that it holds.
fn measured(budget: Budget, work: &mut dyn FnMut()) -> (Time, f64) {
    let begun = Instant::now();
    let held = peak_bytes(&mut *work);
    let rounds = 1.0 / begun.elapsed().as_secs_f64();
    let [time] = interleaved(budget.at_most(rounds.max(1.0) as usize), [work]);
    (time, held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_in_each_power_of_ten() {
        let found: Vec<usize> = sizes(1000, 100_000).collect();
        assert_eq!(found, [1000, 3000, 10_000, 30_000, 100_000]);
        assert_eq!(sizes(2, 10).collect::<Vec<_>>(), [3, 10]);
    }
}
