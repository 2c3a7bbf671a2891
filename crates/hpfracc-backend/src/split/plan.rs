//! The plan of a split.

use super::map::SplitMap;
use super::members::Members;
use super::planned::Planned;
use crate::{BackendError, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

pub(super) struct SplitPlan<T: Real>(Arc<Planned<T>>);

impl<T: Real> SplitPlan<T> {
    pub(super) fn new(members: Arc<Members<T>>, workload: Workload) -> Result<Self, BackendError> {
        let planned = Planned::new(members, workload);
        planned.prepare(|member, signals| planned.plan(member, signals).map(drop))?;
        Ok(Self(Arc::new(planned)))
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
