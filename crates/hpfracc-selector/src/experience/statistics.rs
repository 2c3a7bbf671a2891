//! Statistics of one workload: expected time of each candidate, the preferred one, the next trial.

use super::candidate_list::{CandidateList, CandidateSet};
use super::readings::RecentReadings;
use super::tally::Counted;
use crate::cost::model::Forecast;
use crate::task::{Stage, Subject, Usage};
use hpfracc_backend::Direction;

/// Statistics of one workload or piece of work, for all candidates of a selector.
pub(crate) struct Statistics {
    /// Generation of the experience that these statistics belong to.
    pub(super) generation: u32,
    pub(super) candidates: Vec<CandidateStatistics>,
    /// The candidate preferred for repeated application, by direction.
    pub(crate) preferred: [Option<usize>; 2],
    /// The candidate that the next map tries, by direction.
    pub(super) scheduled: [Option<usize>; 2],
    /// The candidate on trial, by direction.
    pub(super) on_trial: [Option<usize>; 2],
    /// Executions before which no other trial is scheduled, by direction.
    pub(super) next_trial: [u64; 2],
    /// Executions and their time, by direction.
    pub(crate) total: [Counted; 2],
    pub(super) binds: u64,
    /// Executions, and readings of the models, when the forecasts were made.
    pub(super) forecast_at: u64,
    pub(super) forecast_readings: u64,
    pub(crate) measured: bool,
    /// Why a candidate is left out: whether for lack of an algorithm, and the reason as text.
    pub(crate) left_out: Vec<Option<(bool, String)>>,
}

/// Statistics of one candidate.
#[derive(Clone)]
pub(super) struct CandidateStatistics {
    pub(super) readings: [RecentReadings; Stage::COUNT],
    pub(super) forecasts: [Forecast; Stage::COUNT],
    /// Time, as a logarithm, when the history last reported a drift, by direction.
    pub(super) drift_from: [Option<f64>; 2],
}

/// The choice that a bound map has: the candidate to run now, and the one to bind once that pays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    /// The fastest of those bound; none if none is bound.
    pub(crate) now: Option<usize>,
    /// The fastest of all.
    pub(crate) best: usize,
    /// Seconds that each execution by `best` would save.
    pub(crate) gain: f64,
    /// Seconds that planning and binding `best` takes.
    pub(crate) price: f64,
}

impl Statistics {
    pub(super) fn new(
        subject: &Subject,
        list: &CandidateList,
        candidates: Vec<CandidateStatistics>,
        (generation, forecast_readings): (u32, u64),
    ) -> Self {
        let left_out = list.members.iter().map(|member| match subject {
            Subject::Map(workload) if !member.may_take(*workload) => {
                Some((true, "it has no algorithm for such workloads".to_owned()))
            }
            _ => None,
        });
        Self {
            generation,
            candidates,
            preferred: [None; 2],
            scheduled: [None; 2],
            on_trial: [None; 2],
            next_trial: [0; 2],
            total: [Counted::default(); 2],
            binds: 0,
            forecast_at: 0,
            forecast_readings,
            measured: false,
            left_out: left_out.collect(),
        }
    }

    /// Executions in both directions.
    pub(crate) fn executions(&self) -> u64 {
        self.total.iter().map(|t| t.executions).sum()
    }

    /// Expected time of a candidate at a stage, from its readings and its model.
    pub(crate) fn expect(&self, i: usize, stage: Stage) -> Forecast {
        let own = &self.candidates[i];
        own.readings[stage as usize].expect(own.forecasts[stage as usize], self.executions())
    }

    /// Executions of a candidate that its expectation at this stage rests on.
    pub(crate) fn samples(&self, i: usize, stage: Stage) -> u64 {
        self.candidates[i].readings[stage as usize].executions()
    }

    /// Expected seconds of a candidate at a stage.
    pub(crate) fn seconds(&self, i: usize, stage: Stage) -> f64 {
        self.expect(i, stage).log.exp()
    }

    /// Seconds to plan and bind a candidate.
    pub(crate) fn outlay(&self, i: usize, planned: bool) -> f64 {
        let plan = if planned { 0.0 } else { self.seconds(i, Stage::Plan) };
        plan + self.seconds(i, Stage::Bind)
    }

    /// Expected seconds of a candidate for this usage.
    pub(crate) fn cost(&self, i: usize, direction: Direction, usage: Usage) -> f64 {
        let apply = self.seconds(i, Stage::of(direction));
        match usage {
            Usage::Once => self.outlay(i, false) + apply,
            Usage::Repeated => apply,
        }
    }

    /// Mean number of applications of a bound map so far; one for a workload never run.
    pub(crate) fn applications(&self) -> f64 {
        (self.executions() as f64 / self.binds.max(1) as f64).max(1.0)
    }

    /// The candidate of a set for repeated application: the preferred one, or else the fastest.
    pub(crate) fn best(
        &self,
        list: &CandidateList,
        direction: Direction,
        of: CandidateSet,
    ) -> Option<usize> {
        let preferred = self.preferred[direction as usize].filter(|&i| of.has(i));
        preferred.or_else(|| list.fastest(of, |i| self.seconds(i, Stage::of(direction))))
    }

    /// The choice of a map, by the sets of candidates usable, bound and planned.
    pub(crate) fn standing(
        &self,
        list: &CandidateList,
        direction: Direction,
        (usable, bound, planned): (CandidateSet, CandidateSet, CandidateSet),
    ) -> Option<Standing> {
        let cost = |i: usize| self.seconds(i, Stage::of(direction));
        let best = self.best(list, direction, usable)?;
        let now = list.fastest(usable.and(bound), cost);
        let gain = now.map_or(0.0, |now| (cost(now) - cost(best)).max(0.0));
        Some(Standing { now, best, gain, price: self.outlay(best, planned.has(best)) })
    }

    /// Candidates without an algorithm for this workload.
    pub(crate) fn unsupported(&self) -> CandidateSet {
        let left_out = self.left_out.iter().enumerate();
        left_out.filter(|(_, reason)| matches!(reason, Some((true, _)))).map(|(i, _)| i).collect()
    }

    /// Candidates that are not left out.
    pub(super) fn admitted(&self) -> CandidateSet {
        let left_out = self.left_out.iter().enumerate();
        left_out.filter(|(_, reason)| reason.is_none()).map(|(i, _)| i).collect()
    }

    /// Whether the trial in this direction is that of candidate `i`, or began this number of
    /// executions ago, or more.
    pub(crate) fn trial_is_over(&self, direction: Direction, i: usize, executions: u64) -> bool {
        let d = direction as usize;
        let last = self.next_trial[d].saturating_add(executions);
        self.on_trial[d].is_some_and(|trial| trial == i || self.total[d].executions >= last)
    }

    /// Ends the trial in this direction.
    pub(crate) fn end_trial(&mut self, direction: Direction) {
        let d = direction as usize;
        self.on_trial[d] = None;
        let executions = self.total[d].executions;
        self.next_trial[d] = executions + (executions / 8).max(2);
    }
}
