//! Interleaved measurements of several candidates.
//!
//! On a shared machine the speed of a core drifts by tens of per cent within a second. Candidates
//! therefore alternate, each for at least the resolution of the clock. The least time is the cost
//! of undisturbed work. A ratio is that of least times; the ratios within the rounds, whose two
//! times were measured one after the other, give its confidence interval.

use std::time::{Duration, Instant};

/// Duration of a measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Alternations between the candidates.
    pub(crate) rounds: usize,
    /// Minimum duration of one timing; short work is repeated within it.
    pub(crate) slice: Duration,
}

impl Budget {
    /// Budget of at most `rounds` alternations, for slow work.
    pub(crate) fn at_most(self, rounds: usize) -> Self {
        Self { rounds: self.rounds.min(rounds), ..self }
    }
}

/// Time of one execution in seconds, with one reading per round.
#[derive(Debug, Clone)]
pub(crate) struct Time {
    /// Minimum over the rounds.
    pub(crate) least: f64,
    /// Readings in the order of measurement.
    rounds: Vec<f64>,
}

impl Time {
    /// Time from its readings.
    ///
    /// # Panics
    /// If there are no readings.
    pub(crate) fn of(rounds: Vec<f64>) -> Self {
        Self { least: Spread::of(&rounds).least, rounds }
    }

    /// Time multiplied by a factor, for a floor of which a part was measured.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        self.with(self, |t, _| factor * t)
    }

    /// Statistics of the time divided by `count`.
    pub(crate) fn spread(&self, count: f64) -> Spread {
        let readings: Vec<f64> = self.rounds.iter().map(|t| t / count).collect();
        Spread { least: self.least / count, ..Spread::of(&readings) }
    }

    /// Sum with another time of the same rounds.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.with(other, |t, other| t + other)
    }

    /// Difference from another time of the same rounds, of least times and within each round.
    pub(crate) fn beyond(&self, other: &Self) -> Self {
        self.with(other, |t, other| t - other)
    }

    fn with(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let rounds = self.rounds.iter().zip(&other.rounds).map(|(t, other)| of(*t, *other));
        Self { least: of(self.least, other.least), ..Self::of(rounds.collect()) }
    }

    /// The faster of two candidates.
    pub(crate) fn or<'a>(&'a self, other: &'a Self) -> &'a Self {
        if self.least < other.least { self } else { other }
    }

    /// Time from the readings of both measurements of the same work.
    pub(crate) fn and(mut self, later: &Self) -> Self {
        self.rounds.extend(&later.rounds);
        Self::of(self.rounds)
    }

    /// Statistics of the ratio to another time of the same rounds.
    pub(crate) fn over(&self, other: &Self) -> Spread {
        let ratios: Vec<f64> = self.rounds.iter().zip(&other.rounds).map(|(a, b)| a / b).collect();
        Spread { least: self.least / other.least, ..Spread::of(&ratios) }
    }
}

/// Statistics of several readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// Minimum of the readings; for a ratio, the ratio of the least times.
    pub(crate) least: f64,
    pub(crate) median: f64,
    /// Lower end of the 95 % confidence interval of the median, for any distribution of the
    /// readings. Its ends are order statistics: the number of readings below the true median is
    /// binomial with probability 1/2. With fewer than six readings the range of all of them has
    /// less confidence: 94 % with five, 75 % with three.
    pub(crate) low: f64,
    /// Upper end of the interval.
    pub(crate) high: f64,
    pub(crate) rounds: usize,
}

impl Spread {
    fn of(readings: &[f64]) -> Self {
        let mut sorted = readings.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let rank = rank(n);
        Self {
            least: sorted[0],
            median: 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]),
            low: sorted[rank],
            high: sorted[n - 1 - rank],
            rounds: n,
        }
    }
}

