use crate::Equation;
use crate::error::{Result, require_len, require_positive};
use hpfracc_spatial::{AdvectionScheme, Axis, BoxGrid, Diffusion};
use std::sync::Arc;

/// Time-fractional advection and diffusion on an interval,
/// `D^alpha u = (kappa u_x)_x - (v(x) u)_x`: transport of a tracer that is trapped on its way.
///
/// Fluxes through the faces are central (order 2), or upwind (order 1, monotone), which is
/// advisable for a cell Peclet number `|v| h / kappa` above 2.
///
/// Source: B. Berkowitz, A. Cortis, M. Dentz, H. Scher, Rev. Geophys. 44 (2006) RG2003,
/// doi:10.1029/2005RG000178.
///
/// ```
/// use hpfracc_pde::models::AdvectionDiffusion;
/// use hpfracc_pde::{Settings, solve};
/// use hpfracc_spatial::{AdvectionScheme, Axis, BoxGrid};
///
/// let axis = Axis::periodic(0.0, 1.0, 100)?;
/// let scheme = AdvectionScheme::Central;
/// let model = AdvectionDiffusion { alpha: 0.8, kappa: 0.05, scheme };
/// let equation = model.equation(axis, |_| 1.0)?;
/// let equation = equation.start_from(|x| (-50.0 * (x[0] - 0.5).powi(2)).exp())?;
/// let solution = solve(&equation, 0.1, Settings::default())?;
/// let mass = solution.last().iter().sum::<f64>() / 100.0;
/// assert!((mass - 0.25).abs() < 1e-3);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdvectionDiffusion {
    /// Order in time, 0 < alpha < 2.
    pub alpha: f64,
    /// Diffusion coefficient, length^2 / time^alpha, positive.
    pub kappa: f64,
    /// Fluxes of the advection: central or upwind.
    pub scheme: AdvectionScheme,
}

impl AdvectionDiffusion {
    /// The equation on an axis with the velocity v(x), length / time^alpha; without a start. On a
    /// periodic axis v has its period, to rounding.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a limited scheme, a velocity that is not finite,
    /// and an axis without cells.
    pub fn equation(&self, axis: Axis, v: impl Fn(f64) -> f64) -> Result<Equation<'static>> {
        let mut velocity: Vec<f64> = faces(&axis).into_iter().map(v).collect();
        let n = axis.len();
        let size = velocity.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        if axis.is_periodic() && (velocity[n] - velocity[0]).abs() <= 1e-12 * size {
            // The ends are one face.
            velocity[n] = velocity[0];
        }
        self.with_velocities(axis, &velocity)
    }

    /// The equation with the velocities on the n + 1 faces of the cells.
    ///
    /// # Errors
    /// As [`equation`](Self::equation), and [`Length`](crate::PdeError::Length).
    pub fn with_velocities(&self, axis: Axis, velocity: &[f64]) -> Result<Equation<'static>> {
        require_positive("the diffusion coefficient kappa", self.kappa)?;
        require_len("the velocities", velocity.len(), axis.len() + 1)?;
        let grid = BoxGrid::new(vec![axis])?;
        let kappa = self.kappa;
        let diffusion = Diffusion::new(grid.clone(), |_| kappa)?;
        let operator = hpfracc_spatial::AdvectionDiffusion::new(&diffusion, velocity, self.scheme)?;
        Equation::new(Arc::new(operator)).with_grid(&grid)?.order(self.alpha)
    }
}

/// Coordinates of the faces between and around the cells of an axis.
pub(super) fn faces(axis: &Axis) -> Vec<f64> {
    let [from, to] = axis.ends();
    let n = axis.len();
    (0..=n).map(|j| from + (to - from) * (j as f64 / n as f64)).collect()
}
