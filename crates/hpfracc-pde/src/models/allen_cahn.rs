use super::energy::interface_energy;
use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require_positive, require_up_to_one};
use crate::{Equation, Reaction};
use hpfracc_spatial::BoxGrid;

/// Time-fractional Allen-Cahn equation, `D^alpha u = epsilon^2 Lap u + u - u^3`: phases u = -1 and
/// 1 with interfaces of width epsilon.
///
/// The [energy](Self::energy) at any time is at most that of the start, and for alpha = 1 it
/// decays. Solutions that start in [-1, 1] stay there. Order 2 in space. Parameters of the
/// equation: epsilon^2.
///
/// Source: T. Tang, H. Yu, T. Zhou, SIAM J. Sci. Comput. 41 (2019) A3757, doi:10.1137/18M1203560.
///
/// ```
/// use hpfracc_pde::models::AllenCahn;
/// use hpfracc_pde::{Settings, TimeScheme, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 64, [Boundary::Neumann; 2])?])?;
/// let model = AllenCahn { alpha: 0.7, epsilon: 0.05 };
/// let equation = model.equation(grid.clone())?.start_from(|x| 0.5 * (9.0 * x[0]).cos())?;
/// let before = model.energy(&grid, &grid.sample(|x| 0.5 * (9.0 * x[0]).cos()))?;
/// let solution = solve(&equation, 5.0, Settings::default())?;
/// assert!(model.energy(&grid, solution.last())? < before);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllenCahn {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Width of interfaces, a length, positive.
    pub epsilon: f64,
}

impl AllenCahn {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require_positive("the width epsilon", self.epsilon)?;
        let laplacian = unit_laplacian(grid)?;
        Equation::on_box(laplacian)
            .order(self.alpha)?
            .coefficient(self.epsilon * self.epsilon)?
            .term(double_well(), &[])
    }

    /// Energy `int epsilon^2 |grad u|^2 / 2 + (1 - u^2)^2 / 4` of a field, with boundary values 0.
    ///
    /// # Errors
    /// [`Length`](crate::PdeError::Length), [`Spatial`](crate::PdeError::Spatial).
    pub fn energy(&self, grid: &BoxGrid, u: &[f64]) -> Result<f64> {
        interface_energy(self.epsilon, grid, u)
    }
}

/// `u - u^3`, minus the derivative of the double well `(1 - u^2)^2 / 4`.
fn double_well() -> impl crate::Term {
    Reaction::new(
        |_, [u]: &[f64; 1], _: &[f64; 0]| [u - u * u * u],
        |_, [u], _| ([[1.0 - 3.0 * u * u]], [[]]),
    )
}
