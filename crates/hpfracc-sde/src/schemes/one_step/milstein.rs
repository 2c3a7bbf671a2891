use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::{add_scaled, write_sum};
use crate::schemes::scheme::{Equation, PathwiseScheme, taken_if};
use crate::system::diffusion;
use crate::{Calculus, NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// Milstein's scheme, with a difference in place of the derivative of g:
///
#[doc = formula!("milstein", r"X_{n+1} = X_n + f h + g \, dW + \left( g(X_n + h g) - g(X_n) \right) \frac{dW^2 - h}{2h}")]
///
/// Calculus: Ito's. Noise: Brownian motion, diagonal where g_i depends on no other component,
/// scalar, or additive. For other noises the correction needs Levy areas, which increments do not
/// determine.
///
/// Strong order 1, weak order 1. Costs one f and two g a step; one g for additive noise, where the
/// scheme is that of Euler and Maruyama.
///
/// The difference goes over h and not, as elsewhere, over sqrt(h): what it lacks of the derivative
/// then is of the order of h^2 a step, and not h^(3/2) (dW^2 - h)/h, whose mean is not 0 on steps
/// that were chosen for the size of dW. Its rounding is that of g in x + g dW, because the last
/// factor is about 1.
///
/// Source: Milstein, Theory Probab. Appl. 19 (1975) 557, DOI 10.1137/1119062; the difference:
/// Kloeden and Platen, Numerical Solution of Stochastic Differential Equations, 1992, section 11.1,
/// DOI 10.1007/978-3-662-12616-5.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Milstein, Paths};
///
/// // dS = 0.05 S dt + 0.2 S dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?;
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &Milstein, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.03 + 0.2 * w).exp()).abs() < 1e-3);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Milstein;

impl<T: Gaussian> PathwiseScheme<T> for Milstein {
    const SHARE: f64 = 0.5;
}

impl OneStepScheme for Milstein {
    const NAME: &'static str = "milstein";
    const CALCULUS: Calculus = Calculus::Ito;

    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        let scheme = "Milstein's scheme";
        equation.of_brownian_noise(scheme)?;
        equation.of_commuting_noise(scheme)?;
        let reason = "it takes one noise, or one for each component; Sric2 takes others";
        let taken = matches!(equation.noise_kind, NoiseKind::Diagonal | NoiseKind::Scalar);
        taken_if(taken || equation.additive, scheme, reason)
    }

    /// Drift, diffusion, x + h g, and the diffusion there.
    fn rows(of: &OneStep) -> usize {
        if of.additive { 0 } else { 2 * of.dim }
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>) {
        let StepStart { t, mut x, dz, f, g, scratch } = at;
        let (h, lanes) = (T::narrow(of.h), x.lanes());
        if of.additive {
            add_scaled(x.as_mut_slice(), h, f);
            of.add_noise(g, dz, &mut x);
            return;
        }
        let (beside, g_beside) = scratch.split_at_mut(of.dim * lanes);
        write_sum(beside, x.as_rows().as_slice(), h, g);
        diffusion(system, t, Rows::new(beside, lanes), RowsMut::new(g_beside, lanes));
        let scale = T::narrow(0.5 / of.h);
        for i in 0..of.dim {
            let dz = &dz[if of.noise_kind == NoiseKind::Scalar { 0 } else { i }];
            let row = i * lanes..(i + 1) * lanes;
            let coefficients = f[row.clone()].iter().zip(&g[row.clone()]).zip(&g_beside[row]);
            for ((x, ((f, g), g_beside)), dz) in x[i].iter_mut().zip(coefficients).zip(dz) {
                *x += h * *f + (*g * *dz + (*g_beside - *g) * (scale * (*dz * *dz - h)));
            }
        }
    }
}
