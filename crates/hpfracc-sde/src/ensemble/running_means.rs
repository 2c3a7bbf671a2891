use crate::rows::zeros;
use hpfracc_communicator::{CommunicatorError, Ranks};

/// Running means of several numbers over paths that come in parts, tiles or single paths: West,
/// Commun. ACM 22 (1979) 532, DOI 10.1145/359146.359153. For independent paths, the
/// [`variance`](Self::variance) has that of one path as its mean, whatever the sizes of the parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningMeans {
    pub(crate) paths: f64,
    parts: f64,
    pub(crate) means: Vec<f64>,
    /// `sum paths (mean of the part - mean)^2`
    squares: Vec<f64>,
}

impl RunningMeans {
    /// Makes them means of `len` numbers over no path.
    pub(crate) fn clear(&mut self, len: usize) {
        (self.paths, self.parts) = (0.0, 0.0);
        zeros(&mut self.means, len);
        zeros(&mut self.squares, len);
    }

    /// Adds a part with these sums over its paths.
    #[inline]
    pub(crate) fn add_part(&mut self, paths: usize, sums: &[f64]) {
        let paths = paths as f64;
        self.join(paths, 1.0, sums.iter().map(|sum| (sum / paths, 0.0)));
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let of_other = other.means.iter().copied().zip(other.squares.iter().copied());
        self.join(other.paths, other.parts, of_other);
    }

    /// Merges `paths` paths in `parts` parts with these means and squares.
    #[inline]
    fn join(&mut self, paths: f64, parts: f64, of_other: impl Iterator<Item = (f64, f64)>) {
        if parts == 0.0 {
            return;
        }
        let weights = Weights::new(self.paths, paths);
        for ((mean, square), of_other) in self.means.iter_mut().zip(&mut self.squares).zip(of_other)
        {
            weights.merge(mean, square, of_other);
        }
        (self.paths, self.parts) = (self.paths + paths, self.parts + parts);
    }

    /// [`add`](Self::add) for each of `others` of all ranks, rank by rank; all ranks have the same
    /// sum. Without `squares` there are no variances, and half as many numbers are sent. Collective.
    pub(crate) fn add_over<'m>(
        &mut self,
        ranks: Ranks<'_>,
        others: impl Iterator<Item = &'m Self> + Clone,
        squares: bool,
    ) -> Result<(), CommunicatorError> {
        if ranks.several().is_none() {
            others.for_each(|other| self.add(other));
        } else {
            self.pass_along(ranks, others, squares)?;
        }
        if !squares {
            self.squares.fill(f64::NAN);
        }
        Ok(())
    }

    fn pass_along<'m>(
        &mut self,
        ranks: Ranks<'_>,
        others: impl Iterator<Item = &'m Self> + Clone,
        squares: bool,
    ) -> Result<(), CommunicatorError> {
        // The numbers of paths and parts, then each mean, with its squares.
        let width = if squares { 2 } else { 1 };
        let numbers = self.means.iter().zip(&self.squares);
        let numbers = numbers.flat_map(|(mean, square)| [*mean, *square].into_iter().take(width));
        let mut numbers: Vec<f64> = [self.paths, self.parts].into_iter().chain(numbers).collect();
        // Paths of the ranks before this one; known with the first numbers.
        let mut before = 0.0;
        ranks.accumulate(&mut numbers, |at, mut numbers| {
            if let (0, [paths, parts, ..]) = (at, &mut *numbers) {
                before = *paths;
                *paths += others.clone().map(|other| other.paths).sum::<f64>();
                *parts += others.clone().map(|other| other.parts).sum::<f64>();
                numbers = &mut numbers[2..];
            }
            let (first, mut paths) = (at.saturating_sub(2) / width, before);
            for other in others.clone().filter(|other| other.parts > 0.0) {
                let weights = Weights::new(paths, other.paths);
                let of_other = other.means[first..].iter().zip(&other.squares[first..]);
                for (own, (of_other, squares)) in numbers.chunks_exact_mut(width).zip(of_other) {
                    match own {
                        [mean, square] => weights.merge(mean, square, (*of_other, *squares)),
                        own => weights.merge(&mut own[0], &mut 0.0, (*of_other, 0.0)),
                    }
                }
                paths += other.paths;
            }
        })?;
        (self.paths, self.parts) = (numbers[0], numbers[1]);
        let pairs = numbers[2..].chunks_exact(width);
        for ((mean, square), own) in self.means.iter_mut().zip(&mut self.squares).zip(pairs) {
            *mean = own[0];
            own.get(1).iter().for_each(|own| *square = **own);
        }
        Ok(())
    }

    /// Variance of a number, of one path; NaN of a single part.
    pub(crate) fn variance(&self, number: usize) -> f64 {
        self.squares[number] / (self.parts - 1.0)
    }
}

/// Factors of the means and squares of paths that are merged with earlier ones.
#[derive(Clone, Copy)]
struct Weights {
    share: f64,
    between: f64,
}

impl Weights {
    #[inline]
    fn new(before: f64, paths: f64) -> Self {
        let total = before + paths;
        Self { share: paths / total, between: before * paths / total }
    }

    #[inline]
    fn merge(self, mean: &mut f64, square: &mut f64, (of_other, squares): (f64, f64)) {
        let apart = of_other - *mean;
        *mean += apart * self.share;
        *square += squares + apart * apart * self.between;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_communicator::run_threads;

    /// Seven sums of more numbers than a message has, two of them over no path.
    #[test]
    fn sums_over_ranks_have_the_bits_of_one_process() {
        let len = (1 << 16) + 5;
        let of = |k: usize| {
            let mut sums = RunningMeans::default();
            sums.clear(len);
            let number = |i: usize| ((i * 7 + k) as f64).sin() * 10f64.powi(k as i32 - 3);
            for part in 0..[3, 0, 1, 2, 0, 1, 4][k] {
                sums.add_part(part + 2, &(0..len).map(number).collect::<Vec<f64>>());
            }
            sums
        };
        let all: Vec<RunningMeans> = (0..7).map(of).collect();
        let bits = |sum: &RunningMeans| -> Vec<u64> {
            let counts = [sum.paths, sum.parts];
            let numbers = counts.iter().chain(&sum.means).chain(&sum.squares);
            numbers.map(|number| number.to_bits()).collect()
        };
        for squares in [true, false] {
            let sum = |ranks: Ranks<'_>| {
                let mut sum = RunningMeans::default();
                sum.clear(len);
                let own = all[ranks.share(7)].iter();
                sum.add_over(ranks, own, squares).map(|()| sum)
            };
            let alone = sum(Ranks::ALONE).unwrap();
            assert_eq!(alone.variance(3).is_nan(), !squares);
            for size in [2, 3, 4, 7, 9] {
                let found = run_threads(size, |ranks| sum(ranks.into())).unwrap();
                assert!(found.iter().all(|sum| bits(sum) == bits(&alone)), "{size} ranks");
            }
        }
    }
}
