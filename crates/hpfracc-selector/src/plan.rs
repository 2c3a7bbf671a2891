use crate::history::Occurrence;
use crate::renewed::Renewed;
use crate::roster::Set;
use crate::site::Site;
use crate::task::Stage;
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The candidates' plans for one workload, each made when it is first wanted.
pub(crate) struct Choices<T> {
    pub(crate) site: Arc<Site>,
    backends: Arc<[Arc<dyn Backend<T>>]>,
    plans: Vec<Renewed<Option<Arc<dyn Plan<T>>>>>,
    /// Candidates planned, and those that cannot be.
    planned: AtomicU64,
    out: AtomicU64,
}

impl<T: Real> Choices<T> {
    pub(crate) fn new(site: Arc<Site>, backends: Arc<[Arc<dyn Backend<T>>]>) -> Self {
        let plans = backends.iter().map(|_| Renewed::default()).collect();
        // What has no algorithm for a workload never will; what lacked memory may have it now. If
        // none has, they are asked all the same, for the error in their own words.
        let unsupported = site.look().unsupported();
        let unsupported =
            if unsupported == site.roster.all() { Set::default() } else { unsupported };
        Self {
            site,
            backends,
            plans,
            planned: AtomicU64::new(0),
            out: AtomicU64::new(unsupported.0),
        }
    }

    pub(crate) fn planned(&self) -> Set {
        Set(self.planned.load(Relaxed))
    }

    /// Those that can take the workload, as far as is known.
    pub(crate) fn able(&self) -> Set {
        self.site.roster.all().without(Set(self.out.load(Relaxed)))
    }

    /// Plans one of the candidates, so that the workload is known to be possible.
    pub(crate) fn first(&self) -> Result<(), BackendError> {
        let experience = &self.site.roster.experience;
        let (mut refused, mut tried) = (Vec::new(), Set::default());
        self.site.look().catch_up();
        loop {
            let able = self.able();
            let awake = Set(able.0 & self.site.roster.awake(experience.now()).0);
            let of = if awake.is_empty() { able } else { awake }.without(tried);
            let state = self.site.look();
            let uses = state.applications();
            let cost =
                |i| state.outlay(i, false) + uses * state.expect(i, Stage::Forward).log.exp();
            let Some(i) = state.quickest(of, cost) else {
                return Err(none_left(self.site.workload, refused));
            };
            drop(state);
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
    /// What the candidate said, the first time; afterwards that it is left out.
    pub(crate) fn plan(&self, i: usize) -> Result<&Arc<dyn Plan<T>>, BackendError> {
        let mut error = None;
        let plan = self.plans[i].latest().get_or_init(|| match self.make(i) {
            Ok(plan) => Some(plan),
            Err(refusal) => {
                self.out.fetch_or(1 << i, Relaxed);
                error = Some(refusal);
                None
            }
        });
        // A device is asked again when it has rested.
        if matches!(error, Some(BackendError::Device { .. })) && self.plans[i].renew() {
            self.out.fetch_and(!(1 << i), Relaxed);
        }
        plan.as_ref().ok_or_else(|| error.unwrap_or_else(|| self.left_out(i)))
    }

    /// Makes the plan of a candidate anew when it is next wanted: its device has failed.
    pub(crate) fn renew(&self, i: usize) {
        self.plans[i].renew();
        self.planned.fetch_and(!(1 << i), Relaxed);
    }

    fn left_out(&self, i: usize) -> BackendError {
        BackendError::Unsupported {
            backend: self.site.roster.members[i].name.clone(),
            workload: self.site.workload,
            reason: "it was left out before",
        }
    }

    fn make(&self, i: usize) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let (roster, workload) = (&self.site.roster, self.site.workload);
        let start = roster.experience.now();
        let limit = roster.memory_limit(i);
        let fits = |needed: usize| match limit {
            Some(limit) if needed as u64 > limit => Err(BackendError::Memory {
                backend: roster.members[i].name.clone(),
                workload,
                needed,
                limit: usize::try_from(limit).unwrap_or(usize::MAX),
            }),
            _ => Ok(()),
        };
        // Every map keeps its kernel in some form: what that alone rules out is not planned, which
        // would take the memory.
        let kernel = workload.kernel_len().saturating_mul(size_of::<T>());
        let plan = fits(kernel)
            .and_then(|()| self.backends[i].plan(workload))
            .and_then(|plan| fits(plan.bytes()).map(|()| plan));
        let nanos = roster.experience.since(start);
        match &plan {
            Ok(_) => {
                self.planned.fetch_or(1 << i, Relaxed);
                self.site.look().out[i] = None;
                if roster.experience.settings().learns() {
                    self.site.record_once(Stage::Plan, i, nanos);
                }
            }
            Err(error) => {
                let unsupported = matches!(error, BackendError::Unsupported { .. });
                let mut state = self.site.look();
                let reason = crate::explain::with_causes(error);
                if matches!(error, BackendError::Device { .. }) {
                    let rest = roster.members[i].health.fail(roster.experience.now());
                    state.tell(i, Occurrence::Failed { error: reason, rest });
                    return plan;
                }
                if state.out[i].as_ref().is_none_or(|(_, known)| *known != reason) && !unsupported {
                    state.tell(i, Occurrence::LeftOut { reason: reason.clone() });
                }
                state.out[i] = Some((unsupported, reason));
            }
        }
        plan
    }

    pub(crate) fn bytes(&self) -> usize {
        let plans = self.plans.iter().filter_map(|plan| plan.latest().get()?.as_ref());
        let largest = plans.map(|plan| plan.bytes()).max().unwrap_or(0);
        largest + if self.keeps_kernel() { self.kernel_bytes() } else { 0 }
    }

    /// Whether there may be another candidate to move to.
    pub(crate) fn keeps_kernel(&self) -> bool {
        self.able().0.count_ones() > 1
    }

    fn kernel_bytes(&self) -> usize {
        self.site.workload.kernel_len() * size_of::<T>()
    }
}

/// Why no candidate takes a workload: the least memory that would do, else that none has an
/// algorithm, else the last device that failed.
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
    found.unwrap_or_else(|| BackendError::Unsupported {
        backend: "selector".to_owned(),
        workload,
        reason: "no candidate has an algorithm for it",
    })
}
