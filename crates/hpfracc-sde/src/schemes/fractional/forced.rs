use super::weights::cells;
use crate::Calculus;
use crate::SdeError;
use crate::error::in_range;
use crate::noise::{Gaussian, Tile};
use crate::rows::zeros;
use crate::schemes::memory::{PathMemory, PowerKernel, power_law_memory};
use crate::schemes::scheme::{Equation, Step, Stepper, StochasticScheme};
use crate::system::coefficients;
use crate::{NoiseKind, StochasticSystem};
use hpfracc_lanes::causal::{Online, OnlineState};
use hpfracc_lanes::{Rows, RowsMut};

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
    memory: PathMemory,
}

impl ForcedEulerMaruyama {
    /// With this method for the memory.
    pub fn new(memory: PathMemory) -> Self {
        Self { memory }
    }
}

/// Steps of [`ForcedEulerMaruyama`].
#[derive(Debug, Clone)]
pub struct ForcedEulerMaruyamaStepper<T> {
    noise_kind: NoiseKind,
    h: f64,
    /// For each component with memory, the weight of lag 0 and the others; `None` for order 1.
    components: Vec<Option<(T, Online<T>)>>,
}

/// State of a tile between steps of [`ForcedEulerMaruyama`].
#[derive(Debug, Clone, Default)]
pub struct ForcedState<T> {
    /// Drift, a sum, diffusion.
    scratch: Vec<T>,
    /// Start and noise so far, of all components.
    forcing: Vec<T>,
    /// Of the components with memory.
    pasts: Vec<OnlineState<T>>,
}

impl<T: Gaussian> StochasticScheme<T> for ForcedEulerMaruyama {
    const NAME: &'static str = "forced-euler-maruyama";
    const CALCULUS: Calculus = Calculus::Ito;

    type Stepper = ForcedEulerMaruyamaStepper<T>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        let h = equation.h;
        let component = |&alpha: &f64| -> Result<Option<(T, Online<T>)>, SdeError> {
            let what = "the order of a forced equation";
            in_range(0.0 < alpha && alpha <= 1.0, what, alpha, "0 < alpha <= 1")?;
            if alpha == 1.0 {
                return Ok(None);
            }
            let cells = cells(alpha, h, equation.steps);
            let (kernel, longest) = (PowerKernel { alpha, h }, h * cells.len() as f64);
            let weights = power_law_memory(self.memory, &cells[1..], kernel, longest, |power| {
                power.cells(h)
            })?;
            Ok(Some((T::narrow(cells[0]), weights)))
        };
        let components = equation.orders.iter().map(component).collect::<Result<_, _>>()?;
        Ok(ForcedEulerMaruyamaStepper { noise_kind: equation.noise_kind, h, components })
    }
}

impl<T: Gaussian> Stepper<T> for ForcedEulerMaruyamaStepper<T> {
    type State = ForcedState<T>;

    fn start(&self, state: &mut Self::State, Tile { lanes, .. }: Tile) {
        let dim = self.components.len();
        zeros(&mut state.scratch, (dim + 1 + self.noise_kind.rows(dim)) * lanes);
        state.forcing.clear();
        state.forcing.reserve(dim * lanes);
        state.pasts.resize_with(dim, OnlineState::default);
        for (component, past) in self.components.iter().zip(&mut state.pasts) {
            component.iter().for_each(|(_, weights)| weights.restart(past, lanes));
        }
    }

    fn bytes_per_path(&self) -> usize {
        self.components.iter().flatten().map(|(_, weights)| weights.bytes_per_lane()).sum()
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, mut x, dz } = step;
        let (dim, lanes) = (self.components.len(), x.lanes());
        if state.forcing.is_empty() {
            state.forcing.extend_from_slice(x.as_rows().as_slice());
        }
        let (f, rest) = state.scratch.split_at_mut(dim * lanes);
        let (sum, g) = rest.split_at_mut(lanes);
        coefficients(system, t, x.as_rows(), (f, g));
        let mut forcing = RowsMut::new(&mut state.forcing, lanes);
        let (f, h) = (Rows::new(f, lanes), T::narrow(self.h));
        for (i, component) in self.components.iter().enumerate() {
            if component.is_none() {
                x[i].iter_mut().zip(&f[i]).for_each(|(x, f)| *x += h * *f);
            }
        }
        self.noise_kind.each((dim, Rows::new(g, lanes), dz), |i, g, dz| {
            let forced = if self.components[i].is_some() { &mut forcing[i] } else { &mut x[i] };
            for ((forced, g), dz) in forced.iter_mut().zip(g).zip(dz) {
                *forced += *g * *dz;
            }
        });
        for (i, (component, past)) in self.components.iter().zip(&mut state.pasts).enumerate() {
            let Some((nearest, weights)) = component else { continue };
            weights.step(past, &f[i], sum);
            let rows = x[i].iter_mut().zip(&forcing[i]).zip(&f[i]).zip(&*sum);
            for (((x, forcing), f), sum) in rows {
                *x = *forcing + (*nearest * *f + *sum);
            }
        }
    }
}
