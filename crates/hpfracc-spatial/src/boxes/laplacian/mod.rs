mod modes;

use super::Discretisation;
use super::grid::{BoxGrid, End, Face, FaceValues};
use super::lines::AxisOperator;
use crate::chunks::for_each_chunk;
use crate::error::{require, require_len, require_memory};
use crate::pool::Pool;
use crate::tridiagonal::Tridiagonal;
use crate::{Modes, NullSpace, Result, ShiftedSolver, SpatialOperator, Spectrum};
use modes::ModesSolver;
use num_complex::Complex64;
use std::sync::OnceLock;

/// `A u = -sum_d kappa_d d^2u/dx_d^2` on a box, with a constant kappa_d > 0 for each axis.
///
/// Each axis has its own boundary conditions and [`Discretisation`](crate::Discretisation), which
/// says the order of accuracy; on cells it is 2. A is symmetric; with Legendre points it is
/// self-adjoint in the [weights](crate::BoxGrid::weights) of the grid. Its eigenvectors are products
/// of those of the axes, which are exact: discrete sines, cosines or both by fast transforms, dense
/// matrices for Robin boundaries and Legendre points. Modes are those of each axis by frequency,
/// with k and n - k of a periodic axis for the same frequency.
///
/// Cost: [`apply`](SpatialOperator::apply) a few operations a value; a solve two transforms along
/// each axis, n log n together, or n times the length of an axis with dense eigenvectors. Large
/// fields use all threads, and results have the same bits for any number of them.
///
/// Boundary values other than 0 go to the right-hand side, see
/// [`add_boundary_values`](Self::add_boundary_values).
///
/// Source: G. Strang, SIAM Rev. 41 (1999) 135, doi:10.1137/S0036144598336745.
///
/// ```
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid, Complex64, Laplacian, SpatialOperator};
/// use std::f64::consts::PI;
///
/// // -u'' = pi^2 sin(pi x), u(0) = u(1) = 0.
/// let axis = Axis::new(0.0, 1.0, 200, [Boundary::Dirichlet; 2])?;
/// let grid = BoxGrid::new(vec![axis])?;
/// let mut u = grid.sample(|x| PI * PI * (PI * x[0]).sin());
/// let laplacian = Laplacian::new(grid, &[1.0])?;
/// laplacian.shifted(Complex64::ZERO)?.solve_real(&mut u)?;
/// assert!((u[100] - 1.0).abs() < 1e-4);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct Laplacian {
    grid: BoxGrid,
    kappa: Vec<f64>,
    axes: Vec<AxisOperator>,
    weights: Option<Vec<f64>>,
    /// Sums of the eigenvalues of all axes but the first.
    offsets: Vec<f64>,
    eigenvalues: OnceLock<Vec<f64>>,
    real: Pool<f64>,
    complex: Pool<Complex64>,
}

impl Laplacian {
    /// Laplacian on a grid with a coefficient for each axis.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) unless there is one coefficient for each axis;
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) if a coefficient is not a positive number, or
    /// if an axis with a Robin boundary has more than 2048 cells;
    /// [`Memory`](crate::SpatialError::Memory) if the eigenvalues and two fields do not fit.
    pub fn new(grid: BoxGrid, kappa: &[f64]) -> Result<Self> {
        require_len("kappa", kappa.len(), grid.dim())?;
        for kappa in kappa {
            let holds = kappa.is_finite() && *kappa > 0.0;
            require(holds, "kappa", *kappa, "a positive number")?;
        }
        require_memory("eigenvalues and scratch of a Laplacian", 4.0 * grid.len() as f64)?;
        let axes = grid.axes().iter().map(AxisOperator::new).collect::<Result<Vec<_>>>()?;
        let legendre =
            |axis: &super::Axis| axis.discretisation() == super::Discretisation::Legendre;
        let weights = grid.axes().iter().any(legendre).then(|| grid.weights());
        let offsets = if grid.dim() == 1 { vec![0.0] } else { sums(&axes[1..], &kappa[1..]) };
        Ok(Self {
            kappa: kappa.to_vec(),
            axes,
            weights,
            offsets,
            eigenvalues: OnceLock::new(),
            real: Pool::new(grid.len()),
            complex: Pool::new(grid.len()),
            grid,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &BoxGrid {
        &self.grid
    }

    /// Adds the contribution of boundary values g on a face to a right-hand side b, so that
    /// `A u = b` is the discrete equation with these boundary values; b of a time-dependent equation
    /// `du/dt + A u = b` likewise. Contributions of several calls add up.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) and [`NotFinite`](crate::SpatialError::NotFinite) for
    /// values of the face or b, [`Axis`](crate::SpatialError::Axis) if there is no such axis or it
    /// is periodic.
    pub fn add_boundary_values(
        &self,
        face: Face,
        values: FaceValues<'_>,
        b: &mut [f64],
    ) -> Result<()> {
        self.grid.face_axis(face)?;
        require_len("right-hand side", b.len(), self.len())?;
        let layout = self.grid.layout(face.axis);
        values.check(layout.outer * layout.inner)?;
        let kappa = self.kappa[face.axis];
        let entries = &self.axes[face.axis].ends[usize::from(face.end == End::Upper)];
        for (outer, slab) in b.chunks_exact_mut(layout.n * layout.inner).enumerate() {
            for (j, contribution) in entries {
                let row = &mut slab[j * layout.inner..][..layout.inner];
                for (inner, b) in row.iter_mut().enumerate() {
                    *b += kappa * contribution * values.at(outer * layout.inner + inner);
                }
            }
        }
        Ok(())
    }

    /// Diagonal of the matrix.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let along = |(axis, kappa): (&AxisOperator, &f64)| -> Vec<f64> {
            let entry = |i: usize| {
                let mut diagonal = 0.0;
                axis.row(i, |j, a| diagonal += if i == j { kappa * a } else { 0.0 });
                diagonal
            };
            (0..axis.eigenvalues.len()).map(entry).collect()
        };
        let diagonals: Vec<Vec<f64>> = self.axes.iter().zip(&self.kappa).map(along).collect();
        let slices: Vec<&[f64]> = diagonals.iter().map(Vec::as_slice).collect();
        super::grid::sample(&slices, |entries| entries.iter().sum())
    }

    /// Writes a row of the last axis of `A x`.
    fn apply_to_row(&self, row: usize, x: &[f64], y: &mut [f64]) {
        let last = self.axes.len() - 1;
        let len = y.len();
        y.fill(0.0);
        self.axes[last].add_product(self.kappa[last], &x[row * len..][..len], y);
        let mut stride = 1;
        for (axis, kappa) in self.axes[..last].iter().zip(&self.kappa).rev() {
            let n = axis.eigenvalues.len();
            let i = row / stride % n;
            axis.row(i, |j, entry| {
                let neighbour = row + j * stride - i * stride;
                let factor = kappa * entry;
                let x = &x[neighbour * len..][..len];
                y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
            });
            stride *= n;
        }
    }
}

