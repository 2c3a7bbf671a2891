use crate::error::in_range;
use crate::noise::{CellIntegral, Gaussian, NoiseProcess, Tile};
use crate::schemes::memory::MemoryRecurrence;
use crate::{Calculus, NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// A scheme on equal steps.
pub trait StochasticScheme<T: Gaussian> {
    /// Its name.
    const NAME: &'static str;
    /// The calculus in which its limit solves the equation.
    const CALCULUS: Calculus;

    /// Its stepper.
    type Stepper: Stepper<T>;

    /// Its name.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Computes the parts that all paths have in common.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`], [`SdeError::NotTaken`] or [`SdeError::OrderUnderNoise`] if the
    /// scheme does not solve such equations, or its settings are out of range.
    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError>;
}

/// A scheme that may choose its steps by where the path goes within them: it carries nothing from
/// step to step, and where noise commutes its limit is the same whatever the steps were.
///
/// That needs strong order 1 in each step. Euler and Maruyama's scheme has it for additive noise
/// only, where [`Milstein`](super::Milstein) is the same scheme.
pub trait PathwiseScheme<T: Gaussian>: StochasticScheme<T> {
    /// The error allowed to a step grows with its length h as `h^SHARE`.
    ///
    /// 1/2 if the leading error of a step changes its sign where the path is reflected: steps that
    /// were chosen by the size of their errors then have either sign alike, and squares add up.
    /// This is so of schemes of strong order 1 that are odd in dW but for whole powers of h. 1 if
    /// errors may add up themselves: leading errors of schemes of order 3/2 are even in dW, and
    /// have no mean only if no one has chosen among them.
    const SHARE: f64;
}

/// The properties of an equation that a scheme depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equation<'a> {
    /// Number of components.
    pub dim: usize,
    /// How noise acts.
    pub noise_kind: NoiseKind,
    /// Orders of the components.
    pub orders: &'a [f64],
    /// The processes of the components of the noise.
    pub processes: &'a [NoiseProcess],
    /// Whether g does not depend on x.
    pub additive: bool,
    /// The [same](StochasticSystem::additive_in) of each noise.
    pub additive_in: &'a [bool],
    /// Whether the columns of g [commute](StochasticSystem::commutative).
    pub commutative: bool,
    /// Number of steps.
    pub steps: usize,
    /// Length of a step.
    pub h: f64,
}

/// The steps of a scheme, for a tile of paths.
pub trait Stepper<T: Gaussian>: Send + Sync {
    /// State of a tile between steps, besides its values.
    type State: Default + Send + 'static;

    /// Makes a state, new or of another tile, that of the tile before its first step; memory is
    /// reused.
    fn start(&self, state: &mut Self::State, tile: Tile);

    /// Integrals of the noise over each step, besides the increments.
    fn integrals(&self) -> &[CellIntegral] {
        &[]
    }

    /// Bytes of the state for each path, if it grows with the number of steps: tiles then have
    /// fewer paths and stay in the cache.
    fn bytes_per_path(&self) -> usize {
        0
    }

    /// Memories of the components as recurrences, for executors outside of this crate; `None` where the state is
    /// something else.
    fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>> {
        None
    }

    /// Takes a step. A state takes at most [`Equation::steps`] steps.
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>);

    /// Marks the path of a lane as stopped: its later values are discarded, and its steps do not
    /// fail.
    fn stop(&self, state: &mut Self::State, lane: usize) {
        let _ = (state, lane);
    }

    /// The failure of the last step, for schemes that solve equations or choose steps.
    fn failure(&self, state: &Self::State) -> Option<StepFailure> {
        let _ = state;
        None
    }
}

/// A step from t to t + h of a tile of paths.
#[derive(Debug)]
pub struct Step<'a, T> {
    /// Its start t.
    pub t: f64,
    /// The values, a row for each component: at t before the step, at t + h after it.
    pub x: RowsMut<'a, T>,
    /// The increments of the noise, and after them the [integrals](Stepper::integrals).
    pub dz: Rows<'a, T>,
}

