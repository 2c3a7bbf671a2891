use std::ops::Range;
use std::time::Duration;

/// Paths that a device solves at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Paths, counted from the first of the ensemble.
    pub(super) paths: Range<usize>,
    /// Number of saved nodes that are recorded already.
    pub(super) recorded: usize,
}

/// Answer to a device that asks for paths.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Deal {
    Chunk(Chunk),
    /// Others solve the last ones, and may fail.
    Wait,
    /// All paths are solved.
    Finished,
}

/// Distribution of the paths among devices by their measured speeds.
#[derive(Debug)]
pub(super) struct Shares {
    paths: usize,
    /// Chunks begin at multiples of this number of paths.
    whole: usize,
    /// The first path that no device has taken.
    next: usize,
    /// Chunks of devices that failed.
    returned: Vec<Chunk>,
    /// Number of chunks that devices solve now.
    open: usize,
    /// Paths and seconds of each device.
    solved: Vec<(usize, f64)>,
}

impl Shares {
    pub(super) fn new((paths, whole): (usize, usize), devices: usize) -> Self {
        Self { paths, whole, next: 0, returned: vec![], open: 0, solved: vec![(0, 0.0); devices] }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.next == self.paths && self.returned.is_empty() && self.open == 0
    }

    /// The next paths of a device: returned ones first, whose records others wait for.
    pub(super) fn deal(&mut self, device: usize) -> Deal {
        let returned = (0..self.returned.len()).min_by_key(|k| self.returned[*k].paths.start);
        let chunk = match returned {
            Some(k) => self.returned.swap_remove(k),
            None if self.next < self.paths => {
                let end = self.next + self.size(device);
                let paths = std::mem::replace(&mut self.next, end)..end;
                Chunk { paths, recorded: 0 }
            }
            None if self.open > 0 => return Deal::Wait,
            None => return Deal::Finished,
        };
        self.open += 1;
        Deal::Chunk(chunk)
    }

    /// Notes that a device has solved paths.
    pub(super) fn finish(&mut self, device: usize, paths: usize, time: Duration) {
        self.open -= 1;
        self.solved[device].0 += paths;
        self.solved[device].1 += time.as_secs_f64();
    }

    /// Takes back what a device has left of its chunk.
    pub(super) fn give_back(&mut self, left: impl IntoIterator<Item = Chunk>) {
        self.open -= 1;
        self.returned.extend(left);
    }

    /// Number of paths of the next chunk, so that sums over tiles and blocks are those of one device.
    fn size(&self, device: usize) -> usize {
        let (left, devices) = (self.paths - self.next, self.solved.len());
        if devices == 1 {
            return left;
        }
        let first = (self.paths / (8 * devices)).next_multiple_of(self.whole).max(self.whole);
        let size = match self.share(device) {
            Some(share) => (0.5 * share * left as f64) as usize,
            None => first,
        };
        size.max(first / 2).next_multiple_of(self.whole).min(left)
    }

    /// Share of a device in the speed of all; `None` before it has solved paths.
    fn share(&self, device: usize) -> Option<f64> {
        let speeds = self.solved.iter().map(|(paths, seconds)| *paths as f64 / seconds.max(1e-9));
        let speeds: Vec<f64> = speeds.collect();
        let known = speeds.iter().filter(|speed| **speed > 0.0).count();
        // Devices without a speed count as the mean of the others.
        let all = speeds.iter().sum::<f64>() / known.max(1) as f64 * speeds.len() as f64;
        (speeds[device] > 0.0).then(|| speeds[device] / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: usize = 1024;

    /// A device that is four times as fast solves four times as many paths, and both end together.
    #[test]
    fn paths_are_dealt_by_speed() {
        let (paths, speeds) = (1_000_000, [4e5, 1e5]);
        let mut shares = Shares::new((paths, WHOLE), 2);
        let (mut free_at, mut solved, mut next) = ([0.0f64; 2], [0; 2], 0);
        loop {
            let device = usize::from(free_at[1] < free_at[0]);
            match shares.deal(device) {
                Deal::Chunk(Chunk { paths, recorded: 0 }) => {
                    assert_eq!((paths.start, paths.start % WHOLE), (next, 0));
                    next = paths.end;
                    let seconds = paths.len() as f64 / speeds[device];
                    free_at[device] += seconds;
                    solved[device] += paths.len();
                    shares.finish(device, paths.len(), Duration::from_secs_f64(seconds));
                }
                deal => {
                    assert_eq!(deal, Deal::Finished);
                    break;
                }
            }
        }
        println!("{solved:?} paths until {free_at:?}");
        assert_eq!(solved[0] + solved[1], paths);
        let ideal = paths as f64 / (speeds[0] + speeds[1]);
        assert!(free_at.iter().all(|time| *time < 1.2 * ideal), "{free_at:?}");
        assert!((3..=5).contains(&(solved[0] / solved[1])), "{solved:?}");
    }

    #[test]
    fn returned_paths_are_dealt_first() {
        let mut shares = Shares::new((5000, WHOLE), 2);
        let Deal::Chunk(first) = shares.deal(0) else { panic!() };
        assert_eq!(first.paths, 0..WHOLE);
        let Deal::Chunk(second) = shares.deal(1) else { panic!() };
        let left = Chunk { recorded: 2, ..first };
        shares.give_back([left.clone()]);
        shares.finish(1, second.paths.len(), Duration::from_secs(1));
        assert_eq!(shares.deal(1), Deal::Chunk(left));
        while let Deal::Chunk(chunk) = shares.deal(1) {
            shares.finish(1, chunk.paths.len(), Duration::from_secs(1));
        }
        assert_eq!(shares.deal(0), Deal::Wait);
        shares.finish(1, WHOLE, Duration::from_secs(1));
        assert_eq!(shares.deal(0), Deal::Finished);
    }
}
