//! The sums `y[n] = sum_{j <= n} w[n-j] x[j]` in registers.
//!
//! Let L be the lanes of a register. For the inputs j = j0 + p + m L of one phase p, outputs
//! n0 + r L + (0 .. L) need the weights from n0 - j0 - p + (r - m) L on: the vector depends on
//! r - m alone. So R accumulators and Q inputs in registers share R + Q - 1 loads of weights among
//! R Q products; without the phases every product would load its own, and an unaligned load takes
//! as long as two fused products.
//!
//! Blocks on the diagonal skip the products with r < m, whose weights are all zero. Where r = m the
//! weights before the first are zeros too, and the input enters only the lanes that depend on it,
//! so that zero times infinity cannot reach an earlier output.

use hpfracc_lanes::Lanes;
use pulp::{Simd, WithSimd};

/// Number of zeros before the weights: the longest register less one, rounded up.
pub(super) const BEFORE: usize = 16;

/// Number of zeros after the weights: the rest of a register, and the two registers that a block of
/// 4 computes in vain.
pub(super) const AFTER: usize = 3 * 16;

/// Largest number of lags in one register block, in registers.
const BLOCK: usize = 8;

/// Longest register times the largest block.
const EDGE: usize = 16 * BLOCK;

/// The convolution of one signal, to be dispatched.
pub(super) struct Toeplitz<'a, T> {
    /// Weights between [`BEFORE`] and [`AFTER`] zeros.
    pub(super) padded: &'a [T],
    pub(super) x: &'a [T],
    pub(super) y: &'a mut [T],
}

impl<T: Lanes> WithSimd for Toeplitz<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let lanes = T::count::<S>();
        let block = BLOCK * lanes;
        let Self { padded, x, y } = self;
        let len = y.len();
        for (index, y) in y.chunks_mut(block).enumerate() {
            let n0 = index * block;
            let mut edge = [T::zero(); EDGE];
            let inside = block.min(len - n0);
            edge[..inside].copy_from_slice(&x[n0..n0 + inside]);
            let (before, edge) = (&x[..n0], &edge[..block]);
            // The last block has fewer registers: one routine for each number of them, but 4 and 5
            // use the routine for 6. The compiled routines for 4 and 5 are slower: 62 and 74 ns for
            // a single block, against 37 ns.
            match y.len().div_ceil(lanes) {
                1 => simd.vectorize(Rows::<T, 1, 8, 4> { padded, before, edge, y }),
                2 => simd.vectorize(Rows::<T, 2, 4, 2> { padded, before, edge, y }),
                3 => simd.vectorize(Rows::<T, 3, 4, 2> { padded, before, edge, y }),
                4..=6 => simd.vectorize(Rows::<T, 6, 2, 1> { padded, before, edge, y }),
                7 => simd.vectorize(Rows::<T, 7, 2, 1> { padded, before, edge, y }),
                _ => simd.vectorize(Rows::<T, 8, 2, 1> { padded, before, edge, y }),
            }
        }
    }
}

/// R registers of outputs, with as many inputs and partial sums as there are registers for.
///
/// Each is a separate function: within one large function the compiler spills registers, and 64
/// samples take 66 ns instead of 50.
struct Rows<'a, T, const R: usize, const MANY: usize, const FEW: usize> {
    padded: &'a [T],
    before: &'a [T],
    edge: &'a [T],
    y: &'a mut [T],
}

impl<T: Lanes, const R: usize, const MANY: usize, const FEW: usize> WithSimd
    for Rows<'_, T, R, MANY, FEW>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { padded, before, edge, y } = self;
        if S::REGISTER_COUNT >= 32 {
            register_block::<T, S, R, 8, MANY>(simd, padded, before, edge, y);
        } else {
            register_block::<T, S, R, 4, FEW>(simd, padded, before, edge, y);
        }
    }
}

/// R registers of outputs after the inputs `before`; `edge` has the inputs at the same positions.
///
/// A fused product has a latency of four cycles and two start in each: eight independent sums are
/// necessary. Fewer outputs, and those of the diagonal, whose last register takes most of the
/// products, are summed in P parts.
#[inline(always)]
fn register_block<T: Lanes, S: Simd, const R: usize, const Q: usize, const P: usize>(
    simd: S,
    padded: &[T],
    before: &[T],
    edge: &[T],
    y: &mut [T],
) {
    let lanes = T::count::<S>();
    let mut sums = [[T::splat(simd, T::zero()); R]; P];
    let n0 = before.len();
    for (index, inputs) in before.chunks_exact(Q * lanes).enumerate() {
        for p in 0..lanes {
            // From the weights of r - m = -(Q - 1) on. The compiler loads each vector once.
            let first = BEFORE + n0 - (index * Q + Q - 1) * lanes - p;
            let weights = &padded[first..first + (R + Q - 1) * lanes];
            for m in 0..Q {
                let part = if R == BLOCK { 0 } else { m % P };
                let x = T::splat(simd, inputs[m * lanes + p]);
                for r in 0..R {
                    let w = T::load::<S>(&weights[(r + Q - 1 - m) * lanes..][..lanes]);
                    sums[part][r] = T::fused(simd, x, w, sums[part][r]);
                }
            }
        }
    }
    for p in 0..lanes {
        let weights = &padded[BEFORE - p..BEFORE - p + R * lanes];
        let nearest = T::load::<S>(&weights[..lanes]);
        for m in 0..R {
            let part = m % P;
            let x = edge[m * lanes + p];
            let masked = T::splat_from(simd, x, p);
            sums[part][m] = T::fused(simd, masked, nearest, sums[part][m]);
            let x = T::splat(simd, x);
            // Constant bounds, so that the compiler unrolls both loops.
            for r in 0..R {
                if r > m {
                    let w = T::load::<S>(&weights[(r - m) * lanes..][..lanes]);
                    sums[part][r] = T::fused(simd, x, w, sums[part][r]);
                }
            }
        }
    }
    let whole = y.len() / lanes;
    for r in 0..R {
        let mut sum = sums[0][r];
        for part in 1..P {
            sum = T::sum(simd, sum, sums[part][r]);
        }
        let start = (r * lanes).min(y.len());
        let end = if r < whole { start + lanes } else { y.len() };
        T::store::<S>(&mut y[start..end], sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums in the registers of one instruction set, against loops in exact integers.
    fn check<S: Simd>(simd: S) {
        for n in [1, 2, 7, 8, 15, 16, 17, 31, 33, 47, 64, 65, 127, 130, 200, 257] {
            let w: Vec<f64> = (0..n).map(|k| (k * k % 17) as f64 - 8.0).collect();
            let x: Vec<f64> = (0..n).map(|k| (k * 7 % 13) as f64 - 6.0).collect();
            let padded = [&[0.0; BEFORE], &w[..], &[0.0; AFTER]].concat();
            let mut y = vec![f64::NAN; n];
            simd.vectorize(Toeplitz { padded: &padded, x: &x, y: &mut y });
            for i in 0..n {
                let expected: f64 = (0..=i).map(|k| w[k] * x[i - k]).sum();
                assert_eq!(y[i], expected, "{simd:?}: entry {i} of {n}");
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_sums() {
        check(pulp::Scalar);
        #[cfg(target_arch = "x86_64")]
        {
            pulp::x86::V3::try_new().into_iter().for_each(check);
            pulp::x86::V4::try_new().into_iter().for_each(check);
        }
    }
}
