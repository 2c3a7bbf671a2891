use super::DiagonalSolver;
use super::dense::Eigen;
use crate::error::{require_finite, require_len};
use crate::operator::require_self_adjoint;
use crate::{Modes, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use num_complex::Complex64;
use std::ops::Deref;
use std::sync::Arc;

/// Modes of any self-adjoint operator with at most 500 values (2000 with the feature `sparse`), by
/// the eigenvectors of its dense matrix; of `A + diag(v)`, too. It is the operator with these modes.
///
/// Cost: n^3 operations once, 2 n^2 a transform. Eigenvalues have errors of n eps times the largest
/// one; those of `A + diag(v)` may be negative.
///
/// ```
/// use hpfracc_spatial::{DenseModes, Graph, GraphLaplacian, Modes};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(6)?)?;
/// let modes = DenseModes::new(&laplacian)?;
/// let highest = modes.eigenvalues().iter().copied().fold(0.0, f64::max);
/// assert!((highest - 4.0).abs() < 1e-14);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct DenseModes<'a> {
    of: Held<'a>,
    diagonal: Vec<f64>,
    eigen: Eigen,
    /// Square roots of the weights of the inner product; none if they are equal.
    roots: Vec<f64>,
}

/// Operator of modes.
enum Held<'a> {
    Borrowed(&'a dyn SpatialOperator),
    Shared(Arc<dyn SpatialOperator + 'a>),
}

impl<'a> Deref for Held<'a> {
    type Target = dyn SpatialOperator + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Borrowed(operator) => *operator,
            Self::Shared(operator) => &**operator,
        }
    }
}

impl<'a> DenseModes<'a> {
    /// Modes of A.
    ///
    /// # Errors
    /// [`Unsupported`](SpatialError::Unsupported) for an operator that is not self-adjoint,
    /// [`OutOfRange`](SpatialError::OutOfRange) for too many values,
    /// [`NotFinite`](SpatialError::NotFinite) for entries of the matrix.
    pub fn new(operator: &'a dyn SpatialOperator) -> Result<Self> {
        Self::plus_diagonal(operator, &vec![0.0; operator.len()])
    }

    /// Modes of `A + diag(v)`.
    ///
    /// # Errors
    /// As [`new`](Self::new), [`Length`](SpatialError::Length) and
    /// [`NotFinite`](SpatialError::NotFinite) for v.
    pub fn plus_diagonal(operator: &'a dyn SpatialOperator, v: &[f64]) -> Result<Self> {
        Self::of(Held::Borrowed(operator), v)
    }

    /// Modes of A, which they share.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn shared(operator: Arc<dyn SpatialOperator + 'a>) -> Result<Self> {
        let zero = vec![0.0; operator.len()];
        Self::of(Held::Shared(operator), &zero)
    }

    fn of(of: Held<'a>, v: &[f64]) -> Result<Self> {
        require_self_adjoint(&*of, "the dense matrix")?;
        require_len("the diagonal", v.len(), of.len())?;
        require_finite("the diagonal", v)?;
        let eigen = Eigen::plus_diagonal(&*of, v)?;
        let roots = of.weights().map_or(Vec::new(), |w| w.iter().map(|w| w.sqrt()).collect());
        Ok(Self { of, diagonal: v.to_vec(), eigen, roots })
    }
}

impl SpatialOperator for DenseModes<'_> {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.of.apply(x, y);
        y.iter_mut().zip(x.iter().zip(&self.diagonal)).for_each(|(y, (x, v))| *y += v * x);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        self.of.apply_transpose(y, x);
        x.iter_mut().zip(y.iter().zip(&self.diagonal)).for_each(|(x, (y, v))| *x += v * y);
    }

    fn spectrum(&self) -> Spectrum {
        let highest = self.eigen.values.iter().copied().fold(0.0, f64::max);
        let null_space = self.of.spectrum().null_space;
        if self.diagonal.iter().all(|v| *v == 0.0) {
            return Spectrum { lowest: self.of.spectrum().lowest, highest, null_space };
        }
        let lowest = self.eigen.values.iter().copied().fold(f64::INFINITY, f64::min).max(0.0);
        Spectrum { lowest, highest, null_space: crate::NullSpace::Zero }
    }

    fn weights(&self) -> Option<&[f64]> {
        self.of.weights()
    }

    fn modes(&self) -> Option<&dyn Modes> {
        Some(self)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        Ok(Box::new(DiagonalSolver::new(self, z)?))
    }
}

impl Modes for DenseModes<'_> {
    fn eigenvalues(&self) -> &[f64] {
        &self.eigen.values
    }

    fn to_modes(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.roots).for_each(|(x, root)| *x *= root);
        let values = x.to_vec();
        let vectors = self.eigen.vectors.chunks_exact(values.len().max(1));
        for (x, vector) in x.iter_mut().zip(vectors) {
            *x = vector.iter().zip(&values).map(|(v, x)| v * x).sum();
        }
    }

    fn to_values(&self, x: &mut [f64]) {
        let coefficients = x.to_vec();
        x.fill(0.0);
        let vectors = self.eigen.vectors.chunks_exact(coefficients.len().max(1));
        for (vector, c) in vectors.zip(&coefficients) {
            x.iter_mut().zip(vector).for_each(|(x, v)| *x += c * v);
        }
        x.iter_mut().zip(&self.roots).for_each(|(x, root)| *x /= root);
    }
}