/// Number of readings excluded on each side of the confidence interval: the largest number of heads
/// of a fair coin whose cumulative probability is at most 1/40.
fn rank(readings: usize) -> usize {
    let (mut cumulative, mut heads, mut probability) = (0.0, 0, 0.5_f64.powi(readings as i32));
    while heads < readings && cumulative + probability <= 0.025 {
        cumulative += probability;
        probability *= (readings - heads) as f64 / (heads + 1) as f64;
        heads += 1;
    }
    heads.saturating_sub(1)
}

/// Times of the candidates, measured in turn.
pub(crate) fn interleaved<const N: usize>(
    budget: Budget,
    mut work: [&mut dyn FnMut(); N],
) -> [Time; N] {
    let repeats: [u32; N] = std::array::from_fn(|i| {
        (work[i])(); // warm-up: caches, pages, scratch memory
        let once = seconds(1, &mut work[i]);
        (budget.slice.as_secs_f64() / once.max(1e-9)).ceil().clamp(1.0, 1e7) as u32
    });
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(budget.rounds));
    for _ in 0..budget.rounds {
        for i in 0..N {
            times[i].push(seconds(repeats[i], &mut work[i]) / f64::from(repeats[i]));
        }
    }
    times.map(Time::of)
}

fn seconds(repeats: u32, work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        work();
    }
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_lies_between_order_statistics() {
        // 25 readings: ranks 8 and 18 of the published table for 95 %.
        let readings: Vec<f64> = (1..=25).rev().map(f64::from).collect();
        let spread = Spread::of(&readings);
        assert_eq!((spread.least, spread.median), (1.0, 13.0));
        assert_eq!((spread.low, spread.high), (8.0, 18.0));
        assert_eq!(Spread::of(&[3.0, 1.0]).low, 1.0);
        assert_eq!(Spread::of(&[3.0, 1.0]).median, 2.0);
    }

    /// Probabilities by hand: at most one head in 8 throws 9/256, at most two in 11 throws 67/2048,
    /// at most three in 14 throws 470/16384, all above 1/40.
    #[test]
    fn ranks_are_those_of_a_fair_coin() {
        let table = [(1, 0), (3, 0), (5, 0), (6, 0), (8, 0), (9, 1), (11, 1), (12, 2), (14, 2)];
        for (readings, expected) in table.into_iter().chain([(25, 7), (100, 39)]) {
            assert_eq!(rank(readings), expected, "{readings}");
        }
    }

    #[test]
    fn readings_of_the_same_work_are_combined() {
        let (first, later) = (Time::of(vec![5.0, 4.0, 9.0]), Time::of(vec![3.0, 6.0, 7.0]));
        assert_eq!((first.or(&later).least, later.or(&first).least), (3.0, 3.0));
        let both = first.and(&later).spread(1.0);
        assert_eq!((both.least, both.median, both.rounds), (3.0, 5.5, 6));
    }

    #[test]
    fn times_add_up() {
        let (all, part) = (Time::of(vec![5.0, 4.0, 9.0]), Time::of(vec![1.0, 2.0, 1.0]));
        let both = all.plus(&part);
        assert_eq!((both.least, both.spread(1.0).median), (5.0, 6.0));
        // The minimum of 4, 2 and 8 is the round in which the part was disturbed.
        let beyond = all.beyond(&part).spread(3.0);
        assert_eq!((beyond.least, beyond.median), (1.0, 4.0 / 3.0));
        assert_eq!(part.scaled(2.0).over(&part).high, 2.0);
    }

    #[test]
    fn ratios_do_not_depend_on_the_drift_of_the_machine() {
        // The machine becomes three times slower during the rounds.
        let drift = |t: f64| Time::of((0..9).map(|k| t * (1.0 + f64::from(k) / 4.0)).collect());
        let ratio = drift(2.0).over(&drift(1.0));
        assert_eq!([ratio.least, ratio.median, ratio.low, ratio.high], [2.0; 4]);
        let ratio = drift(2.0).over(&drift(4.0).scaled(0.5));
        assert_eq!([ratio.least, ratio.median, ratio.low, ratio.high], [1.0; 4]);
    }
}
