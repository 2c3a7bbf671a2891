use super::format::Seconds;
use crate::experience::Experience;
use crate::experience::candidate_list::CandidateList;
use crate::experience::statistics::Statistics;
use crate::experience::tally::Counted;
use crate::experience::timings::Timings;
use crate::task::{Scalar, Subject, WorkSizes};
use hpfracc_backend::{Direction, Workload};
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
            let statistics = self.look(&timings);
            match &timings.subject {
                Subject::Map(workload) => {
                    summary.workloads.extend(uses(workload, &timings, &statistics));
                }
                Subject::Work(work) => summary.works.extend(uses(work, &timings, &statistics)),
            }
        }
        summary.workloads.sort_by_key(|usage| Reverse(usage.total));
        summary.works.sort_by_key(|usage| Reverse(usage.total));
        let timers = self.timers.totals().into_iter();
        summary.timers = timers
            .map(|(label, executions, total)| TimerUse { label, executions, total })
            .collect();
        (summary.executed, summary.explored) = self.exploration_paid();
        summary
    }
}

/// The executions of a subject in each direction that was used.
fn uses<S: Clone>(
    subject: &S,
    timings: &Timings,
    statistics: &Statistics,
) -> impl Iterator<Item = SubjectUse<S>> {
    let CandidateList { members, scalar } = &*timings.list;
    Direction::BOTH.into_iter().filter_map(move |direction| {
        let Counted { executions, nanos } = statistics.total[direction as usize];
        let preferred = statistics.preferred[direction as usize];
        (executions > 0).then(|| SubjectUse {
            subject: subject.clone(),
            scalar: *scalar,
            direction,
            preferred: preferred.map(|i| members[i].name.clone()),
            executions,
            total: Duration::from_nanos(nanos),
        })
    })
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
