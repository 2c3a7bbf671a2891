use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require, require_up_to_one};
use crate::{Equation, Flux, Reaction};
use hpfracc_spatial::BoxGrid;

/// Time-fractional porous medium equation, `D^alpha u = Lap(|u|^(m-1) u)`, m > 1: a gas that seeps,
/// with a front of finite speed.
///
/// With Neumann or periodic boundaries the integral of u is constant to rounding. The equation
/// degenerates where u is 0: order 2 in space away from fronts. Parameters of the equation:
/// the coefficient of the linear part, 0, and m. Boundary values are 0.
///
/// Source: J. L. Vazquez, The Porous Medium Equation (2007),
/// doi:10.1093/acprof:oso/9780198569039.001.0001.
///
/// ```
/// use hpfracc_pde::models::PorousMedium;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(-2.0, 2.0, 60, [Boundary::Neumann; 2])?])?;
/// let equation = PorousMedium { alpha: 0.8, m: 2.0 }.equation(grid.clone())?;
/// let equation = equation.start_from(|x| (1.0 - x[0] * x[0]).max(0.0))?;
/// let solution = solve(&equation, 0.5, Settings::default())?;
/// assert!((grid.integral(solution.last())? - 4.0 / 3.0).abs() < 1e-3);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PorousMedium {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Exponent, above 1.
    pub m: f64,
}

impl PorousMedium {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require(self.m > 1.0 && self.m.is_finite(), "the exponent m", self.m, "above 1")?;
        let laplacian = unit_laplacian(grid.clone())?;
        let power = Reaction::new(
            |_, [u]: &[f64; 1], [m]: &[f64; 1]| [u.abs().powf(m - 1.0) * u],
            |_, [u], [m]| {
                let size = u.abs();
                let slope = size.powf(m - 1.0);
                let log = if size > 0.0 { size.ln() } else { 0.0 };
                ([[m * slope]], [[slope * u * log]])
            },
        );
        Equation::new(laplacian.clone())
            .with_grid(&grid)?
            .without_linear_part()?
            .order(self.alpha)?
            .term(Flux::new(laplacian, power), &[self.m])
    }
}
