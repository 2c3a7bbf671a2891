use super::unit_laplacian::unit_laplacian;
use crate::error::{PdeError, Result, require_positive, require_up_to_one};
use crate::{Equation, State, Term};
use hpfracc_spatial::{Axis, Boundary, BoxGrid, SpatialError};

/// Time-fractional Burgers equation on an interval, `D^alpha u + (u^2 / 2)_x = nu u_xx`: the
/// simplest competition of steepening and viscosity.
///
/// Central conservative fluxes, order 2 where a cell resolves the shocks, |u| h / nu below 2. On
/// periodic axes the integral of u is constant to rounding. Parameters of the equation: nu.
///
/// Source: J. M. Burgers, Adv. Appl. Mech. 1 (1948) 171, doi:10.1016/S0065-2156(08)70100-5.
///
/// ```
/// use hpfracc_pde::models::Burgers;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::Axis;
///
/// let axis = Axis::periodic(0.0, 1.0, 100)?;
/// let equation = Burgers { alpha: 0.8, nu: 0.02 }.equation(axis)?;
/// let equation = equation.start_from(|x| (6.283_185 * x[0]).sin())?;
/// let solution = solve(&equation, 0.3, Settings::default())?;
/// assert!(solution.last().iter().sum::<f64>().abs() < 1e-4);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Burgers {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Viscosity, length^2 / time^alpha, positive.
    pub nu: f64,
}

impl Burgers {
    /// The equation on an axis, periodic or with Dirichlet boundaries (u = 0), without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a parameter, [`Spatial`](PdeError::Spatial) for
    /// other boundaries.
    pub fn equation(&self, axis: Axis) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require_positive("the viscosity nu", self.nu)?;
        let periodic = axis.is_periodic();
        if !periodic && axis.boundaries() != [Boundary::Dirichlet; 2] {
            return Err(PdeError::Spatial(SpatialError::Axis {
                axis: 0,
                what: "the pair of boundaries of a Burgers equation",
                found: format!("{:?}", axis.boundaries()),
                expected: "periodic or Dirichlet",
            }));
        }
        let term = SquareFlux { periodic, scale: 1.0 / axis.cell_width() };
        let grid = BoxGrid::new(vec![axis])?;
        let laplacian = unit_laplacian(grid.clone())?;
        Equation::new(laplacian)
            .with_grid(&grid)?
            .order(self.alpha)?
            .coefficient(self.nu)?
            .term(term, &[])
    }
}

/// `-(u^2 / 2)_x` with the flux `(u_i^2 + u_(i+1)^2) / 4` between two cells, and 0 at boundaries.
struct SquareFlux {
    periodic: bool,
    /// 1/h.
    scale: f64,
}

impl SquareFlux {
    /// Calls `visit(left, right)` for the pair of cells at each face.
    fn faces(&self, n: usize, mut visit: impl FnMut(usize, usize)) {
        (1..n).for_each(|i| visit(i - 1, i));
        if self.periodic {
            visit(n - 1, 0);
        }
    }
}

impl Term for SquareFlux {
    fn field_count(&self) -> usize {
        1
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        self.faces(at.n, |i, j| {
            let flux = 0.25 * self.scale * (at.u[i] * at.u[i] + at.u[j] * at.u[j]);
            f[i] -= flux;
            f[j] += flux;
        });
    }

    fn add_jvp(&self, at: &State<'_>, du: &[f64], _: &[f64], df: &mut [f64]) {
        self.faces(at.n, |i, j| {
            let flux = 0.5 * self.scale * (at.u[i] * du[i] + at.u[j] * du[j]);
            df[i] -= flux;
            df[j] += flux;
        });
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], _: &mut [f64]) {
        self.faces(at.n, |i, j| {
            let bar = 0.5 * self.scale * (fbar[j] - fbar[i]);
            ubar[i] += bar * at.u[i];
            ubar[j] += bar * at.u[j];
        });
    }
}
