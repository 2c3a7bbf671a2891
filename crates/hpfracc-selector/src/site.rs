//! One workload among all: what is counted while it runs, and when that is looked at.

use crate::roster::Roster;
use crate::state::State;
use crate::tally::{Counted, Tally};
use crate::task::{Direction, Stage};
use hpfracc_backend::Workload;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// The workloads that a selector has met.
#[derive(Default)]
pub(crate) struct Sites {
    sites: RwLock<HashMap<Workload, Arc<Site>>>,
}

/// Workloads kept; the statistics of further ones are dropped with their maps.
const CAPACITY: usize = 1 << 16;

impl Sites {
    /// The site of a workload, new if it was never met.
    pub(crate) fn site(&self, workload: Workload, roster: &Arc<Roster>) -> Arc<Site> {
        let known =
            self.sites.read().unwrap_or_else(PoisonError::into_inner).get(&workload).cloned();
        known.unwrap_or_else(|| {
            let site = Arc::new(Site::new(workload, Arc::clone(roster)));
            let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
            if sites.len() < CAPACITY {
                return Arc::clone(sites.entry(workload).or_insert(site));
            }
            site
        })
    }

    /// The candidate preferred for the forward map, if the workload was met.
    pub(crate) fn preferred(&self, workload: Workload) -> Option<usize> {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.get(&workload)?.leading(Direction::Forward)
    }

    pub(crate) fn all(&self) -> Vec<Arc<Site>> {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.values().cloned().collect()
    }
}

pub(crate) struct Site {
    pub(crate) workload: Workload,
    pub(crate) roster: Arc<Roster>,
    /// Changes whenever a settled choice may have changed.
    epoch: AtomicU32,
    /// Executions after which a cell of a tally is looked at: 1 at first, later more.
    patience: AtomicU64,
    tallies: Vec<[OnceLock<Box<Tally>>; 2]>,
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
            epoch: AtomicU32::new(1),
            patience: AtomicU64::new(1),
            tallies: (0..size).map(|_| Default::default()).collect(),
            leading: expected.map(|i| AtomicU32::new(one_more(i))),
            state: Mutex::new(state),
        }
    }

    /// The candidate preferred for repeated application.
    pub(crate) fn leading(&self, direction: Direction) -> Option<usize> {
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
        let tally = &self.tallies[i][direction as usize];
        let tally = match tally.get() {
            Some(tally) => tally,
            None => tally.get_or_init(Box::default),
        };
        let cell = tally.add(nanos);
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

    /// Takes what the experience has read from elsewhere.
    pub(crate) fn remember(&self) {
        let mut state = self.look();
        state.remember();
        self.rank(&mut state);
    }

    fn count_in(&self, state: &mut State) {
        if state.follow_resets() {
            // What ran before the reset is forgotten, too.
            self.tallies.iter().flatten().filter_map(|t| t.get()).for_each(|tally| {
                tally.take();
            });
            self.patience.store(1, Relaxed);
            self.epoch.fetch_add(1, Relaxed);
        }
        let mut any = false;
        for (i, tallies) in self.tallies.iter().enumerate() {
            for direction in Direction::BOTH {
                let counted = tallies[direction as usize].get().map(|t| t.take());
                if let Some(counted) = counted.filter(|c| c.executions > 0) {
                    state.count(direction, i, counted);
                    any = true;
                }
            }
        }
        if any {
            let patience = self.patience.load(Relaxed);
            self.patience.store((2 * patience).min(PATIENCE), Relaxed);
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
