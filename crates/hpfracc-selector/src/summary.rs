use crate::experience::Experience;
use crate::explain::Seconds;
use crate::task::{Direction, Scalar};
use hpfracc_backend::Workload;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// What was executed: by workload, and users' own timers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Workloads, those that took most time first: of each selector those in use and some thousand that were
    /// planned last.
    pub workloads: Vec<WorkloadUse>,
    /// Users' own code, by label.
    pub timers: Vec<TimerUse>,
    /// Time executed, in all.
    pub executed: Duration,
    /// Time lost to trials of candidates that were not expected to win.
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
    /// Executions.
    pub executions: u64,
    /// Their time.
    pub total: Duration,
}

/// Time of users' own code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimerUse {
    /// The timer's label.
    pub label: String,
    /// How often it ran.
    pub executions: u64,
    /// Its time.
    pub total: Duration,
}

impl Experience {
    /// What was executed so far.
    pub fn summary(&self) -> Summary {
        let mut workloads = Vec::new();
        for site in self.sites() {
            let state = site.look();
            for direction in Direction::BOTH {
                let total = state.total[direction as usize];
                if total.executions > 0 {
                    let preferred = state.preferred[direction as usize];
                    workloads.push(WorkloadUse {
                        workload: site.workload,
                        scalar: site.roster.scalar,
                        direction,
                        preferred: preferred.map(|i| site.roster.members[i].name.clone()),
                        executions: total.executions,
                        total: Duration::from_nanos(total.nanos),
                    });
                }
            }
        }
        workloads.sort_by_key(|usage| std::cmp::Reverse(usage.total));
        let timers = self.timers.totals().into_iter();
        let timers = timers
            .map(|(label, executions, total)| TimerUse { label, executions, total })
            .collect();
        let (executed, explored) = self.exploration_paid();
        Summary { workloads, timers, executed, explored }
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
        for timer in &self.timers {
            line(f, timer.executions, timer.total, &format!("timer: {}", timer.label))?;
        }
        let (executed, explored) = (self.executed.as_secs_f64(), self.explored.as_secs_f64());
        writeln!(f, "{} executed, {} of it lost to trials", Seconds(executed), Seconds(explored))
    }
}
