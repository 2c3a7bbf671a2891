use super::path_tiles::Observer;
use super::run::{Run, State, lock};
use super::shards::{Merged, Part};
use super::{Collect, RecordIndex};
use crate::SdeError;
use crate::noise::Gaussian;
use hpfracc_lanes::{Rows, RowsMut};
use std::sync::atomic::Ordering;

/// A checkpoint of a solve: the position of each shard and the data collected so far.
///
/// A plain value of whole numbers: with the feature `serde`, any format keeps them, and the solve
/// goes on with the same bits, on any number of threads. It carries a fingerprint of the ensemble,
/// of the problem, of the scheme, of the noise and of the collector, and a checksum;
/// [`Run::restore`] checks both.
///
/// An equation as data has an exact [fingerprint](crate::StochasticSystem::fingerprint). Of coefficients
/// in closures, noise and collector it has values along the first steps of a few paths: a different seed
/// or parameter is detected, unless it makes no difference there; so is a computer whose library has a
/// different exponential.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Checkpoint {
    version: u32,
    scalar: String,
    scheme: String,
    fingerprint: u64,
    /// The first shards, which are finished and merged.
    joined: u64,
    collected: Option<Vec<u64>>,
    /// Those of them whose group is not finished.
    parts: Vec<PartState>,
    /// The shards after them.
    shards: Vec<ShardState>,
    checksum: u64,
}

/// Data of consecutive shards.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct PartState {
    /// Logarithm of their number.
    level: u32,
    collected: Option<Vec<u64>>,
}

/// Position and data of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct ShardState {
    tiles: u64,
    /// Saved times of the next tile that are recorded.
    times: u64,
    /// Logarithm of the number of shards, from this one on, whose data are here.
    level: u32,
    collected: Option<Vec<u64>>,
}

/// Version of the format.
const VERSION: u32 = 2;

/// Numbers of paths and of their steps in the fingerprint.
const PROBED: (usize, usize) = (16, 16);

/// Number of increments of the noise in the fingerprint.
const PROBED_INCREMENTS: usize = 256;

impl Checkpoint {
    /// Checksum of all other fields.
    fn sum(&self) -> u64 {
        let optional = |words: &Option<Vec<u64>>| -> Vec<u64> {
            let words = words.as_ref().map(|words| [&[words.len() as u64], &words[..]].concat());
            words.unwrap_or_else(|| vec![u64::MAX])
        };
        let names = self.scalar.bytes().chain(self.scheme.bytes()).map(u64::from);
        let head = [u64::from(self.version), self.fingerprint, self.joined];
        let collected = optional(&self.collected);
        let parts = self
            .parts
            .iter()
            .flat_map(|part| [vec![u64::from(part.level)], optional(&part.collected)].concat());
        let shards = self.shards.iter().flat_map(|shard| {
            let place = [shard.tiles, shard.times, u64::from(shard.level)];
            [place.to_vec(), optional(&shard.collected)].concat()
        });
        let data = collected.into_iter().chain(parts).chain(shards);
        hash(head.into_iter().chain(names).chain(data))
    }
}

