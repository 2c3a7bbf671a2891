use super::one_step::OneStep;
use super::scheme::{Equation, Step, Stepper, StochasticScheme};
use crate::noise::{Gaussian, Tile};
use crate::rows::{add_scaled, zeros};
use crate::system::coefficients;
use crate::{Calculus, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// The reversible Heun scheme: a scheme with an auxiliary value Y whose steps are reversible.
///
#[doc = formula!("reversible_heun", r"Y_{n+1} = 2 X_n - Y_n + f(t_n, Y_n) h + g(t_n, Y_n) \, dZ, \quad Y_0 = X_0
    X_{n+1} = X_n + \left( f(t_n, Y_n) + f(t_{n+1}, Y_{n+1}) \right) \frac{h}{2} + \left( g(t_n, Y_n) + g(t_{n+1}, Y_{n+1}) \right) \frac{dZ}{2}")]
///
/// From (X_{n+1}, Y_{n+1}) the same formula with -h and -dZ gives (X_n, Y_n), up to rounding:
/// [`ReversibleHeunStepper::step_back`]. An adjoint solve therefore needs no stored path.
///
/// Calculus: Stratonovich's. Noise: of any kind; Brownian motion, or paths whose integrals are
/// those of the ordinary calculus (smooth, or fractional with H > 1/2). Jumps only where noise is
/// additive.
///
/// Strong order 1/2, 1 for additive noise and, as observed, for noise that commutes; order 2
/// without noise. The cost of reversibility is that Y is not damped: X - Y changes its sign from
/// step to step and grows where the equation forgets, so that stiff ones need other schemes or
/// short steps. Costs one f and one g a step.
///
/// Source: Kidger, Foster, Li and Lyons, Efficient and accurate gradients for neural SDEs, NeurIPS
/// 2021, algorithms 1 and 2, arXiv:2105.13493.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Paths, ReversibleHeun};
///
/// // dS = 0.05 S dt + 0.2 S o dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?.stratonovich();
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &ReversibleHeun, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.05 + 0.2 * w).exp()).abs() < 1e-3);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ReversibleHeun;

/// Steps of [`ReversibleHeun`], forward and back.
#[derive(Debug, Clone, Copy)]
pub struct ReversibleHeunStepper {
    pub(crate) of: OneStep,
}

/// The second value of each path, and the coefficients there.
#[derive(Debug, Clone, Default)]
pub struct ReversibleHeunState<T> {
    /// Whether a step was taken: before, the second value is that of x.
    pub(crate) begun: bool,
    /// Y, a row for each component.
    pub(crate) y: Vec<T>,
    /// f(t, Y).
    pub(crate) f: Vec<T>,
    /// g(t, Y), in the rows of the noise kind.
    pub(crate) g: Vec<T>,
}

impl<T: Gaussian> StochasticScheme<T> for ReversibleHeun {
    const NAME: &'static str = "reversible-heun";
    const CALCULUS: Calculus = Calculus::Stratonovich;

    type Stepper = ReversibleHeunStepper;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        equation.without_memory()?;
        equation.without_jumps("the reversible Heun scheme")?;
        Ok(ReversibleHeunStepper { of: OneStep::new(equation) })
    }
}

impl ReversibleHeunStepper {
    /// Takes `x` from t + h back to t, given the increments of the step that led there and the
    /// state that it left.
    #[inline(always)]
    pub fn step_back<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut ReversibleHeunState<T>,
        Step { t, x, dz }: Step<'_, T>,
    ) {
        self.advance(system, state, (t, -T::one()), (x, dz));
    }

    /// One step to the time `to`: forward with the sign 1, back with -1.
    #[inline(always)]
    fn advance<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut ReversibleHeunState<T>,
        (to, sign): (f64, T),
        (mut x, dz): (RowsMut<'_, T>, Rows<'_, T>),
    ) {
        let lanes = x.lanes();
        let (h, half, two) = (sign * T::narrow(self.of.h), T::narrow(0.5), T::narrow(2.0));
        let ReversibleHeunState { y, f, g, .. } = state;
        let pairs = x.as_mut_slice().iter_mut().zip(&mut *y).zip(&*f);
        pairs.for_each(|((x, y), f)| {
            let moved = h * *f;
            *y = (two * *x - *y) + moved;
            *x += half * moved;
        });
        self.of.noise_kind.each((self.of.dim, Rows::new(g, lanes), dz), |i, g, dz| {
            let pairs = x[i].iter_mut().zip(&mut y[i * lanes..][..lanes]);
            pairs.zip(g).zip(dz).for_each(|(((x, y), g), dz)| {
                let moved = sign * *g * *dz;
                *y += moved;
                *x += half * moved;
            });
        });
        coefficients(system, to, Rows::new(y, lanes), (f, g));
        add_scaled(x.as_mut_slice(), half * h, f);
        let half = half * sign;
        self.of.noise_kind.each((self.of.dim, Rows::new(g, lanes), dz), |i, g, dz| {
            x[i].iter_mut().zip(g).zip(dz).for_each(|((x, g), dz)| *x += half * *g * *dz);
        });
    }
}

impl<T: Gaussian> Stepper<T> for ReversibleHeunStepper {
    type State = ReversibleHeunState<T>;

    fn start(&self, state: &mut Self::State, tile: Tile) {
        let ReversibleHeunState { begun, y, f, g } = state;
        *begun = false;
        zeros(y, self.of.dim * tile.lanes);
        zeros(f, self.of.dim * tile.lanes);
        zeros(g, self.of.noise_rows() * tile.lanes);
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, x, dz } = step;
        if !state.begun {
            state.y.copy_from_slice(x.as_rows().as_slice());
            coefficients(system, t, x.as_rows(), (&mut state.f, &mut state.g));
            state.begun = true;
        }
        self.advance(system, state, (t + self.of.h, T::one()), (x, dz));
    }
}
