use super::super::diffusion::{Diffusion, faces};
use super::super::grid::End;
use super::super::tridiagonal_solver::TridiagonalSolver;
use super::AdvectionScheme;
use crate::error::{require, require_finite, require_len};
use crate::tridiagonal::Tridiagonal;
use crate::{NullSpace, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use num_complex::Complex64;

/// `A u = -(kappa u')' + (v u)' + c u` on one axis of cells, with central or upwind fluxes.
///
/// Linear and not symmetric. The error is of order h^2 with central fluxes and of order h with
/// upwind ones. With central fluxes and a [cell Peclet number](Self::largest_cell_peclet) above 2
/// solutions may oscillate. The eigenvalues have nonnegative real parts if the velocity is constant,
/// if fluxes are upwind, or if the cell Peclet number is at most 2.
///
/// [`Spectrum::highest`] bounds the absolute values of the eigenvalues. Shifted solves: LU factors
/// of a tridiagonal matrix with partial pivoting, n operations.
///
/// Source: R. J. LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations
/// (2007), doi:10.1137/1.9780898717839, section 10.10.
///
/// ```
/// use hpfracc_spatial::*;
///
/// // u' = 0.1 u'' on (0, 1), u(0) = 0, u(1) = 1.
/// let axis = Axis::new(0.0, 1.0, 400, [Boundary::Dirichlet; 2])?;
/// let diffusion = Diffusion::new(BoxGrid::new(vec![axis])?, |_| 0.1)?;
/// let a = AdvectionDiffusion::new(&diffusion, &[1.0; 401], AdvectionScheme::Central)?;
/// assert!(a.largest_cell_peclet() < 2.0);
/// let mut u = vec![0.0; 400];
/// a.add_boundary_value(End::Upper, 1.0, &mut u)?;
/// a.shifted(Complex64::ZERO)?.solve_real(&mut u)?;
/// let exact = |x: f64| (10.0 * x).exp_m1() / (10.0f64).exp_m1();
/// let x = diffusion.grid().axes()[0].points();
/// assert!(x.iter().zip(&u).all(|(x, u)| (u - exact(*x)).abs() < 1e-4));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct AdvectionDiffusion {
    matrix: Tridiagonal,
    transposed: Tridiagonal,
    /// Contribution of a boundary value 1 on each end to the right-hand side.
    ends: Option<[f64; 2]>,
    largest_cell_peclet: f64,
    null_space: NullSpace,
}

impl AdvectionDiffusion {
    /// Adds advection to a diffusion on one axis, with velocities on the n + 1 faces between and
    /// around the cells.
    ///
    /// # Errors
    /// [`Axis`](SpatialError::Axis) if the diffusion has more than one axis, or for a limited
    /// scheme; [`Length`](SpatialError::Length); [`FaceValue`](SpatialError::FaceValue) if a
    /// velocity is NaN or infinite, or if the ends of a periodic axis differ.
    pub fn new(diffusion: &Diffusion, velocity: &[f64], scheme: AdvectionScheme) -> Result<Self> {
        let grid = diffusion.grid();
        let refuse =
            |what, found, expected| Err(SpatialError::Axis { axis: 0, what, found, expected });
        if grid.dim() != 1 {
            return refuse("the number of axes", grid.dim().to_string(), "one axis");
        }
        let upwind = match scheme {
            AdvectionScheme::Central => false,
            AdvectionScheme::Upwind => true,
            AdvectionScheme::Limited(_) => {
                let expected = "Central or Upwind, which are linear";
                return refuse("the advection scheme", format!("{scheme:?}"), expected);
            }
        };
        let velocities = [velocity.to_vec()];
        faces::check(grid, "velocity", &velocities, "a finite number", f64::is_finite)?;
        let mut matrix = diffusion.matrix();
        add_advection(&mut matrix, &grid.axes()[0], velocity, upwind);
        let kappa = diffusion.face_coefficients();
        let h = grid.axes()[0].cell_width();
        let peclet = |(v, kappa): (&f64, f64)| v.abs() * h / kappa;
        let largest_cell_peclet = velocity.iter().zip(kappa).map(peclet).fold(0.0, f64::max);
        let null_space = null_space(&matrix, diffusion, velocity)?;
        let ends = boundary_contributions(diffusion, velocity, upwind)?;
        let transposed = matrix.transposed();
        Ok(Self { matrix, transposed, ends, largest_cell_peclet, null_space })
    }

    /// The largest `|v| h / kappa` of all faces. With [`AdvectionScheme::Central`] it should be at
    /// most 2.
    pub fn largest_cell_peclet(&self) -> f64 {
        self.largest_cell_peclet
    }

    /// Adds the contribution of a boundary value g on one end to a right-hand side, as
    /// [`Laplacian::add_boundary_values`](crate::Laplacian::add_boundary_values).
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) of b, [`NotFinite`](SpatialError::NotFinite) of g,
    /// [`Axis`](SpatialError::Axis) if the axis is periodic.
    pub fn add_boundary_value(&self, end: End, g: f64, b: &mut [f64]) -> Result<()> {
        require_finite("boundary value", &[g])?;
        require_len("right-hand side", b.len(), self.len())?;
        let Some(ends) = self.ends else {
            let (what, found) = ("the axis of a face", "periodic".into());
            let expected = "an axis that has boundaries";
            return Err(SpatialError::Axis { axis: 0, what, found, expected });
        };
        match end {
            End::Lower => b[0] += ends[0] * g,
            End::Upper => b[self.len() - 1] += ends[1] * g,
        }
        Ok(())
    }
}

