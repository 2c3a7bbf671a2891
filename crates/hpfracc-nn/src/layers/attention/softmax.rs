use super::tile::{EDGE, SIDE};
use crate::Scalar;
use crate::kernels::vectorised;

/// Online softmax of the queries of a tile over the keys seen so far: the largest score m and the
/// sum of exp(score - m). When a further tile of keys raises m, the earlier sums are rescaled, so
/// that in the end one sum normalises all keys.
///
/// Source: Milakov and Gimelshein, arXiv:1805.02867 (2018), algorithm 3.
pub(super) struct Online<T> {
    pub(super) largest: [T; EDGE],
    pub(super) sum: [T; EDGE],
}

impl<T: Scalar> Online<T> {
    pub(super) fn new() -> Self {
        Self { largest: [-T::one() / T::zero(); EDGE], sum: [T::zero(); EDGE] }
    }

    /// Logarithm of a query's sum of exponentials; infinite if no key was visible, so that
    /// `exp(score - logarithm)` is 0 for all keys.
    pub(super) fn log_sum(&self, query: usize) -> T {
        if self.sum[query] == T::zero() {
            return T::one() / T::zero();
        }
        T::narrow(self.largest[query].widen() + self.sum[query].widen().ln())
    }

    /// Factor of the sum of exponentials times values; 0 if no key was visible.
    pub(super) fn reciprocal(&self, query: usize) -> T {
        if self.sum[query] == T::zero() { T::zero() } else { T::one() / self.sum[query] }
    }
}

vectorised! {
    /// Replaces the scores of a tile, a line of `width` for each key, by exponentials, and adds
    /// these to the online sums; rescales the sums of values, a line for each feature.
    pub(super) fn advance<'a, T>(
        online: &'a mut Online<T>,
        scores: &'a mut [T],
        values: &'a mut [T],
        width: usize,
    ) {
        for at in (0..width).step_by(SIDE) {
            let before = side(&online.largest[at..]);
            let mut largest = before;
            for line in scores.chunks_exact(width) {
                let line = side(&line[at..]);
                for (largest, score) in largest.iter_mut().zip(&line) {
                    *largest = if *score > *largest { *score } else { *largest };
                }
            }
            online.largest[at..][..SIDE].copy_from_slice(&largest);
            // Without visible keys, score - largest would be a difference of infinities.
            let hidden = -T::one() / T::zero();
            for largest in &mut largest {
                *largest = if *largest == hidden { T::zero() } else { *largest };
            }
            let mut sum = [T::zero(); SIDE];
            for line in scores.chunks_exact_mut(width) {
                let line = &mut line[at..][..SIDE];
                let mut exponentials = [T::zero(); SIDE];
                for l in 0..SIDE {
                    exponentials[l] = (line[l] - largest[l]).exp();
                }
                for (sum, exponential) in sum.iter_mut().zip(&exponentials) {
                    *sum += *exponential;
                }
                line.copy_from_slice(&exponentials);
            }
            let mut shrink = [T::zero(); SIDE];
            for l in 0..SIDE {
                shrink[l] = (before[l] - largest[l]).exp();
            }
            for l in 0..SIDE {
                online.sum[at + l] = online.sum[at + l] * shrink[l] + sum[l];
            }
            if shrink.iter().any(|shrink| *shrink != T::one()) {
                for line in values.chunks_exact_mut(width) {
                    let line = &mut line[at..][..SIDE];
                    line.iter_mut().zip(&shrink).for_each(|(value, shrink)| *value *= *shrink);
                }
            }
        }
    }
}

#[inline(always)]
fn side<T: Scalar>(line: &[T]) -> [T; SIDE] {
    let mut side = [T::zero(); SIDE];
    side.copy_from_slice(&line[..SIDE]);
    side
}

vectorised! {
    /// Replaces `score - log sum` by the weight, its exponential, and the gradient with respect to
    /// the weight, less its mean, by the gradient with respect to the score: weight times gradient.
    pub(super) fn pull_back<'a, T>(scores: &'a mut [T], gradients: &'a mut [T]) {
        for (score, gradient) in scores.iter_mut().zip(gradients) {
            *score = score.exp();
            *gradient *= *score;
        }
    }
}
