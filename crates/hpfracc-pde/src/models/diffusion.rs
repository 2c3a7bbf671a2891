use super::unit_laplacian::unit_laplacian;
use crate::Equation;
use crate::error::{Result, require_positive};
use hpfracc_spatial::BoxGrid;

/// Time-fractional diffusion, `D^alpha u = kappa Lap u + s(t, x)`: subdiffusion for alpha < 1, heat
/// for alpha = 1, the diffusion-wave equation for 1 < alpha < 2.
///
/// The mean square displacement of a walker is `2 d kappa t^alpha / Gamma(alpha + 1)` in d
/// dimensions. Order 2 in space. Parameters of the equation: kappa.
///
/// Source: R. Metzler, J. Klafter, Phys. Rep. 339 (2000) 1, doi:10.1016/S0370-1573(00)00070-3.
///
/// ```
/// use hpfracc_pde::models::Diffusion;
/// use hpfracc_pde::solve_linear;
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
/// use std::f64::consts::PI;
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 400, [Boundary::Dirichlet; 2])?])?;
/// let equation = Diffusion { alpha: 0.5, kappa: 0.1 }.equation(grid)?;
/// let equation = equation.start_from(|x| (PI * x[0]).sin())?;
/// let u = solve_linear(&equation, &[1.0], 1e-10)?;
/// // E_1/2(-0.1 pi^2) = exp(z^2) erfc(z) with z = 0.1 pi^2.
/// assert!((u[0][200] - 0.431_8).abs() < 1e-3);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diffusion {
    /// Order in time, 0 < alpha < 2.
    pub alpha: f64,
    /// Generalised diffusion coefficient, length^2 / time^alpha, positive.
    pub kappa: f64,
}

impl Diffusion {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_positive("the diffusion coefficient kappa", self.kappa)?;
        let laplacian = unit_laplacian(grid)?;
        Equation::on_box(laplacian).order(self.alpha)?.coefficient(self.kappa)
    }
}
