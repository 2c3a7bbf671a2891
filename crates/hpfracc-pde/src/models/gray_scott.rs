use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require, require_positive, require_up_to_one};
use crate::{Equation, Reaction, SpectralPower};
use hpfracc_spatial::{BoxGrid, SpatialOperator};
use std::sync::Arc;

/// Gray-Scott reaction of two substances with diffusion of any order in time and space:
///
/// ```text
/// D^alpha u = -d_u (-Lap)^s u - u v^2 + F (1 - u)
/// D^alpha v = -d_v (-Lap)^s v + u v^2 - (F + k) v
/// ```
///
/// with the spectral fractional Laplacian of the box, 0 < s <= 1. u is the fuel, v the catalyst;
/// spots and stripes appear for F of some 0.01 to 0.08 and k of 0.045 to 0.07. Parameters of the
/// equation: d_u, d_v, F, k. Fields of the equation: u, then v.
///
/// Source: J. E. Pearson, Science 261 (1993) 189, doi:10.1126/science.261.5118.189.
///
/// ```
/// use hpfracc_pde::models::GrayScott;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::{Axis, BoxGrid};
///
/// let axis = || Axis::periodic(0.0, 2.5, 24);
/// let grid = BoxGrid::new(vec![axis()?, axis()?])?;
/// let model = GrayScott {
///     alpha: 0.9, s: 0.8, diffusion: [2e-5, 1e-5], feed: 0.04, kill: 0.06,
/// };
/// let mut start = vec![1.0; 2 * grid.len()];
/// start[grid.len()..].fill(0.0);
/// start[grid.len() + 300] = 0.5;
/// let equation = model.equation(grid)?.start(&start)?;
/// let solution = solve(&equation, 10.0, Settings::default())?;
/// assert!(solution.last().iter().all(|c| (-1e-3..=1.001).contains(c)));
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrayScott {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Exponent of the Laplacian, 0 < s <= 1.
    pub s: f64,
    /// Diffusion coefficients of u and v, length^(2 s) / time^alpha, positive.
    pub diffusion: [f64; 2],
    /// Feed rate F, 1 / time^alpha, positive.
    pub feed: f64,
    /// Kill rate k, 1 / time^alpha, positive.
    pub kill: f64,
}

impl GrayScott {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        require(self.s > 0.0 && self.s <= 1.0, "the exponent s", self.s, "0 < s <= 1")?;
        require_positive("the feed rate", self.feed)?;
        require_positive("the kill rate", self.kill)?;
        let laplacian = unit_laplacian(grid.clone())?;
        let operator: Arc<dyn SpatialOperator> = if self.s == 1.0 {
            laplacian
        } else {
            Arc::new(SpectralPower::new(laplacian, self.s)?)
        };
        let reaction = Reaction::new(
            |_, [u, v]: &[f64; 2], [feed, kill]: &[f64; 2]| {
                let rate = u * v * v;
                [feed * (1.0 - u) - rate, rate - (feed + kill) * v]
            },
            |_, [u, v], [feed, kill]| {
                let by_field = [[-feed - v * v, -2.0 * u * v], [v * v, 2.0 * u * v - feed - kill]];
                (by_field, [[1.0 - u, 0.0], [-v, -v]])
            },
        );
        Equation::coupled(vec![operator.clone(), operator])?
            .with_grid(&grid)?
            .order(self.alpha)?
            .coefficients(&self.diffusion)?
            .term(reaction, &[self.feed, self.kill])
    }
}
