use super::{Calculus, Equation, Stepper, StochasticScheme};
use crate::SdeError;
use crate::noise::{Gaussian, Tile};
use crate::rows::zeros;
use crate::system::diffusion;
use crate::{NoiseKind, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// The scheme of Euler and Maruyama.
///
#[doc = formula!("euler_maruyama", r"X_{n+1} = X_n + f(t_n, X_n) h + g(t_n, X_n) \, dZ_n")]
///
/// Calculus: Ito's. Noise: of any coupling and law. Strong order 1/2, weak order 1; strong order 1 for
/// additive noise. Costs one f and one g a step.
///
/// Source: Maruyama, Rend. Circ. Mat. Palermo 4 (1955) 48, DOI 10.1007/BF02846028.
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

/// Steps of [`EulerMaruyama`].
#[derive(Debug, Clone, Copy)]
pub struct EulerMaruyamaStepper {
    dim: usize,
    noise_kind: NoiseKind,
    h: f64,
}

impl<T: Gaussian> StochasticScheme<T> for EulerMaruyama {
    type Stepper = EulerMaruyamaStepper;

    fn name(&self) -> &'static str {
        "euler-maruyama"
    }

    fn calculus(&self) -> Calculus {
        Calculus::Ito
    }

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        equation.without_memory("an order under Euler and Maruyama's scheme")?;
        let Equation { dim, noise_kind, h, .. } = *equation;
        Ok(EulerMaruyamaStepper { dim, noise_kind, h })
    }
}

impl<T: Gaussian> Stepper<T> for EulerMaruyamaStepper {
    /// Drift and diffusion.
    type State = Vec<T>;

    fn start(&self, lanes: usize) -> Self::State {
        vec![T::zero(); (self.dim + self.noise_kind.rows(self.dim)) * lanes]
    }

    fn restart(&self, state: &mut Self::State, tile: Tile) {
        zeros(state, (self.dim + self.noise_kind.rows(self.dim)) * tile.lanes);
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        t: f64,
        mut x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
    ) {
        let lanes = x.lanes();
        let (f, g) = state.split_at_mut(self.dim * lanes);
        system.drift(t, x.as_rows(), RowsMut::new(f, lanes));
        diffusion(system, t, x.as_rows(), RowsMut::new(g, lanes));
        let h = T::narrow(self.h);
        for (x, f) in x.as_mut_slice().iter_mut().zip(&*f) {
            *x += h * *f;
        }
        self.noise_kind.each((self.dim, Rows::new(g, lanes), dz), |i, g, dz| {
            for ((x, g), dz) in x[i].iter_mut().zip(g).zip(dz) {
                *x += *g * *dz;
            }
        });
    }
}
