use crate::checks::room_for;
use crate::ensemble::path_tiles::{Observer, PathTiles};
use crate::ensemble::running_means::RunningMeans;
use crate::ensemble::shards::{GROUPS, Shards};
use crate::error::out_of_range;
use crate::noise::{Coarse, Gaussian, Noise};
use crate::{SdeError, StochasticProblem, StochasticScheme, StochasticSystem};
use hpfracc_communicator::Ranks;
use hpfracc_lanes::Rows;
use ndarray::{Array2, ArrayView2};
use std::sync::atomic::{AtomicBool, Ordering};

/// Samples paths of a level.
pub(super) struct Sampler<'a, T, S, C, F> {
    pub(super) problem: &'a StochasticProblem<T, S>,
    pub(super) scheme: &'a C,
    pub(super) noise: &'a dyn Noise<T>,
    pub(super) refinement: usize,
    pub(super) ranks: Ranks<'a>,
    pub(super) payoffs: Payoffs<'a, F>,
}

/// Computes the payoffs of paths.
pub(super) struct Payoffs<'a, F> {
    pub(super) payoff: &'a F,
    /// Steps of the first level, whose nodes are seen.
    pub(super) coarsest: usize,
    pub(super) cancelled: Option<&'a AtomicBool>,
}

/// The means of a level: of `P_l - P_{l-1}`, or P_0, and of P_l.
pub(super) const DIFFERENCE: usize = 0;
pub(super) const PAYOFF: usize = 1;

impl<T, S, C, F> Sampler<'_, T, S, C, F>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    C: StochasticScheme<T>,
    F: Fn(ArrayView2<'_, f64>) -> f64 + Sync,
{
    /// The means of the paths from `first` on, of a level. Collective.
    pub(super) fn sample(
        &self,
        level: usize,
        first: u64,
        paths: usize,
    ) -> Result<RunningMeans, SdeError> {
        let own = self.ranks.all_ok(self.own_shards(level, first, paths))?;
        let mut all = no_paths();
        all.add_over(self.ranks, own.iter(), true)?;
        Ok(all)
    }

    /// The means of each shard of this rank. Not collective.
    fn own_shards(
        &self,
        level: usize,
        first: u64,
        paths: usize,
    ) -> Result<Vec<RunningMeans>, SdeError> {
        let steps = |level: usize| {
            let power = self.refinement.checked_pow(level as u32)?;
            self.payoffs.coarsest.checked_mul(power).filter(|steps| *steps <= u32::MAX as usize)
        };
        let Some(fine_steps) = steps(level) else {
            let expected = "one with 2^32 - 1 steps at most";
            return Err(out_of_range("the finest level", level as f64, expected));
        };
        let problem = (self.problem.system(), self.problem.data());
        let fine = PathTiles::new(problem, self.scheme, self.noise, (first, fine_steps))?;
        let (lanes, payoffs) = (fine.lanes(paths, GROUPS), &self.payoffs);
        // The number of each node and its values of all paths of a tile.
        let seen = self.problem.system().dim() * lanes * size_of::<T>() + size_of::<usize>();
        room_for("what payoffs see of a tile", &[payoffs.coarsest + 1, seen])?;
        fine.admit(paths, lanes)?;
        let noise = Coarse::new(self.noise, self.refinement)?;
        let coarser = || {
            let steps = (first, fine_steps / self.refinement);
            PathTiles::new(problem, self.scheme, &noise, steps)
        };
        let coarse = (level > 0).then(coarser).transpose()?;
        // Sums over tiles in an order that does not depend on threads.
        let shards = Shards::few(paths, lanes);
        let own = self.ranks.share(shards.used());
        let mut sums = vec![no_paths(); own.len()];
        shards.for_each_tile(own.start, &mut sums, |sums, path, lanes| {
            let of = |tiles| payoffs.of(tiles, (path, lanes));
            let (fine, coarse) = (of(&fine)?, coarse.as_ref().map(of).transpose()?);
            for (lane, fine) in fine.into_iter().enumerate() {
                let coarse = coarse.as_ref().map_or(0.0, |coarse| coarse[lane]);
                sums.add_part(1, &[fine - coarse, fine]);
            }
            Ok(())
        })?;
        Ok(sums)
    }
}

/// The means of a level over no path.
fn no_paths() -> RunningMeans {
    let mut means = RunningMeans::default();
    means.clear(2);
    means
}

impl<F: Fn(ArrayView2<'_, f64>) -> f64> Payoffs<'_, F> {
    /// Payoffs of a tile of paths.
    fn of<T: Gaussian>(
        &self,
        tiles: &PathTiles<'_, T>,
        (first, lanes): (usize, usize),
    ) -> Result<Vec<f64>, SdeError> {
        let apart = tiles.steps / self.coarsest;
        let saved: Vec<usize> = (0..=tiles.steps).step_by(apart).collect();
        let dim = tiles.dim;
        // By time, component and path.
        let mut values = vec![T::zero(); saved.len() * dim * lanes];
        let mut record = |time: usize, x: Rows<'_, T>| {
            values[time * dim * lanes..][..dim * lanes].copy_from_slice(x.as_slice());
        };
        let mut pause = |_| match self.cancelled {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(SdeError::Cancelled),
            _ => Ok(()),
        };
        let observer = Observer { record: &mut record, pause: &mut pause };
        tiles.solve((first, lanes), &saved, observer)?;
        let mut path = Array2::zeros((saved.len(), dim));
        (0..lanes)
            .map(|lane| {
                let all = path.iter_mut().zip(values.chunks_exact(lanes));
                all.for_each(|(x, row)| *x = row[lane].widen());
                let value = (self.payoff)(path.view());
                if value.is_finite() {
                    return Ok(value);
                }
                let path = tiles.tile(first + lane, 1).first_path;
                Err(SdeError::PathValueNotFinite { what: "payoff", path, value })
            })
            .collect()
    }
}
