//! Times of several candidates, taken in turn.
//!
//! On a shared machine the speed of a core drifts by tens of per cent within a second. Candidates
//! therefore alternate, each long enough for the clock. What the work costs when nobody disturbs it
//! is the least time; a ratio is that of least times, and the ratios within each round, whose two
//! times were taken one after the other, say how certain it is.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Alternations between the candidates.
    pub(crate) rounds: usize,
    /// Least duration of one timing; short work is repeated within it.
    pub(crate) slice: Duration,
}

impl Budget {
    /// At most so many alternations, for work that takes long.
    pub(crate) fn at_most(self, rounds: usize) -> Self {
        Self { rounds: self.rounds.min(rounds), ..self }
    }
}

/// Seconds that one execution takes, a reading for each round.
#[derive(Debug, Clone)]
pub(crate) struct Time {
    /// Least over the rounds.
    pub(crate) least: f64,
    /// In the order in which they were taken.
    rounds: Vec<f64>,
}

impl Time {
    /// # Panics
    /// Without readings.
    pub(crate) fn of(rounds: Vec<f64>) -> Self {
        Self { least: Spread::of(&rounds).least, rounds }
    }

    /// So many times longer: the time of a floor whose part was measured.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        self.with(self, |t, _| factor * t)
    }

    /// What is known of the time of a part, one of `count` that are alike.
    pub(crate) fn spread(&self, count: f64) -> Spread {
        let readings: Vec<f64> = self.rounds.iter().map(|t| t / count).collect();
        Spread { least: self.least / count, ..Spread::of(&readings) }
    }

    /// The time of this and other work of the same rounds.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.with(other, |t, other| t + other)
    }

    /// What the work takes beyond other work of the same rounds: the least time beyond the least.
    pub(crate) fn beyond(&self, other: &Self) -> Self {
        self.with(other, |t, other| t - other)
    }

    fn with(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let rounds = self.rounds.iter().zip(&other.rounds).map(|(t, other)| of(*t, *other));
        Self { least: of(self.least, other.least), ..Self::of(rounds.collect()) }
    }

    /// The quicker one of two that do the same.
    pub(crate) fn or<'a>(&'a self, other: &'a Self) -> &'a Self {
        if self.least < other.least { self } else { other }
    }

    /// The readings of the same work, taken again later.
    pub(crate) fn and(mut self, later: &Self) -> Self {
        self.rounds.extend(&later.rounds);
        Self::of(self.rounds)
    }

    /// What is known of the ratio to another time of the same rounds.
    pub(crate) fn over(&self, other: &Self) -> Spread {
        let ratios: Vec<f64> = self.rounds.iter().zip(&other.rounds).map(|(a, b)| a / b).collect();
        Spread { least: self.least / other.least, ..Spread::of(&ratios) }
    }
}

/// What several readings tell of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// The least reading; of a ratio, the ratio of the least times.
    pub(crate) least: f64,
    pub(crate) median: f64,
    /// Confidence interval of the median at 95 %, for any distribution of the readings: between
    /// two order statistics, as many readings below the true median as a fair coin shows heads.
    /// Fewer than six readings say less, even all of them: five 94 %, three 75 %.
    pub(crate) low: f64,
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

/// Number of readings left out on each side of the confidence interval: the largest number of
/// heads of a fair coin that, together with all smaller ones, has a probability of at most 1/40.
fn rank(readings: usize) -> usize {
    let (mut as_few, mut heads, mut chance) = (0.0, 0, 0.5_f64.powi(readings as i32));
    while heads < readings && as_few + chance <= 0.025 {
        as_few += chance;
        chance *= (readings - heads) as f64 / (heads + 1) as f64;
        heads += 1;
    }
    heads.saturating_sub(1)
}

/// Times the candidates in turn.
pub(crate) fn interleaved<const N: usize>(
    budget: Budget,
    mut work: [&mut dyn FnMut(); N],
) -> [Time; N] {
    let repeats: [u32; N] = std::array::from_fn(|i| {
        (work[i])(); // caches, pages, scratch memory
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
        // 25 readings: ranks 8 and 18 of the table for the median at 95 %.
        let readings: Vec<f64> = (1..=25).rev().map(f64::from).collect();
        let spread = Spread::of(&readings);
        assert_eq!((spread.least, spread.median), (1.0, 13.0));
        assert_eq!((spread.low, spread.high), (8.0, 18.0));
        assert_eq!(Spread::of(&[3.0, 1.0]).low, 1.0);
        assert_eq!(Spread::of(&[3.0, 1.0]).median, 2.0);
    }

    /// By hand: of 8 throws one head or none comes 9 times in 256, of 11 two or fewer 67 times in
    /// 2048, of 14 three or fewer 470 times in 16384, all more than one in 40.
    #[test]
    fn ranks_are_those_of_a_fair_coin() {
        let known = [(1, 0), (3, 0), (5, 0), (6, 0), (8, 0), (9, 1), (11, 1), (12, 2), (14, 2)];
        for (readings, expected) in known.into_iter().chain([(25, 7), (100, 39)]) {
            assert_eq!(rank(readings), expected, "{readings}");
        }
    }

    #[test]
    fn times_of_the_same_work_are_put_together() {
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
        // The least of 4, 2 and 8 would be the round in which the part was disturbed.
        let beyond = all.beyond(&part).spread(3.0);
        assert_eq!((beyond.least, beyond.median), (1.0, 4.0 / 3.0));
        assert_eq!(part.scaled(2.0).over(&part).high, 2.0);
    }

    #[test]
    fn a_drift_of_the_machine_leaves_ratios_alone() {
        // The machine becomes three times slower on the way.
        let drift = |t: f64| Time::of((0..9).map(|k| t * (1.0 + f64::from(k) / 4.0)).collect());
        let ratio = drift(2.0).over(&drift(1.0));
        assert_eq!([ratio.least, ratio.median, ratio.low, ratio.high], [2.0; 4]);
        let ratio = drift(2.0).over(&drift(4.0).scaled(0.5));
        assert_eq!([ratio.least, ratio.median, ratio.low, ratio.high], [1.0; 4]);
    }
}
