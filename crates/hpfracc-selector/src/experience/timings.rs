//! The timings of one workload: counts of executions without a lock, and statistics under one.

use super::candidate_list::CandidateList;
use super::statistics::Statistics;
use super::tally::Tally;
use crate::cost::features::{Counts, Features};
use crate::task::{Stage, Subject};
use hpfracc_backend::Direction;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Timings of the workloads used recently, of one selector or of one kind of work.
pub(crate) struct TimingsCache<K> {
    entries: RwLock<Entries<K>>,
    /// Number of lookups so far.
    lookups: AtomicU64,
}

struct Entries<K> {
    timings: HashMap<K, Arc<Timings>>,
    /// Number of entries at which the least recently used ones are removed.
    full: usize,
}

/// Largest number of entries, besides those in use: with ten candidates an entry has some 5 KiB.
/// The times of removed ones stay in the cost models; their counts of executions are dropped.
const CAPACITY: usize = 4096;

impl<K> Default for TimingsCache<K> {
    fn default() -> Self {
        let entries = Entries { timings: HashMap::new(), full: CAPACITY };
        Self { entries: RwLock::new(entries), lookups: AtomicU64::new(0) }
    }
}

impl<K: Hash + Eq + Clone> TimingsCache<K> {
    pub(crate) fn get(&self, key: &K) -> Option<Arc<Timings>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.timings.get(key).cloned()
    }

    /// The entry of a key, made by `make` if there is none, and the entries removed for it.
    pub(super) fn get_or_insert(
        &self,
        key: &K,
        make: impl FnOnce() -> Timings,
    ) -> (Arc<Timings>, Vec<Arc<Timings>>) {
        let (timings, removed) = match self.get(key) {
            Some(timings) => (timings, Vec::new()),
            None => {
                let made = Arc::new(make());
                let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
                let removed = entries.make_room();
                (Arc::clone(entries.timings.entry(key.clone()).or_insert(made)), removed)
            }
        };
        timings.looked_up.store(self.lookups.fetch_add(1, Relaxed), Relaxed);
        (timings, removed)
    }
}

impl<K> TimingsCache<K> {
    pub(super) fn all(&self) -> Vec<Arc<Timings>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.timings.values().cloned().collect()
    }
}

impl<K: Hash + Eq + Clone> Entries<K> {
    /// Removes a quarter of the capacity if the cache is full: the least recently used of those
    /// that no plan or map uses.
    fn make_room(&mut self) -> Vec<Arc<Timings>> {
        if self.timings.len() < self.full {
            return Vec::new();
        }
        // Under the write lock nobody can get a reference to an entry that is referenced here
        // alone.
        let idle = self.timings.iter().filter(|(_, timings)| Arc::strong_count(timings) == 1);
        let mut idle: Vec<(u64, K)> =
            idle.map(|(key, timings)| (timings.looked_up.load(Relaxed), key.clone())).collect();
        idle.sort_unstable_by_key(|(looked_up, _)| *looked_up);
        idle.truncate(CAPACITY / 4);
        let removed = idle.iter().filter_map(|(_, key)| self.timings.remove(key)).collect();
        // If most entries are in use, the next scan has to wait.
        self.full = CAPACITY.max(self.timings.len() + CAPACITY / 4);
        removed
    }
}

/// Timings of all candidates for one workload or piece of work.
pub(crate) struct Timings {
    pub(crate) subject: Subject,
    pub(crate) list: Arc<CandidateList>,
    /// Counts of work by method; empty for a workload.
    method_counts: Vec<Counts>,
    /// Number of the latest lookup.
    looked_up: AtomicU64,
    /// Changes whenever a settled choice may have changed.
    pub(super) epoch: AtomicU32,
    /// Whether the experience has timings that the statistics lack.
    pub(super) outdated: AtomicBool,
    /// Executions in a cell of a tally after which the statistics are updated: 1 at first, later
    /// more.
    pub(super) patience: AtomicU64,
    pub(super) tallies: Box<[[Tally; 2]]>,
    /// Index of the preferred candidate plus one, by direction; zero for none.
    preferred: [AtomicU32; 2],
    pub(super) statistics: Mutex<Statistics>,
}

impl Timings {
    pub(super) fn new(
        subject: Subject,
        list: Arc<CandidateList>,
        method_counts: Vec<Counts>,
        statistics: Statistics,
    ) -> Self {
        Self {
            tallies: list.members.iter().map(|_| Default::default()).collect(),
            subject,
            list,
            method_counts,
            looked_up: AtomicU64::new(0),
            epoch: AtomicU32::new(1),
            outdated: AtomicBool::new(false),
            patience: AtomicU64::new(1),
            preferred: Default::default(),
            statistics: Mutex::new(statistics),
        }
    }

    /// Features of the work that a candidate does at a stage.
    pub(super) fn features(&self, i: usize, stage: Stage) -> Features {
        match &self.subject {
            Subject::Map(workload) => Features::of_workload(*workload, stage),
            Subject::Work(sizes) => Features::of_sizes(sizes.values(), self.method_counts[i]),
        }
    }

    #[inline]
    pub(crate) fn epoch(&self) -> u32 {
        self.epoch.load(Relaxed)
    }

    /// The candidate preferred for repeated application, without a lock.
    pub(super) fn preferred(&self, direction: Direction) -> Option<usize> {
        (self.preferred[direction as usize].load(Relaxed) as usize).checked_sub(1)
    }

    pub(super) fn set_preferred(&self, direction: Direction, preferred: Option<usize>) {
        let stored = preferred.map_or(0, |i| i as u32 + 1);
        self.preferred[direction as usize].store(stored, Relaxed);
    }

    /// Marks the statistics as outdated: the experience has read timings from a file. They are
    /// updated at the next look, which takes a millisecond.
    pub(super) fn mark_outdated(&self) {
        self.outdated.store(true, Relaxed);
        self.epoch.fetch_add(1, Relaxed);
    }
}
