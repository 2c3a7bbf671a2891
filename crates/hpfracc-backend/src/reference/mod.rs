//! The reference backend: the formulas in loops, the specification of all other backends.
//!
//! Sums are taken in `f64` for both scalar types and rounded once.

mod causal_convolution;
mod dense;
mod recurrence;
mod spectral_multiplier;

use crate::{Backend, BackendError, LinearMap, Plan, Workload};
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
    fn each_signal<T: Real>(
        &self,
        from: &[T],
        to: &mut [T],
        map: impl Fn(&[f64], Workload, &[f64], &mut [f64]),
    ) {
        let batch = self.workload.batch();
        let (from_len, to_len) = (from.len() / batch, to.len() / batch);
        let mut output = vec![0.0; to_len];
        for (from, to) in from.chunks_exact(from_len).zip(to.chunks_exact_mut(to_len)) {
            let input: Vec<f64> = from.iter().map(|&v| v.widen()).collect();
            map(&self.kernel, self.workload, &input, &mut output);
            for (to, &value) in to.iter_mut().zip(&output) {
                *to = T::narrow(value);
            }
        }
    }
}

impl<T: Real> LinearMap<T> for ReferenceMap {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.workload.check_signals(x, y)?;
        self.each_signal(x, y, |kernel, workload, x, y| match workload {
            Workload::CausalConvolution { .. } => causal_convolution::apply(kernel, x, y),
            Workload::SpectralMultiplier { shape, .. } => {
                spectral_multiplier::apply(kernel, shape, x, y);
            }
            Workload::Dense { .. } => dense::apply(kernel, x, y),
            Workload::Recurrence { nodes, .. } => recurrence::apply(kernel, nodes, x, y),
        });
        Ok(())
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.workload.check_signals(x, y)?;
        self.each_signal(y, x, |kernel, workload, y, x| match workload {
            Workload::CausalConvolution { .. } => causal_convolution::apply_transpose(kernel, y, x),
            Workload::SpectralMultiplier { shape, .. } => {
                spectral_multiplier::apply_transpose(kernel, shape, y, x);
            }
            Workload::Dense { .. } => dense::apply_transpose(kernel, y, x),
            Workload::Recurrence { nodes, .. } => recurrence::apply_transpose(kernel, nodes, y, x),
        });
        Ok(())
    }
}
