use super::format::Seconds;
use crate::choice::selector::Selector;
use crate::experience::candidate_list::{CandidateList, CandidateSet};
use crate::experience::statistics::Statistics;
use crate::experience::timings::Timings;
use crate::task::{Scalar, Stage, Subject, Task, Usage};
use hpfracc_backend::{BackendError, Direction};
use hpfracc_types::Real;
use serde::Serialize;
use std::fmt;

/// Expected time of a candidate for a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// The candidate's name.
    pub candidate: String,
    /// Expected seconds.
    pub seconds: f64,
    /// Lower bound of the seconds, with a probability of 95 %.
    pub low: f64,
    /// Upper bound of the seconds, with a probability of 95 %.
    pub high: f64,
    /// Origin of the expectation.
    pub source: Source,
}

/// Origin of an expected time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Executions of exactly this workload.
    Timed,
    /// The model fitted to executions of other sizes.
    Model,
    /// The prior: nothing was timed yet.
    Prior,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Timed => "timed",
            Self::Model => "model",
            Self::Prior => "prior",
        })
    }
}

/// What an [`Explanation`] is about: a task of a backend, or a piece of work with several methods.
pub type ExplainedTask = Subject<Task>;

/// The candidate that a task goes to, and why; as text, a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The task.
    pub task: ExplainedTask,
    /// The scalar type.
    pub scalar: Scalar,
    /// The candidate that the task goes to; none if no candidate can do it.
    pub chosen: Option<String>,
    /// Executions of the workload so far.
    pub executions: u64,
    /// One row for each candidate, the fastest first, those left out last.
    pub rows: Vec<Row>,
}

/// A candidate in an [`Explanation`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its expected time.
    pub prediction: Prediction,
    /// Where it computes.
    pub place: String,
    /// Number of executions of this task by this candidate.
    pub samples: u64,
    /// Bytes of a bound map, if the candidate was planned.
    pub bytes: Option<usize>,
    /// Why it is chosen or not.
    pub reason: String,
}

impl<T: Real> Selector<T> {
    /// Expected times for a task, in the order of the candidates, without those that have no
    /// algorithm for it. Nothing is planned or run.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn predict(&self, task: impl Into<Task>) -> Result<Vec<Prediction>, BackendError> {
        let task = task.into();
        task.workload.check()?;
        let timings = self.timings(task.workload);
        let mut statistics = self.experience.look(&timings);
        statistics.update_forecasts();
        let question = Question::new(&timings, &statistics, (task.direction, task.usage));
        let able = self.list.all().without(statistics.unsupported());
        Ok(able.iter().map(|i| question.prediction(i)).collect())
    }

    /// The candidate that a task would go to now, and why. All candidates that have an algorithm
    /// for it are planned.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn explain(&self, task: impl Into<Task>) -> Result<Explanation, BackendError> {
        let task = task.into();
        task.workload.check()?;
        let plans = self.plans(task.workload);
        let bytes: Vec<Result<Option<usize>, String>> = (0..self.list.members.len())
            .map(|i| {
                let reason = || plans.look().left_out[i].as_ref().map(|(_, reason)| reason.clone());
                if !self.list.members[i].may_take(task.workload) {
                    return Err(reason().unwrap_or_default());
                }
                let plan = plans.plan(i).map(|plan| Some(plan.bytes()));
                plan.map_err(|error| reason().unwrap_or_else(|| error.with_causes()))
            })
            .collect();
        let mut statistics = plans.look();
        statistics.update_forecasts();
        let question = Question::new(&plans.timings, &statistics, (task.direction, task.usage));
        let awake = self.list.awake(self.experience.now());
        let sets = (plans.able(), awake);
        Ok(question.explanation(ExplainedTask::Map(task), sets, |i| bytes[i].clone()))
    }
}

/// A question about the candidates for one workload or piece of work.
pub(crate) struct Question<'a> {
    list: &'a CandidateList,
    statistics: &'a Statistics,
    direction: Direction,
    usage: Usage,
}

impl<'a> Question<'a> {
    pub(crate) fn new(
        timings: &'a Timings,
        statistics: &'a Statistics,
        (direction, usage): (Direction, Usage),
    ) -> Self {
        Self { list: &timings.list, statistics, direction, usage }
    }

