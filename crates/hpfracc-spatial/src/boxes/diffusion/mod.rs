mod apply;
pub(super) mod faces;
mod solver;

use super::grid::{BoxGrid, End, Face, FaceValues};
use super::lines::extremes;
use crate::error::{require_len, require_memory};
use crate::krylov::Stopping;
use crate::tridiagonal::Tridiagonal;
use crate::{NullSpace, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use num_complex::Complex64;
pub use solver::DiffusionSolver;

/// `A u = -div(kappa grad u) + c u` on a box of cells, with variable coefficients kappa > 0 and
/// c >= 0.
///
/// The flux through a face is kappa at the face times the difference of the values of the two
/// cells over their distance: order 2 for smooth kappa, conservative, symmetric for any. Boundary
/// conditions are those of the axes, by ghost cells; Neumann and Robin boundaries prescribe the
/// normal derivative of u, not the flux.
///
/// Shifted solves: LU factors of a tridiagonal matrix on one axis, n operations; on 2 and 3 axes
/// conjugate gradients (for complex shifts their complex symmetric form) with a
/// [`Laplacian`](crate::Laplacian) of constant coefficients as preconditioner, to a relative
/// residual of 1e-12 or [`with_stopping`](Self::with_stopping). The number of iterations does not
/// grow with the number of cells; it grows with the ratio of the largest to the least kappa, at
/// most like its square root.
///
/// Source: S. V. Patankar, Numerical Heat Transfer and Fluid Flow (1980), section 4.2;
/// P. Concus and G. H. Golub, SIAM J. Numer. Anal. 10 (1973) 1103, doi:10.1137/0710092.
///
/// ```
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid, Complex64, Diffusion, SpatialOperator};
///
/// // -(exp(x) u')' = 1, u(0) = 0, u'(1) = 0.
/// let axis = Axis::new(0.0, 1.0, 400, [Boundary::Dirichlet, Boundary::Neumann])?;
/// let diffusion = Diffusion::new(BoxGrid::new(vec![axis])?, |x| x[0].exp())?;
/// let mut u = vec![1.0; 400];
/// diffusion.shifted(Complex64::ZERO)?.solve_real(&mut u)?;
/// // u' = (1 - x) exp(-x), so that u = x exp(-x).
/// assert!((u[399] - (-1.0f64).exp()).abs() < 1e-5);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct Diffusion {
    grid: BoxGrid,
    /// kappa / h^2 on the faces across each axis.
    faces: Vec<Vec<f64>>,
    /// Ghost cells of the ends of each axis: 1 minus the reflection, and the inflow.
    ends: Vec<[(f64, f64); 2]>,
    reaction: Option<Vec<f64>>,
    stopping: Stopping,
}

/// Refuses grids whose coefficients on the faces do not fit into memory.
fn require_face_memory(grid: &BoxGrid) -> Result<()> {
    let faces = grid.axes().iter().map(|axis| 1.0 + 1.0 / axis.len() as f64).sum::<f64>();
    require_memory("coefficients on the faces of a box", faces * grid.len() as f64)
}

impl Diffusion {
    /// Diffusion with kappa from a function of the coordinates, at the centres of the faces.
    ///
    /// # Errors
    /// [`FaceValue`](SpatialError::FaceValue) if kappa is not a positive number on a face or not
    /// periodic on a periodic axis; [`Axis`](SpatialError::Axis) unless all axes have cells;
    /// [`Memory`](SpatialError::Memory) if the coefficients do not fit.
    pub fn new(grid: BoxGrid, kappa: impl Fn(&[f64]) -> f64) -> Result<Self> {
        require_face_memory(&grid)?;
        let mut faces = faces::sample(&grid, &|_, p| kappa(p));
        identify_periodic_faces(&grid, &mut faces);
        Self::from_faces(grid, faces)
    }

