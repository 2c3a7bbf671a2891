use pulp::{Simd, WithSimd};

/// A computation over the features of each sample, for a group of neighbouring samples at a time.
pub(crate) trait Samples {
    /// Computes samples `at` to `at + W`.
    fn samples<const W: usize>(&mut self, at: usize);
}

/// Features in blocks of 32: the rounding error of a sum of block sums grows with the number of
/// blocks, not with that of features.
#[inline(always)]
pub(crate) fn blocks(features: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..features).step_by(32).map(move |start| start..(start + 32).min(features))
}

/// Runs [`Samples`] over this number of samples: in groups of 64, whose sums stay in registers,
/// then of 16, a register or two, then one by one.
pub(crate) struct EachSample<C>(pub(crate) C, pub(crate) usize);

impl<C: Samples> WithSimd for EachSample<C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self(mut computation, lanes) = self;
        let mut at = 0;
        while at + 64 <= lanes {
            computation.samples::<64>(at);
            at += 64;
        }
        while at + 16 <= lanes {
            computation.samples::<16>(at);
            at += 16;
        }
        (at..lanes).for_each(|at| computation.samples::<1>(at));
    }
}
