use super::nodes::Nodes;
use super::single::Single;
use super::stream::Stream;
use crate::planning::concrete::{self, MakePlan};
use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_lanes::Lanes;
use hpfracc_types::Real;
use pulp::Arch;
use rayon::prelude::*;
use std::sync::Arc;

/// Recurrences of sums of exponentials with the states in registers, `cpu-recurrence`, on the
/// calling thread.
///
/// ```text
/// y_n = d s_n + sum_k c_k z_k,   then   z_k <- z_k + (s_n - r_k z_k)
/// ```
///
/// See [`Workload::Recurrence`]. In a stream the states after one call are the input of the next:
/// blocks of any length, down to single samples, give the same bits as one call, and a channel has
/// the same bits in a batch as alone. Sums are taken in an order that depends neither on lengths
/// nor on the width of registers: in rows of 64 bytes of nodes, lane by lane, and then neighbouring
/// lanes by pairs. So results have the same bits on every processor with fused multiply-add; on one
/// without, products are rounded before they are added, and the bits are others, the same in every
/// call.
///
/// Cost: three vector operations a sample for each 8 nodes (16 in `f32`); multiples of these numbers
/// are the fastest, most of all in calls of one sample. A call allocates nothing. Memory: the
/// kernel. States that decay to subnormal numbers, after some hundreds of their time
/// constants of exact silence, are slow on processors that have no fast path for such numbers.
///
/// Accuracy: the decay is not rounded, but a state is, once a sample, and it remembers `1/r` of
/// them: where roundings go one way, as of equal samples, they make `eps / 2r` of the state at
/// most, else the root of that. As measured over 65536 samples with 29 rates from 1 down to 1e-6,
/// relative to the largest output: 4.6e-7 of noise, 3.3e-7 of a wave and 3.4e-5 of a constant in
/// `f32`, 5e-16 in `f64`. NaN and infinity reach all later outputs of their signal.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
/// use hpfracc_cpu::Recurrence;
///
/// // The weights 1, 1/2, 1/4, ... : a sum of all samples so far with exponential decay.
/// let workload = Workload::Recurrence { nodes: 1, len: 3, batch: 1 };
/// let decaying = Recurrence.plan(workload)?.bind(&[1.0, 0.5, 0.5])?;
/// let mut after = [0.0_f64; 4];
/// decaying.apply(&[0.0, 8.0, 0.0, 4.0], &mut after)?;
/// assert_eq!(after[1..], [8.0, 4.0, 6.0]);
/// let mut later = [0.0; 4];
/// decaying.apply(&[after[0], 0.0, 0.0, 0.0], &mut later)?;
/// assert_eq!(later[1..], [3.0, 1.5, 0.75]);
/// # Ok::<(), BackendError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Recurrence;

/// [`Recurrence`] with the signals of a batch on all threads of the current pool,
/// `cpu-parallel-recurrence`, from some tens of microseconds of work on. Same bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParallelRecurrence;

const NAME: &str = "cpu-recurrence";
const PARALLEL_NAME: &str = "cpu-parallel-recurrence";

/// Least number of nodes times samples in the share of a thread: some twenty microseconds of work.
const SHARE: usize = 1 << 18;

impl<T: Real> Backend<T> for Recurrence {
    fn name(&self) -> &str {
        NAME
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        plan(NAME, workload, false)
    }
}

impl<T: Real> Backend<T> for ParallelRecurrence {
    fn name(&self) -> &str {
        PARALLEL_NAME
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        plan(PARALLEL_NAME, workload, true)
    }
}

fn plan<T: Real>(
    name: &str,
    workload: Workload,
    parallel: bool,
) -> Result<Arc<dyn Plan<T>>, BackendError> {
    workload.check()?;
    let Workload::Recurrence { nodes, len, batch } = workload else {
        return Err(BackendError::unsupported(name, workload, "it computes recurrences only"));
    };
    // Least number of signals that a thread computes.
    let share = if parallel { SHARE.div_ceil(nodes.saturating_mul(len)) } else { usize::MAX };
    Ok(concrete::plan(States { workload, nodes, len, batch, share }))
}

#[derive(Clone, Copy)]
struct States {
    workload: Workload,
    nodes: usize,
    len: usize,
    batch: usize,
    share: usize,
}

impl MakePlan for States {
    fn make<T: Lanes>(self) -> Arc<dyn Plan<T>> {
        Arc::new(self)
    }
}

impl<T: Lanes> Plan<T> for States {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        Nodes::<T>::bytes(self.nodes)
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        Ok(Box::new(StatesMap { states: *self, nodes: Nodes::new(kernel, self.nodes) }))
    }
}

struct StatesMap<T> {
    states: States,
    nodes: Nodes<T>,
}

impl<T: Lanes> StatesMap<T> {
    fn streams<const BACKWARD: bool>(&self, from: &[T], to: &mut [T]) {
        let Self { states: States { nodes, len, batch, share, .. }, nodes: kernel } = self;
        if share >= batch {
            return signals::<T, BACKWARD>(kernel, *len, from, to);
        }
        let share = share * (nodes + len);
        let each = |(from, to): (&[T], &mut [T])| signals::<T, BACKWARD>(kernel, *len, from, to);
        from.par_chunks(share).zip(to.par_chunks_mut(share)).for_each(each);
    }
}

/// The recurrence, or its transpose, applied to signals of `len` samples each.
fn signals<T: Lanes, const BACKWARD: bool>(nodes: &Nodes<T>, len: usize, from: &[T], to: &mut [T]) {
    if len == 1 {
        Arch::new().dispatch(Single::<T, BACKWARD> { nodes, from, to });
    } else {
        blocks::<T, BACKWARD>(nodes, nodes.number + len, from, to);
    }
}

/// Not inlined, because its frame is large.
#[inline(never)]
fn blocks<T: Lanes, const BACKWARD: bool>(nodes: &Nodes<T>, len: usize, from: &[T], to: &mut [T]) {
    Arch::new().dispatch(Stream::<T, BACKWARD> { nodes, len, from, to });
}

impl<T: Lanes> LinearMap<T> for StatesMap<T> {
    fn workload(&self) -> Workload {
        self.states.workload
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        match direction {
            Direction::Forward => self.streams::<false>(from, to),
            Direction::Transpose => self.streams::<true>(from, to),
        }
        Ok(())
    }
}
