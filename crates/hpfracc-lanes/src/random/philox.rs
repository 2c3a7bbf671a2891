//! Philox4x32-10: random bits as a function of a key and a counter.

/// The counter-based generator Philox4x32-10: 128 random bits for every counter of 128 bits.
///
/// It has no state. Any element of a stream is available at any time, in any order, on any thread,
/// which is why results do not depend on how work is divided, and why a gradient can replay its
/// noise instead of storing it.
///
/// Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11
/// (2011), DOI 10.1145/2063384.2063405.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Philox {
    key: [u32; 2],
}

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const BUMPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

impl Philox {
    /// The generator with this key.
    pub const fn new(seed: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// The key.
    pub const fn seed(self) -> u64 {
        self.key[0] as u64 | (self.key[1] as u64) << 32
    }

    /// The bits of one counter.
    ///
    /// ```
    /// use hpfracc_lanes::random::Philox;
    /// let bits = Philox::new(0).block([0; 4]);
    /// assert_eq!(bits, [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    /// ```
    pub fn block(self, counter: [u32; 4]) -> [u32; 4] {
        self.blocks(counter.map(|word| [word])).map(|[word]| word)
    }

    /// The bits of `W` counters side by side: word by word, lane by lane.
    #[inline(always)]
    pub fn blocks<const W: usize>(self, counters: [[u32; W]; 4]) -> [[u32; W]; 4] {
        let [mut a, mut b, mut c, mut d] = counters;
        let [mut k0, mut k1] = self.key;
        for _ in 0..ROUNDS {
            for i in 0..W {
                let first = u64::from(a[i]) * u64::from(MULTIPLIERS[0]);
                let second = u64::from(c[i]) * u64::from(MULTIPLIERS[1]);
                a[i] = (second >> 32) as u32 ^ b[i] ^ k0;
                b[i] = second as u32;
                c[i] = (first >> 32) as u32 ^ d[i] ^ k1;
                d[i] = first as u32;
            }
            k0 = k0.wrapping_add(BUMPS[0]);
            k1 = k1.wrapping_add(BUMPS[1]);
        }
        [a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values of the authors' own tests.
    #[test]
    fn known_answers() {
        let ones = Philox::new(u64::MAX).block([u32::MAX; 4]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = Philox::new(0x299f_31d0_a409_3822);
        let bits = pi.block([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]);
        assert_eq!(bits, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn lanes_are_counters_on_their_own() {
        let philox = Philox::new(0x0123_4567_89ab_cdef);
        let counters = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]];
        let together = philox.blocks(counters);
        for lane in 0..3 {
            let alone = philox.block(counters.map(|word| word[lane]));
            assert_eq!(alone, together.map(|word| word[lane]));
        }
    }
}
