use super::toeplitz::{AFTER, BEFORE, Toeplitz};
use crate::buffers::aligned::Aligned;
use crate::buffers::scratch_pool::ScratchPool;
use crate::planning::concrete::{self, MakePlan};
use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_lanes::Lanes;
use hpfracc_types::Real;
use pulp::Arch;
use std::sync::Arc;

/// Causal convolutions by sums in registers, `cpu-direct`, on the calling thread.
///
/// `y[n] = sum_{k <= n} w[k] x[n-k]`; the transpose is the same with time reversed on both sides.
///
/// Cost: N (N + 1) / 2 fused products per signal, at more than half the peak rate of a core from
/// N = 64 on and seven eighths from N = 1000 on; less time than [`Fft`](crate::Fft) up to some
/// three hundred samples. Memory: the weights and one signal. Vector instructions are detected
/// at run time: AVX-512, AVX2 with FMA, NEON, or none, which rounds products before
/// adding.
///
/// Accuracy: that of a sum of n products in order of their phase; each entry is accurate relative
/// to
/// `sum |w[k] x[n-k]|`, up to n / 2 units of rounding. Roundings of smooth series may agree in
/// sign: the error then grows with n, where that of [`Fft`](crate::Fft) grows with its logarithm.
/// NaN or infinity reaches only the entries that depend on it.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
/// use hpfracc_cpu::Direct;
///
/// let sums = Direct.plan(Workload::CausalConvolution { len: 4, batch: 1 })?.bind(&[1.0; 4])?;
/// let mut y = [0.0_f32; 4];
/// sums.apply(&[1.0, 2.0, 3.0, 4.0], &mut y)?;
/// assert_eq!(y, [1.0, 3.0, 6.0, 10.0]);
/// # Ok::<(), BackendError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Direct;

const NAME: &str = "cpu-direct";

impl<T: Real> Backend<T> for Direct {
    fn name(&self) -> &str {
        NAME
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        match workload {
            Workload::CausalConvolution { .. } => Ok(concrete::plan(Sums { workload })),
            _ => Err(BackendError::unsupported(NAME, workload, "it sums causal convolutions only")),
        }
    }
}

struct Sums {
    workload: Workload,
}

impl MakePlan for Sums {
    fn make<T: Lanes>(self) -> Arc<dyn Plan<T>> {
        let reversed = Arc::new(ScratchPool::new(self.workload.signal_len()));
        Arc::new(DirectPlan::<T> { workload: self.workload, reversed })
    }
}

struct DirectPlan<T> {
    workload: Workload,
    reversed: Arc<ScratchPool<T>>,
}

impl<T: Lanes> Plan<T> for DirectPlan<T> {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        let padded = BEFORE + self.workload.kernel_len() + AFTER;
        Aligned::<T>::bytes(padded) + self.reversed.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        let mut padded = Aligned::new(BEFORE + kernel.len() + AFTER, T::zero());
        padded[BEFORE..BEFORE + kernel.len()].copy_from_slice(kernel);
        let reversed = Arc::clone(&self.reversed);
        Ok(Box::new(DirectMap { workload: self.workload, padded, reversed }))
    }
}

struct DirectMap<T> {
    workload: Workload,
    padded: Aligned<T>,
    reversed: Arc<ScratchPool<T>>,
}

impl<T: Lanes> LinearMap<T> for DirectMap<T> {
    fn workload(&self) -> Workload {
        self.workload
    }

    /// The transpose is the same map with time reversed on both sides.
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let (padded, len) = (&self.padded, self.workload.signal_len());
        let signals = from.chunks_exact(len).zip(to.chunks_exact_mut(len));
        match direction {
            Direction::Forward => {
                for (x, y) in signals {
                    Arch::new().dispatch(Toeplitz { padded, x, y });
                }
            }
            Direction::Transpose => {
                let mut reversed = self.reversed.lend();
                for (y, x) in signals {
                    for (to, &from) in reversed.iter_mut().zip(y.iter().rev()) {
                        *to = from;
                    }
                    Arch::new().dispatch(Toeplitz { padded, x: &reversed, y: x });
                    x.reverse();
                }
            }
        }
        Ok(())
    }
}
