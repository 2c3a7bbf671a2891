//! A backend on the threads of a given pool.

use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use rayon::ThreadPool;
use std::sync::Arc;

/// The threads of a machine.
pub(crate) struct Threads {
    pool: ThreadPool,
    /// Process that started them.
    process: u32,
}

impl Threads {
    pub(crate) fn new(pool: ThreadPool) -> Self {
        Self { pool, process: std::process::id() }
    }

    /// Number of threads.
    pub(crate) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Computes inside the pool. In a process made by a fork its threads do not exist: there the current thread computes.
    fn install<R: Send>(&self, compute: impl FnOnce() -> R + Send) -> R {
        if self.process == std::process::id() { self.pool.install(compute) } else { compute() }
    }
}

/// A backend that plans, binds and computes inside the pool.
#[derive(Clone)]
pub(super) struct InPool<B> {
    pub(super) inner: B,
    pub(super) pool: Arc<Threads>,
}

impl<T: Real, B: Backend<T>> Backend<T> for InPool<B> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let inner = self.pool.install(|| self.inner.plan(workload))?;
        Ok(Arc::new(InPool { inner, pool: Arc::clone(&self.pool) }))
    }
}

impl<T: Real> Plan<T> for InPool<Arc<dyn Plan<T>>> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    fn bytes(&self) -> usize {
        self.pool.install(|| self.inner.bytes())
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        let inner = self.pool.install(|| self.inner.bind(kernel))?;
        Ok(Box::new(InPool { inner, pool: Arc::clone(&self.pool) }))
    }
}

impl<T: Real> LinearMap<T> for InPool<Box<dyn LinearMap<T>>> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        self.pool.install(|| self.inner.run(direction, from, to))
    }
}