/// Weights of the cell inside and of the boundary value in the value on a boundary with outward
/// velocity v.
fn boundary_weights(axis: &crate::Axis, side: usize, v: f64, upwind: bool) -> [f64; 2] {
    let ghost = axis.boundaries()[side].ghost(axis.cell_width());
    if upwind && v >= 0.0 {
        [1.0, 0.0]
    } else {
        [0.5 * (1.0 + ghost.reflection), 0.5 * ghost.inflow]
    }
}

fn add_advection(matrix: &mut Tridiagonal, axis: &crate::Axis, velocity: &[f64], upwind: bool) {
    let n = matrix.len();
    let scale = 1.0 / axis.cell_width();
    // Face i is between the cells i - 1 and i.
    let first = usize::from(!axis.is_periodic());
    for i in first..n {
        let v = velocity[i] * scale;
        let share = match upwind {
            false => 0.5,
            true => f64::from(u8::from(v >= 0.0)),
        };
        let before = (i + n - 1) % n;
        matrix.diagonal[before] += v * share;
        matrix.upper[before] += v * (1.0 - share);
        matrix.diagonal[i] -= v * (1.0 - share);
        matrix.lower[i] -= v * share;
    }
    if !axis.is_periodic() {
        let [lower, upper] = [-velocity[0], velocity[n]];
        matrix.diagonal[0] += scale * lower * boundary_weights(axis, 0, lower, upwind)[0];
        matrix.diagonal[n - 1] += scale * upper * boundary_weights(axis, 1, upper, upwind)[0];
    }
}

fn boundary_contributions(
    diffusion: &Diffusion,
    velocity: &[f64],
    upwind: bool,
) -> Result<Option<[f64; 2]>> {
    let axis = &diffusion.grid().axes()[0];
    if axis.is_periodic() {
        return Ok(None);
    }
    let n = axis.len();
    let mut sides = [0.0; 2];
    for (side, end) in [End::Lower, End::Upper].into_iter().enumerate() {
        let mut b = vec![0.0; n];
        let face = crate::Face { axis: 0, end };
        diffusion.add_boundary_values(face, crate::FaceValues::Constant(1.0), &mut b)?;
        let outward = [-velocity[0], velocity[n]][side];
        let weight = boundary_weights(axis, side, outward, upwind)[1];
        sides[side] = b[side * (n - 1)] - outward * weight / axis.cell_width();
    }
    Ok(Some(sides))
}

/// The null space: constants for a constant velocity if the boundaries keep them, one vector if
/// nothing flows through the boundaries, else zero.
fn null_space(matrix: &Tridiagonal, diffusion: &Diffusion, velocity: &[f64]) -> Result<NullSpace> {
    let axis = &diffusion.grid().axes()[0];
    let n = matrix.len();
    if diffusion.has_reaction() || !axis.keeps_constants() {
        return Ok(NullSpace::Zero);
    }
    if velocity.iter().all(|v| *v == velocity[0]) {
        return Ok(NullSpace::Components { component: vec![0; n], vector: vec![1.0; n] });
    }
    if axis.is_periodic() || (velocity[0] == 0.0 && velocity[n] == 0.0) {
        return null_vector(matrix);
    }
    Ok(NullSpace::Zero)
}

/// The null vector of a matrix whose columns have the sum 0, by inverse iteration.
fn null_vector(matrix: &Tridiagonal) -> Result<NullSpace> {
    let n = matrix.len();
    let factors = matrix.factor(1e-13 * highest(matrix))?;
    let mut vector = vec![1.0; n];
    for _ in 0..4 {
        factors.solve(&mut vector);
        let mean = vector.iter().sum::<f64>() / n as f64;
        vector.iter_mut().for_each(|v| *v /= mean);
    }
    Ok(NullSpace::Components { component: vec![0; n], vector })
}

/// Bound of the absolute values of the eigenvalues: the largest sum of the entries of a row.
fn highest(matrix: &Tridiagonal) -> f64 {
    let row = |i: usize| matrix.lower[i].abs() + matrix.diagonal[i].abs() + matrix.upper[i].abs();
    (0..matrix.len()).map(row).fold(0.0, f64::max)
}

impl SpatialOperator for AdvectionDiffusion {
    fn len(&self) -> usize {
        self.matrix.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.apply(x, y);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        self.transposed.apply(y, x);
    }

    fn spectrum(&self) -> Spectrum {
        let null_space = self.null_space.clone();
        Spectrum { lowest: 0.0, highest: highest(&self.matrix), null_space }
    }

    fn tridiagonal(&self) -> Option<Tridiagonal> {
        Some(self.matrix.clone())
    }

    fn is_self_adjoint(&self) -> bool {
        false
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        require(z.re.is_finite(), "the real part of a shift", z.re, "a finite number")?;
        require(z.im.is_finite(), "the imaginary part of a shift", z.im, "a finite number")?;
        let regular = z != Complex64::ZERO || self.null_space == NullSpace::Zero;
        require(regular, "the shift", 0.0, "not minus an eigenvalue")?;
        Ok(Box::new(TridiagonalSolver::new(&self.matrix, z)?))
    }
}
