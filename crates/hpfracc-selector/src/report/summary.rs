use super::format::Seconds;
use crate::experience::Experience;
use crate::experience::statistics::Statistics;
use crate::experience::timings::Timings;
use crate::task::{Direction, Scalar, Subject, WorkSizes};
use hpfracc_backend::Workload;
use serde::Serialize;
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Executions so far: by workload, by work with several methods, and by the timers of users.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Workloads, sorted by their total time, the longest first: of each selector those in use and
    /// the some thousand used most recently.
    pub workloads: Vec<SubjectUse<Workload>>,
    /// Work with several methods, in the same order.
    pub works: Vec<SubjectUse<Arc<WorkSizes>>>,
    /// Timers of users, by label.
    pub timers: Vec<TimerUse>,
    /// Total time executed.
    pub executed: Duration,
    /// Time lost to trials of candidates that were not expected to be the fastest.
    pub explored: Duration,
}

/// Executions of one subject, a workload or a piece of work, in one direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubjectUse<S> {
    /// The workload, or the name and sizes of the work.
    pub subject: S,
    /// The scalar type.
    pub scalar: Scalar,
    /// Forward or transposed.
    pub direction: Direction,
    /// The candidate or method preferred now.
    pub preferred: Option<String>,
    /// Number of executions.
    pub executions: u64,
    /// Their total time.
    pub total: Duration,
}

/// Runs of a timer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimerUse {
    /// The timer's label.
    pub label: String,
    /// Number of runs.
    pub executions: u64,
    /// Their total time.
    pub total: Duration,
}

impl Experience {
    /// Executions so far.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for timings in self.all_timings() {
            summary.add(&timings, &self.look(&timings));
        }
        summary.workloads.sort_by_key(|usage| Reverse(usage.total));
        summary.works.sort_by_key(|usage| Reverse(usage.total));
        let timers = self.timer_totals().into_iter();
        summary.timers = timers
            .map(|(label, executions, total)| TimerUse { label, executions, total })
            .collect();
        (summary.executed, summary.explored) = self.exploration_paid();
        summary
    }
}

impl Summary {
    fn add(&mut self, timings: &Timings, statistics: &Statistics) {
        let scalar = timings.list.scalar;
        for direction in Direction::BOTH {
            let counted = statistics.total[direction as usize];
            let (executions, total) = (counted.executions, Duration::from_nanos(counted.nanos));
            if executions == 0 {
                continue;
            }
            let preferred = statistics.preferred[direction as usize];
            let preferred = preferred.map(|i| timings.list.members[i].name.clone());
            let usage = SubjectUse { subject: (), scalar, direction, preferred, executions, total };
            match &timings.subject {
                Subject::Map(workload) => self.workloads.push(usage.of(*workload)),
                Subject::Work(work) => self.works.push(usage.of(Arc::clone(work))),
            }
        }
    }
}

impl SubjectUse<()> {
    fn of<S>(self, subject: S) -> SubjectUse<S> {
        let Self { scalar, direction, preferred, executions, total, .. } = self;
        SubjectUse { subject, scalar, direction, preferred, executions, total }
    }
}

impl<S: fmt::Display> SubjectUse<S> {
    fn line(&self) -> (u64, Duration, String) {
        let transposed = if self.direction == Direction::Forward { "" } else { ", transposed" };
        let by = self.preferred.as_deref().unwrap_or("none");
        let work = format!("{} {}{transposed}: {by}", self.scalar, self.subject);
        (self.executions, self.total, work)
    }
}

impl TimerUse {
    fn line(&self) -> (u64, Duration, String) {
        (self.executions, self.total, format!("timer: {}", self.label))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>10}  {:>9}  {:>9}  work", "executions", "total", "mean")?;
        let subjects = self.workloads.iter().map(SubjectUse::line);
        let lines = subjects.chain(self.works.iter().map(SubjectUse::line));
        for (n, total, work) in lines.chain(self.timers.iter().map(TimerUse::line)) {
            let (total, mean) = (total.as_secs_f64(), total.as_secs_f64() / n.max(1) as f64);
            let (total, mean) = (Seconds(total).to_string(), Seconds(mean).to_string());
            writeln!(f, "{n:>10}  {total:>9}  {mean:>9}  {work}")?;
        }
        let (executed, explored) = (self.executed.as_secs_f64(), self.explored.as_secs_f64());
        writeln!(f, "{} executed, {} of it lost to trials", Seconds(executed), Seconds(explored))
    }
}
