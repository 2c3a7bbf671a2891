//! User-defined backend: wraps another one and counts applications.

use pictures::Outcome;

// ANCHOR: uses
use hpfracc::backend::{
    Backend, BackendError, Direction, Kind, LinearMap, Plan, Workload, conformance,
};
use hpfracc::cpu::Direct;
use hpfracc::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
// ANCHOR_END: uses

// ANCHOR: backend
/// Wraps a backend and counts its applications.
#[derive(Clone, Default)]
struct Counted<B> {
    inner: B,
    applied: Arc<AtomicUsize>,
}

impl<T: Real, B: Backend<T>> Backend<T> for Counted<B> {
    fn name(&self) -> &str {
        "counted"
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let inner = self.inner.plan(workload)?;
        Ok(Arc::new(Counted { inner, applied: Arc::clone(&self.applied) }))
    }
}

impl<T: Real> Plan<T> for Counted<Arc<dyn Plan<T>>> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        let inner = self.inner.bind(kernel)?;
        Ok(Box::new(Counted { inner, applied: Arc::clone(&self.applied) }))
    }
}

impl<T: Real> LinearMap<T> for Counted<Box<dyn LinearMap<T>>> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        self.applied.fetch_add(1, Ordering::Relaxed);
        self.inner.run(direction, from, to)
    }
}
// ANCHOR_END: backend

pub(super) fn check() -> Outcome<()> {
    // ANCHOR: use
    let counted = Counted { inner: Direct, applied: Arc::default() };
    let report = conformance::verify::<f64>(&counted, &[Kind::CausalConvolution], 1e-13)?;

    let before = counted.applied.load(Ordering::Relaxed);
    let half = Caputo::l1(Order::new(0.5)?)?.on(Grid::uniform(100, 0.01)?, &counted)?;
    half.apply(Array1::<f64>::ones(100).view())?;
    assert_eq!(counted.applied.load(Ordering::Relaxed), before + 1);
    // ANCHOR_END: use
    println!("{} maps compared, {before} applications", report.maps);
    Ok(())
}
