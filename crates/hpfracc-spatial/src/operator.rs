use crate::{Result, SpatialError, Tridiagonal};
use hpfracc_backend::TransformAxes;
use num_complex::Complex64;

/// Linear operator A on fields of n values with a spectrum in `Re(lambda) >= 0`: a Laplacian with
/// its sign turned, a fractional power of one, diffusion with advection.
///
/// Fields are slices; those of a box are row-major, the last axis fastest. Methods are called with
/// slices of [`len`](Self::len) values, and may panic with others.
pub trait SpatialOperator: Send + Sync {
    /// Number of values of a field, n.
    fn len(&self) -> usize;

    /// Whether n is 0.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes `y = A x`.
    fn apply(&self, x: &[f64], y: &mut [f64]);

    /// Writes `x = A' y` with the transposed matrix A'. Default: A, for symmetric matrices.
    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        self.apply(y, x);
    }

    /// Eigenvalues: bounds, and the null space.
    fn spectrum(&self) -> Spectrum;

    /// Weights w of the inner product `sum_i w_i x_i y_i` in which A is self-adjoint. Default: None,
    /// all equal, for symmetric matrices.
    fn weights(&self) -> Option<&[f64]> {
        None
    }

    /// Whether A is self-adjoint in its [`weights`](Self::weights), with a real spectrum. Functions of
    /// an operator and conjugate gradients need it. Default: true.
    fn is_self_adjoint(&self) -> bool {
        true
    }

    /// Transform that diagonalises A, if there is a fast one. Default: None.
    fn modes(&self) -> Option<&dyn Modes> {
        None
    }

    /// Matrix entries, if A is tridiagonal up to the corners of a periodic axis. Default: None.
    ///
    /// Equations with a variable diagonal, `(diag(d) + A) x = b`, then have exact solutions in n
    /// operations.
    fn tridiagonal(&self) -> Option<Tridiagonal> {
        None
    }

    /// Prepares solves of `(z + A) x = b`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) if z is minus an eigenvalue.
    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>>;
}

/// Refuses an operator that is not self-adjoint, for a method that assumes a real spectrum.
pub(crate) fn require_self_adjoint<A: SpatialOperator + ?Sized>(
    operator: &A,
    method: &'static str,
) -> Result<()> {
    if operator.is_self_adjoint() {
        return Ok(());
    }
    Err(SpatialError::Unsupported {
        method,
        request: "with an operator that is not self-adjoint".to_owned(),
        reason: "its eigenvalues may be complex; use `SpatialOperator::shifted` of the operator, \
                 in time steps or in a quadrature of your own",
    })
}

/// Solves `(z + A) x = b` for a number z and any b.
pub trait ShiftedSolver: Send + Sync {
    /// Overwrites b with the solution x.
    ///
    /// # Errors
    /// [`NotConverged`](crate::SpatialError::NotConverged) of an iterative solver; x is then
    /// unspecified.
    fn solve(&self, x: &mut [Complex64]) -> Result<()>;

    /// Overwrites a real b with the solution x for a real z.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn solve_real(&self, x: &mut [f64]) -> Result<()>;
}

/// Basis of eigenvectors with fast transforms: `A = S diag(eigenvalues) S^-1`.
pub trait Modes: Send + Sync {
    /// Eigenvalue of each mode.
    fn eigenvalues(&self) -> &[f64];

    /// Overwrites the values of a field with its coefficients, `S^-1 x`.
    fn to_modes(&self, x: &mut [f64]);

    /// Overwrites coefficients with the values of a field, `S x`.
    fn to_values(&self, x: &mut [f64]);

    /// Axes with a real transform along each, if S is the orthonormal matrix of their
    /// [`TrigonometricMultiplier`](hpfracc_backend::Workload::TrigonometricMultiplier), with the
    /// modes in the same order: functions of A can then be computed by a
    /// [`Backend`](hpfracc_backend::Backend), see [`OperatorFunction::on`](crate::OperatorFunction::on).
    /// Default: None.
    fn transform_axes(&self) -> Option<TransformAxes> {
        None
    }
}

/// Bounds of the eigenvalues of a self-adjoint operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Lower bound of the eigenvalues that are not zero; positive, or 0 if unknown.
    pub lowest: f64,
    /// Upper bound of the eigenvalues.
    pub highest: f64,
    /// Eigenvectors of the eigenvalue zero.
    pub null_space: NullSpace,
}

/// Null space of an operator.
#[derive(Debug, Clone, PartialEq)]
pub enum NullSpace {
    /// Only zero: the operator is invertible.
    Zero,
    /// Spanned by one vector for each component of a graph (a box has one): `vector` on the nodes
    /// of the component, zero elsewhere.
    Components {
        /// Number of the component of each node, from 0.
        component: Vec<u32>,
        /// Entries of the null vectors; constants for a combinatorial Laplacian.
        vector: Vec<f64>,
    },
}
