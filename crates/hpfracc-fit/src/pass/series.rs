use super::Objective;
use super::task::Task;
use crate::FitError;
use hpfracc_lanes::pulp::Arch;
use serde::{Deserialize, Serialize};

/// Sums over consecutive residuals of a series.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SeriesSums {
    pub(crate) count: u64,
    pub(crate) positive: u64,
    /// Consecutive residuals of the same sign.
    pub(crate) runs: u64,
    pub(crate) squares: f64,
    /// Sum of the products of each residual and the next one.
    pub(crate) products: f64,
    ends: Option<(f64, f64)>,
}

impl SeriesSums {
    fn of(residual: f64) -> Self {
        Self {
            count: 1,
            positive: u64::from(residual > 0.0),
            runs: 1,
            squares: residual * residual,
            products: 0.0,
            ends: Some((residual, residual)),
        }
    }

    /// Appends the residuals after these.
    fn append(&mut self, later: &Self) {
        self.count += later.count;
        self.positive += later.positive;
        self.runs += later.runs;
        self.squares += later.squares;
        self.products += later.products;
        if let (Some((_, last)), Some((next, _))) = (self.ends, later.ends) {
            self.products += last * next;
            self.runs -= u64::from((last > 0.0) == (next > 0.0));
        }
        let first = self.ends.or(later.ends).map(|(first, _)| first);
        let last = later.ends.or(self.ends).map(|(_, last)| last);
        self.ends = first.zip(last);
    }
}

impl Objective<'_> {
    /// Sums over the weighted residuals of each response of each set, in the order of the rows, without those that are
    /// skipped. None where a model has no values.
    pub(crate) fn series(&self, unknowns: &[f64]) -> Result<Option<Vec<SeriesSums>>, FitError> {
        let p = self.unknowns();
        let of_task = |task: &Task<'_, '_>| -> Result<Vec<SeriesSums>, FitError> {
            let mut sums = vec![SeriesSums::default(); task.set.set.responses.len()];
            task.blocks(Arch::new(), p + 1, |place, block| {
                for (residual, weight) in block.column(p).iter().zip(place.weights) {
                    if *weight != 0.0 {
                        sums[place.response].append(&SeriesSums::of(*residual));
                    }
                }
            })?;
            Ok(sums)
        };
        let parts = self.of_tasks(self.bind(unknowns, None), of_task)?;
        let Some(parts) = parts else { return Ok(None) };
        let mut all = vec![];
        for (set, parts) in self.sets.iter().zip(parts) {
            let mut sums = vec![SeriesSums::default(); set.responses.len()];
            for part in parts {
                sums.iter_mut().zip(&part).for_each(|(sum, part)| sum.append(part));
            }
            all.extend(sums);
        }
        Ok(Some(all))
    }
}

#[cfg(test)]
mod tests {
    use super::SeriesSums;

    #[test]
    fn parts_are_the_whole() {
        let residuals = [1.0, 2.0, -1.0, -3.0, 0.5, -2.0, -1.0, 4.0];
        for cut in 0..=residuals.len() {
            let [first, second] = [&residuals[..cut], &residuals[cut..]].map(|part| {
                let mut sums = SeriesSums::default();
                part.iter().for_each(|r| sums.append(&SeriesSums::of(*r)));
                sums
            });
            let mut all = first;
            all.append(&second);
            assert_eq!((all.count, all.positive, all.runs), (8, 4, 5), "{cut}");
            assert_eq!((all.squares, all.products), (36.25, -1.5), "{cut}");
            assert_eq!(all.ends, Some((1.0, 4.0)));
        }
    }
}
