use super::renewable::Renewable;
use crate::candidate::Place;
use crate::experience::Experience;
use crate::experience::candidate_list::{CandidateList, CandidateSet};
use crate::experience::events::Occurrence;
use crate::experience::learning::StatisticsGuard;
use crate::experience::timings::Timings;
use crate::memory_limits::{check, slices};
use crate::settings::Effort;
use crate::task::Stage;
use hpfracc_backend::{Backend, BackendError, Direction, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The plans of all candidates for one workload, each made when it is first used.
pub(crate) struct CandidatePlans<T> {
    pub(crate) experience: Arc<Experience>,
    pub(crate) timings: Arc<Timings>,
    pub(crate) workload: Workload,
    backends: Arc<[Arc<dyn Backend<T>>]>,
    plans: Vec<Renewable<Option<Arc<dyn Plan<T>>>>>,
    /// Sets of the candidates planned, and of those left out.
    planned: AtomicU64,
    left_out: AtomicU64,
}

impl<T: Real> CandidatePlans<T> {
    pub(crate) fn new(
        experience: Arc<Experience>,
        (workload, timings): (Workload, Arc<Timings>),
        backends: Arc<[Arc<dyn Backend<T>>]>,
    ) -> Self {
        let plans = backends.iter().map(|_| Renewable::default()).collect();
        // A candidate without an algorithm stays left out; one that lacked memory is planned again.
        // If no candidate has an algorithm, all are planned for their own error messages.
        let unsupported = experience.look(&timings).unsupported();
        let all = unsupported == timings.list.all();
        let unsupported = if all { CandidateSet::default() } else { unsupported };
        Self {
            experience,
            timings,
            workload,
            backends,
            plans,
            planned: AtomicU64::new(0),
            left_out: AtomicU64::new(unsupported.0),
        }
    }

    pub(crate) fn list(&self) -> &CandidateList {
        &self.timings.list
    }

    /// The statistics of the workload.
    pub(crate) fn look(&self) -> StatisticsGuard<'_> {
        self.experience.look(&self.timings)
    }

    pub(crate) fn planned(&self) -> CandidateSet {
        CandidateSet(self.planned.load(Relaxed))
    }

    /// Candidates that are not left out.
    pub(crate) fn able(&self) -> CandidateSet {
        self.list().all().without(CandidateSet(self.left_out.load(Relaxed)))
    }

    /// Candidates of this set whose devices may run now, or all of them if all devices rest.
    pub(crate) fn awake(&self, of: CandidateSet) -> CandidateSet {
        of.and(self.list().awake(self.experience.now())).or_if_empty(of)
    }

    /// The candidate of this set that a new map is bound to: the fastest for the mean number of
    /// applications so far. With [`Effort::WisdomOnly`] the fastest per application, because the
    /// map does not move to another one.
    pub(crate) fn first_choice(&self, of: CandidateSet) -> Option<usize> {
        let (statistics, planned) = (self.look(), self.planned());
        if self.is_fixed() {
            return statistics.best(self.list(), Direction::Forward, of);
        }
        let uses = statistics.applications();
        let cost =
            |i| statistics.outlay(i, planned.has(i)) + uses * statistics.seconds(i, Stage::Forward);
        self.list().fastest(of, cost)
    }

    /// Whether the choice of a bound map is made once.
    pub(crate) fn is_fixed(&self) -> bool {
        self.experience.settings().effort == Effort::WisdomOnly
    }

    /// Plans the candidate of least expected cost that can be planned.
    ///
    /// # Errors
    /// That of the candidates, if none can be planned.
    pub(crate) fn plan_any(&self) -> Result<(), BackendError> {
        let (mut refused, mut tried) = (Vec::new(), CandidateSet::default());
        self.look().catch_up();
        loop {
            let of = self.awake(self.able()).without(tried);
            let Some(i) = self.first_choice(of) else {
                return Err(none_left(self.workload, refused));
            };
            tried = tried.with(i);
            match self.plan(i) {
                Ok(_) => return Ok(()),
                Err(error) if error.is_bad_input() => return Err(error),
                Err(error) => refused.push(error),
            }
        }
    }

    /// The plan of a candidate.
    ///
    /// # Errors
    /// The error of the candidate, the first time; afterwards that it is left out.
    pub(crate) fn plan(&self, i: usize) -> Result<&Arc<dyn Plan<T>>, BackendError> {
        let (plan, error) = self.plans[i].get_or_make(|| {
            self.make(i).inspect_err(|_| {
                self.left_out.fetch_or(1 << i, Relaxed);
            })
        });
        // A device is planned on again after its rest.
        if matches!(error, Some(BackendError::Device { .. })) && self.plans[i].renew() {
            self.left_out.fetch_and(!(1 << i), Relaxed);
        }
        plan.ok_or_else(|| {
            let name = &self.list().members[i].name;
            let left_out =
                || BackendError::unsupported(name, self.workload, "it was left out before");
            error.unwrap_or_else(left_out)
        })
    }

    /// Discards the plan of a candidate whose device failed; it is made again when next used.
    pub(crate) fn renew(&self, i: usize) {
        self.plans[i].renew();
        self.planned.fetch_and(!(1 << i), Relaxed);
    }

    fn make(&self, i: usize) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let (experience, workload) = (&self.experience, self.workload);
        let member = &self.list().members[i];
        let start = experience.now();
        let limit = experience.settings().memory_limits.at(&member.place);
        let fits = |needed: usize| check(&member.name, workload, needed, limit);
        // Every map stores its kernel in some form, and on the host the slices of the caller count
        // too: if these alone are too large, planning would take the memory in vain.
        let (least, beside) = match member.place {
            Place::Device { .. } => (workload.kernel_len().saturating_mul(size_of::<T>()), 0),
            Place::Host | Place::Threads(_) => (slices::<T>(workload), slices::<T>(workload)),
        };
        let plan = fits(least)
            .and_then(|()| self.backends[i].plan(workload))
            .and_then(|plan| fits(plan.bytes().saturating_add(beside)).map(|()| plan));
        let nanos = experience.since(start);
        match &plan {
            Ok(_) => {
                self.planned.fetch_or(1 << i, Relaxed);
                self.look().left_out[i] = None;
                if experience.settings().learns() {
                    experience.record_once(&self.timings, Stage::Plan, i, nanos);
                }
            }
            Err(error) => {
                let unsupported = matches!(error, BackendError::Unsupported { .. });
                let mut statistics = self.look();
                let reason = error.with_causes();
                if matches!(error, BackendError::Device { .. }) {
                    let rest = member.health.fail(experience.now());
                    statistics.report(i, Occurrence::Failed { error: reason, rest });
                    return plan;
                }
                let known = statistics.left_out[i].as_ref();
                if known.is_none_or(|(_, known)| *known != reason) && !unsupported {
                    statistics.report(i, Occurrence::LeftOut { reason: reason.clone() });
                }
                statistics.left_out[i] = Some((unsupported, reason));
            }
        }
        plan
    }

    /// Bytes of the largest plan made so far, with the copy of the kernel.
    pub(crate) fn bytes(&self) -> usize {
        let plans = self.plans.iter().filter_map(|plan| plan.latest().get()?.as_ref());
        let largest = plans.map(|plan| plan.bytes()).max().unwrap_or(0);
        let kernel = self.workload.kernel_len() * size_of::<T>();
        largest + if self.keeps_kernel() { kernel } else { 0 }
    }

    /// Whether maps store their kernel: there may be another candidate to move to.
    pub(crate) fn keeps_kernel(&self) -> bool {
        self.able().0.count_ones() > 1
    }
}

/// The error if no candidate can be planned: that of least memory, else that no candidate has an
/// algorithm, else that of the last device that failed.
fn none_left(workload: Workload, mut refused: Vec<BackendError>) -> BackendError {
    if refused.len() == 1 {
        return refused.remove(0);
    }
    let memory = refused.iter().filter_map(|error| match error {
        BackendError::Memory { needed, .. } => Some(*needed),
        _ => None,
    });
    let least = memory.min();
    let wanted = |error: &BackendError| match error {
        BackendError::Memory { needed, .. } => Some(*needed) == least,
        BackendError::Device { .. } => least.is_none(),
        _ => false,
    };
    let found = refused.into_iter().rev().find(wanted);
    found.unwrap_or_else(|| {
        BackendError::unsupported("selector", workload, "no candidate has an algorithm for it")
    })
}
