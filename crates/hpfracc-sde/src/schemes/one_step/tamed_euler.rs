use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::add_products;
use crate::{Calculus, StochasticSystem};

/// Euler and Maruyama's scheme with a drift that moves no component further than 1 in a step:
///
#[doc = formula!("tamed_euler", r"X_{n+1} = X_n + \frac{h f}{1 + h |f|} + g \, dZ_n, \quad |f| \text{ the largest component}")]
///
/// For drifts that grow faster than |x| and pull back, such as -x^3: there the moments of Euler and
/// Maruyama's scheme become infinite as h goes to 0, and single paths overflow.
///
/// Calculus: Ito's. Noise: of any kind. Strong order 1/2 for a drift that is one-sided Lipschitz
/// with growth of some power and a diffusion that is Lipschitz; order 1 if noise is additive too.
/// Costs one f and one g a step.
///
/// Source: Hutzenthaler, Jentzen and Kloeden, Ann. Appl. Probab. 22 (2012) 1611,
/// DOI 10.1214/11-AAP803.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Paths, TamedEuler};
///
/// // dS = 0.05 S dt + 0.2 S dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?;
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &TamedEuler, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.03 + 0.2 * w).exp()).abs() < 1e-2);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct TamedEuler;

/// `|f|`, the largest component of each path.
#[inline(always)]
pub(crate) fn write_largest<T: Gaussian>(largest: &mut [T], f: &[T]) {
    largest.fill(T::zero());
    for f in f.chunks_exact(largest.len()) {
        for (largest, f) in largest.iter_mut().zip(f) {
            let size = f.abs();
            *largest = if size > *largest { size } else { *largest };
        }
    }
}

impl OneStepScheme for TamedEuler {
    const NAME: &'static str = "tamed-euler";
    const CALCULUS: Calculus = Calculus::Ito;

    /// The factor of the drift.
    fn rows(_: &OneStep) -> usize {
        1
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, _: &S, at: StepStart<'_, T>) {
        let StepStart { mut x, dz, f, g, scratch: factor, .. } = at;
        let (h, lanes) = (T::narrow(of.h), x.lanes());
        write_largest(factor, f);
        factor.iter_mut().for_each(|factor| *factor = h / (T::one() + h * *factor));
        for (i, f) in f.chunks_exact(lanes).enumerate() {
            add_products(&mut x[i], factor, f);
        }
        of.add_noise(g, dz, &mut x);
    }
}
