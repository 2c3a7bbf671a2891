/// One of the independent streams of random numbers of a seed: purpose and component.
///
/// Each kind of noise has a purpose of its own, so that no two kinds, nor two components of one,
/// can ever draw the same random bits from one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stream(u32);

/// Purpose of a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Purpose {
    /// Increments of Brownian motion.
    Brownian = 1,
    /// Fractional Gaussian noise.
    FractionalGaussian = 2,
    /// Integrals of Brownian motion over a step, given its increment.
    CellIntegral = 3,
    /// Nodes of a Brownian tree.
    BrownianTree = 4,
    /// Numbers of jumps.
    JumpTimes = 5,
    /// Sizes of jumps.
    JumpSizes = 6,
    /// Increments of stable noise.
    Stable = 7,
    /// Coloured noise.
    Coloured = 8,
    /// Starting values of parameters.
    Parameters = 9,
    /// Which numbers are dropped while a network learns.
    Dropout = 10,
    /// Random initial values.
    InitialValues = 11,
}

/// Components of one purpose.
const COMPONENTS: u32 = 1 << 24;

impl Stream {
    /// The series for a component; the numbers of components end at 2^24 - 1, and `None` lies
    /// beyond.
    pub const fn new(purpose: Purpose, component: u32) -> Option<Self> {
        if component < COMPONENTS { Some(Self((purpose as u32) << 24 | component)) } else { None }
    }

    /// The word of the counter that tells the series apart.
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The counter of a path, of which a step, or a number of steps, is the first word.
    #[inline(always)]
    pub(crate) fn counter(self, first_word: u32, path: u64) -> [u32; 4] {
        #[cfg(test)]
        super::drawn::note(self.word());
        [first_word, path as u32, (path >> 32) as u32, self.word()]
    }

    /// Counters of consecutive paths, word by word, from `first` paths after that of `counter` on.
    #[inline(always)]
    pub(crate) fn counters<const W: usize>(counter: [u32; 4], first: u64) -> [[u32; W]; 4] {
        let [word, low, high, stream] = counter;
        let path = (u64::from(high) << 32 | u64::from(low)).wrapping_add(first);
        let mut counters = [[word; W], [0; W], [0; W], [stream; W]];
        for lane in 0..W {
            let path = path.wrapping_add(lane as u64);
            counters[1][lane] = path as u32;
            counters[2][lane] = (path >> 32) as u32;
        }
        counters
    }
}

/// The random numbers of one seed and purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source {
    /// The seed.
    pub seed: u64,
    /// Their purpose.
    pub purpose: Purpose,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Purpose; 11] = [
        Purpose::Brownian,
        Purpose::FractionalGaussian,
        Purpose::CellIntegral,
        Purpose::BrownianTree,
        Purpose::JumpTimes,
        Purpose::JumpSizes,
        Purpose::Stable,
        Purpose::Coloured,
        Purpose::Parameters,
        Purpose::Dropout,
        Purpose::InitialValues,
    ];

    /// No two purposes and no two components share a counter.
    #[test]
    fn words_of_streams_are_distinct() {
        let mut words = std::collections::BTreeSet::new();
        for purpose in ALL {
            for component in [0, 1, 2, 0x0080_0000, COMPONENTS - 1] {
                let stream = Stream::new(purpose, component).unwrap();
                assert!(words.insert(stream.word()), "{purpose:?}, {component}");
                for (path, step) in [(0, 0), (u64::MAX, u32::MAX), (7, 3)] {
                    let counter = stream.counter(step, path);
                    assert_eq!(counter[3] >> 24, purpose as u32, "{purpose:?}, {component}");
                }
            }
            assert_eq!(Stream::new(purpose, COMPONENTS), None);
        }
        // A purpose that is missing above.
        assert!(ALL.iter().enumerate().all(|(i, purpose)| *purpose as usize == i + 1));
    }
}
