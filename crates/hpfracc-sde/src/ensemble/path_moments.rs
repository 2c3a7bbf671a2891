use super::{Collect, Layout, PathStatistics, RecordIndex, SavedWords, StatisticsRequest};
use crate::SdeError;
use crate::checks::room_for;
use hpfracc_lanes::Rows;
use hpfracc_types::Real;
use ndarray::{Array2, Array3};

/// Mean and covariance at each saved time. Memory does not depend on the number of paths.
///
/// Sums are taken in double precision about the mean of each tile, and tiles are combined as in
/// Chan, Golub and LeVeque, Am. Stat. 37 (1983) 242, DOI 10.1080/00031305.1983.10483115: nothing
/// cancels.
///
/// A covariance needs the squares of distances from the mean: of numbers above 1e150 it may be
/// infinite or NaN.
///
/// More times than memory has room for are [`SdeError::TooLarge`] before anything is solved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moments;

/// Mean and covariance of an ensemble.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MeanAndCovariance {
    /// Number of paths.
    pub paths: usize,
    /// The saved times.
    pub times: Vec<f64>,
    /// By time and component.
    pub mean: Array2<f64>,
    /// Unbiased, by time, component and component; NaN of a single path, which has none.
    pub covariance: Array3<f64>,
}

/// Sums over the paths seen so far, at one time.
#[derive(Debug, Clone)]
pub struct MomentSums {
    count: f64,
    mean: Vec<f64>,
    /// `sum (x_i - mean_i) (x_j - mean_j)`, row by row.
    products: Vec<f64>,
}

impl MomentSums {
    pub(super) fn empty(dim: usize) -> Self {
        Self { count: 0.0, mean: vec![0.0; dim], products: vec![0.0; dim * dim] }
    }

    /// Refuses sums for which there is no room.
    ///
    /// # Errors
    /// [`SdeError::TooLarge`].
    pub(super) fn admit(layout: &Layout) -> Result<(), SdeError> {
        let numbers = layout.dim.saturating_mul(layout.dim.saturating_add(1));
        let bytes = numbers.saturating_mul(size_of::<f64>()).saturating_add(size_of::<Self>());
        room_for("the sums of all times", &[layout.times.len(), bytes])
    }

    pub(super) fn of_tile<T: Real>(x: Rows<'_, T>) -> Self {
        let (dim, lanes) = (x.rows(), x.lanes() as f64);
        let mut sums = Self::empty(dim);
        sums.count = lanes;
        for i in 0..dim {
            sums.mean[i] = x[i].iter().map(|x| x.widen()).sum::<f64>() / lanes;
        }
        for i in 0..dim {
            for j in 0..=i {
                let (a, b) = (sums.mean[i], sums.mean[j]);
                let pairs = x[i].iter().zip(&x[j]);
                let sum: f64 = pairs.map(|(x, y)| (x.widen() - a) * (y.widen() - b)).sum();
                (sums.products[i * dim + j], sums.products[j * dim + i]) = (sum, sum);
            }
        }
        sums
    }

    pub(super) fn add(&mut self, other: &Self) {
        if other.count == 0.0 {
            return;
        }
        let (dim, total) = (self.mean.len(), self.count + other.count);
        let apart: Vec<f64> = other.mean.iter().zip(&self.mean).map(|(b, a)| b - a).collect();
        for i in 0..dim {
            for j in 0..dim {
                let between = apart[i] * apart[j] * (self.count * other.count / total);
                self.products[i * dim + j] += other.products[i * dim + j] + between;
            }
        }
        for (mean, apart) in self.mean.iter_mut().zip(apart) {
            *mean += apart * (other.count / total);
        }
        self.count = total;
    }

    pub(super) fn words(&self, words: &mut Vec<u64>) {
        let numbers = [self.count].into_iter().chain(self.mean.iter().copied());
        words.extend(numbers.chain(self.products.iter().copied()).map(f64::to_bits));
    }

    pub(super) fn of_words(dim: usize, words: &mut SavedWords<'_>) -> Option<Self> {
        let mut next = || words.next().map(|bits| f64::from_bits(*bits));
        let mut some = |count| (0..count).map(|_| next()).collect::<Option<Vec<f64>>>();
        Some(Self { count: some(1)?[0], mean: some(dim)?, products: some(dim * dim)? })
    }
}

impl MeanAndCovariance {
    /// Standard errors of the means, by time and component: `sqrt(covariance_ii / paths)`, that of
    /// paths which are independent.
    pub fn standard_error(&self) -> Array2<f64> {
        Array2::from_shape_fn(self.mean.dim(), |(time, i)| {
            (self.covariance[[time, i, i]] / self.paths as f64).sqrt()
        })
    }

    /// Of the sums at each time.
    pub(super) fn of(layout: &Layout, paths: usize, sums: &[MomentSums]) -> Self {
        let (times, dim) = (layout.times.len(), layout.dim);
        let mut mean = Array2::zeros((times, dim));
        let mut covariance = Array3::zeros((times, dim, dim));
        for (time, all) in sums.iter().enumerate() {
            for i in 0..dim {
                mean[[time, i]] = all.mean[i];
                for j in 0..dim {
                    covariance[[time, i, j]] = all.products[i * dim + j] / (all.count - 1.0);
                }
            }
        }
        Self { paths, times: layout.times.clone(), mean, covariance }
    }
}

impl<T: Real> Collect<T> for Moments {
    type Shard = Vec<MomentSums>;
    type Output = MeanAndCovariance;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        vec![MomentSums::empty(layout.dim); layout.times.len()]
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        shard[at.time].add(&MomentSums::of_tile(x));
    }

    fn request(&self) -> Option<StatisticsRequest> {
        Some(StatisticsRequest { moments: true, ..StatisticsRequest::default() })
    }

    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        for block in &statistics.moments {
            shard[at.time].add(&MomentSums {
                count: block.paths as f64,
                mean: block.mean.clone(),
                products: block.products.clone(),
            });
        }
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        into.iter_mut().zip(&next).for_each(|(sums, next)| sums.add(next));
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        MeanAndCovariance::of(layout, layout.paths, &all)
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        MomentSums::admit(layout)
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        shard.iter().for_each(|sums| sums.words(words));
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        (0..layout.times.len()).map(|_| MomentSums::of_words(layout.dim, words)).collect()
    }
}