/// Failure of a step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StepFailure {
    /// Newton's iteration did not converge.
    Newton {
        /// The lane of the path.
        lane: usize,
        /// How far the last iteration moved the path.
        residual: f64,
    },
    /// The error test fails on the shortest steps.
    StepTooSmall {
        /// The lane of the path.
        lane: usize,
        /// The time that was reached.
        t: f64,
    },
    /// The noise of the solve is not the one that the scheme refines.
    OtherNoise,
}

impl StepFailure {
    /// As an error of the step from t to t + h of a tile.
    pub(crate) fn error(self, tile: Tile, step: usize, t: f64) -> SdeError {
        let path = |lane: usize| tile.first_path + lane as u64;
        match self {
            Self::Newton { lane, residual } => {
                SdeError::PathNewtonFailed { path: path(lane), step, t: t + tile.h, residual }
            }
            Self::StepTooSmall { lane, t } => {
                SdeError::PathStepTooSmall { path: path(lane), step, t }
            }
            Self::OtherNoise => SdeError::OtherNoise { step },
        }
    }
}

impl Equation<'_> {
    /// Refuses orders other than 1, for schemes without memory.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`].
    pub fn without_memory(&self) -> Result<(), SdeError> {
        let what = "an order of the equation";
        let expected = "1: schemes without memory have no fractional orders";
        self.orders.iter().try_for_each(|&order| in_range(order == 1.0, what, order, expected))
    }

    /// Refuses noise that is not Brownian motion, for schemes that use the distribution of its
    /// increments; and, unless noise is additive, variances other than h, and correlations where a
    /// component takes more than one noise: the scheme subtracts the mean of `dW_i dW_j`.
    ///
    /// # Errors
    /// [`SdeError::NotTaken`].
    pub fn of_brownian_noise(&self, scheme: &'static str) -> Result<(), SdeError> {
        let reason = "its noise must be Brownian motion, of whose increments it uses the variance";
        taken_if(self.processes.iter().all(|process| process.is_brownian()), scheme, reason)?;
        let many = matches!(self.noise_kind, NoiseKind::General { .. });
        let expected = |process: &NoiseProcess| match *process {
            NoiseProcess::CorrelatedBrownian { variance } => variance == 1.0 && !many,
            _ => true,
        };
        let reason = "it expects increments of variance h, and of a matrix of noises independent ones: \
                      put standard deviations and correlations into the diffusion";
        taken_if(self.additive || self.processes.iter().all(expected), scheme, reason)
    }

    /// Refuses noise that does not commute: it needs Levy areas, which increments do not determine.
    ///
    /// # Errors
    /// [`SdeError::NotTaken`].
    pub fn of_commuting_noise(&self, scheme: &'static str) -> Result<(), SdeError> {
        let reason = "its noise does not commute, and would need Levy areas; Euler and Maruyama's \
                      scheme, or Heun's, take it with strong order 1/2";
        taken_if(self.commutative || self.additive, scheme, reason)
    }

    /// Refuses jumps whose size depends on the path, for schemes of the ordinary rules of calculus.
    ///
    /// # Errors
    /// [`SdeError::NotTaken`].
    pub fn without_jumps(&self, scheme: &'static str) -> Result<(), SdeError> {
        let jumps = |process: &NoiseProcess| {
            matches!(process, NoiseProcess::Jumps | NoiseProcess::Stable { .. })
        };
        let mut noises = self.processes.iter().zip(self.additive_in);
        let reason = "it takes jumps only if what they are multiplied with does not depend on x: no \
                      mean of g at both ends of a jump is Stratonovich's integral";
        taken_if(!noises.any(|(process, additive)| jumps(process) && !additive), scheme, reason)
    }

    /// `I_(1,0)` of every noise.
    pub(super) fn time_integrals(&self) -> Vec<CellIntegral> {
        let noises = 0..self.noise_kind.noises(self.dim);
        noises.map(|noise| CellIntegral { noise, exponent: 1.0, lag: 0 }).collect()
    }
}

pub(super) fn taken_if(
    holds: bool,
    scheme: &'static str,
    reason: &'static str,
) -> Result<(), SdeError> {
    if holds { Ok(()) } else { Err(SdeError::NotTaken { scheme, reason }) }
}
