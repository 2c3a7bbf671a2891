//! Decomposition of an operator into workloads.

use hpfracc::backend::{Shape, Workload};
use hpfracc::operators::{Boundary, Operator, OperatorError, Weights};
use hpfracc::types::Grid;
use std::fmt;

/// Workloads of an application of an operator, and parts computed without a backend.
#[derive(Debug, PartialEq)]
pub(crate) struct Composition {
    /// Workloads with their number of applications.
    pub(crate) workloads: Vec<(Workload, usize)>,
    /// Parts without a backend.
    pub(crate) without: Vec<&'static str>,
}

impl Composition {
    /// Decomposition for `batch` signals of `len` samples.
    pub(crate) fn of(
        operator: &dyn Operator,
        len: usize,
        batch: usize,
    ) -> Result<Self, OperatorError> {
        // Long enough for the first steps of every scheme; the kinds do not depend on the length,
        // and the requested length may exceed the memory.
        let grid = Grid::uniform(64, 1.0).expect("64 steps of length 1 are a grid");
        let mut composition = Self { workloads: Vec::new(), without: Vec::new() };
        composition.add(&operator.weights(grid)?, len, batch);
        Ok(composition)
    }

    fn add(&mut self, weights: &Weights, len: usize, batch: usize) {
        match weights {
            Weights::Toeplitz(toeplitz) => {
                // The mirror image is the transpose of the same map.
                let times = if toeplitz.two_sided { 2 } else { 1 };
                self.count(Workload::CausalConvolution { len, batch }, times);
            }
            Weights::Symbol(_) => {
                let shape = Shape::line(len);
                self.count(Workload::SpectralMultiplier { shape, batch }, 1);
            }
            Weights::Matrix(_) => self.count(Workload::Dense { rows: len, cols: len, batch }, 1),
            Weights::Recurrence { of, .. } => {
                let nodes = of.rates().len();
                self.count(Workload::Recurrence { nodes, len, batch }, 1);
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

    /// Whether it is a single workload applied once.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.workloads[..], [(_, 1)]) && self.without.is_empty()
    }
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let applied = self.workloads.iter().map(|(workload, times)| match times {
            1 => format!("{workload}, applied once"),
            times => format!("{workload}, applied {times} times"),
        });
        let without = self.without.iter().map(|what| format!("{what}, without a backend"));
        f.write_str(&applied.chain(without).collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc::ndarray::Array2;
    use hpfracc::operators::Toeplitz;

    fn composed(weights: &Weights) -> Composition {
        let mut composition = Composition { workloads: Vec::new(), without: Vec::new() };
        composition.add(weights, 7, 2);
        composition
    }

    #[test]
    fn parts_are_counted() {
        let toeplitz = || Weights::from(Toeplitz::causal(vec![1.0, 2.0]));
        let mirrored = Weights::from(Toeplitz::two_sided(vec![1.0, 2.0]));
        let diagonal = || Weights::Diagonal(vec![1.0, 2.0]);
        let convolution = Workload::CausalConvolution { len: 7, batch: 2 };
        let dense = Workload::Dense { rows: 7, cols: 7, batch: 2 };

        assert!(composed(&toeplitz()).is_plain());
        assert_eq!(composed(&mirrored).workloads, [(convolution, 2)]);
        assert!(!composed(&mirrored).is_plain());
        let product = Weights::Product(vec![diagonal(), toeplitz(), diagonal()]);
        let matrix = Weights::Matrix(Array2::zeros((2, 2)));
        let sum = composed(&Weights::Sum(vec![product, matrix, toeplitz()]));
        assert_eq!(sum.workloads, [(convolution, 2), (dense, 1)]);
        assert_eq!(sum.without, ["a factor per sample"]);
        assert!(composed(&diagonal()).workloads.is_empty());
    }
}
