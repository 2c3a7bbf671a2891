use super::one_step::OneStep;
use super::scheme::{Equation, Step, StepFailure, Stepper, StochasticScheme};
use crate::error::in_range;
use crate::noise::{Gaussian, Tile};
use crate::rows::{add, write_sum, zeros};
use crate::system::coefficients;
use crate::{Calculus, SdeError, StochasticSystem};
use hpfracc_lanes::Lu;
use hpfracc_lanes::{Rows, RowsMut};

/// The drift-implicit Euler scheme, or theta method, for stiff drifts:
///
#[doc = formula!("drift_implicit", r"X_{n+1} = X_n + (1 - \theta) f(t, X_n) h + \theta f(t+h, X_{n+1}) h + g(t, X_n) \, dZ, \quad \tfrac{1}{2} \le \theta \le 1")]
///
/// With theta = 1 (the default) a linear drift that is damped strongly is damped in one step,
/// however long it is; with 1/2 the drift has order 2, and the stationary distribution of a linear
/// equation with additive noise keeps its variance for every h, but fast components alternate in
/// sign.
///
/// Calculus: Ito's. Noise: of any kind. Strong order 1/2, 1 for additive noise.
///
/// Each path has a Newton iteration of its own, from X_n, with a Jacobian by differences at every
/// iterate, until the change is so small that the next would be rounding. A path that does not get
/// there in 50 iterations, or meets a singular matrix, ends the solve with
/// [`SdeError::PathNewtonFailed`]. Costs (d + 1) f an iteration for d components and one g a step;
/// two or three iterations are typical. A dense matrix is factored for each path: d should be small.
///
/// Source: Kloeden and Platen, Numerical Solution of Stochastic Differential Equations, 1992,
/// section 12.2, DOI 10.1007/978-3-662-12616-5.
///
/// ```
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::{DriftImplicit, Ensemble, Moments};
///
/// // dX = -1000 X dt + dW on steps of 0.1: damped in one of them, where Euler's explicit scheme overflows
/// let problem = OrnsteinUhlenbeck::default().theta(1000.0)?.problem::<f64>((0.0, 1.0))?;
/// let ensemble = Ensemble::new(1000, 10)?;
/// let found = ensemble.solve(&problem, &DriftImplicit::default(), &Brownian::new(7, 1)?, &Moments)?;
/// assert!(found.covariance[[0, 0, 0]] < 1e-3);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriftImplicit {
    theta: f64,
}

impl Default for DriftImplicit {
    fn default() -> Self {
        Self { theta: 1.0 }
    }
}

impl DriftImplicit {
    /// With this part of the drift at the end of the step.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] unless 1/2 <= theta <= 1: with less the scheme is no more stable
    /// than an explicit one on long steps.
    pub fn new(theta: f64) -> Result<Self, SdeError> {
        in_range((0.5..=1.0).contains(&theta), "theta", theta, "1/2 to 1")?;
        Ok(Self { theta })
    }
}

/// Steps of [`DriftImplicit`].
#[derive(Debug, Clone, Copy)]
pub struct DriftImplicitStepper {
    pub(crate) of: OneStep,
    pub(crate) theta: f64,
}

/// State of Newton's iteration for a tile.
#[derive(Debug, Clone, Default)]
pub struct DriftImplicitState<T> {
    /// At the start of the step: drift, diffusion, and the explicit part of the equations.
    f: Vec<T>,
    g: Vec<T>,
    known: Vec<T>,
    /// The iterate and its drift.
    pub(crate) y: Vec<T>,
    f_y: Vec<T>,
    /// The iterate with one component moved, and by how much.
    moved: Vec<T>,
    differences: Vec<T>,
    /// The drift there, by component moved.
    f_moved: Vec<T>,
    solved: Vec<bool>,
    /// Paths that are not solved any more.
    stopped: Vec<bool>,
    matrix: Lu,
    change: Vec<f64>,
    failure: Option<StepFailure>,
}

const ITERATIONS: usize = 50;

/// Changes below this part of the root of the rounding are the last: the error of the Jacobian, and
/// what Newton's iteration neglects, is that root once more.
const LAST: f64 = 0.1;

impl<T: Gaussian> StochasticScheme<T> for DriftImplicit {
    const NAME: &'static str = "drift-implicit";
    const CALCULUS: Calculus = Calculus::Ito;

    type Stepper = DriftImplicitStepper;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        equation.without_memory()?;
        Ok(DriftImplicitStepper { of: OneStep::new(equation), theta: self.theta })
    }
}

impl<T: Gaussian> Stepper<T> for DriftImplicitStepper {
    type State = DriftImplicitState<T>;