/// Sums of the eigenvalues of axes, times their coefficients, for all modes.
fn sums(axes: &[AxisOperator], kappa: &[f64]) -> Vec<f64> {
    let scaled: Vec<Vec<f64>> = (axes.iter().zip(kappa))
        .map(|(axis, kappa)| axis.eigenvalues.iter().map(|value| kappa * value).collect())
        .collect();
    let slices: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    super::grid::sample(&slices, |values| {
        values.iter().rev().copied().reduce(|a, b| b + a).unwrap_or(0.0)
    })
}

/// Number of values that a thread writes at least.
const CHUNK: usize = 1 << 13;

impl Laplacian {
    /// [`shifted`](SpatialOperator::shifted) of a Laplacian that the solver owns.
    pub(in crate::boxes) fn into_shifted(self, z: Complex64) -> Result<Box<dyn ShiftedSolver>> {
        Ok(Box::new(ModesSolver::new(self, z)?))
    }
}

impl SpatialOperator for Laplacian {
    fn len(&self) -> usize {
        self.grid.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let len = self.axes[self.axes.len() - 1].eigenvalues.len();
        let rows = CHUNK.div_ceil(len);
        for_each_chunk(
            y,
            rows * len,
            || (),
            |(), k, chunk| {
                for (r, row) in chunk.chunks_exact_mut(len).enumerate() {
                    self.apply_to_row(k * rows + r, x, row);
                }
            },
        );
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        let Some(weights) = &self.weights else {
            return self.apply(y, x);
        };
        // W A is symmetric: A' = W A W^-1.
        let scaled: Vec<f64> = y.iter().zip(weights).map(|(y, w)| y / w).collect();
        self.apply(&scaled, x);
        x.iter_mut().zip(weights).for_each(|(x, w)| *x *= w);
    }

    fn spectrum(&self) -> Spectrum {
        let extremes: Vec<[f64; 3]> = (self.axes.iter().zip(&self.kappa))
            .map(|(axis, kappa)| axis.extremes().map(|value| kappa * value))
            .collect();
        let least: f64 = extremes.iter().map(|e| e[0]).sum();
        let highest = extremes.iter().map(|e| e[2]).sum();
        if least > 0.0 {
            return Spectrum { lowest: least, highest, null_space: NullSpace::Zero };
        }
        let lowest = extremes.iter().map(|e| e[1]).fold(f64::INFINITY, f64::min);
        let n = self.len();
        let null_space = NullSpace::Components { component: vec![0; n], vector: vec![1.0; n] };
        Spectrum { lowest, highest, null_space }
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn modes(&self) -> Option<&dyn Modes> {
        Some(self)
    }

    fn tridiagonal(&self) -> Option<Tridiagonal> {
        let axis = &self.grid.axes()[0];
        if self.grid.dim() > 1 || axis.discretisation() != Discretisation::Second {
            return None;
        }
        let n = axis.len();
        let mut matrix = Tridiagonal::zeros(n);
        for i in 0..n {
            self.axes[0].row(i, |j, entry| {
                let entry = self.kappa[0] * entry;
                match j {
                    _ if j == i => matrix.diagonal[i] += entry,
                    _ if j + 1 == i || (i == 0 && j == n - 1) => matrix.lower[i] += entry,
                    _ => matrix.upper[i] += entry,
                }
            });
        }
        Some(matrix)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        Ok(Box::new(ModesSolver::new(self, z)?))
    }
}
