//! Random numbers of a resampling by their address: seed, replicate, set, row.

use hpfracc_lanes::random::{Philox, unit};

/// Purposes, the last words of counters, after those of the sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Purpose {
    Residual = 68 << 24,
    Wild = 69 << 24,
    Pairs = 70 << 24,
    Blocks = 71 << 24,
}

/// The random numbers of a replicate of a set, one for each index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Random {
    philox: Philox,
    replicate: u32,
    set: u32,
    purpose: Purpose,
}

impl Random {
    pub(super) fn new(seed: u64, replicate: u32, set: u32, purpose: Purpose) -> Self {
        Self { philox: Philox::new(seed), replicate, set, purpose }
    }

    fn words(self, index: usize) -> [u32; 4] {
        // 2^24 sets, and 2^32 indices.
        self.philox.block([index as u32, self.replicate, 0, self.purpose as u32 | self.set])
    }

    /// A number below `count`, each with the same probability.
    pub(super) fn below(self, index: usize, count: usize) -> usize {
        let [a, b, ..] = self.words(index);
        ((unit(a, b) * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// 1 or -1.
    pub(super) fn sign(self, index: usize) -> f64 {
        if self.words(index)[0] >> 31 == 0 { 1.0 } else { -1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_the_count_and_even() {
        let mut seen = [0usize; 7];
        let random = Random::new(5, 3, 0, Purpose::Pairs);
        (0..70_000).for_each(|i| seen[random.below(i, 7)] += 1);
        assert!(seen.iter().all(|count| count.abs_diff(10_000) < 500), "{seen:?}");
        let sum: f64 = (0..10_000).map(|i| random.sign(i)).sum();
        assert!(sum.abs() < 500.0, "{sum}");
    }

    #[test]
    fn addresses_give_different_numbers() {
        let first = Random::new(5, 3, 1, Purpose::Pairs);
        let others = [
            Random::new(6, 3, 1, Purpose::Pairs),
            Random::new(5, 4, 1, Purpose::Pairs),
            Random::new(5, 3, 2, Purpose::Pairs),
            Random::new(5, 3, 1, Purpose::Blocks),
            Random::new(5, 3, 1, Purpose::Wild),
            Random::new(5, 3, 1, Purpose::Residual),
        ];
        assert!(others.iter().all(|other| other.words(9) != first.words(9)));
        assert_ne!(first.words(9), first.words(10));
    }
}
