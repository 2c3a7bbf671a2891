mod first_paths;

pub use first_paths::FirstPaths;

use super::{Collect, Layout, RecordIndex, SavedWords};
use crate::SdeError;
use crate::checks::room_for;
use hpfracc_lanes::Rows;
use hpfracc_types::Real;
use ndarray::Array3;

/// All paths at each saved time: an array by path, time and component.
///
/// Memory: twice the array, while the tiles are copied to it. More than is available is
/// [`SdeError::TooLarge`] before anything is solved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paths;

/// A tile of paths at one time: its place, its lanes and its rows.
type Recorded<T> = (RecordIndex, usize, Vec<T>);

impl<T: Real> Collect<T> for Paths {
    type Shard = Vec<Recorded<T>>;
    type Output = Array3<T>;

    fn shard(&self, _: &Layout) -> Self::Shard {
        Vec::new()
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        shard.push((at, x.lanes(), x.as_slice().to_vec()));
    }

    fn merge(&self, into: &mut Self::Shard, mut next: Self::Shard) {
        into.append(&mut next);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let mut array = Array3::zeros((layout.paths, layout.times.len(), layout.dim));
        for (at, lanes, values) in all {
            let rows = Rows::new(&values, lanes);
            for component in 0..layout.dim {
                for (path, x) in (at.path..).zip(&rows[component]) {
                    array[[path, at.time, component]] = *x;
                }
            }
        }
        array
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        // The tiles, and the array that they are copied to.
        let sizes = [layout.paths, layout.times.len(), layout.dim, 2 * size_of::<T>()];
        room_for("the array of all paths", &sizes)
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        words.push(shard.len() as u64);
        for (at, lanes, values) in shard {
            words.extend([at.path as u64, at.time as u64, *lanes as u64]);
            words.extend(values.iter().map(|x| x.widen().to_bits()));
        }
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let mut next = || words.next().copied();
        let mut shard = Vec::new();
        for _ in 0..next()? {
            let mut size = || usize::try_from(next()?).ok();
            let (at, lanes) = (RecordIndex { path: size()?, time: size()? }, size()?);
            let inside = lanes > 0 && at.path.checked_add(lanes)? <= layout.paths;
            if !inside || at.time >= layout.times.len() {
                return None;
            }
            let values = (0..layout.dim.checked_mul(lanes)?)
                .map(|_| next().map(|bits| T::narrow(f64::from_bits(bits))));
            shard.push((at, lanes, values.collect::<Option<Vec<T>>>()?));
        }
        Some(shard)
    }
}