    /// Diffusion with the values of kappa in the cells: the harmonic mean of two cells on the face
    /// between them, which is exact for layers.
    ///
    /// # Errors
    /// [`CellValue`](SpatialError::CellValue) if a value is not a positive number;
    /// [`Length`](SpatialError::Length); [`Axis`](SpatialError::Axis) unless all axes have cells;
    /// [`Memory`](SpatialError::Memory) if the coefficients do not fit.
    pub fn from_cells(grid: BoxGrid, kappa: &[f64]) -> Result<Self> {
        require_len("kappa", kappa.len(), grid.len())?;
        if let Some(index) = kappa.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
            let expected = "a positive number";
            return Err(SpatialError::CellValue {
                what: "kappa",
                index,
                value: kappa[index],
                expected,
            });
        }
        require_face_memory(&grid)?;
        let faces = faces::harmonic_means(&grid, kappa);
        Self::from_faces(grid, faces)
    }

    /// Diffusion with the values of kappa on the faces across each axis: row-major like a field,
    /// with n + 1 faces along the axis; kappa may differ between axes.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length); [`FaceValue`](SpatialError::FaceValue) if a value is not a
    /// positive number, or if the two ends of a periodic axis differ;
    /// [`Axis`](SpatialError::Axis) unless all axes have cells.
    pub fn from_faces(grid: BoxGrid, mut kappa: Vec<Vec<f64>>) -> Result<Self> {
        grid.require_cells("diffusion with variable coefficients")?;
        let positive = |k: f64| k.is_finite() && k > 0.0;
        faces::check(&grid, "kappa", &kappa, "a positive number", positive)?;
        let mut ends = Vec::new();
        for (axis, kappa) in grid.axes().iter().zip(&mut kappa) {
            let h = axis.cell_width();
            kappa.iter_mut().for_each(|k| *k /= h * h);
            ends.push(axis.boundaries().map(|b| {
                let ghost = b.ghost(h);
                (1.0 - ghost.reflection, ghost.inflow)
            }));
        }
        Ok(Self {
            grid,
            faces: kappa,
            ends,
            reaction: None,
            stopping: Stopping { tolerance: 1e-12, iterations: 5000 },
        })
    }

    /// Adds the reaction term c u with a value c >= 0 for each cell.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length); [`CellValue`](SpatialError::CellValue) if a value is
    /// negative, NaN or infinite.
    pub fn with_reaction(mut self, c: Vec<f64>) -> Result<Self> {
        require_len("reaction", c.len(), self.grid.len())?;
        if let Some(index) = c.iter().position(|c| !(c.is_finite() && *c >= 0.0)) {
            let (what, expected) = ("reaction", "a number >= 0");
            return Err(SpatialError::CellValue { what, index, value: c[index], expected });
        }
        self.reaction = Some(c);
        Ok(self)
    }

    /// The same with another tolerance of the residual of solves (default 1e-12) and another largest
    /// number of iterations (default 5000).
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless the tolerance is between 0 and 1 and the
    /// number positive.
    pub fn with_stopping(mut self, stopping: Stopping) -> Result<Self> {
        self.stopping = stopping.checked()?;
        Ok(self)
    }

    /// The grid.
    pub fn grid(&self) -> &BoxGrid {
        &self.grid
    }

    /// Solver of `(z + A) x = b`, which tells its number of iterations.
    ///
    /// # Errors
    /// As [`shifted`](SpatialOperator::shifted).
    pub fn solver(&self, z: Complex64) -> Result<DiffusionSolver<'_>> {
        DiffusionSolver::new(self, z)
    }

    /// Adds the contribution of boundary values g on a face of the box to a right-hand side, as
    /// [`Laplacian::add_boundary_values`](crate::Laplacian::add_boundary_values).
    ///
    /// # Errors
    /// As there.
    pub fn add_boundary_values(
        &self,
        face: Face,
        values: FaceValues<'_>,
        b: &mut [f64],
    ) -> Result<()> {
        self.grid.face_axis(face)?;
        require_len("right-hand side", b.len(), self.grid.len())?;
        let layout = self.grid.layout(face.axis);
        let (n, inner) = (layout.n, layout.inner);
        values.check(layout.outer * inner)?;
        let upper = usize::from(face.end == End::Upper);
        let inflow = self.ends[face.axis][upper].1;
        for outer in 0..layout.outer {
            for i in 0..inner {
                let kappa = self.faces[face.axis][(outer * (n + 1) + upper * n) * inner + i];
                let cell = (outer * n + upper * (n - 1)) * inner + i;
                b[cell] += kappa * inflow * values.at(outer * inner + i);
            }
        }
        Ok(())
    }

    /// Diagonal of the matrix.
    fn diagonal(&self) -> Vec<f64> {
        let mut sums = self.reaction.clone().unwrap_or_else(|| vec![0.0; self.grid.len()]);
        for (d, faces) in self.faces.iter().enumerate() {
            let layout = self.grid.layout(d);
            let (n, inner) = (layout.n, layout.inner);
            let periodic = self.grid.axes()[d].is_periodic();
            let factor = |side: usize| if periodic { 1.0 } else { self.ends[d][side].0 };
            for (row, sums) in sums.chunks_exact_mut(inner).enumerate() {
                let i = row % n;
                let first = (row + row / n) * inner;
                let lower = if i == 0 { factor(0) } else { 1.0 };
                let upper = if i == n - 1 { factor(1) } else { 1.0 };
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum += lower * faces[first + k] + upper * faces[first + inner + k];
                }
            }
        }
        sums
    }

    /// kappa on the faces across the first axis.
    pub(super) fn face_coefficients(&self) -> impl Iterator<Item = f64> {
        let scale = self.grid.axes()[0].cell_width().powi(2);
        self.faces[0].iter().map(move |f| f * scale)
    }

    /// Whether there is a reaction coefficient that is not 0.
    pub(super) fn has_reaction(&self) -> bool {
        self.reaction.as_ref().is_some_and(|c| c.iter().any(|c| *c != 0.0))
    }

    /// The matrix, on one axis.
    pub(super) fn matrix(&self) -> Tridiagonal {
        let n = self.grid.len();
        let faces = &self.faces[0];
        let mut matrix = Tridiagonal::zeros(n);
        for i in 0..n {
            matrix.lower[i] = -faces[i];
            matrix.upper[i] = -faces[i + 1];
            matrix.diagonal[i] =
                faces[i] + faces[i + 1] + self.reaction.as_ref().map_or(0.0, |c| c[i]);
        }
        if !self.grid.axes()[0].is_periodic() {
            let [(lower, _), (upper, _)] = self.ends[0];
            matrix.diagonal[0] += (lower - 1.0) * faces[0];
            matrix.diagonal[n - 1] += (upper - 1.0) * faces[n];
            (matrix.lower[0], matrix.upper[n - 1]) = (0.0, 0.0);
        }
        matrix
    }
}

