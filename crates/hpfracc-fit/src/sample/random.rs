//! Random numbers of a draw by their address: seed, chain, draw, purpose, index.

use hpfracc_lanes::random::{Gaussian, Philox, unit};

/// Purposes, the last words of counters. Those of `hpfracc_sde::noise::Purpose` end below 2^6 in the
/// same place, so that no number is drawn twice with one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Purpose {
    Start = 64 << 24,
    Momentum = 65 << 24,
    Tree = 66 << 24,
    StepSearch = 67 << 24,
}

/// The random numbers of a draw for one purpose, in sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Random {
    philox: Philox,
    /// Index, draw, chain, purpose.
    counter: [u32; 4],
}

impl Random {
    pub(super) fn new(seed: u64, chain: u32, draw: u32, purpose: Purpose) -> Self {
        Self { philox: Philox::new(seed), counter: [0, draw, chain, purpose as u32] }
    }

    /// The numbers from an index on.
    pub(super) fn skip(self, index: u32) -> Self {
        let [first, draw, chain, purpose] = self.counter;
        Self { counter: [first + index, draw, chain, purpose], ..self }
    }

    fn words(&mut self) -> [u32; 4] {
        let words = self.philox.block(self.counter);
        self.counter[0] += 1;
        words
    }

    /// A uniform number between 0 and 1, neither of which it is.
    pub(super) fn uniform(&mut self) -> f64 {
        let [a, b, ..] = self.words();
        unit(a, b)
    }

    /// Fills a slice with standard normals.
    pub(super) fn normals(&mut self, normals: &mut [f64]) {
        for four in normals.chunks_mut(4) {
            let [a, b, c, d] = self.words();
            let ((z0, z1), (z2, z3)) = (f64::pair(a, b), f64::pair(c, d));
            four.iter_mut().zip([z0, z1, z2, z3]).for_each(|(z, found)| *z = found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_give_different_numbers() {
        let mut seen = Vec::new();
        for purpose in [Purpose::Start, Purpose::Momentum, Purpose::Tree, Purpose::StepSearch] {
            for (seed, chain, draw) in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)] {
                let mut random = Random::new(seed, chain, draw, purpose);
                seen.extend([random.uniform(), random.uniform()].map(f64::to_bits));
            }
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }

    #[test]
    fn a_part_of_the_normals_is_the_same() {
        let (mut five, mut seven) = ([0.0; 5], [0.0; 7]);
        let random = Random::new(3, 2, 1, Purpose::Momentum);
        { random }.normals(&mut five);
        { random }.normals(&mut seven);
        assert_eq!(five, seven[..5]);
    }
}
