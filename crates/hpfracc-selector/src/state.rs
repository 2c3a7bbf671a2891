//! All that is known of one workload: what each candidate takes, which is preferred, what to try.

use crate::history::Occurrence;
use crate::level::Level;
use crate::model::Forecast;
use crate::roster::{Member, Roster, Set};
use crate::tally::Counted;
use crate::task::{Direction, Stage, Task, Usage};
use crate::trial;
use hpfracc_backend::Workload;
use std::sync::Arc;

/// A candidate must be this much quicker, in the logarithm, to be preferred to the one that is.
const TIE: f64 = 0.03;

/// Executions to come for each that has been. One would be the guess without knowledge; but programs
/// are run again, and what is learned is remembered.
const HORIZON: f64 = 4.0;

/// A change of a level that the model hears of, and one that the history mentions.
const CHANGE: f64 = 0.03;
const DRIFT: f64 = 0.223;

pub(crate) struct State {
    roster: Arc<Roster>,
    workload: Workload,
    /// Generation of the experience that the levels belong to.
    generation: u32,
    known: Vec<Known>,
    pub(crate) preferred: [Option<usize>; 2],
    /// A candidate to be tried by the next map that comes along, by direction.
    pub(crate) trial: [Option<usize>; 2],
    /// The one that is being tried.
    trying: [Option<usize>; 2],
    next_trial: [u64; 2],
    pub(crate) total: [Counted; 2],
    pub(crate) binds: u64,
    /// Executions, and lessons of the models, when the forecasts were made.
    forecast_at: u64,
    lessons: u64,
    pub(crate) measured: bool,
    /// Why a candidate was left out when it was last asked, and whether for want of an algorithm.
    pub(crate) out: Vec<Option<(bool, String)>>,
}

#[derive(Clone)]
struct Known {
    levels: [Level; Stage::COUNT],
    forecasts: [Forecast; Stage::COUNT],
    /// Where the level was when the history was last told of a drift.
    drift_from: [Option<f64>; 2],
}

/// Where a map stands: the candidate to run now, and the one to bind once that pays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    /// The quickest of those bound; none if none is bound.
    pub(crate) now: Option<usize>,
    /// The quickest of all.
    pub(crate) best: usize,
    /// Seconds that each execution by `best` would save.
    pub(crate) gain: f64,
    /// Seconds that planning and binding `best` takes.
    pub(crate) price: f64,
}

fn without_algorithm(member: &Member, workload: Workload) -> Option<(bool, String)> {
    (!member.may_take(workload))
        .then(|| (true, "it has no algorithm for such workloads".to_owned()))
}

impl State {
    pub(super) fn new(workload: Workload, roster: Arc<Roster>) -> Self {
        let mut state = Self {
            workload,
            generation: roster.experience.generation(),
            known: Vec::new(),
            preferred: [None; 2],
            trial: [None; 2],
            trying: [None; 2],
            next_trial: [0; 2],
            total: [Counted::default(); 2],
            binds: 0,
            forecast_at: 0,
            lessons: roster.experience.lessons(),
            measured: false,
            out: roster.members.iter().map(|m| without_algorithm(m, workload)).collect(),
            roster,
        };
        state.remember();
        state
    }

    /// Takes levels from what the experience remembers, and forecasts for the rest.
    pub(super) fn remember(&mut self) {
        let roster = Arc::clone(&self.roster);
        self.known = (0..roster.members.len())
            .map(|i| {
                let member = &roster.members[i];
                let levels = Stage::ALL.map(|stage| {
                    let scalar = roster.scalar;
                    let sample =
                        roster.experience.remembered(member.id, scalar, self.workload, stage);
                    sample.map_or(Level::default(), |s| Level::remembered(s.log, s.executions))
                });
                let forecasts = roster.forecasts(i, self.workload);
                Known { levels, forecasts, drift_from: [None; 2] }
            })
            .collect();
    }

    /// Forgets what was known before a reset of the experience.
    pub(super) fn follow_resets(&mut self) -> bool {
        let generation = self.roster.experience.generation();
        let stale = self.generation != generation;
        if stale {
            *self = Self::new(self.workload, Arc::clone(&self.roster));
        }
        stale
    }

