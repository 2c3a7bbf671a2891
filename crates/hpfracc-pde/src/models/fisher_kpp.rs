use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require_positive, require_up_to_one};
use crate::{Equation, Reaction};
use hpfracc_spatial::BoxGrid;

/// Time-fractional Fisher-KPP equation, `D^alpha u = kappa Lap u + r u (1 - u)`: a population that
/// spreads and grows to its capacity 1.
///
/// For alpha = 1 fronts move with speeds from `2 sqrt(kappa r)` on; that of speed
/// `5 sqrt(kappa r / 6)` is `(1 + exp(sqrt(r / (6 kappa)) (x - v t)))^-2`. 0 <= u <= 1 persists.
/// Order 2 in space. Parameters of the equation: kappa, r.
///
/// Source: M. J. Ablowitz, A. Zeppetella, Bull. Math. Biol. 41 (1979) 835,
/// doi:10.1007/BF02462380 (the front).
///
/// ```
/// use hpfracc_pde::models::FisherKpp;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 20.0, 200, [Boundary::Neumann; 2])?])?;
/// let model = FisherKpp { alpha: 0.9, kappa: 0.5, rate: 1.0 };
/// let equation = model.equation(grid)?.start_from(|x| (-x[0]).exp())?;
/// let solution = solve(&equation, 4.0, Settings::default())?;
/// assert!(solution.last()[0] > 0.9 && solution.last()[199] < 0.1);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FisherKpp {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Diffusion coefficient, length^2 / time^alpha, positive.
    pub kappa: f64,
    /// Growth rate r, 1 / time^alpha, positive.
    pub rate: f64,
}

impl FisherKpp {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require_positive("the diffusion coefficient kappa", self.kappa)?;
        require_positive("the growth rate", self.rate)?;
        let laplacian = unit_laplacian(grid)?;
        let growth = Reaction::new(
            |_, [u]: &[f64; 1], [r]: &[f64; 1]| [r * u * (1.0 - u)],
            |_, [u], [r]| ([[r * (1.0 - 2.0 * u)]], [[u * (1.0 - u)]]),
        );
        Equation::on_box(laplacian)
            .order(self.alpha)?
            .coefficient(self.kappa)?
            .term(growth, &[self.rate])
    }
}
