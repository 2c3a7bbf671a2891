//! The reference backend: the formulas in loops, the specification of all other backends.
//!
//! Sums are taken in `f64` for both scalar types and rounded once.

mod causal_convolution;
mod dense;
mod recurrence;
mod spectral_multiplier;
mod trigonometric_multiplier;

use crate::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// The backend named `reference`: loops for every workload, O(n^2) where a sum is over the past.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reference;

impl<T: Real> Backend<T> for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        Ok(Arc::new(ReferencePlan { workload }))
    }
}

struct ReferencePlan {
    workload: Workload,
}

impl<T: Real> Plan<T> for ReferencePlan {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        self.workload.kernel_len() * size_of::<f64>()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        let kernel = kernel.iter().map(|&w| w.widen()).collect();
        Ok(Box::new(ReferenceMap { workload: self.workload, kernel }))
    }
}

struct ReferenceMap {
    workload: Workload,
    kernel: Vec<f64>,
}

impl ReferenceMap {
    /// One signal in double precision.
    fn one(&self, direction: Direction, from: &[f64], to: &mut [f64]) {
        let kernel = &self.kernel;
        match self.workload {
            Workload::CausalConvolution { .. } => {
                causal_convolution::run(kernel, direction, from, to);
            }
            Workload::SpectralMultiplier { shape, .. } => {
                spectral_multiplier::run(kernel, shape, direction, from, to);
            }
            Workload::TrigonometricMultiplier { axes, .. } => {
                trigonometric_multiplier::run(kernel, axes, from, to);
            }
            Workload::Dense { .. } => dense::run(kernel, direction, from, to),
            Workload::Recurrence { nodes, .. } => {
                recurrence::run(kernel, nodes, direction, from, to);
            }
        }
    }
}

impl<T: Real> LinearMap<T> for ReferenceMap {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let batch = self.workload.batch();
        let (from_len, to_len) = (from.len() / batch, to.len() / batch);
        let mut output = vec![0.0; to_len];
        for (from, to) in from.chunks_exact(from_len).zip(to.chunks_exact_mut(to_len)) {
            let input: Vec<f64> = from.iter().map(|&v| v.widen()).collect();
            self.one(direction, &input, &mut output);
            for (to, &value) in to.iter_mut().zip(&output) {
                *to = T::narrow(value);
            }
        }
        Ok(())
    }
}
