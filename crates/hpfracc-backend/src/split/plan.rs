use super::map::SplitMap;
use super::recent::Recent;
use super::record::{Record, Shares};
use super::{Left, Members};
use crate::{BackendError, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

pub(super) struct SplitPlan<T: Real>(Arc<Planned<T>>);

pub(super) struct Planned<T: Real> {
    pub(super) members: Arc<Members<T>>,
    pub(super) workload: Workload,
    pub(super) record: Arc<Record>,
    /// For each member, by share.
    plans: Vec<Recent<Arc<dyn Plan<T>>>>,
}

impl<T: Real> SplitPlan<T> {
    pub(super) fn new(members: Arc<Members<T>>, workload: Workload) -> Result<Self, BackendError> {
        let record = members.record(workload);
        let plans = members.backends.iter().map(|_| Recent::new()).collect();
        let planned = Planned { members, workload, record, plans };
        if planned.shares_in_use().iter().all(|&signals| signals == 0) {
            planned.record.ask_all_again();
        }
        planned.prepare(|member, signals| planned.plan(member, signals).map(drop))?;
        Ok(Self(Arc::new(planned)))
    }
}

impl<T: Real> Planned<T> {
    /// A member's plan for so many signals.
    pub(super) fn plan(
        &self,
        member: usize,
        signals: usize,
    ) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let make = || self.members.backends[member].plan(self.workload.with_batch(signals));
        Ok(self.plans[member].get_or(signals, make)?.0)
    }

    fn shares_in_use(&self) -> Shares {
        self.record.preview(self.workload.batch())
    }

    /// Does what each member needs for its share. One that cannot is left out, and the others get
    /// larger shares.
    pub(super) fn prepare(
        &self,
        each: impl Fn(usize, usize) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let mut last: Option<Left> = None;
        loop {
            let shares = self.shares_in_use();
            let mut failed = false;
            for (member, &signals) in shares.iter().enumerate().filter(|(_, n)| **n > 0) {
                if let Err(error) = each(member, signals) {
                    last = Some(self.members.leave_out(&self.record, member, error)?);
                    failed = true;
                }
            }
            if shares.iter().all(|&signals| signals == 0) {
                return Err(self.members.nobody(&self.record, last));
            }
            if !failed {
                return Ok(());
            }
        }
    }
}

impl<T: Real> Plan<T> for SplitPlan<T> {
    fn workload(&self) -> Workload {
        self.0.workload
    }

    fn bytes(&self) -> usize {
        let shares = self.0.shares_in_use();
        let shares = shares.iter().enumerate().filter(|(_, signals)| **signals > 0);
        let plans = shares.filter_map(|(member, &signals)| self.0.plan(member, signals).ok());
        let kernel = self.0.workload.kernel_len() * size_of::<T>();
        kernel + plans.map(|plan| plan.bytes()).sum::<usize>()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.0.workload.check_kernel(kernel)?;
        Ok(Box::new(SplitMap::new(Arc::clone(&self.0), kernel)?))
    }
}