/// Writes the values of the lower end of periodic axes to the upper end, the same face, if they
/// agree up to rounding of the function's argument.
fn identify_periodic_faces(grid: &BoxGrid, faces: &mut [Vec<f64>]) {
    for (axis, values) in faces.iter_mut().enumerate() {
        if !grid.axes()[axis].is_periodic() {
            continue;
        }
        let layout = grid.layout(axis);
        for slab in values.chunks_exact_mut((layout.n + 1) * layout.inner) {
            let (first, last) = slab.split_at_mut(layout.n * layout.inner);
            for (a, b) in first.iter().zip(last) {
                if (*a - *b).abs() <= 1e-9 * a.abs() {
                    *b = *a;
                }
            }
        }
    }
}

/// The least and the greatest of some values.
fn range(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, 0.0], |[a, b], v| [a.min(*v), b.max(*v)])
}

impl SpatialOperator for Diffusion {
    fn len(&self) -> usize {
        self.grid.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.apply_shifted(0.0, x, y);
    }

    /// Bounds from those of the Laplacians with the least and the greatest kappa of each axis.
    fn spectrum(&self) -> Spectrum {
        let reaction = self.reaction.as_ref().map_or([0.0; 2], |c| range(c));
        let (mut least, mut after, mut highest) = (reaction[0], f64::INFINITY, reaction[1]);
        for (axis, faces) in self.grid.axes().iter().zip(&self.faces) {
            let scale = axis.cell_width().powi(2);
            let [low, high] = range(faces).map(|kappa| kappa * scale);
            let [first, second, last] = extremes(axis);
            least += low * first;
            after = after.min(low * second);
            highest += high * last;
        }
        let constants = self.grid.axes().iter().all(|axis| axis.keeps_constants());
        if constants && reaction[1] == 0.0 {
            let n = self.len();
            let null_space = NullSpace::Components { component: vec![0; n], vector: vec![1.0; n] };
            return Spectrum { lowest: after, highest, null_space };
        }
        Spectrum { lowest: least, highest, null_space: NullSpace::Zero }
    }

    fn tridiagonal(&self) -> Option<Tridiagonal> {
        (self.grid.dim() == 1).then(|| self.matrix())
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        Ok(Box::new(self.solver(z)?))
    }
}