    fn cost(&self, i: usize) -> f64 {
        self.statistics.cost(i, self.direction, self.usage)
    }

    /// The candidate that the task goes to.
    fn chosen(&self, able: CandidateSet, awake: CandidateSet) -> Option<usize> {
        let usable = able.and(awake).or_if_empty(able);
        match self.usage {
            Usage::Repeated => self.statistics.best(self.list, self.direction, usable),
            Usage::Once => self.list.fastest(usable, |i| self.cost(i)),
        }
    }

    /// The explanation, by the sets of candidates able and awake. `bytes` gives the bytes of a plan
    /// or the reason why there is none.
    pub(crate) fn explanation(
        &self,
        task: ExplainedTask,
        (able, awake): (CandidateSet, CandidateSet),
        bytes: impl Fn(usize) -> Result<Option<usize>, String>,
    ) -> Explanation {
        let members = &self.list.members;
        let chosen = self.chosen(able, awake);
        let best = chosen.map_or(1.0, |i| self.cost(i));
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |i: usize| (Some(i) != chosen, !able.has(i));
            key(a).cmp(&key(b)).then(self.cost(a).total_cmp(&self.cost(b)))
        });
        let row = |i: usize| {
            let (bytes, ratio) = (bytes(i), self.cost(i) / best);
            let reason = match &bytes {
                Err(reason) => format!("left out: {reason}"),
                Ok(_) if Some(i) == chosen => "chosen".to_owned(),
                Ok(_) if !awake.has(i) => "its device failed and rests".to_owned(),
                Ok(_) if members[i].is_software() => "a software adapter".to_owned(),
                Ok(_) if ratio < 1.03 => "as fast, within 3 %".to_owned(),
                Ok(_) => format!("{ratio:.2} times the time of the one chosen"),
            };
            Row {
                prediction: self.prediction(i),
                place: members[i].place.to_string(),
                samples: self.statistics.samples(i, Stage::of(self.direction)),
                bytes: bytes.ok().flatten(),
                reason,
            }
        };
        Explanation {
            task,
            scalar: self.list.scalar,
            chosen: chosen.map(|i| members[i].name.clone()),
            executions: self.statistics.executions(),
            rows: order.into_iter().map(row).collect(),
        }
    }

    fn prediction(&self, i: usize) -> Prediction {
        let apply = Stage::of(self.direction);
        let stages = match self.usage {
            Usage::Once => vec![Stage::Plan, Stage::Bind, apply],
            Usage::Repeated => vec![apply],
        };
        // The errors of the stages are correlated, because they come from one machine.
        let sum = |sigmas: f64| -> f64 {
            let of = |&stage: &Stage| {
                let forecast = self.statistics.expect(i, stage);
                (forecast.log + sigmas * forecast.deviation).exp()
            };
            stages.iter().map(of).sum()
        };
        let source = match () {
            () if self.statistics.samples(i, apply) > 0 => Source::Timed,
            () if self.statistics.expect(i, apply).fitted => Source::Model,
            () => Source::Prior,
        };
        Prediction {
            candidate: self.list.members[i].name.clone(),
            seconds: sum(0.0),
            low: sum(-1.645),
            high: sum(1.645),
            source,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {}: {} executions so far", self.scalar, self.task, self.executions)?;
        let names = self.rows.iter().map(|row| row.prediction.candidate.len());
        let width = names.max().unwrap_or(0).max(9);
        writeln!(
            f,
            "{:width$}  {:>9}  {:>19}  {:>8}  {:6}  reason",
            "candidate", "expected", "90 % of cases", "samples", "from"
        )?;
        for row in &self.rows {
            let p = &row.prediction;
            let range = format!("{} - {}", Seconds(p.low), Seconds(p.high));
            writeln!(
                f,
                "{:width$}  {:>9}  {range:>19}  {:>8}  {:6}  {}",
                p.candidate,
                Seconds(p.seconds).to_string(),
                row.samples,
                p.source,
                row.reason
            )?;
        }
        Ok(())
    }
}
