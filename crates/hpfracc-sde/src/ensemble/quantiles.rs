use super::sketch::Sketch;
use super::{Collect, Layout, PathStatistics, RecordIndex, SavedWords, StatisticsRequest};
use crate::SdeError;
use crate::checks::room_for;
use crate::error::{in_range, out_of_range};
use hpfracc_lanes::Rows;
use hpfracc_types::Real;
use ndarray::{Array2, Array3};

/// Quantiles of each component at each saved time. Memory does not depend on the number of paths.
///
/// A quantile of n paths lies between two neighbours in order, at the place `p (n - 1)` counted
/// from 0, on a line between them. Each of the two is known within a relative error, 1/128 unless
/// [chosen](Self::within): numbers are counted in buckets of that relative width, and within a
/// bucket they are taken as evenly spread, so that quantiles of a smooth distribution are far more
/// accurate than the bound. Numbers below 2^-63 of the largest magnitude may count as 0, and so do
/// subnormal ones. The least and the greatest are exact.
///
/// Memory for each time and component: a count of 8 bytes for every bucket between the least and
/// the greatest magnitude met, 1 KiB for each doubling at 1/128, and 128 KiB at most. More times
/// than memory has room for are [`SdeError::TooLarge`] before anything is solved.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantiles {
    probabilities: Vec<f64>,
    digits: u32,
}

/// Quantiles of an ensemble.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QuantileTable {
    /// Number of paths.
    pub paths: usize,
    /// The saved times.
    pub times: Vec<f64>,
    /// The probabilities.
    pub probabilities: Vec<f64>,
    /// By time, component and probability.
    pub values: Array3<f64>,
    /// The least, by time and component.
    pub least: Array2<f64>,
    /// The greatest, by time and component.
    pub greatest: Array2<f64>,
}

impl Quantiles {
    /// For these probabilities, each from 0 to 1.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for another probability, or none.
    pub fn new(probabilities: &[f64]) -> Result<Self, SdeError> {
        in_range(!probabilities.is_empty(), "the number of probabilities", 0.0, "at least 1")?;
        for &p in probabilities {
            in_range((0.0..=1.0).contains(&p), "a probability", p, "0 to 1")?;
        }
        Ok(Self { probabilities: probabilities.to_vec(), digits: 7 })
    }

    /// With a relative error of at most this, which is taken to the next smaller power of 2: 2^-20
    /// to 1/2.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for an error outside of these.
    pub fn within(self, relative_error: f64) -> Result<Self, SdeError> {
        let digits = (1..=20).find(|digits| 0.5f64.powi(*digits as i32) <= relative_error);
        match digits {
            Some(digits) if relative_error <= 0.5 => Ok(Self { digits, ..self }),
            _ => Err(out_of_range("the error of a quantile", relative_error, "2^-20 to 1/2")),
        }
    }
}

impl<T: Real> Collect<T> for Quantiles {
    /// By time, then component.
    type Shard = Vec<Sketch>;
    type Output = QuantileTable;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        vec![Sketch::new(self.digits); layout.times.len() * layout.dim]
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        let dim = x.rows();
        for (component, sketch) in shard[at.time * dim..][..dim].iter_mut().enumerate() {
            sketch.record(&x[component]);
        }
    }

    fn request(&self) -> Option<StatisticsRequest> {
        Some(StatisticsRequest { digits: Some(self.digits), ..StatisticsRequest::default() })
    }

    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        let dim = statistics.counts.len();
        for (sketch, counts) in shard[at.time * dim..].iter_mut().zip(&statistics.counts) {
            sketch.merge(&Sketch::of_counts(self.digits, counts));
        }
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        into.iter_mut().zip(&next).for_each(|(sketch, next)| sketch.merge(next));
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let size = (layout.times.len(), layout.dim);
        let at = |(time, component): (usize, usize)| &all[time * layout.dim + component];
        let shape = (size.0, size.1, self.probabilities.len());
        QuantileTable {
            paths: layout.paths,
            times: layout.times.clone(),
            probabilities: self.probabilities.clone(),
            values: Array3::from_shape_fn(shape, |(time, component, p)| {
                at((time, component)).quantile(self.probabilities[p])
            }),
            least: Array2::from_shape_fn(size, |place| at(place).least),
            greatest: Array2::from_shape_fn(size, |place| at(place).greatest),
        }
    }

    /// With one octave of buckets each.
    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        let bytes = size_of::<Sketch>() + (size_of::<u64>() << self.digits);
        room_for("the sketches of all times", &[layout.times.len(), layout.dim, bytes])
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        words.push(u64::from(self.digits));
        shard.iter().for_each(|sketch| sketch.words(words));
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        if words.next() != Some(&u64::from(self.digits)) {
            return None;
        }
        let count = layout.times.len() * layout.dim;
        (0..count).map(|_| Sketch::of_words(self.digits, words)).collect()
    }
}
