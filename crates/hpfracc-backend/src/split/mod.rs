//! A batch divided among several backends.

mod last_two;
mod map;
mod members;
mod plan;
mod planned;
mod shares;
mod speed_estimate;
mod statistics;
#[cfg(test)]
mod tests;

use crate::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use members::{Members, Stopwatch};
use plan::SplitPlan;
use std::fmt;
use std::sync::Arc;

/// Several backends as one: each batch is divided among them by measured speed, and they compute in
/// parallel. For several GPUs, or a GPU and the CPU.
///
/// Its name is those of its members, joined by `+`.
///
/// **Shares.** A batch is cut into contiguous shares that should end at the same time. For each
/// size of signal, two batches are cut equally and two unequally. From then on the time of a member
/// is modelled as `overhead + n / throughput`, with moving averages over real executions in which
/// the newest weighs a quarter. A share whose overhead exceeds its gain is not cut: small batches
/// go to one member. Shares are multiples of 1/64 of the batch. They change when other shares are
/// expected to save a tenth of the time; otherwise nothing is planned or bound. [`Split::shares`]
/// returns them. A member without a share is not measured again.
///
/// **Faults.** A member that fails is left out for this size of signal, with a warning, and the
/// others compute its share from the same input. A member that cannot plan or bind its share is
/// left out as well, without a warning if it lacks an algorithm or memory. If no member is left,
/// the error is that of the last one, under the name of the split; the next plan for this size
/// tries all of them again. Invalid input is an error at once.
///
/// **Results** are those of the members. As shares change, a signal may be computed by another
/// member with another rounding: between members that round alike every result has the same bits.
///
/// Cost: a thread for each share but one while a map is applied. Memory: that of the members and
/// one copy of the kernel. Not for browsers, which have neither such threads nor such a clock;
/// elsewhere its futures block on all members when first polled.
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
#[derive(Clone)]
pub struct Split<T: Real> {
    members: Arc<Members<T>>,
}

/// The share of one member of a [`Split`] in a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Name of the member.
    pub backend: String,
    /// Number of signals.
    pub signals: usize,
    /// Why it has no share, if it was left out.
    pub left_out: Option<String>,
}

impl<T: Real> Split<T> {
    /// A split of one backend, to be extended by [`Split::and`].
    pub fn new(first: impl Backend<T> + 'static) -> Self {
        Self::of(vec![Arc::new(first)], |_, _, since| since.elapsed())
    }

    /// The split with one more member, and no measurements yet.
    #[must_use]
    pub fn and(self, next: impl Backend<T> + 'static) -> Self {
        let mut backends = self.members.backends.clone();
        backends.push(Arc::new(next));
        Self::of(backends, self.members.stopwatch)
    }

    fn of(backends: Vec<Arc<dyn Backend<T>>>, stopwatch: Stopwatch) -> Self {
        Self { members: Arc::new(Members::new(backends, stopwatch)) }
    }

    /// The shares of the next batch of this size, in the order of the members.
    pub fn shares(&self, workload: Workload) -> Vec<Share> {
        let statistics = self.members.statistics(workload);
        let shares = statistics.preview(workload.batch());
        let members = self.members.backends.iter().zip(shares.iter()).enumerate();
        members
            .map(|(member, (backend, &signals))| {
                let backend = backend.name().to_owned();
                Share { backend, signals, left_out: statistics.left_out(member) }
            })
            .collect()
    }
}

impl<T: Real> Backend<T> for Split<T> {
    fn name(&self) -> &str {
        &self.members.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        Ok(Arc::new(SplitPlan::new(Arc::clone(&self.members), workload)?))
    }
}

impl<T: Real> fmt::Debug for Split<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Split").field(&self.members.name).finish()
    }
}