    fn start(&self, state: &mut Self::State, tile: Tile) {
        let (dim, lanes) = (self.of.dim, tile.lanes);
        let DriftImplicitState { f, g, known, y, f_y, moved, differences, f_moved, .. } = state;
        for rows in [f, known, y, f_y, moved, differences] {
            zeros(rows, dim * lanes);
        }
        zeros(g, self.of.noise_rows() * lanes);
        zeros(f_moved, dim * dim * lanes);
        state.solved.resize(lanes, false);
        state.stopped.clear();
        state.stopped.resize(lanes, false);
        if state.matrix.entries().len() != dim * dim {
            state.matrix = Lu::new(dim);
        }
        zeros(&mut state.change, dim);
        state.failure = None;
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, mut x, dz } = step;
        let lanes = x.lanes();
        let DriftImplicitState { f, g, known, y, .. } = state;
        coefficients(system, t, x.as_rows(), (f, g));
        let explicit = T::narrow((1.0 - self.theta) * self.of.h);
        write_sum(known, x.as_rows().as_slice(), explicit, f);
        self.of.add_noise(g, dz, &mut RowsMut::new(known, lanes));
        y.copy_from_slice(x.as_rows().as_slice());
        self.solve(system, state, t + self.of.h, lanes);
        x.as_mut_slice().copy_from_slice(&state.y);
    }

    fn stop(&self, state: &mut Self::State, lane: usize) {
        state.stopped[lane] = true;
    }

    fn failure(&self, state: &Self::State) -> Option<StepFailure> {
        state.failure
    }
}

impl DriftImplicitStepper {
    /// `y = known + theta h f(t, y)` for every path, from the guess in y.
    #[inline(always)]
    fn solve<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut DriftImplicitState<T>,
        t: f64,
        lanes: usize,
    ) {
        let dim = self.of.dim;
        state.solved.copy_from_slice(&state.stopped);
        state.failure = None;
        for _ in 0..ITERATIONS {
            system.drift(t, Rows::new(&state.y, lanes), RowsMut::new(&mut state.f_y, lanes));
            let root = T::narrow(T::EPSILON.widen().sqrt());
            for (step, (y, known)) in
                state.differences.iter_mut().zip(state.y.iter().zip(&state.known))
            {
                let size = if y.abs() > known.abs() { y.abs() } else { known.abs() };
                let moved = *y + root * if size > T::zero() { size } else { T::one() };
                // The difference after rounding.
                *step = moved - *y;
            }
            for (j, f_moved) in state.f_moved.chunks_exact_mut(dim * lanes).enumerate() {
                let row = j * lanes..(j + 1) * lanes;
                state.moved.copy_from_slice(&state.y);
                add(&mut state.moved[row.clone()], &state.differences[row]);
                system.drift(t, Rows::new(&state.moved, lanes), RowsMut::new(f_moved, lanes));
            }
            state.failure = None;
            for lane in 0..lanes {
                if !state.solved[lane] {
                    state.solved[lane] = self.correct(state, (lane, lanes));
                }
            }
            if state.failure.is_none() {
                return;
            }
        }
    }

    /// One iteration of one path: whether it was the last one. A path that needs more is noted.
    fn correct<T: Gaussian>(
        &self,
        state: &mut DriftImplicitState<T>,
        (lane, lanes): (usize, usize),
    ) -> bool {
        let (dim, weight) = (self.of.dim, self.theta * self.of.h);
        let at = |rows: &[T], row: usize| rows[row * lanes + lane].widen();
        let mut scale = f64::MIN_POSITIVE;
        for i in 0..dim {
            let (y, known) = (at(&state.y, i), at(&state.known, i));
            scale = scale.max(y.abs()).max(known.abs());
            let f = at(&state.f_y, i);
            state.change[i] = known + weight * f - y;
            for j in 0..dim {
                let slope = (at(&state.f_moved, j * dim + i) - f) / at(&state.differences, j);
                let identity = if i == j { 1.0 } else { 0.0 };
                state.matrix.entries()[i * dim + j] = identity - weight * slope;
            }
        }
        if state.change.iter().any(|change| !change.is_finite()) {
            // Not an equation that has no solution but a drift, or a path, that is none: it is
            // found where paths are checked.
            (0..dim).for_each(|i| state.y[i * lanes + lane] = T::NAN);
            return true;
        }
        let mut residual = f64::INFINITY;
        if state.matrix.factor() {
            state.matrix.solve(&mut state.change);
            residual = 0.0;
            for (i, change) in state.change.iter().enumerate() {
                state.y[i * lanes + lane] += T::narrow(*change);
                residual = residual.max(change.abs());
            }
            if residual <= LAST * T::EPSILON.widen().sqrt() * scale {
                return true;
            }
        }
        state.failure.get_or_insert(StepFailure::Newton { lane, residual });
        false
    }
}
