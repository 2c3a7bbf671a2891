//! Floors: transforms of other libraries and copies, which also measure the machine. Products in
//! registers are in [`crate::peak`].

use crate::measure::{Budget, Time, interleaved};
use crate::peak;
use realfft::RealFftPlanner;
use std::hint::black_box;

/// Smallest 5-smooth number of at least `n`.
fn smooth(n: usize) -> usize {
    let odd_part = |mut m: usize| {
        for p in [2, 3, 5] {
            while m.is_multiple_of(p) {
                m /= p;
            }
        }
        m
    };
    (n..).find(|&m| odd_part(m) == 1).expect("powers of two are 5-smooth")
}

/// One forward and one inverse real transform of zeros, which never overflow.
pub(crate) fn transform_pair(len: usize) -> impl FnMut() {
    let mut planner = RealFftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(len), planner.plan_fft_inverse(len));
    let (mut samples, mut values) = (forward.make_input_vec(), forward.make_output_vec());
    let mut scratch = [forward.make_scratch_vec(), inverse.make_scratch_vec()];
    move || {
        forward
            .process_with_scratch(&mut samples, &mut values, &mut scratch[0])
            .and_then(|()| inverse.process_with_scratch(&mut values, &mut samples, &mut scratch[1]))
            .expect("the buffers have the lengths of the plan");
        black_box(&samples[0]);
    }
}

/// Pairs of transforms that convolve `n` samples, whose length is the 5-smooth number or the power
/// of two next to 2 n - 1.
pub(crate) fn padded_pairs(n: usize) -> [impl FnMut(); 2] {
    [smooth(2 * n - 1), (2 * n - 1).next_power_of_two()].map(transform_pair)
}

/// Copy of `len` numbers.
pub(crate) fn copy(len: usize) -> impl FnMut() {
    let (from, mut to) = (vec![0.5; len], vec![0.0; len]);
    move || black_box(&mut to).copy_from_slice(black_box(&from))
}

/// Names of the times of [`machine`].
pub(crate) const MACHINE: [&str; 2] = ["products", "copy"];

/// The machine's own times at this moment: products on one core, and a copy that exceeds the caches
/// of a core.
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
