//! One workload among all: what is counted while it runs, and when that is looked at.

use crate::roster::Roster;
use crate::state::State;
use crate::tally::{Counted, Tally};
use crate::task::{Direction, Stage};
use hpfracc_backend::Workload;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// The workloads that a selector has met lately.
pub(crate) struct Sites {
    known: RwLock<Known>,
    /// How often a site was asked for.
    asked: AtomicU64,
}

struct Known {
    sites: HashMap<Workload, Arc<Site>>,
    /// Number of sites at which those of least recent use make room.
    full: usize,
}

/// Workloads kept, besides those in use: with ten candidates a site has some 5 KiB. What was timed of
/// the others is remembered by the models, their counts of executions are dropped.
const CAPACITY: usize = 4096;

impl Default for Sites {
    fn default() -> Self {
        let known = Known { sites: HashMap::new(), full: CAPACITY };
        Self { known: RwLock::new(known), asked: AtomicU64::new(0) }
    }
}

impl Sites {
    /// The site of a workload, new if it was never met.
    pub(crate) fn site(&self, workload: Workload, roster: &Arc<Roster>) -> Arc<Site> {
        let site = self.known(workload).unwrap_or_else(|| {
            let site = Arc::new(Site::new(workload, Arc::clone(roster)));
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let gone = known.make_room();
            let site = Arc::clone(known.sites.entry(workload).or_insert(site));
            drop(known);
            // What they have counted is still a lesson to the models.
            gone.iter().for_each(|site| drop(site.look()));
            site
        });
        site.asked.store(self.asked.fetch_add(1, Relaxed), Relaxed);
        site
    }

    fn known(&self, workload: Workload) -> Option<Arc<Site>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.sites.get(&workload).cloned()
    }

    /// The candidate preferred for the forward map, if the workload was met.
    pub(crate) fn preferred(&self, workload: Workload) -> Option<usize> {
        self.known(workload)?.leading(Direction::Forward)
    }

    pub(crate) fn all(&self) -> Vec<Arc<Site>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.sites.values().cloned().collect()
    }
}

impl Known {
    /// Takes out a quarter if there is no room for one more: those asked for longest ago among the
    /// ones that no plan or map holds.
    fn make_room(&mut self) -> Vec<Arc<Site>> {
        if self.sites.len() < self.full {
            return Vec::new();
        }
        // With the lock held for writing nobody can take hold of a site that is held here alone.
        let idle = self.sites.values().filter(|site| Arc::strong_count(site) == 1);
        let mut idle: Vec<(u64, Workload)> =
            idle.map(|site| (site.asked.load(Relaxed), site.workload)).collect();
        idle.sort_unstable_by_key(|(asked, _)| *asked);
        idle.truncate(CAPACITY / 4);
        let gone = idle.iter().filter_map(|(_, workload)| self.sites.remove(workload)).collect();
        // If most are in use, looking through all of them again has to wait.
        self.full = CAPACITY.max(self.sites.len() + CAPACITY / 4);
        gone
    }
}

pub(crate) struct Site {
    pub(crate) workload: Workload,
    pub(crate) roster: Arc<Roster>,
    /// The latest of the numbers at which it was asked for.
    asked: AtomicU64,
    /// Changes whenever a settled choice may have changed.
    epoch: AtomicU32,
    /// Whether the experience knows more than was taken from it.
    news: AtomicBool,
    /// Executions after which a cell of a tally is looked at: 1 at first, later more.
    patience: AtomicU64,
    tallies: Box<[[Tally; 2]]>,
    /// The candidates preferred, and one, so that zero says none.
    leading: [AtomicU32; 2],
    state: Mutex<State>,
}

/// Time in a cell of a tally after which it is looked at: a look takes one or two microseconds.
const LOOK_NANOS: u64 = 200_000;

/// Largest number of executions between looks.
const PATIENCE: u64 = 256;

