mod map;
mod plan;
mod recent;
mod record;
mod shares;
mod speed;
#[cfg(test)]
mod tests;

use crate::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use plan::SplitPlan;
use record::Record;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Several backends as one: each batch is split across them by measured speed, and they compute at
/// the same time. Several GPUs, or a GPU and the CPU.
///
/// Its name is those of its members, joined by `+`.
///
/// **Shares.** A batch is cut into contiguous shares that should end together. For each size of
/// signal, two batches are cut equally and two with a tilt; then each member's time is taken to be
/// `overhead + n / throughput`, from averages over real executions that weigh the newest by a
/// quarter, and a share that costs more overhead than it saves is not cut at all: small batches go to
/// one member alone. Shares are whole 64ths of the batch, and stay until others promise to save a
/// tenth of the time; while they stay nothing is planned or bound. [`Split::shares`] shows them. A
/// member without a share is not measured again.
///
/// **Faults.** A member that fails is left out for this size of signal, with a warning, and its share
/// is computed again by the others from the same input. One that cannot plan or bind its share is
/// left out as well, without a warning if it is a matter of kind or memory. If none is left, the
/// answer is the error of the last one under the name of all; the next plan for this size asks all
/// of them again. Input that no backend could take is an error at once.
///
/// **Results** are those of the members. As shares move, a signal may come from another member with
/// another rounding: between members that round alike every result has the same bits.
///
/// Cost: a thread for each share but one while a map is applied. Memory: that of the members and
/// one copy of the kernel. Nothing for a browser, which has neither such threads nor such a clock;
/// elsewhere its futures wait for all members when first polled.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Reference, Split, Workload};
///
/// let both = Split::<f64>::new(Reference).and(Reference);
/// let workload = Workload::CausalConvolution { len: 2, batch: 6 };
/// let sum = both.plan(workload)?.bind(&[1.0, 1.0])?;
/// let mut y = [0.0; 12];
/// sum.apply(&[1.0; 12], &mut y)?;
/// assert_eq!(y[..4], [1.0, 2.0, 1.0, 2.0]);
/// assert_eq!(both.shares(workload)[0].signals, 3);
/// # Ok::<(), BackendError>(())
/// ```
pub struct Split<T: Real> {
    members: Arc<Members<T>>,
}

/// What one member of a [`Split`] gets of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The member's name.
    pub backend: String,
    /// Number of signals.
    pub signals: usize,
    /// Why it gets none, if it was left out.
    pub left_out: Option<String>,
}

/// The time that a member took for so many signals since an instant.
type Stopwatch = fn(member: usize, signals: usize, since: Instant) -> Duration;

struct Members<T: Real> {
    name: String,
    backends: Vec<Arc<dyn Backend<T>>>,
    stopwatch: Stopwatch,
    /// By workload of one signal.
    records: Mutex<HashMap<Workload, Arc<Record>>>,
}

/// From here on, sizes that no plan is concerned with are forgotten.
const RECORDS_KEPT: usize = 256;

impl<T: Real> Split<T> {
    /// One backend, to be joined by others.
    pub fn new(first: impl Backend<T> + 'static) -> Self {
        Self::of(vec![Arc::new(first)], |_, _, since| since.elapsed())
    }

    /// The same with one more member, and nothing measured yet.
    #[must_use]
    pub fn and(self, next: impl Backend<T> + 'static) -> Self {
        let mut backends = self.members.backends.clone();
        backends.push(Arc::new(next));
        Self::of(backends, self.members.stopwatch)
    }

    fn of(backends: Vec<Arc<dyn Backend<T>>>, stopwatch: Stopwatch) -> Self {
        let names: Vec<&str> = backends.iter().map(|backend| backend.name()).collect();
        let name = names.join("+");
        let records = Mutex::new(HashMap::new());
        Self { members: Arc::new(Members { name, backends, stopwatch, records }) }
    }

    /// How the next batch of this size will be split, in the order of the members.
    pub fn shares(&self, workload: Workload) -> Vec<Share> {
        let record = self.members.record(workload);
        let shares = record.preview(workload.batch());
        let members = self.members.backends.iter().zip(shares.iter()).enumerate();
        members
            .map(|(member, (backend, &signals))| {
                let backend = backend.name().to_owned();
                Share { backend, signals, left_out: record.left_out(member) }
            })
            .collect()
    }
}

impl<T: Real> Members<T> {
    /// What is known about this size of signal.
    fn record(&self, workload: Workload) -> Arc<Record> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if records.len() >= RECORDS_KEPT {
            records.retain(|_, record| Arc::strong_count(record) > 1);
        }
        let record = records.entry(workload.with_batch(1));
        Arc::clone(record.or_insert_with(|| Arc::new(Record::new(self.backends.len()))))
    }

    /// Leaves a member out because of an error, unless the caller's input is at fault.
    fn leave_out(
        &self,
        record: &Record,
        member: usize,
        error: BackendError,
    ) -> Result<Left, BackendError> {
        if error.is_bad_input() {
            return Err(error);
        }
        record.leave_out(member, &error);
        let (split, reason) = (&self.name, record.left_out(member).unwrap_or_default());
        match error {
            BackendError::Device { .. } => {
                tracing::warn!(%split, member, reason, "a member failed, the others go on");
            }
            _ => tracing::debug!(%split, member, reason, "a member is left out"),
        }
        Ok(Left(error.named(&self.name)))
    }

    /// The answer when no member is left: the last error, or, if all were left out by other calls,
    /// the reasons.
    fn nobody(&self, record: &Record, last: Option<Left>) -> BackendError {
        let reasons = || {
            let each = (0..self.backends.len()).filter_map(|member| record.left_out(member));
            each.collect::<Vec<_>>().join("; ")
        };
        match last {
            Some(Left(error)) => error,
            None => BackendError::Device { backend: self.name.clone(), source: reasons().into() },
        }
    }
}

/// The error for which a member was left out, in the name of all.
struct Left(BackendError);

impl<T: Real> Backend<T> for Split<T> {
    fn name(&self) -> &str {
        &self.members.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        Ok(Arc::new(SplitPlan::new(Arc::clone(&self.members), workload)?))
    }
}

impl<T: Real> Clone for Split<T> {
    fn clone(&self) -> Self {
        Self { members: Arc::clone(&self.members) }
    }
}

impl<T: Real> fmt::Debug for Split<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Split").field(&self.members.name).finish()
    }
}
