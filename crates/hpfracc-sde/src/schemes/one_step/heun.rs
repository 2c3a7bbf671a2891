use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::write_sum;
use crate::schemes::scheme::{Equation, PathwiseScheme};
use crate::system::coefficients;
use crate::{Calculus, SdeError, StochasticSystem};
use hpfracc_lanes::RowsMut;

/// Heun's scheme: a step of Euler's, then the mean of the coefficients at both of its ends.
///
#[doc = formula!("heun", r"P = X_n + f(t, X_n) h + g(t, X_n) \, dZ
    X_{n+1} = X_n + \left( f(t, X_n) + f(t+h, P) \right) \frac{h}{2} + \left( g(t, X_n) + g(t+h, P) \right) \frac{dZ}{2}")]
///
/// Calculus: Stratonovich's. Noise: of any kind; Brownian motion, or paths whose integrals are
/// those of the ordinary calculus (smooth, or fractional with H > 1/2). Jumps only where noise is
/// additive.
///
/// Strong order 1 where noise [commutes](StochasticSystem::commutative) or is additive, else 1/2;
/// order 2 without noise. Costs two f and two g a step.
///
/// Source: Rümelin, SIAM J. Numer. Anal. 19 (1982) 604, DOI 10.1137/0719041.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Heun, Paths};
///
/// // dS = 0.05 S dt + 0.2 S o dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?.stratonovich();
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &Heun, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.05 + 0.2 * w).exp()).abs() < 1e-3);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Heun;

impl<T: Gaussian> PathwiseScheme<T> for Heun {
    const SHARE: f64 = 0.5;
}

impl OneStepScheme for Heun {
    const NAME: &'static str = "heun";
    const CALCULUS: Calculus = Calculus::Stratonovich;

    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        equation.without_jumps("Heun's scheme")
    }

    /// Drift and diffusion at x, the end of Euler's step, and drift and diffusion there.
    fn rows(of: &OneStep) -> usize {
        2 * of.dim + of.noise_rows()
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>) {
        let StepStart { t, mut x, dz, f, g, scratch } = at;
        let (h, lanes) = (T::narrow(of.h), x.lanes());
        let (f_end, rest) = scratch.split_at_mut(of.dim * lanes);
        let (end, g_end) = rest.split_at_mut(of.dim * lanes);
        write_sum(end, x.as_rows().as_slice(), h, f);
        let mut end = RowsMut::new(end, lanes);
        of.add_noise(g, dz, &mut end);
        coefficients(system, t + of.h, end.as_rows(), (f_end, g_end));
        let half = T::narrow(0.5);
        for ((x, f), f_end) in x.as_mut_slice().iter_mut().zip(&*f).zip(&*f_end) {
            *x += half * h * (*f + *f_end);
        }
        g.iter_mut().zip(&*g_end).for_each(|(g, g_end)| *g = half * (*g + *g_end));
        of.add_noise(g, dz, &mut x);
    }
}
