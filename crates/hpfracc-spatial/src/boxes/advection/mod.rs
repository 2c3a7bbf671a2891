mod one_axis;
mod scheme;

use super::diffusion::faces;
use super::grid::{BoxGrid, End, Face, FaceValues};
use crate::Result;
use crate::chunks::for_each_chunk;
use crate::error::require_len;
pub use one_axis::AdvectionDiffusion;
pub use scheme::{AdvectionScheme, Limiter};

/// Advection `u -> div(v u)` on a box of cells, in conservative form: differences of the fluxes v u
/// through the faces of each cell.
///
/// v is the velocity normal to each face. The flux through a boundary is v times the boundary value
/// where the flow enters, and follows from the cells inside where it leaves; with v = 0 there, as on
/// periodic axes, the integral of the result is 0 up to rounding.
///
/// Not a [`SpatialOperator`](crate::SpatialOperator): with a limiter it is not linear. The equation
/// `du/dt = -div(v u)` with explicit Euler steps and constant v on one axis does not increase the
/// total variation for `|v| dt <= h/2` with limiters and `|v| dt <= h` with upwind fluxes. For a
/// linear implicit operator on one axis see [`AdvectionDiffusion`].
///
/// Cost: two fluxes per value and axis; large fields use all threads. Values that are not finite
/// are passed on to the cells around them.
///
/// Source: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems (2002),
/// doi:10.1017/CBO9780511791253, chapter 6.
///
/// ```
/// use hpfracc_spatial::{Advection, AdvectionScheme, Axis, BoxGrid, Limiter};
///
/// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 50)?])?;
/// let mut u = grid.sample(|x| f64::from(u8::from(x[0] < 0.5)));
/// let scheme = AdvectionScheme::Limited(Limiter::VanLeer);
/// let advection = Advection::new(grid, &[1.0], scheme)?;
/// let mut change = vec![0.0; 50];
/// for _ in 0..100 {
///     advection.apply(&u, &mut change)?;
///     u.iter_mut().zip(&change).for_each(|(u, c)| *u -= 0.01 * c);
/// }
/// let sum: f64 = u.iter().sum();
/// assert!((sum - 25.0).abs() < 1e-12 && u.iter().all(|u| (-1e-12..1.0 + 1e-12).contains(u)));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Advection {
    grid: BoxGrid,
    /// Velocity on the faces across each axis.
    velocity: Vec<Vec<f64>>,
    scheme: AdvectionScheme,
    /// Boundary values of the two faces of the box across each axis.
    boundary_values: Vec<[Vec<f64>; 2]>,
}

impl Advection {
    /// Advection with a constant velocity, a component for each axis.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) unless there is one component for each axis;
    /// [`FaceValue`](crate::SpatialError::FaceValue) if one is NaN or infinite;
    /// [`Axis`](crate::SpatialError::Axis) unless all axes have cells.
    pub fn new(grid: BoxGrid, velocity: &[f64], scheme: AdvectionScheme) -> Result<Self> {
        require_len("velocity", velocity.len(), grid.dim())?;
        let faces = faces::sample(&grid, &|axis, _| velocity[axis]);
        Self::from_faces(grid, faces, scheme)
    }

    /// Advection with the velocities normal to the faces across each axis: row-major like a field,
    /// with n + 1 faces along the axis.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length); [`FaceValue`](crate::SpatialError::FaceValue) if a
    /// velocity is NaN or infinite, or if the two ends of a periodic axis differ;
    /// [`Axis`](crate::SpatialError::Axis) unless all axes have cells.
    pub fn from_faces(
        grid: BoxGrid,
        velocity: Vec<Vec<f64>>,
        scheme: AdvectionScheme,
    ) -> Result<Self> {
        grid.require_cells("advection")?;
        faces::check(&grid, "velocity", &velocity, "a finite number", f64::is_finite)?;
        let zeros = |axis| {
            let layout = grid.layout(axis);
            [vec![0.0; layout.outer * layout.inner], vec![0.0; layout.outer * layout.inner]]
        };
        let boundary_values = (0..grid.dim()).map(zeros).collect();
        Ok(Self { grid, velocity, scheme, boundary_values })
    }

    /// The grid.
    pub fn grid(&self) -> &BoxGrid {
        &self.grid
    }

    /// Sets the boundary values g of a face of the box, which are 0 before.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) and [`NotFinite`](crate::SpatialError::NotFinite)
    /// for the values, [`Axis`](crate::SpatialError::Axis) if there is no such axis or it is
    /// periodic.
    pub fn set_boundary_values(&mut self, face: Face, values: FaceValues<'_>) -> Result<()> {
        self.grid.face_axis(face)?;
        let stored = &mut self.boundary_values[face.axis][usize::from(face.end == End::Upper)];
        values.check(stored.len())?;
        stored.iter_mut().enumerate().for_each(|(k, g)| *g = values.at(k));
        Ok(())
    }

    /// Writes `div(v u)`.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) unless both have as many values as the grid.
    pub fn apply(&self, u: &[f64], divergence: &mut [f64]) -> Result<()> {
        require_len("u", u.len(), self.grid.len())?;
        require_len("divergence", divergence.len(), self.grid.len())?;
        let n = self.grid.layout(self.grid.dim() - 1).n;
        let rows = CHUNK.div_ceil(n);
        let scratch = || (vec![0.0; n + 4], vec![0.0; n + 1]);
        for_each_chunk(divergence, rows * n, scratch, |scratch, k, chunk| {
            for (r, y) in chunk.chunks_exact_mut(n).enumerate() {
                let row = k * rows + r;
                self.write_along_last(row, &u[row * n..][..n], y, scratch);
                self.add_across_rows(row, u, y, &mut scratch.1);
            }
        });
        Ok(())
    }