    pub(super) fn count(&mut self, direction: Direction, i: usize, counted: Counted) {
        let d = direction as usize;
        let experience = Arc::clone(&self.roster.experience);
        if self.trying[d] == Some(i) {
            let best =
                self.preferred[d].map_or(0.0, |p| self.expect(p, direction.stage()).log.exp());
            let lost = counted.nanos as f64 - counted.executions as f64 * best * 1e9;
            experience.charge(lost.max(0.0) as u64);
        }
        self.total[d].executions += counted.executions;
        self.total[d].nanos += counted.nanos;
        experience.spend(counted);
        self.read(direction.stage(), i, counted);
    }

    pub(super) fn read(&mut self, stage: Stage, i: usize, counted: Counted) {
        let seconds = (counted.nanos as f64 / counted.executions as f64).max(0.1) * 1e-9;
        self.read_log(stage, i, seconds.ln(), counted.executions);
    }

    pub(super) fn read_log(&mut self, stage: Stage, i: usize, log: f64, executions: u64) {
        let now = self.executions();
        let level = &mut self.known[i].levels[stage as usize];
        level.add(log, executions, now);
        if level.moved(CHANGE).is_none() {
            return;
        }
        let (log, executions) = (level.log(), level.executions());
        let (roster, experience) = (&self.roster, &self.roster.experience);
        let reading = (log, executions, experience.unix_seconds());
        experience.remember((roster.members[i].id, roster.scalar), self.workload, stage, reading);
        if let Some(d) = Direction::BOTH.iter().position(|d| d.stage() == stage) {
            self.mention_drift(d, i, log);
        }
    }

    fn mention_drift(&mut self, d: usize, i: usize, log: f64) {
        let known = &mut self.known[i];
        let Some(from) = known.drift_from[d] else {
            // The first readings settle before a change is one.
            if known.levels[Direction::BOTH[d].stage() as usize].executions() > 2 {
                known.drift_from[d] = Some(log);
            }
            return;
        };
        if (log - from).abs() > DRIFT {
            known.drift_from[d] = Some(log);
            self.tell(i, Occurrence::Drifted { from: from.exp(), to: log.exp() });
        }
    }

    pub(crate) fn tell(&self, i: usize, what: Occurrence) {
        let (roster, name) = (&self.roster, &self.roster.members[i].name);
        roster.experience.tell(self.workload, roster.scalar, name, what);
    }

    /// Executions in either direction.
    pub(crate) fn executions(&self) -> u64 {
        self.total.iter().map(|t| t.executions).sum()
    }

    /// What to expect of a candidate at a stage, by level and model together.
    pub(crate) fn expect(&self, i: usize, stage: Stage) -> Forecast {
        let known = &self.known[i];
        known.levels[stage as usize].expect(known.forecasts[stage as usize], self.executions())
    }

    /// Executions of a candidate that its expectation at this stage rests on.
    pub(crate) fn samples(&self, i: usize, stage: Stage) -> u64 {
        self.known[i].levels[stage as usize].executions()
    }

    fn seconds(&self, i: usize, stage: Stage) -> f64 {
        self.expect(i, stage).log.exp()
    }

    /// Seconds to plan and bind a candidate.
    pub(crate) fn outlay(&self, i: usize, planned: bool) -> f64 {
        let plan = if planned { 0.0 } else { self.seconds(i, Stage::Plan) };
        plan + self.seconds(i, Stage::Bind)
    }

    /// Expected seconds of a task.
    pub(crate) fn cost(&self, i: usize, task: Task) -> f64 {
        let apply = self.seconds(i, task.direction.stage());
        match task.usage {
            Usage::Once => self.outlay(i, false) + apply,
            Usage::Repeated => apply,
        }
    }

    /// Applications of one bound map, by what was seen so far; one for a workload never seen.
    pub(crate) fn applications(&self) -> f64 {
        (self.executions() as f64 / self.binds.max(1) as f64).max(1.0)
    }

    /// The candidate of least cost.
    pub(crate) fn quickest(&self, of: Set, cost: impl Fn(usize) -> f64) -> Option<usize> {
        let of = self.roster.hardware(of);
        of.iter().min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
    }

    /// Where a map stands that has bound some of those it may use.
    pub(crate) fn standing(
        &self,
        direction: Direction,
        (usable, bound, planned): (Set, Set, Set),
    ) -> Option<Standing> {
        let stage = direction.stage();
        let cost = |i: usize| self.seconds(i, stage);
        let preferred = self.preferred[direction as usize].filter(|&i| usable.has(i));
        let best = preferred.or_else(|| self.quickest(usable, cost))?;
        let now = self.quickest(Set(usable.0 & bound.0), cost);
        let gain = now.map_or(0.0, |now| (cost(now) - cost(best)).max(0.0));
        Some(Standing { now, best, gain, price: self.outlay(best, planned.has(best)) })
    }

