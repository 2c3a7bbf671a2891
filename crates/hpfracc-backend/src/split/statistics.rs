//! Statistics of the members of a [`Split`](super::Split) for one size of signal.

use super::shares::{shares, time};
use super::speed_estimate::{AffineTime, SpeedEstimate};
use crate::BackendError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Number of signals of each member, in the order of the members.
pub(super) type Shares = Arc<[usize]>;

/// Measured speeds, members left out, shares in use.
pub(super) struct MemberStatistics(Mutex<State>);

struct State {
    members: Vec<Member>,
    /// Number of batches that were cut among all members.
    cuts: usize,
    /// Shares in use by batch, the most recent last.
    used: Vec<(usize, Shares)>,
}

#[derive(Default, Clone)]
struct Member {
    speed: SpeedEstimate,
    executions: usize,
    /// Why it has no share.
    left_out: Option<String>,
}

/// The first two cuts are equal, the next two unequal: each member is timed at two numbers of
/// signals, twice each, because the first call through a map binds it.
const EQUAL: usize = 2;
const TILTED: usize = 4;

/// Number of times that a batch too small for all goes to each member before it goes to the
/// fastest.
const ALONE: usize = 2;

/// Ratio of times below which new shares replace those in use, because they have to be planned.
const REPLACED_BELOW: f64 = 0.9;

/// Largest number of batch sizes stored: a few more than a bound operator stores.
const BATCHES: usize = 8;

impl MemberStatistics {
    pub(super) fn new(members: usize) -> Self {
        let members = vec![Member::default(); members];
        Self(Mutex::new(State { members, cuts: 0, used: Vec::new() }))
    }

    /// The shares of the next batch of this size. All are zero if all members are left out.
    pub(super) fn cut(&self, batch: usize) -> Shares {
        let mut state = self.state();
        let shares = state.shares(batch);
        state.cuts += usize::from(batch >= state.in_play());
        state.used.retain(|(known, _)| *known != batch);
        if state.used.len() == BATCHES {
            state.used.remove(0);
        }
        state.used.push((batch, Arc::clone(&shares)));
        shares
    }

    /// The result of [`MemberStatistics::cut`], without recording it.
    pub(super) fn preview(&self, batch: usize) -> Shares {
        self.state().shares(batch)
    }

    pub(super) fn measured(&self, member: usize, signals: usize, took: Duration, warm: bool) {
        let member = &mut self.state().members[member];
        member.speed.record(signals, took, warm);
        member.executions += 1;
    }

    /// Leaves a member out.
    pub(super) fn leave_out(&self, member: usize, error: &BackendError) {
        self.state().members[member].left_out = Some(error.with_causes());
    }

    /// Readmits all members.
    pub(super) fn readmit_all(&self) {
        self.state().members.iter_mut().for_each(|member| member.left_out = None);
    }

    pub(super) fn left_out(&self, member: usize) -> Option<String> {
        self.state().members[member].left_out.clone()
    }

    /// No data is left half-changed under the lock, so that a panic does not poison it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn in_play(&self) -> usize {
        self.members.iter().filter(|member| member.left_out.is_none()).count()
    }

    fn shares(&self, batch: usize) -> Shares {
        let small = batch < self.in_play();
        if let (true, Some(next)) = (small, self.next_alone()) {
            return (0..self.members.len()).map(|m| if m == next { batch } else { 0 }).collect();
        }
        let learning = !small && self.cuts < TILTED;
        let times = if learning { self.assumed_times() } else { self.times() };
        let best = shares(&times, batch);
        let used = self.used.iter().find(|(known, _)| *known == batch).map(|(_, shares)| shares);
        match used {
            Some(used)
                if !learning && time(&times, &best) > REPLACED_BELOW * time(&times, used) =>
            {
                Arc::clone(used)
            }
            _ => best.into(),
        }
    }

    fn next_alone(&self) -> Option<usize> {
        self.members.iter().position(|m| m.left_out.is_none() && m.executions < ALONE)
    }

    /// Times assumed for the first cuts: all equal, then every second member three times as fast.
    fn assumed_times(&self) -> Vec<Option<AffineTime>> {
        let time = |(position, member): (usize, &Member)| {
            let tilted = self.cuts >= EQUAL && position % 2 == 1;
            let per_signal = if tilted { 1.0 } else { 3.0 };
            member.left_out.is_none().then_some(AffineTime { overhead: 0.0, per_signal })
        };
        self.members.iter().enumerate().map(time).collect()
    }

    /// Measured times. A member that was not measured is assumed to be as fast as the fastest, so
    /// that it is tried.
    fn times(&self) -> Vec<Option<AffineTime>> {
        let known = self.members.iter().filter_map(|member| member.speed.time());
        let fastest = known.min_by(|a, b| a.time(1).total_cmp(&b.time(1)));
        let untried = fastest.unwrap_or(AffineTime { overhead: 0.0, per_signal: 1.0 });
        let time = |member: &Member| {
            member.left_out.is_none().then(|| member.speed.time().unwrap_or(untried))
        };
        self.members.iter().map(time).collect()
    }
}
