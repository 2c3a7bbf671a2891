use super::{Collect, Layout, Place};
use crate::noise::Rows;
use hpfracc_types::Real;
use ndarray::Array3;

/// All paths at each saved time: an array by path, time and component.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paths;

/// A tile of paths at one time: its place, its lanes and its rows.
type Recorded<T> = (Place, usize, Vec<T>);

impl<T: Real> Collect<T> for Paths {
    type Shard = Vec<Recorded<T>>;
    type Output = Array3<T>;

    fn shard(&self, _: &Layout) -> Self::Shard {
        Vec::new()
    }

    fn record(&self, shard: &mut Self::Shard, at: Place, x: Rows<'_, T>) {
        shard.push((at, x.lanes(), x.as_slice().to_vec()));
    }

    fn join(&self, layout: &Layout, shards: Vec<Self::Shard>) -> Self::Output {
        let mut all = Array3::zeros((layout.paths, layout.times.len(), layout.dim));
        for (at, lanes, values) in shards.into_iter().flatten() {
            let rows = Rows::new(&values, lanes);
            for component in 0..layout.dim {
                for (path, x) in (at.path..).zip(&rows[component]) {
                    all[[path, at.time, component]] = *x;
                }
            }
        }
        all
    }
}