    /// Candidates without an algorithm for this workload.
    pub(crate) fn unsupported(&self) -> Set {
        let none = |i: &usize| matches!(self.out[*i], Some((true, _)));
        (0..self.out.len()).filter(none).fold(Set::default(), Set::with)
    }

    /// Candidates that could take this workload when they were last asked.
    fn able(&self) -> Set {
        let able = |i: &usize| self.out[*i].is_none();
        let awake = self.roster.awake(self.roster.experience.now());
        let able = (0..self.out.len()).filter(able).fold(Set::default(), Set::with);
        self.roster.hardware(Set(able.0 & awake.0))
    }

    /// The candidate expected to be quickest when applied repeatedly, before any was run.
    pub(super) fn expected(&self, direction: Direction) -> Option<usize> {
        self.quickest(self.able(), |i| self.seconds(i, direction.stage()))
    }

    /// Looks for the candidate to prefer; tells whether that changed.
    pub(super) fn prefer(&mut self, direction: Direction) -> bool {
        let (d, stage, able) = (direction as usize, direction.stage(), self.able());
        let log = |i: usize| self.expect(i, stage).log;
        let Some(best) = self.quickest(able, log) else { return false };
        let before = self.preferred[d];
        if before.is_some_and(|b| b == best || (able.has(b) && log(best) > log(b) - TIE)) {
            return false;
        }
        let seconds = log(best).exp();
        self.preferred[d] = Some(best);
        if self.total[d].executions > 0 {
            let instead_of = before.map(|b| self.roster.members[b].name.clone());
            self.tell(best, Occurrence::Preferred { direction, instead_of, seconds });
        }
        true
    }

    /// Looks for a candidate worth trying; tells whether there is one.
    pub(super) fn schedule(&mut self, direction: Direction) -> bool {
        let d = direction as usize;
        let seen = self.total[d].executions;
        let experience = Arc::clone(&self.roster.experience);
        let Some(preferred) = self.preferred[d] else { return false };
        if seen == 0
            || seen < self.next_trial[d]
            || self.trial[d].is_some()
            || self.trying[d].is_some()
            || !experience.settings().learns()
        {
            return false;
        }
        let stage = direction.stage();
        let best = self.expect(preferred, stage);
        let worth = |i: usize| {
            let forecast = self.expect(i, stage);
            let gain = trial::expected_gain(best.log, forecast) * HORIZON * seen as f64;
            let (mean, slow) = trial::price(best.log, forecast);
            let outlay = self.outlay(i, false);
            let profit = gain - mean - outlay;
            (profit > 0.0 && experience.affords(slow + outlay)).then_some((i, profit))
        };
        let rivals = self.able().iter().filter(|&i| i != preferred);
        let next = rivals.filter_map(worth).max_by(|(_, a), (_, b)| a.total_cmp(b));
        self.trial[d] = next.map(|(i, _)| i);
        next.is_some()
    }

    /// Takes the trial that is due, if this map can run it.
    pub(crate) fn begin_trial(&mut self, direction: Direction, usable: Set) -> Option<usize> {
        let d = direction as usize;
        let i = self.trial[d].take_if(|i| usable.has(*i))?;
        self.trying[d] = Some(i);
        self.tell(i, Occurrence::Tried { direction });
        Some(i)
    }

    pub(crate) fn end_trial(&mut self, direction: Direction) {
        let d = direction as usize;
        self.trying[d] = None;
        let seen = self.total[d].executions;
        self.next_trial[d] = seen + (seen / 8).max(2);
    }

    /// Asks the models again once as many executions again have been seen, and others may have
    /// taught them.
    pub(super) fn refresh_forecasts(&mut self) {
        let seen = self.executions();
        if seen >= 2 * self.forecast_at {
            self.forecast_at = seen.max(1);
            self.ask_models();
        }
    }

    /// Asks the models again if they have had a quarter as many lessons again: before a new plan.
    pub(crate) fn catch_up(&mut self) {
        let lessons = self.roster.experience.lessons();
        if lessons > self.lessons + self.lessons / 4 {
            self.ask_models();
        }
    }

    /// Asks the models again if they have had any lesson: before a question of the user.
    pub(crate) fn ask_models(&mut self) {
        let lessons = self.roster.experience.lessons();
        if lessons != self.lessons {
            self.lessons = lessons;
            for i in 0..self.known.len() {
                self.known[i].forecasts = self.roster.forecasts(i, self.workload);
            }
        }
    }
}
