use super::{Collect, Layout, MeanAndCovariance, MomentSums, Moments, RecordIndex, SavedWords};
use crate::SdeError;
use crate::error::in_range;
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// Mean and covariance of the means of the paths 2k and 2k + 1, at each saved time.
///
/// Two paths with [antithetic](crate::noise::Antithetic) noise are not independent, but pairs of
/// them are: each counts as one in [`MeanAndCovariance::paths`], and
/// [`standard_error`](MeanAndCovariance::standard_error) is that of the mean of all paths. The
/// covariance is that of the means of pairs; that of the paths themselves is in [`Moments`].
///
/// An ensemble has to begin with a path of even number and to have an even number of paths, and so
/// have its tiles if that is said and there are several; else [`SdeError::OutOfRange`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PairMoments;

impl<T: Real> Collect<T> for PairMoments {
    type Shard = Vec<MomentSums>;
    type Output = MeanAndCovariance;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        vec![MomentSums::empty(layout.dim); layout.times.len()]
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        // Tiles have whole pairs: all but the last have a multiple of 16 paths, or as many as were
        // admitted.
        let pairs = x.as_slice().chunks_exact(2);
        let means: Vec<f64> = pairs.map(|pair| 0.5 * (pair[0].widen() + pair[1].widen())).collect();
        shard[at.time].add(&MomentSums::of_tile(Rows::new(&means, x.lanes() / 2)));
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        Collect::<T>::merge(&Moments, into, next);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        MeanAndCovariance::of(layout, layout.paths / 2, &all)
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        let even = |what, number: u64| {
            in_range(number.is_multiple_of(2), what, number as f64, "an even number")
        };
        even("the first path of pairs", layout.first_path)?;
        even("the number of paths in pairs", layout.paths as u64)?;
        MomentSums::admit(layout)
    }

    fn admit_tiles(&self, paths: usize) -> Result<(), SdeError> {
        let what = "the number of paths of a tile";
        in_range(paths.is_multiple_of(2), what, paths as f64, "an even number, for pairs")?;
        Ok(())
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        words.push(MARK);
        Collect::<T>::save(&Moments, shard, words);
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let marked = words.next() == Some(&MARK);
        marked.then(|| Collect::<T>::restore(&Moments, layout, words)).flatten()
    }
}

/// Tells its sums from those of [`Moments`].
const MARK: u64 = 0x7061_6972;
