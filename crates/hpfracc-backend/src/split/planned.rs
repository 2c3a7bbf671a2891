//! The plans that the members of a split have made for their shares.

use super::last_two::LastTwo;
use super::members::{LeftOut, Members};
use super::statistics::{MemberStatistics, Shares};
use crate::{BackendError, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

pub(super) struct Planned<T: Real> {
    pub(super) members: Arc<Members<T>>,
    pub(super) workload: Workload,
    pub(super) statistics: Arc<MemberStatistics>,
    /// Plans of each member, by number of signals.
    plans: Vec<LastTwo<Arc<dyn Plan<T>>>>,
}

impl<T: Real> Planned<T> {
    /// No plans yet. If all members were left out before, they are tried again.
    pub(super) fn new(members: Arc<Members<T>>, workload: Workload) -> Self {
        let statistics = members.statistics(workload);
        let plans = members.backends.iter().map(|_| LastTwo::new()).collect();
        let planned = Self { members, workload, statistics, plans };
        if planned.shares_in_use().iter().all(|&signals| signals == 0) {
            planned.statistics.readmit_all();
        }
        planned
    }

    /// The plan of a member for a number of signals.
    pub(super) fn plan(
        &self,
        member: usize,
        signals: usize,
    ) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let make = || self.members.backends[member].plan(self.workload.with_batch(signals));
        Ok(self.plans[member].get_or(signals, make)?.0)
    }

    pub(super) fn shares_in_use(&self) -> Shares {
        self.statistics.preview(self.workload.batch())
    }

    /// Prepares each member for its share by `each`. A member that fails is left out, and the
    /// others get larger shares.
    pub(super) fn prepare(
        &self,
        each: impl Fn(usize, usize) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let mut last: Option<LeftOut> = None;
        loop {
            let shares = self.shares_in_use();
            let mut failed = false;
            for (member, &signals) in shares.iter().enumerate().filter(|(_, n)| **n > 0) {
                if let Err(error) = each(member, signals) {
                    last = Some(self.members.leave_out(&self.statistics, member, error)?);
                    failed = true;
                }
            }
            if shares.iter().all(|&signals| signals == 0) {
                return Err(self.members.none_left(&self.statistics, last));
            }
            if !failed {
                return Ok(());
            }
        }
    }
}
