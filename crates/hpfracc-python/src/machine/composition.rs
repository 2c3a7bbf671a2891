//! Decomposition of an operator into workloads.

use hpfracc::backend::{Shape, Workload};
use hpfracc::operators::{Boundary, Weights};

/// Workloads of an application of an operator, and parts computed without a backend.
#[derive(Debug, Default)]
pub(super) struct Composition {
    /// Workloads with their number of applications.
    pub(super) workloads: Vec<(Workload, usize)>,
    /// Parts without a backend.
    pub(super) without: Vec<&'static str>,
}

impl Composition {
    /// Adds the workloads of weights for `batch` signals of `len` samples.
    pub(super) fn add(&mut self, weights: &Weights, len: usize, batch: usize) {
        match weights {
            Weights::Toeplitz(toeplitz) => {
                // The mirror image is the transpose of the same map.
                let times = if toeplitz.two_sided { 2 } else { 1 };
                self.count(Workload::CausalConvolution { len, batch }, times);
            }
            Weights::Symbol(_) => {
                self.count(Workload::SpectralMultiplier { shape: Shape::line(len), batch }, 1);
            }
            Weights::Matrix(_) => self.count(Workload::Dense { rows: len, cols: len, batch }, 1),
            Weights::Recurrence { of, .. } => {
                self.count(Workload::Recurrence { nodes: of.rates().len(), len, batch }, 1);
            }
            Weights::Product(parts) | Weights::Sum(parts) => {
                parts.iter().for_each(|part| self.add(part, len, batch));
            }
            Weights::Transposed(weights) => self.add(weights, len, batch),
            Weights::Eigenvalues(eigenvalues) => {
                // Through the transform of the odd or even extension.
                let extended = match eigenvalues.boundary {
                    Boundary::Dirichlet => 2 * (len + 1),
                    Boundary::Neumann => 2 * len,
                };
                let shape = Shape::line(extended);
                self.count(Workload::SpectralMultiplier { shape, batch }, 1);
            }
            Weights::Exponentials(_) => self.note("sum of exponentials over non-uniform steps"),
            Weights::VariableMemory(_) => self.note("sum of exponentials shared by all orders"),
            Weights::Diagonal(_) => self.note("a factor per sample"),
            Weights::FirstOrder(_) => self.note("recurrence of one exponential"),
            _ => self.note("weights of a special form"),
        }
    }

    fn count(&mut self, workload: Workload, times: usize) {
        match self.workloads.iter_mut().find(|(known, _)| *known == workload) {
            Some((_, count)) => *count += times,
            None => self.workloads.push((workload, times)),
        }
    }

    fn note(&mut self, what: &'static str) {
        if !self.without.contains(&what) {
            self.without.push(what);
        }
    }
}
