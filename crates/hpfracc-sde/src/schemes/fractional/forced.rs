use super::stepper::{FractionalEulerMaruyamaStepper, WithMemory};
use super::weights::cells;
use crate::checks::room_for;
use crate::error::in_range;
use crate::noise::Gaussian;
use crate::schemes::memory::{PathMemory, PowerKernel};
use crate::schemes::scheme::{Equation, StochasticScheme};
use crate::{Calculus, SdeError};

/// Equations whose drift has a memory and whose noise has none: a fractional integral of the drift,
/// forced by the noise itself, of orders 0 < alpha <= 1.
///
#[doc = formula!("forced_euler_maruyama", r"X(t) = X_0 + \frac{1}{\Gamma(\alpha)} \int_0^t (t-s)^{\alpha-1} f \, ds + \int_0^t g \, dZ
    X_n = X_0 + \sum_{j<n} b_{n-1-j} f_j + \sum_{j<n} g_j \, dZ_j, \quad b_m = \frac{h^\alpha}{\Gamma(\alpha+1)} \left( (m+1)^\alpha - m^\alpha \right)")]
///
/// [`FractionalEulerMaruyama`](crate::FractionalEulerMaruyama) takes the noise through the memory
/// as well. Here additive noise has its exact distribution for any step; the drift is taken at the
/// left of each cell, with an error of order 1 in h for smooth f. Explicit: with `df/dx = -lambda`
/// the scheme is stable for `lambda h^alpha < Gamma(1+alpha) / (2 eta(-alpha))`, eta being
/// Dirichlet's function, which is 0.99 at the least and 2 at alpha = 1. There a component is that
/// of [`EulerMaruyama`](crate::EulerMaruyama), bit for bit.
///
/// Cost: one f and one g a step, and the sum over the memory of the drift, as [`PathMemory`] has
/// it.
///
/// Sources: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341 (the
/// weights of the drift, their predictor's); Maruyama, Rend. Circ. Mat. Palermo 4 (1955) 48, DOI
/// 10.1007/BF02846028.
///
/// ```
/// use hpfracc_sde::models::{FractionalLangevin, Model};
/// use hpfracc_sde::{Ensemble, ForcedEulerMaruyama, Moments};
///
/// // A free particle in a viscoelastic bath: the variance is right after one step as after many.
/// let model = FractionalLangevin::default();
/// let (problem, noise) = (model.problem::<f64>((0.0, 1.0))?, model.noise::<f64>(7)?);
/// let scheme = ForcedEulerMaruyama::default();
/// let found = Ensemble::new(4000, 1)?.solve(&problem, &scheme, &noise, &Moments)?;
/// assert!((found.covariance[[0, 0, 0]] / model.variance(1.0)? - 1.0).abs() < 0.1);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ForcedEulerMaruyama {
    pub(crate) memory: PathMemory,
}

impl ForcedEulerMaruyama {
    /// With this method for the memory.
    pub fn new(memory: PathMemory) -> Self {
        Self { memory }
    }
}

impl<T: Gaussian> StochasticScheme<T> for ForcedEulerMaruyama {
    const NAME: &'static str = "forced-euler-maruyama";
    const CALCULUS: Calculus = Calculus::Ito;

    type Stepper = FractionalEulerMaruyamaStepper<T>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        let h = equation.h;
        // Integrals and weights of each cell, and tables of transforms.
        room_for("the weights of the memory", &[equation.steps, 6, size_of::<f64>()])?;
        let component = |&alpha: &f64| -> Result<Option<WithMemory<T>>, SdeError> {
            let what = "the order of a forced equation";
            in_range(0.0 < alpha && alpha <= 1.0, what, alpha, "0 < alpha <= 1")?;
            if alpha == 1.0 {
                return Ok(None);
            }
            let cells = cells(alpha, h, equation.steps);
            Ok(Some(WithMemory::new(self.memory, &cells, PowerKernel { alpha, h })?))
        };
        Ok(FractionalEulerMaruyamaStepper {
            noise_kind: equation.noise_kind,
            h,
            components: equation.orders.iter().map(component).collect::<Result<_, _>>()?,
            integrals: Vec::new(),
            corrected: false,
            forced: true,
        })
    }
}