    /// The ghost value outside the boundary of an axis.
    fn ghost(&self, axis: usize, side: usize, inside: f64, position: usize) -> f64 {
        let a = &self.grid.axes()[axis];
        let ghost = a.boundaries()[side].ghost(a.cell_width());
        ghost.reflection * inside + ghost.inflow * self.boundary_values[axis][side][position]
    }

    /// Writes the divergence along the last axis to a row of it.
    fn write_along_last(
        &self,
        row: usize,
        u: &[f64],
        y: &mut [f64],
        (extended, flux): &mut (Vec<f64>, Vec<f64>),
    ) {
        let (last, n) = (self.grid.dim() - 1, u.len());
        let axis = &self.grid.axes()[last];
        let v = &self.velocity[last][row * (n + 1)..][..n + 1];
        extended[2..n + 2].copy_from_slice(u);
        if axis.is_periodic() {
            extended[..2].copy_from_slice(&u[n - 2..]);
            extended[n + 2..].copy_from_slice(&u[..2]);
        } else {
            let (lower, upper) =
                (self.ghost(last, 0, u[0], row), self.ghost(last, 1, u[n - 1], row));
            extended[..2].fill(lower);
            extended[n + 2..].fill(upper);
        }
        for ((f, v), u) in flux.iter_mut().zip(v).zip(extended.windows(4)) {
            *f = v * self.scheme.face_value(*v, [u[0], u[1], u[2], u[3]]);
        }
        if !axis.is_periodic() {
            flux[0] = v[0] * self.scheme.boundary_value(-v[0], [u[1], u[0], extended[1]]);
            let inside = [u[n - 2], u[n - 1], extended[n + 2]];
            flux[n] = v[n] * self.scheme.boundary_value(v[n], inside);
        }
        let scale = 1.0 / axis.cell_width();
        for (y, f) in y.iter_mut().zip(flux.windows(2)) {
            *y = (f[1] - f[0]) * scale;
        }
    }

    /// Adds the divergence along the other axes to a row of the last axis.
    fn add_across_rows(&self, row: usize, u: &[f64], y: &mut [f64], flux: &mut [f64]) {
        let len = y.len();
        let flux = &mut flux[..len];
        let mut stride = 1;
        for d in (0..self.grid.dim() - 1).rev() {
            let axis = &self.grid.axes()[d];
            let n = axis.len();
            let i = row / stride % n;
            let first = faces::row_of_faces(row, stride, n);
            for side in 0..2 {
                let v = &self.velocity[d][(first + side * stride) * len..][..len];
                let place = RowOfFaces { axis: d, row, stride, face: i + side };
                self.write_flux_across(place, u, v, flux);
                let scale = [-1.0, 1.0][side] / axis.cell_width();
                y.iter_mut().zip(&*flux).for_each(|(y, f)| *y += scale * f);
            }
            stride *= n;
        }
    }

    /// Writes the fluxes through a row of faces across an axis.
    fn write_flux_across(&self, place: RowOfFaces, u: &[f64], v: &[f64], flux: &mut [f64]) {
        let RowOfFaces { axis, row, stride, face } = place;
        let (n, len) = (self.grid.axes()[axis].len(), v.len());
        let start = row - row / stride % n * stride;
        let cells = |k: usize| &u[(start + k % n * stride) * len..][..len];
        if self.grid.axes()[axis].is_periodic() || (face > 0 && face < n) {
            let ghost_free = self.grid.axes()[axis].is_periodic();
            // Next to a boundary, the far cell is a ghost cell.
            let [a, b, c, d] = [face + n - 2, face + n - 1, face, face + 1].map(cells);
            for j in 0..len {
                let position = row / (stride * n) * stride * len + row % stride * len + j;
                let mut values = [a[j], b[j], c[j], d[j]];
                if !ghost_free && face == 1 {
                    values[0] = self.ghost(axis, 0, b[j], position);
                }
                if !ghost_free && face == n - 1 {
                    values[3] = self.ghost(axis, 1, c[j], position);
                }
                flux[j] = v[j] * self.scheme.face_value(v[j], values);
            }
            return;
        }
        let (side, outward) = if face == 0 { (0, -1.0) } else { (1, 1.0) };
        let [first, second] = if face == 0 { [0, 1] } else { [n - 1, n - 2] }.map(cells);
        for j in 0..len {
            let position = row / (stride * n) * stride * len + row % stride * len + j;
            let ghost = self.ghost(axis, side, first[j], position);
            let values = [second[j], first[j], ghost];
            flux[j] = v[j] * self.scheme.boundary_value(outward * v[j], values);
        }
    }
}

/// The faces of a row of the last axis across another axis: number `face` of 0 to n on the axis.
struct RowOfFaces {
    axis: usize,
    row: usize,
    /// Distance in rows of neighbours along the axis.
    stride: usize,
    face: usize,
}

/// Number of values that a thread writes at least.
const CHUNK: usize = 1 << 12;
