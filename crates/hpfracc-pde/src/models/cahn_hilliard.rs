use super::energy::interface_energy;
use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require_positive, require_up_to_one};
use crate::{Equation, Flux, Reaction, SpectralPower};
use hpfracc_spatial::BoxGrid;
use std::sync::Arc;

/// Time-fractional Cahn-Hilliard equation, `D^alpha u = Lap(u^3 - u - epsilon^2 Lap u)`: separation
/// of two phases u = -1 and 1 with a conserved mass.
///
/// With Neumann or periodic boundaries the integral of u is constant to rounding. Order 2 in space.
/// Parameters of the equation: epsilon^2.
///
/// Source: J. W. Cahn, J. E. Hilliard, J. Chem. Phys. 28 (1958) 258, doi:10.1063/1.1744102.
///
/// ```
/// use hpfracc_pde::models::CahnHilliard;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::{Axis, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 64)?])?;
/// let model = CahnHilliard { alpha: 0.8, epsilon: 0.05 };
/// let equation = model.equation(grid.clone())?.start_from(|x| 0.1 * (6.283_185 * x[0]).sin())?;
/// let solution = solve(&equation, 0.02, Settings::default())?;
/// assert!(grid.integral(solution.last())?.abs() < 1e-8);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CahnHilliard {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Width of interfaces, a length, positive.
    pub epsilon: f64,
}

impl CahnHilliard {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require_positive("the width epsilon", self.epsilon)?;
        let laplacian = unit_laplacian(grid.clone())?;
        let potential = Reaction::new(
            |_, [u]: &[f64; 1], _: &[f64; 0]| [u * u * u - u],
            |_, [u], _| ([[3.0 * u * u - 1.0]], [[]]),
        );
        Equation::new(Arc::new(SpectralPower::new(laplacian.clone(), 2.0)?))
            .with_grid(&grid)?
            .order(self.alpha)?
            .coefficient(self.epsilon * self.epsilon)?
            .term(Flux::new(laplacian, potential), &[])
    }

    /// Energy `int epsilon^2 |grad u|^2 / 2 + (1 - u^2)^2 / 4` of a field.
    ///
    /// # Errors
    /// [`Length`](crate::PdeError::Length), [`Spatial`](crate::PdeError::Spatial).
    pub fn energy(&self, grid: &BoxGrid, u: &[f64]) -> Result<f64> {
        interface_energy(self.epsilon, grid, u)
    }
}
