//! A backend around another one that fails now and then, in every way there is.

use hpfracc::backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc::types::Real;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What all failing backends share.
#[derive(Default)]
pub(crate) struct Faults {
    /// Number of failures in 1000 calls.
    rate: AtomicU64,
    /// How often the device was lost: maps bound before fail for good.
    lost: AtomicU64,
    slow: AtomicU64,
    calls: AtomicU64,
    count: AtomicU64,
}

impl Faults {
    /// Fair, stormy and slow spells of half a second, one after the other.
    pub(crate) fn weather(&self, elapsed: Duration) {
        let spell = elapsed.as_millis() / 500;
        self.rate.store([2, 150, 0, 1000][(spell % 4) as usize], Relaxed);
        self.slow.store(u64::from(spell % 5 == 3), Relaxed);
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }

    /// Whether this call fails, and how: with an error of the device, for want of memory, or by
    /// losing it.
    fn fault(&self, backend: &str, workload: Workload, bound: u64) -> Result<(), BackendError> {
        let call = self.calls.fetch_add(1, Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if self.slow.load(Relaxed) == 1 && call.is_multiple_of(16) {
            std::thread::sleep(Duration::from_micros(300));
        }
        let lost = self.lost.load(Relaxed) != bound;
        if !lost && call % 1000 >= self.rate.load(Relaxed) {
            return Ok(());
        }
        self.count.fetch_add(1, Relaxed);
        let backend = backend.to_owned();
        Err(match call / 1000 % 4 {
            0 if !lost => BackendError::Memory { backend, workload, needed: 2, limit: 1 },
            kind => {
                if kind == 1 {
                    self.lost.fetch_add(1, Relaxed);
                }
                BackendError::Device { backend, source: "unplugged".into() }
            }
        })
    }
}

/// The backend `inner` on such a device, under a name of its own.
pub(crate) struct Failing<B> {
    pub(crate) name: String,
    pub(crate) inner: B,
    pub(crate) faults: Arc<Faults>,
}

struct FailingPlan<T> {
    name: String,
    inner: Arc<dyn Plan<T>>,
    faults: Arc<Faults>,
}

struct FailingMap<T> {
    name: String,
    inner: Box<dyn LinearMap<T>>,
    faults: Arc<Faults>,
    bound: u64,
}

impl<T: Real, B: Backend<T>> Backend<T> for Failing<B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let inner = self.inner.plan(workload)?;
        self.faults.fault(&self.name, workload, self.faults.lost.load(Relaxed))?;
        let (name, faults) = (self.name.clone(), Arc::clone(&self.faults));
        Ok(Arc::new(FailingPlan { name, inner, faults }))
    }
}

impl<T: Real> Plan<T> for FailingPlan<T> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        let inner = self.inner.bind(kernel)?;
        let bound = self.faults.lost.load(Relaxed);
        self.faults.fault(&self.name, self.workload(), bound)?;
        let (name, faults) = (self.name.clone(), Arc::clone(&self.faults));
        Ok(Box::new(FailingMap { name, inner, faults, bound }))
    }
}

impl<T: Real> LinearMap<T> for FailingMap<T> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    /// What a failure leaves is no result.
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        self.inner.run(direction, from, to)?;
        let end = self.faults.fault(&self.name, self.inner.workload(), self.bound);
        if end.is_err() {
            to.fill(T::NAN);
        }
        end
    }
}
