//! Product rules on steps of any length: a line on each cell against the kernel `u^(mu-1)/Gamma(mu)`.

mod exact;
mod far;
mod moments;

use crate::memory::exponentials::CellLine;
use crate::{MeshMemory, OperatorError, Weights, bound_weights};
use hpfracc_types::Mesh;
use moments::Kernel;

/// The samples between the points: what is integrated.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    /// Distances of neighbouring points, all positive. Sums of them lose less than differences of points
    /// that have been mapped by a function.
    pub(crate) steps: Vec<f64>,
    pub(crate) lines: Vec<CellLine>,
}

/// Value or derivative in mu.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum In {
    Value,
    OrderDerivative,
}

/// Distances of the neighbouring points of a mesh.
pub(crate) fn steps(mesh: &Mesh) -> Vec<f64> {
    mesh.points().windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The weights of [`Cells::integral`] and a column times a stencil over the first samples.
pub(crate) fn with_start(weights: Weights, column: Vec<f64>, stencil: Vec<f64>) -> Weights {
    match weights {
        Weights::Exponentials(memory) => memory.with_start(column, stencil).into(),
        Weights::Matrix(mut matrix) => {
            for (mut row, c) in matrix.rows_mut().into_iter().zip(column) {
                row.iter_mut().zip(&stencil).for_each(|(entry, s)| *entry += c * s);
            }
            Weights::Matrix(matrix)
        }
        other => other,
    }
}

/// What the weights of [`Cells::integral`] make of a record.
pub(crate) fn applied(weights: &Weights, f: &[f64]) -> Result<Vec<f64>, OperatorError> {
    match weights {
        Weights::Matrix(matrix) => Ok(matrix.dot(&ndarray::aview1(f)).to_vec()),
        Weights::Exponentials(memory) => bound_weights::applied(memory, f),
        _ => Ok(Vec::new()),
    }
}

impl Cells {
    /// The samples' lines: the product trapezoidal rule.
    pub(crate) fn through_samples(steps: Vec<f64>) -> Self {
        let lines = vec![CellLine::THROUGH_SAMPLES; steps.len()];
        Self { steps, lines }
    }

    /// The left samples: the product rectangle rule.
    pub(crate) fn left_samples(steps: Vec<f64>) -> Self {
        let lines = vec![CellLine::LEFT_SAMPLE; steps.len()];
        Self { steps, lines }
    }

    /// The slopes: the L1 scheme.
    pub(crate) fn slopes(steps: Vec<f64>) -> Self {
        let lines = steps.iter().map(|h| CellLine::slope(*h)).collect();
        Self { steps, lines }
    }

    /// `1/Gamma(mu) int_(x_0)^(x_n) (x_n-s)^(mu-1) g(s) ds` at every point, g the lines; or its
    /// derivative in mu, the lines unchanged.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] for a tolerance out of range, or a mu above 2 by exponentials.
    pub(crate) fn integral(
        self,
        mu: f64,
        what: In,
        memory: MeshMemory,
    ) -> Result<Weights, OperatorError> {
        let kernel = Kernel::new(mu);
        Ok(match memory {
            MeshMemory::Exact => Weights::Matrix(exact::matrix(&self, &kernel, what)),
            MeshMemory::Exponentials { tolerance } => {
                far::exponentials(self, mu, &kernel, what, tolerance)?.into()
            }
        })
    }
}
