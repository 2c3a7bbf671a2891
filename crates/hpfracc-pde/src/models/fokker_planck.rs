use super::AdvectionDiffusion;
use super::advection_diffusion::faces;
use crate::Equation;
use crate::error::{Result, require_up_to_one};
use hpfracc_spatial::{AdvectionScheme, Axis};

/// Time-fractional Fokker-Planck equation on an interval with reflecting ends,
/// `D^alpha p = (V'(x) p)_x + kappa p_xx`: the density of subdiffusing particles in a potential V.
///
/// The integral of p is constant to rounding; p tends to the Boltzmann density, proportional to
/// `exp(-V/kappa)`, like t^-alpha. Central fluxes, order 2 in space. Units: the force -V' includes
/// the mobility, length / time^alpha.
///
/// Source: R. Metzler, E. Barkai, J. Klafter, Phys. Rev. Lett. 82 (1999) 3563,
/// doi:10.1103/PhysRevLett.82.3563.
///
/// ```
/// use hpfracc_pde::models::FokkerPlanck;
/// use hpfracc_pde::{Settings, solve};
///
/// // A harmonic trap: the mean decays like E_alpha(-t^alpha).
/// let equation = FokkerPlanck { alpha: 0.7, kappa: 0.1 }.equation((-3.0, 3.0), 300, |x| x)?;
/// let equation = equation.start_from(|x| (-20.0 * (x[0] - 1.0).powi(2)).exp())?;
/// let solution = solve(&equation, 1.0, Settings::default())?;
/// let x = |i: usize| -3.0 + 0.02 * (i as f64 + 0.5);
/// let mean = |p: &[f64]| (0..300).map(|i| x(i) * p[i]).sum::<f64>() / p.iter().sum::<f64>();
/// assert!((mean(solution.last()) - 0.401_8).abs() < 2e-2);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FokkerPlanck {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Diffusion coefficient, length^2 / time^alpha, positive.
    pub kappa: f64,
}

impl FokkerPlanck {
    /// The equation on n cells of (a, b) with the slope V' of the potential, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for the interval, and a slope that is not finite.
    pub fn equation(
        &self,
        (a, b): (f64, f64),
        n: usize,
        slope: impl Fn(f64) -> f64,
    ) -> Result<Equation<'static>> {
        require_up_to_one(self.alpha)?;
        let axis = Axis::new(a, b, n, [hpfracc_spatial::Boundary::Neumann; 2])?;
        let mut velocity: Vec<f64> = faces(&axis).into_iter().map(|x| -slope(x)).collect();
        // Nothing passes the ends.
        (velocity[0], velocity[n]) = (0.0, 0.0);
        let Self { alpha, kappa } = *self;
        AdvectionDiffusion { alpha, kappa, scheme: AdvectionScheme::Central }
            .with_velocities(axis, &velocity)
    }
}
