use crate::roster::Set;
use crate::selector::Selector;
use crate::state::State;
use crate::task::{Scalar, Stage, Task, Usage};
use hpfracc_backend::BackendError;
use hpfracc_types::Real;
use serde::Serialize;
use std::error::Error;
use std::fmt;

/// What a candidate is expected to take for a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// The candidate's name.
    pub candidate: String,
    /// Expected seconds.
    pub seconds: f64,
    /// Seconds that it takes at least, with a probability of 95 %.
    pub low: f64,
    /// Seconds that it takes at most, with a probability of 95 %.
    pub high: f64,
    /// What the expectation rests on.
    pub source: Source,
}

/// What an expectation rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Executions of this very workload.
    Timed,
    /// The model fitted to executions of others of its kind.
    Model,
    /// What is expected of a machine never seen.
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

/// Why a task goes to the candidate that it goes to; as text, a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The task asked about.
    pub task: Task,
    /// The scalar type.
    pub scalar: Scalar,
    /// The candidate that it goes to; none if no one can take it.
    pub chosen: Option<String>,
    /// Executions of the workload so far.
    pub executions: u64,
    /// One row for each candidate, the quickest first, those left out last.
    pub rows: Vec<Row>,
}

/// A candidate in an [`Explanation`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is expected to take.
    pub prediction: Prediction,
    /// Where it computes.
    pub place: String,
    /// Executions of this workload in this direction by this candidate.
    pub samples: u64,
    /// Bytes of a bound map, if it was planned.
    pub bytes: Option<usize>,
    /// Why it is chosen, or not.
    pub reason: String,
}

impl<T: Real> Selector<T> {
    /// Expected times for a task, in the order of the candidates, without those known to have no
    /// algorithm for it. Nothing is planned or run.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn predict(&self, task: impl Into<Task>) -> Result<Vec<Prediction>, BackendError> {
        let task = task.into();
        task.workload.check()?;
        let site = self.site(task.workload);
        let mut state = site.look();
        state.ask_models();
        let able = self.roster.all().without(state.unsupported());
        Ok(able.iter().map(|i| self.prediction(&state, i, task)).collect())
    }

    /// Where a task would go now, and why. All candidates that could take it are planned.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn explain(&self, task: impl Into<Task>) -> Result<Explanation, BackendError> {
        let task = task.into();
        task.workload.check()?;
        let choices = self.choices(task.workload);
        let members = &self.roster.members;
        let reason =
            |i: usize| choices.site.look().out[i].as_ref().map(|(_, reason)| reason.clone());
        let bytes: Vec<Result<usize, String>> = (0..members.len())
            .map(|i| {
                if !members[i].may_take(task.workload) {
                    return Err(reason(i).unwrap_or_default());
                }
                let plan = choices.plan(i).map(|plan| plan.bytes());
                plan.map_err(|error| reason(i).unwrap_or_else(|| with_causes(&error)))
            })
            .collect();
        let awake = self.roster.awake(self.roster.experience.now());
        let mut state = choices.site.look();
        state.ask_models();
        let able = choices.able();
        let usable = Set(able.0 & awake.0);
        let usable = if usable.is_empty() { able } else { usable };
        let quickest = state.quickest(usable, |i| state.cost(i, task));
        let preferred = state.preferred[task.direction as usize].filter(|&i| usable.has(i));
        let chosen = match task.usage {
            Usage::Repeated => preferred.or(quickest),
            Usage::Once => quickest,
        };
        let best = chosen.map_or(1.0, |i| state.cost(i, task));
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |i: usize| (Some(i) != chosen, !able.has(i), state.cost(i, task));
            let ((a1, a2, a3), (b1, b2, b3)) = (key(a), key(b));
            (a1, a2).cmp(&(b1, b2)).then(a3.total_cmp(&b3))
        });
        let row = |i: usize| {
            let ratio = state.cost(i, task) / best;
            let reason = match &bytes[i] {
                Err(reason) => format!("left out: {reason}"),
                Ok(_) if Some(i) == chosen => "chosen".to_owned(),
                Ok(_) if !awake.has(i) => "its device failed and rests".to_owned(),
                Ok(_) if members[i].is_software() => "a processor plays the device".to_owned(),
                Ok(_) if ratio < 1.03 => "as quick, within 3 %".to_owned(),
                Ok(_) => format!("{ratio:.2} times the time of the one chosen"),
            };
            Row {
                prediction: self.prediction(&state, i, task),
                place: members[i].place.to_string(),
                samples: state.samples(i, task.direction.stage()),
                bytes: bytes[i].as_ref().ok().copied(),
                reason,
            }
        };
        Ok(Explanation {
            task,
            scalar: self.roster.scalar,
            chosen: chosen.map(|i| members[i].name.clone()),
            executions: state.executions(),
            rows: order.into_iter().map(row).collect(),
        })
    }

    fn prediction(&self, state: &State, i: usize, task: Task) -> Prediction {
        let stages = match task.usage {
            Usage::Once => vec![Stage::Plan, Stage::Bind, task.direction.stage()],
            Usage::Repeated => vec![task.direction.stage()],
        };
        let apply = state.expect(i, task.direction.stage());
        // Errors of the stages add up in the worst way: they come from one machine.
        let sum = |sigmas: f64| -> f64 {
            let of = |&stage: &Stage| {
                let forecast = state.expect(i, stage);
                (forecast.log + sigmas * forecast.deviation).exp()
            };
            stages.iter().map(of).sum()
        };
        let source = match () {
            () if state.samples(i, task.direction.stage()) > 0 => Source::Timed,
            () if apply.fitted => Source::Model,
            () => Source::Prior,
        };
        Prediction {
            candidate: self.roster.members[i].name.clone(),
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

/// Seconds in the unit that reads best.
pub(crate) struct Seconds(pub(crate) f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            s if s < 1e-6 => write!(f, "{:.0} ns", s * 1e9),
            s if s < 1e-3 => write!(f, "{:.1} us", s * 1e6),
            s if s < 1.0 => write!(f, "{:.1} ms", s * 1e3),
            s => write!(f, "{s:.1} s"),
        }
    }
}

/// An error with its causes, on one line.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
