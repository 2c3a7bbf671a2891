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
    pub workloads: Vec<WorkloadUse>,
    /// Work with several methods, in the same order.
    pub works: Vec<WorkUse>,
    /// Timers of users, by label.
    pub timers: Vec<TimerUse>,
    /// Total time executed.
    pub executed: Duration,
    /// Time lost to trials of candidates that were not expected to be the fastest.
    pub explored: Duration,
}

/// Executions of one workload in one direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkloadUse {
    /// The sizes.
    pub workload: Workload,
    /// The scalar type.
    pub scalar: Scalar,
    /// Forward or transposed.
    pub direction: Direction,
    /// The candidate preferred now.
    pub preferred: Option<String>,
    /// Number of executions.
    pub executions: u64,
    /// Their total time.
    pub total: Duration,
}

/// Executions of one piece of work with several methods.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkUse {
    /// Name and sizes.
    pub work: Arc<WorkSizes>,
    /// The scalar type.
    pub scalar: Scalar,
    /// The method preferred now.
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
            match &timings.subject {
                Subject::Map(workload) => {
                    let workload = *workload;
                    let usage =
                        WorkloadUse { workload, scalar, direction, preferred, executions, total };
                    self.workloads.push(usage);
                }
                Subject::Work(work) => {
                    let work = Arc::clone(work);
                    self.works.push(WorkUse { work, scalar, preferred, executions, total });
                }
            }
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>10}  {:>9}  {:>9}  work", "executions", "total", "mean")?;
        let line = |f: &mut fmt::Formatter<'_>, n: u64, total: Duration, work: &str| {
            let (total, mean) = (total.as_secs_f64(), total.as_secs_f64() / n.max(1) as f64);
            let (total, mean) = (Seconds(total).to_string(), Seconds(mean).to_string());
            writeln!(f, "{n:>10}  {total:>9}  {mean:>9}  {work}")
        };
        for usage in &self.workloads {
            let transposed = match usage.direction {
                Direction::Forward => "",
                Direction::Transpose => ", transposed",
            };
            let by = usage.preferred.as_deref().unwrap_or("none");
            let work = format!("{} {}{transposed}: {by}", usage.scalar, usage.workload);
            line(f, usage.executions, usage.total, &work)?;
        }
        for usage in &self.works {
            let by = usage.preferred.as_deref().unwrap_or("none");
            let work = format!("{} {}: {by}", usage.scalar, usage.work);
            line(f, usage.executions, usage.total, &work)?;
        }
        for timer in &self.timers {
            line(f, timer.executions, timer.total, &format!("timer: {}", timer.label))?;
        }
        let (executed, explored) = (self.executed.as_secs_f64(), self.explored.as_secs_f64());
        writeln!(f, "{} executed, {} of it lost to trials", Seconds(executed), Seconds(explored))
    }
}
