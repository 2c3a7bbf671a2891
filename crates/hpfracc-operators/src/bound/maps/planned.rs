use super::signal_map::{Call, Pending, SignalMap};
use crate::Result;
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_types::Real;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel bound to a backend for several batch sizes; the map of each is bound when first needed.
pub(super) struct PlannedMaps<T> {
    shape: Shape,
    kernel: Vec<T>,
    of_batch: WorkloadOf,
    backend: Arc<dyn Backend<T>>,
    /// By batch size; the most recent come last.
    recent: Mutex<Vec<(usize, Map<T>)>>,
}

/// The workload of a batch of signals.
type WorkloadOf = Box<dyn Fn(usize) -> Workload + Send + Sync>;

pub(super) type Map<T> = Arc<dyn LinearMap<T>>;

/// A training loop has two batch sizes, its own and the ragged last one; a server has any number.
const STORED: usize = 4;

impl<T: Real> PlannedMaps<T> {
    pub(super) fn new(
        shape: Shape,
        kernel: Vec<T>,
        of_batch: impl Fn(usize) -> Workload + Send + Sync + 'static,
        backend: &Arc<dyn Backend<T>>,
    ) -> Result<Self> {
        backend.plan(of_batch(1))?;
        let (backend, recent) = (Arc::clone(backend), Mutex::new(Vec::new()));
        Ok(Self { shape, kernel, of_batch: Box::new(of_batch), backend, recent })
    }

    pub(super) fn kernel(&self) -> &[T] {
        &self.kernel
    }

    /// The map for a batch of signals. The lock is released while a map is bound.
    pub(super) fn of(&self, batch: usize) -> Result<Map<T>> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut maps = recent();
            if let Some(at) = maps.iter().position(|(stored, _)| *stored == batch) {
                maps[at..].rotate_left(1);
                return Ok(Arc::clone(&maps[maps.len() - 1].1));
            }
        }
        let plan = self.backend.plan((self.of_batch)(batch))?;
        let map: Map<T> = Arc::from(plan.bind(&self.kernel)?);
        let mut maps = recent();
        if maps.len() == STORED {
            maps.remove(0);
        }
        maps.push((batch, Arc::clone(&map)));
        Ok(map)
    }
}

impl<T: Real> SignalMap<T> for PlannedMaps<T> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        Ok(direction.apply(self.of(batch)?.as_ref(), from, to)?)
    }

    fn run_async<'a>(&'a self, Call { direction, from, to, batch }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            let map = self.of(batch)?;
            Ok(direction.apply_async(map.as_ref(), from, to).await?)
        })
    }
}