impl Site {
    pub(crate) fn new(workload: Workload, roster: Arc<Roster>) -> Self {
        let size = roster.members.len();
        let state = State::new(workload, Arc::clone(&roster));
        let expected = Direction::BOTH.map(|direction| state.expected(direction));
        Self {
            workload,
            roster,
            asked: AtomicU64::new(0),
            epoch: AtomicU32::new(1),
            news: AtomicBool::new(false),
            patience: AtomicU64::new(1),
            tallies: (0..size).map(|_| Default::default()).collect(),
            leading: expected.map(|i| AtomicU32::new(one_more(i))),
            state: Mutex::new(state),
        }
    }

    /// The candidate preferred for repeated application.
    pub(crate) fn leading(&self, direction: Direction) -> Option<usize> {
        if self.news.load(Relaxed) {
            drop(self.look());
        }
        (self.leading[direction as usize].load(Relaxed) as usize).checked_sub(1)
    }

    #[inline]
    pub(crate) fn epoch(&self) -> u32 {
        self.epoch.load(Relaxed)
    }

    /// The state, with all executions so far counted in.
    pub(crate) fn look(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.count_in(&mut state);
        state
    }

    pub(crate) fn is_measured(&self) -> bool {
        self.look().measured
    }

    /// Notes an execution.
    #[inline]
    pub(crate) fn record(&self, direction: Direction, i: usize, nanos: u64) {
        let cell = self.tallies[i][direction as usize].add(nanos);
        if cell.executions >= self.patience.load(Relaxed) || cell.nanos >= LOOK_NANOS {
            // Somebody else looking will count this in.
            if let Ok(mut state) = self.state.try_lock() {
                self.count_in(&mut state);
            }
        }
    }

    /// Notes the time of planning or binding.
    pub(crate) fn record_once(&self, stage: Stage, i: usize, nanos: u64) {
        let mut state = self.look();
        state.binds += u64::from(stage == Stage::Bind);
        state.read(stage, i, Counted { executions: 1, nanos });
    }

    /// Sets times measured on purpose, in seconds.
    pub(crate) fn set_measured(&self, times: &[(usize, Stage, f64, u64)]) {
        let mut state = self.look();
        for &(i, stage, seconds, executions) in times {
            let nanos = (seconds * 1e9).max(1.0) * executions as f64;
            // Three readings: the least of several repeats is no single one.
            for share in [executions, 0, 0] {
                state.read_log(stage, i, (nanos / executions as f64 * 1e-9).ln(), share);
            }
        }
        state.measured = true;
        self.rank(&mut state);
    }

    /// Tells that the experience has read timings from elsewhere: they are taken at the next look,
    /// which the maps in use are asked for. A site takes a millisecond for it.
    pub(crate) fn expect_news(&self) {
        self.news.store(true, Relaxed);
        self.epoch.fetch_add(1, Relaxed);
    }

    fn count_in(&self, state: &mut State) {
        if state.follow_resets() {
            // What ran before the reset is forgotten, too.
            self.tallies.iter().flatten().for_each(|tally| {
                tally.take();
            });
            self.patience.store(1, Relaxed);
            self.epoch.fetch_add(1, Relaxed);
        }
        let (news, mut tallied) = (self.news.swap(false, Relaxed), false);
        if news {
            state.remember();
        }
        for (i, tallies) in self.tallies.iter().enumerate() {
            for direction in Direction::BOTH {
                let counted = tallies[direction as usize].take();
                if counted.executions > 0 {
                    state.count(direction, i, counted);
                    tallied = true;
                }
            }
        }
        if tallied {
            let patience = self.patience.load(Relaxed);
            self.patience.store((2 * patience).min(PATIENCE), Relaxed);
        }
        if news || tallied {
            self.rank(state);
        }
    }

    /// Ranks anew, and lets the maps know if that changed anything.
    fn rank(&self, state: &mut State) {
        state.refresh_forecasts();
        let changed = Direction::BOTH.map(|d| state.prefer(d) | state.schedule(d));
        for (leading, preferred) in self.leading.iter().zip(state.preferred) {
            leading.store(one_more(preferred), Relaxed);
        }
        if changed.contains(&true) {
            self.epoch.fetch_add(1, Relaxed);
        }
    }
}

/// A candidate's number and one; zero for none.
fn one_more(i: Option<usize>) -> u32 {
    i.map_or(0, |i| i as u32 + 1)
}
