//! What is known about the members of a [`Split`](super::Split) for one size of signal.

use super::shares::{shares, time};
use super::speed::{Law, Speed};
use crate::BackendError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Signals for each member, in the order of the members.
pub(super) type Shares = Arc<[usize]>;

/// Speeds measured, members left out, shares in use.
pub(super) struct Record(Mutex<State>);

struct State {
    members: Vec<Member>,
    /// Batches cut so far among all members.
    cuts: usize,
    /// Shares in use by batch; the most recent come last.
    used: Vec<(usize, Shares)>,
}

#[derive(Default, Clone)]
struct Member {
    speed: Speed,
    executions: usize,
    /// Why it gets nothing.
    left_out: Option<String>,
}

/// The first cuts are equal, the next ones, up to the fourth, tilted: each member shows its time for two numbers of
/// signals. Twice each, as the first call through a map also binds it.
const EQUAL: usize = 2;
const TILTED: usize = 4;

/// A batch too small for all goes to each of them so often before it goes to the quickest.
const ALONE: usize = 2;

/// New shares must save so much of the time to replace those in use: they have to be planned.
const WORTH: f64 = 0.9;

/// As many batch sizes as a bound operator keeps, and some.
const BATCHES_KEPT: usize = 8;

impl Record {
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
        if state.used.len() == BATCHES_KEPT {
            state.used.remove(0);
        }
        state.used.push((batch, Arc::clone(&shares)));
        shares
    }

    /// What [`Record::cut`] would answer, without taking note of it.
    pub(super) fn preview(&self, batch: usize) -> Shares {
        self.state().shares(batch)
    }

    pub(super) fn measured(&self, member: usize, signals: usize, took: Duration, warm: bool) {
        let member = &mut self.state().members[member];
        member.speed.record(signals, took, warm);
        member.executions += 1;
    }

    /// No more signals of this size for a member.
    pub(super) fn leave_out(&self, member: usize, error: &BackendError) {
        self.state().members[member].left_out = Some(in_full(error));
    }

    /// No member is left out any more.
    pub(super) fn ask_all_again(&self) {
        self.state().members.iter_mut().for_each(|member| member.left_out = None);
    }

    pub(super) fn left_out(&self, member: usize) -> Option<String> {
        self.state().members[member].left_out.clone()
    }

    /// Nothing is left half done under the lock, so that a panic of a member does not matter here.
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
        let laws = if learning { self.agreed_laws() } else { self.laws() };
        let best = shares(&laws, batch);
        let used = self.used.iter().find(|(known, _)| *known == batch).map(|(_, shares)| shares);
        match used {
            Some(used) if !learning && time(&laws, &best) > WORTH * time(&laws, used) => {
                Arc::clone(used)
            }
            _ => best.into(),
        }
    }

    fn next_alone(&self) -> Option<usize> {
        self.members.iter().position(|m| m.left_out.is_none() && m.executions < ALONE)
    }

    /// Laws that nobody measured, for the first cuts: all alike, then every second one three times as
    /// quick.
    fn agreed_laws(&self) -> Vec<Option<Law>> {
        let law = |(position, member): (usize, &Member)| {
            let tilted = self.cuts >= EQUAL && position % 2 == 1;
            let per_signal = if tilted { 1.0 } else { 3.0 };
            member.left_out.is_none().then_some(Law { overhead: 0.0, per_signal })
        };
        self.members.iter().enumerate().map(law).collect()
    }

    /// The laws measured. A member without one is taken to be as quick as the quickest, so that it is
    /// tried.
    fn laws(&self) -> Vec<Option<Law>> {
        let known = self.members.iter().filter_map(|member| member.speed.law());
        let quickest = known.min_by(|a, b| a.time(1).total_cmp(&b.time(1)));
        let untried = quickest.unwrap_or(Law { overhead: 0.0, per_signal: 1.0 });
        let law = |member: &Member| {
            member.left_out.is_none().then(|| member.speed.law().unwrap_or(untried))
        };
        self.members.iter().map(law).collect()
    }
}

/// The error and its causes, as a warning or a table shows them.
fn in_full(error: &BackendError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
