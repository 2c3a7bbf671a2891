use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::add_scaled;
use crate::{Calculus, StochasticSystem};

/// The Euler-Maruyama scheme.
///
#[doc = formula!("euler_maruyama", r"X_{n+1} = X_n + f(t_n, X_n) h + g(t_n, X_n) \, dZ_n")]
///
/// Calculus: Ito's. Noise: of any kind and process, additive or multiplicative; rough noise, of
/// exponent H <= 1/2 without independent increments, additive only. Costs one f and one g a step.
///
/// | noise | strong order, multiplicative | additive |
/// |---|---|---|
/// | Brownian | 1/2 | 1 |
/// | fractional, of exponent H > 1/2 | 2H - 1 | 1 |
/// | fractional, of exponent H < 1/2 | not defined | H + 1/2 |
///
/// Weak order 1 for Brownian noise.
///
/// Source: Maruyama, Rend. Circ. Mat. Palermo 4 (1955) 48, DOI 10.1007/BF02846028; for fractional
/// noise Neuenkirch and Nourdin, J. Theor. Probab. 20 (2007) 871, DOI 10.1007/s10959-007-0083-0.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, EulerMaruyama, Paths};
///
/// // dS = 0.05 S dt + 0.2 S dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?;
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &EulerMaruyama, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.03 + 0.2 * w).exp()).abs() < 1e-2);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct EulerMaruyama;

impl OneStepScheme for EulerMaruyama {
    const NAME: &'static str = "euler-maruyama";
    const CALCULUS: Calculus = Calculus::Ito;

    /// Drift and diffusion.
    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, _: &S, at: StepStart<'_, T>) {
        let StepStart { mut x, dz, f, g, .. } = at;
        add_scaled(x.as_mut_slice(), T::narrow(of.h), f);
        of.add_noise(g, dz, &mut x);
    }
}
