//! Product rules on steps of any length: a line on each cell against the kernel
//! `u^(mu-1)/Gamma(mu)`.

mod exact;
mod far;
mod moments;

use crate::weights::CellLine;
use crate::{MeshMemory, Number, Result, Weights, bound};
use hpfracc_types::Mesh;
use moments::Kernel;

/// The interpolant of the samples on each cell, which is integrated against the kernel.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    /// Distances of neighbouring points, all positive. Sums of them lose less than differences of
    /// points that have been mapped by a function.
    pub(crate) steps: Vec<f64>,
    pub(crate) lines: Vec<CellLine>,
}

/// Distances of the neighbouring points of a mesh.
pub(crate) fn steps(mesh: &Mesh) -> Vec<f64> {
    mesh.points().windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The weights of [`Cells::integral`] and a column times a stencil over the first samples.
pub(crate) fn with_start<N: Number>(
    weights: Weights<N>,
    column: Vec<N>,
    stencil: Vec<f64>,
) -> Weights<N> {
    match weights {
        Weights::Exponentials(memory) => memory.with_start(column, stencil).into(),
        Weights::Matrix(mut matrix) => {
            for (mut row, c) in matrix.rows_mut().into_iter().zip(column) {
                row.iter_mut().zip(&stencil).for_each(|(entry, s)| *entry = *entry + c * *s);
            }
            Weights::Matrix(matrix)
        }
        other => other,
    }
}

/// The weights of [`Cells::integral`] applied to one signal.
pub(crate) fn applied<N: Number>(weights: &Weights<N>, f: &[f64]) -> Result<Vec<N>> {
    let apply = |weights: &Weights| match weights {
        Weights::Matrix(matrix) => Ok(matrix.dot(&ndarray::aview1(f)).to_vec()),
        Weights::Exponentials(memory) => bound::applied(memory, f),
        _ => Ok(Vec::new()),
    };
    let values = apply(&weights.clone().values())?;
    if !N::HAS_DERIVATIVE {
        return Ok(values.into_iter().map(N::constant).collect());
    }
    let derivatives = apply(&weights.clone().derivatives())?;
    Ok(values.into_iter().zip(derivatives).map(|(value, dy)| N::new(value, dy)).collect())
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

    /// `1/Gamma(mu) int_(x_0)^(x_n) (x_n-s)^(mu-1) g(s) ds` at every point, g the lines, which do
    /// not depend on mu.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for a tolerance out of range,
    /// or a mu above 2 by exponentials.
    pub(crate) fn integral<N: Number>(self, mu: N, memory: MeshMemory) -> Result<Weights<N>> {
        let kernel = Kernel::new(mu);
        Ok(match memory {
            MeshMemory::Exact => Weights::Matrix(exact::matrix(&self, &kernel)),
            MeshMemory::Exponentials { tolerance } => {
                far::exponentials(self, mu, &kernel, tolerance)?.into()
            }
        })
    }
}
