//! The members of a split, with their statistics by size of signal.

use super::statistics::MemberStatistics;
use crate::{Backend, BackendError, Workload};
use hpfracc_types::Real;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time of a member for a number of signals since an instant.
pub(super) type Stopwatch = fn(member: usize, signals: usize, since: Instant) -> Duration;

pub(super) struct Members<T: Real> {
    pub(super) name: String,
    pub(super) backends: Vec<Arc<dyn Backend<T>>>,
    pub(super) stopwatch: Stopwatch,
    /// By workload of one signal.
    statistics: Mutex<HashMap<Workload, Arc<MemberStatistics>>>,
}

/// Number of sizes from which on those without a plan are removed.
const SIZES: usize = 256;

/// The error for which a member was left out, under the name of the split.
pub(super) struct LeftOut(BackendError);

impl<T: Real> Members<T> {
    pub(super) fn new(backends: Vec<Arc<dyn Backend<T>>>, stopwatch: Stopwatch) -> Self {
        let names: Vec<&str> = backends.iter().map(|backend| backend.name()).collect();
        let name = names.join("+");
        Self { name, backends, stopwatch, statistics: Mutex::default() }
    }

    /// The statistics of this size of signal.
    pub(super) fn statistics(&self, workload: Workload) -> Arc<MemberStatistics> {
        let mut sizes = self.statistics.lock().unwrap_or_else(PoisonError::into_inner);
        if sizes.len() >= SIZES {
            sizes.retain(|_, statistics| Arc::strong_count(statistics) > 1);
        }
        let entry = sizes.entry(workload.with_batch(1));
        let new = || Arc::new(MemberStatistics::new(self.backends.len()));
        Arc::clone(entry.or_insert_with(new))
    }

    /// Leaves a member out because of an error, unless the input is invalid.
    pub(super) fn leave_out(
        &self,
        statistics: &MemberStatistics,
        member: usize,
        error: BackendError,
    ) -> Result<LeftOut, BackendError> {
        if error.is_bad_input() {
            return Err(error);
        }
        statistics.leave_out(member, &error);
        let (split, reason) = (&self.name, statistics.left_out(member).unwrap_or_default());
        match error {
            BackendError::Device { .. } => {
                tracing::warn!(%split, member, reason, "a member failed, the others continue");
            }
            _ => tracing::debug!(%split, member, reason, "a member is left out"),
        }
        Ok(LeftOut(error.named(&self.name)))
    }

    /// The error if no member is left: the last one, or, if other calls left all of them out, the
    /// reasons.
    pub(super) fn none_left(
        &self,
        statistics: &MemberStatistics,
        last: Option<LeftOut>,
    ) -> BackendError {
        let reasons = || {
            let each = (0..self.backends.len()).filter_map(|member| statistics.left_out(member));
            each.collect::<Vec<_>>().join("; ")
        };
        match last {
            Some(LeftOut(error)) => error,
            None => BackendError::Device { backend: self.name.clone(), source: reasons().into() },
        }
    }
}
