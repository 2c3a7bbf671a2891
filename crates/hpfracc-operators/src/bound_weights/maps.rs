use super::Part;
use crate::OperatorError;
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_types::Real;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel bound to a backend for several numbers of signals: maps that are bound when first asked
/// for.
pub(super) struct Maps<T> {
    shape: Shape,
    kernel: Vec<T>,
    of_batch: WorkloadOf,
    backend: Arc<dyn Backend<T>>,
    /// By number of signals; the most recent come last.
    recent: Mutex<Vec<(usize, Map<T>)>>,
}

/// The workload of so many signals.
type WorkloadOf = Box<dyn Fn(usize) -> Workload + Send + Sync>;

pub(super) type Map<T> = Arc<dyn LinearMap<T>>;

/// A training loop has two batch sizes, its own and the ragged last one; a server has any number.
const KEPT: usize = 4;

impl<T: Real> Maps<T> {
    pub(super) fn new(
        shape: Shape,
        kernel: Vec<T>,
        of_batch: WorkloadOf,
        backend: &Arc<dyn Backend<T>>,
    ) -> Result<Self, OperatorError> {
        backend.plan(of_batch(1))?;
        let (backend, recent) = (Arc::clone(backend), Mutex::new(Vec::new()));
        Ok(Self { shape, kernel, of_batch, backend, recent })
    }

    pub(super) fn kernel(&self) -> &[T] {
        &self.kernel
    }

    /// The map for so many signals at once. The lock is not held while a map is bound.
    pub(super) fn of(&self, batch: usize) -> Result<Map<T>, OperatorError> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut maps = recent();
            if let Some(at) = maps.iter().position(|(known, _)| *known == batch) {
                maps[at..].rotate_left(1);
                return Ok(Arc::clone(&maps[maps.len() - 1].1));
            }
        }
        let plan = self.backend.plan((self.of_batch)(batch))?;
        let map: Map<T> = Arc::from(plan.bind(&self.kernel)?);
        let mut maps = recent();
        if maps.len() == KEPT {
            maps.remove(0);
        }
        maps.push((batch, Arc::clone(&map)));
        Ok(map)
    }
}

impl<T: Real> Part<T> for Maps<T> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        Ok(self.of(batch)?.apply(x, y)?)
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        Ok(self.of(batch)?.apply_transpose(y, x)?)
    }
}
