//! Work that is not ours, by which others are measured, and the machine with it: transforms and
//! copies. The products of a core are in [`crate::peak`].

use crate::measure::{Budget, Time, interleaved};
use crate::peak;
use realfft::RealFftPlanner;
use std::hint::black_box;

/// The smallest length of at least `n` without a prime factor above 5.
fn smooth(n: usize) -> usize {
    let odd_part = |mut m: usize| {
        for p in [2, 3, 5] {
            while m.is_multiple_of(p) {
                m /= p;
            }
        }
        m
    };
    (n..).find(|&m| odd_part(m) == 1).expect("a power of two is such a number")
}

/// One forward and one inverse real transform. Zeros stay zeros: the values never overflow.
pub(crate) fn transform_pair(len: usize) -> impl FnMut() {
    let mut planner = RealFftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(len), planner.plan_fft_inverse(len));
    let (mut samples, mut values) = (forward.make_input_vec(), forward.make_output_vec());
    let (mut there, mut back) = (forward.make_scratch_vec(), inverse.make_scratch_vec());
    move || {
        forward
            .process_with_scratch(&mut samples, &mut values, &mut there)
            .and_then(|()| inverse.process_with_scratch(&mut values, &mut samples, &mut back))
            .expect("the buffers have the lengths of the plan");
        black_box(&samples[0]);
    }
}

/// The pairs of transforms that convolve `n` samples, of length at least 2 n - 1: of the next
/// 5-smooth length and of the next power of two.
pub(crate) fn padded_pairs(n: usize) -> [impl FnMut(); 2] {
    [smooth(2 * n - 1), (2 * n - 1).next_power_of_two()].map(transform_pair)
}

/// A copy of `len` numbers.
pub(crate) fn copy(len: usize) -> impl FnMut() {
    let (from, mut to) = (vec![0.5; len], vec![0.0; len]);
    move || black_box(&mut to).copy_from_slice(black_box(&from))
}

/// What [`machine`] measures.
pub(crate) const MACHINE: [&str; 2] = ["products", "copy"];

/// What the machine does at this moment: products of a core, and a copy that does not stay in the
/// caches of a core.
pub(crate) fn machine(budget: Budget) -> [Time; 2] {
    interleaved(budget.at_most(7), [&mut peak::double, &mut copy(1 << 20)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lengths_have_small_factors() {
        let lengths = [(1, 1), (7, 8), (11, 12), (13, 15), (2047, 2048), (19_999, 20_000)];
        assert!(lengths.iter().all(|(n, expected)| smooth(*n) == *expected));
    }
}