impl<T: Gaussian, K: Collect<T>> Run<'_, T, K> {
    /// A checkpoint of the solve; another thread may be advancing it at the same time.
    pub fn checkpoint(&self) -> Checkpoint {
        let save = |data: &Option<K::Shard>| {
            data.as_ref().map(|data| {
                let mut words = Vec::new();
                self.collector.save(data, &mut words);
                words
            })
        };
        // Locked to the end: no shard is merged before it has been read.
        let joined = lock(&self.joined);
        let shards = self.shards[joined.shards..].iter().map(|shard| {
            let state = lock(&shard.state);
            let (tiles, times) = (state.tiles as u64, state.times as u64);
            ShardState { tiles, times, level: state.level, collected: save(&state.data) }
        });
        let mut checkpoint = Checkpoint {
            version: VERSION,
            scalar: T::NAME.to_owned(),
            scheme: self.scheme.to_owned(),
            fingerprint: self.fingerprint(),
            joined: joined.shards as u64,
            collected: save(&joined.total),
            parts: joined
                .parts
                .iter()
                .map(|Part { level, data }| PartState { level: *level, collected: save(data) })
                .collect(),
            shards: shards.collect(),
            checksum: 0,
        };
        checkpoint.checksum = checkpoint.sum();
        checkpoint
    }

    /// The same solve, at the position of the checkpoint.
    ///
    /// # Errors
    /// [`SdeError::ForeignCheckpoint`] if it is of another version, ensemble, problem, scheme,
    /// noise or collector; [`SdeError::DamagedCheckpoint`] if its numbers are not those that were
    /// saved.
    pub fn restore(self, checkpoint: &Checkpoint) -> Result<Self, SdeError> {
        same("version", checkpoint.version, VERSION)?;
        same("scalar type", checkpoint.scalar.as_str(), T::NAME)?;
        same("scheme", checkpoint.scheme.as_str(), self.scheme)?;
        let (found, expected) = (checkpoint.sum(), checkpoint.checksum);
        if found != expected {
            return Err(SdeError::DamagedCheckpoint { found, expected });
        }
        same("fingerprint", checkpoint.fingerprint, self.fingerprint())?;
        let load = |words: &Option<Vec<u64>>| -> Result<Option<K::Shard>, SdeError> {
            let Some(words) = words else { return Ok(None) };
            let mut words = words.iter();
            let data = self.collector.restore(&self.layout, &mut words);
            same("collector", data.is_some() && words.len() == 0, true)?;
            Ok(data)
        };
        let shards = checkpoint.joined.saturating_add(checkpoint.shards.len() as u64);
        same("number of shards", shards, self.shards.len() as u64)?;
        let first = checkpoint.joined as usize;
        let (partition, mut tiles) = (self.partition(), 0);
        // Shards before this one have their data in an earlier one.
        let mut covered = 0;
        for (number, shard) in self.shards.iter().enumerate() {
            let all = partition.tiles_of(number);
            *lock(&shard.state) = match number.checked_sub(first) {
                None => State { tiles: all, ..State::default() },
                Some(index) => {
                    let saved = &checkpoint.shards[index];
                    let inside = saved.tiles <= all as u64
                        && saved.times <= self.saved.len() as u64
                        && (saved.times == 0 || saved.tiles < all as u64)
                        && saved.level <= partition.depth
                        && number.is_multiple_of(1 << saved.level);
                    let is_covered = number < covered;
                    let begun = saved.tiles + saved.times > 0 && !is_covered;
                    let inside = inside && saved.collected.is_some() == begun;
                    covered = covered.max(number + (1 << saved.level.min(partition.depth)));
                    same("place in a shard", inside, true)?;
                    let (tiles, times, level) =
                        (saved.tiles as usize, saved.times as usize, saved.level);
                    State { tiles, times, data: load(&saved.collected)?, level }
                }
            };
            tiles += lock(&shard.state).tiles;
        }
        let load_part = |part: &PartState| -> Result<Part<K::Shard>, SdeError> {
            Ok(Part { level: part.level, data: load(&part.collected)? })
        };
        let parts = checkpoint.parts.iter().map(load_part).collect::<Result<Vec<_>, _>>()?;
        let open: usize = parts.iter().map(|part| 1usize << part.level.min(32)).sum();
        let groups = first
            .checked_sub(open)
            .filter(|shards| shards >> partition.depth << partition.depth == *shards);
        let falling = parts.is_sorted_by(|a, b| a.level > b.level)
            && parts.iter().all(|part| part.level < partition.depth);
        same("place in a shard", groups.is_some() && falling, true)?;
        let total = load(&checkpoint.collected)?;
        same("place in a shard", total.is_some(), groups.is_some_and(|shards| shards > 0))?;
        *lock(&self.joined) = Merged { shards: first, total, parts };
        // Tiles that another run has solved.
        let paths = tiles.saturating_mul(self.lanes).min(self.layout.paths);
        let done = (paths as u64).saturating_mul(self.last() as u64);
        self.done.store(done, Ordering::Relaxed);
        if let Some(finished) = self.watch.finished {
            finished.fetch_add(paths, Ordering::Relaxed);
        }
        Ok(self)
    }

    /// A hash of everything that determines the result: sizes, numbers and graphs themselves, other
    /// functions by their values along the first steps of the first paths.
    pub(crate) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let layout = &self.layout;
            let sizes = [layout.dim, layout.paths, self.lanes, self.tiles.steps].map(|n| n as u64);
            let saved = self.saved.iter().map(|node| *node as u64);
            let numbers = self.tiles.numbers().into_iter();
            let probed = self.probe_paths().into_iter().chain(self.probe_noise());
            let exact = self.tiles.fingerprint;
            let words = sizes.into_iter().chain([layout.first_path]).chain(exact).chain(saved);
            hash(words.chain(numbers.map(f64::to_bits)).chain(probed))
        })
    }

    /// The first paths after a few steps and the collector's data for them; nothing if a step
    /// fails, which the solve will report.
    fn probe_paths(&self) -> Vec<u64> {
        let (mut words, mut shard) = (Vec::new(), self.collector.shard(&self.layout));
        let last = RecordIndex { path: 0, time: self.layout.times.len() - 1 };
        let mut record = |_: usize, x: Rows<'_, T>| {
            let events = self.tiles.event_values(self.layout.times[0], x);
            let numbers = x.as_slice().iter().chain(&events);
            words.extend(numbers.map(|x| x.widen().to_bits()));
            self.collector.record(&mut shard, last, x);
        };
        let node = PROBED.1.min(self.tiles.steps);
        let observer = Observer { record: &mut record, pause: &mut |_| Ok(()) };
        let lanes = PROBED.0.min(self.layout.paths);
        if self.tiles.solve((0, lanes), &[node], observer).is_err() {
            return Vec::new();
        }
        self.collector.save(&shard, &mut words);
        words
    }

    /// Increments along the first paths.
    fn probe_noise(&self) -> Vec<u64> {
        let (steps, lanes) = (self.tiles.steps, PROBED.0.min(self.layout.paths));
        let tile = self.tiles.tile(0, lanes);
        let Ok(mut increments) = self.tiles.noise.increments(tile, &[]) else {
            return Vec::new();
        };
        let mut words = Vec::new();
        let mut dz = vec![T::zero(); self.tiles.noise.components() * lanes];
        for step in (0..steps).step_by(steps.div_ceil(PROBED_INCREMENTS)) {
            increments.write(step, RowsMut::new(&mut dz, lanes));
            words.extend(dz.iter().map(|x| x.widen().to_bits()));
        }
        words
    }
}

fn same<V: PartialEq + std::fmt::Display>(
    what: &'static str,
    found: V,
    expected: V,
) -> Result<(), SdeError> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(SdeError::ForeignCheckpoint { what, found, expected })
}

/// The hash of Fowler, Noll and Vo, 64 bits, form 1a: a different one for any single change.
fn hash(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
