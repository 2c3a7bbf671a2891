//! Collects the values of all paths at the last saved time.

use hpfracc::sde::Rows;
use hpfracc::sde::{Collect, Layout, RecordIndex, SavedWords};
use hpfracc::types::Real;

/// The values of all paths at the last saved time, by component, in no order.
#[derive(Debug, Clone, Copy)]
pub(super) struct FinalValues;

impl<T: Real> Collect<T> for FinalValues {
    type Shard = (usize, Vec<Vec<f64>>);
    type Output = Vec<Vec<f64>>;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        (layout.times.len() - 1, vec![Vec::new(); layout.dim])
    }

    fn record(&self, (last, shard): &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        if at.time == *last {
            let rows = shard.iter_mut().enumerate();
            rows.for_each(|(row, values)| values.extend(x[row].iter().map(|x| x.widen())));
        }
    }

    fn merge(&self, (_, into): &mut Self::Shard, (_, next): Self::Shard) {
        into.iter_mut().zip(next).for_each(|(values, mut next)| values.append(&mut next));
    }

    fn finish(&self, _: &Layout, (_, all): Self::Shard) -> Self::Output {
        all
    }

    fn save(&self, (_, shard): &Self::Shard, words: &mut Vec<u64>) {
        for values in shard {
            words.push(values.len() as u64);
            words.extend(values.iter().map(|value| value.to_bits()));
        }
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let mut shard = Collect::<T>::shard(self, layout);
        for values in &mut shard.1 {
            let count = usize::try_from(*words.next()?).ok().filter(|n| *n <= layout.paths)?;
            *values = words.by_ref().take(count).map(|bits| f64::from_bits(*bits)).collect();
            if values.len() != count {
                return None;
            }
        }
        Some(shard)
    }
}

/// Histogram of equal bins between the least and the greatest value.
#[derive(Debug, PartialEq)]
pub(super) struct Histogram {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) counts: Vec<f64>,
}

impl Histogram {
    pub(super) fn new(values: &[f64], bins: usize) -> Self {
        let from = values.iter().copied().fold(f64::INFINITY, f64::min);
        let to = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Equal values have a bin around them.
        let (from, to) = if from < to {
            (from, to)
        } else {
            let half = (from.abs() * 1e-6).max(f64::MIN_POSITIVE);
            (from - half, from + half)
        };
        let (scale, mut counts) = (bins as f64 / (to - from), vec![0.0; bins]);
        for value in values {
            let bin = ((value - from) * scale) as usize;
            counts[bin.min(bins - 1)] += 1.0;
        }
        Self { from, to, counts }
    }
}

impl Histogram {
    /// Of values whose quantiles at equally spaced probabilities from 0 to 1 are known, as if they were evenly spread between
    /// these.
    #[cfg(feature = "webgpu")]
    pub(super) fn of_quantiles(quantiles: &[f64], paths: usize, bins: usize) -> Self {
        let ends = [quantiles[0], quantiles[quantiles.len() - 1]];
        let Self { from, to, mut counts } = Self::new(&ends, bins);
        counts.fill(0.0);
        let (width, each) =
            ((to - from) / bins as f64, paths as f64 / (quantiles.len() - 1) as f64);
        for pair in quantiles.windows(2) {
            let bin = |x: f64| (((x - from) / width) as usize).min(bins - 1);
            for k in bin(pair[0])..=bin(pair[1]) {
                let (low, high) = (from + k as f64 * width, from + (k + 1) as f64 * width);
                let inside = (pair[1].min(high) - pair[0].max(low)).max(0.0);
                let all = pair[1] - pair[0];
                counts[k] += if all > 0.0 { each * inside / all } else { each };
            }
        }
        Self { from, to, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_its_bin() {
        let values = [0.0, 0.1, 0.24, 0.26, 0.5, 0.99, 1.0];
        let found = Histogram::new(&values, 4);
        assert_eq!(found, Histogram { from: 0.0, to: 1.0, counts: vec![3.0, 1.0, 1.0, 2.0] });
        let equal = Histogram::new(&[2.0; 5], 3);
        assert!(equal.from < 2.0 && 2.0 < equal.to);
        assert_eq!(equal.counts, [0.0, 5.0, 0.0]);
        assert_eq!(Histogram::new(&[0.0; 5], 3).counts.iter().sum::<f64>(), 5.0);
    }

    #[cfg(feature = "webgpu")]
    #[test]
    fn quantiles_have_the_shares_of_bins() {
        let found = Histogram::of_quantiles(&[0.0, 1.0, 3.0, 3.0, 4.0], 400, 4);
        assert_eq!((found.from, found.to), (0.0, 4.0));
        assert_eq!(found.counts, [100.0, 50.0, 50.0, 200.0]);
    }
}
