use crate::SdeError;
use crate::noise::{CellIntegral, Gaussian, NoiseProcess, Tile};
use crate::{NoiseKind, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// What an integral over noise means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calculus {
    /// The integrand is taken at the left of each step.
    Ito,
    /// The integrand is taken in the middle of each step.
    Stratonovich,
}

impl std::fmt::Display for Calculus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ito => "Ito",
            Self::Stratonovich => "Stratonovich",
        })
    }
}

/// A scheme on equal steps.
pub trait StochasticScheme<T: Gaussian> {
    /// What takes its steps.
    type Stepper: Stepper<T>;

    /// Its name.
    fn name(&self) -> &'static str;

    /// The calculus in which its limit solves the equation.
    fn calculus(&self) -> Calculus;

    /// Decides what is the same for all paths.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`], [`SdeError::NotTaken`] or [`SdeError::OrderUnderNoise`] if the scheme
    /// does not solve such equations; what its own settings are refused with.
    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError>;
}

/// A scheme that may choose its steps by where the path goes within them: it carries nothing from step to
/// step, and where noise commutes its limit is the same whatever the steps were.
///
/// That needs strong order 1 in each step. Euler and Maruyama's scheme has it for additive noise only,
/// where [`Milstein`](super::Milstein) is the same scheme.
pub trait PathwiseScheme<T: Gaussian>: StochasticScheme<T> {
    /// The error allowed to a step grows with its length h as `h^SHARE`.
    ///
    /// 1/2 if the leading error of a step changes its sign where the path is reflected: steps that were
    /// chosen by the size of their errors then have either sign alike, and squares add up. This is so of
    /// schemes of strong order 1 that are odd in dW but for whole powers of h. 1 if errors may add up
    /// themselves: leading errors of schemes of order 3/2 are even in dW, and have no mean only if no
    /// one has chosen among them.
    const SHARE: f64;
}

/// What a scheme has to know of an equation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equation<'a> {
    /// Components.
    pub dim: usize,
    /// How noise acts.
    pub noise_kind: NoiseKind,
    /// Orders of the components.
    pub orders: &'a [f64],
    /// What the components of the noise are.
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

/// Takes the steps of a tile of paths.
pub trait Stepper<T: Gaussian>: Send + Sync {
    /// What a tile carries from step to step besides its present values.
    type State: Send + 'static;

    /// Of so many paths, before the first step.
    fn start(&self, lanes: usize) -> Self::State;

    /// The same, for schemes that have to know which paths.
    fn start_tile(&self, tile: Tile) -> Self::State {
        self.start(tile.lanes)
    }

    /// Makes the state of another tile what [`start_tile`](Self::start_tile) gives, in the memory that it
    /// holds already where that is large.
    fn restart(&self, state: &mut Self::State, tile: Tile) {
        *state = self.start_tile(tile);
    }

    /// Integrals of the noise over each step that it takes besides the increments.
    fn integrals(&self) -> &[CellIntegral] {
        &[]
    }

    /// What the state holds of each path, in bytes, where it grows with the number of steps: a tile has
    /// fewer paths then, so that it stays in the cache.
    fn bytes_per_path(&self) -> usize {
        0
    }

    /// Takes `x` from t to t + h, given the increments of the noise, and after them the
    /// [integrals](Self::integrals). Of a state no more steps are taken than the [equation](Equation::steps)
    /// has.
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        t: f64,
        x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
    );

    /// Why the last step was not taken, for schemes that solve equations or choose steps.
    fn failure(&self, state: &Self::State) -> Option<StepFailure> {
        let _ = state;
        None
    }
}

/// Why a step of a path was not taken.
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
    pub fn without_memory(&self, what: &'static str) -> Result<(), SdeError> {
        match self.orders.iter().find(|order| **order != 1.0) {
            None => Ok(()),
            Some(&value) => {
                let expected = "1: schemes without memory have no fractional orders";
                Err(SdeError::OutOfRange { what, value, expected })
            }
        }
    }

    /// Refuses noise that is not Brownian motion, for schemes that use the law of its increments; and,
    /// unless noise is additive, variances other than h, and correlations where a component takes more
    /// than one noise: `dW_i dW_j` is corrected by its mean.
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
                      put deviations and correlations into the diffusion";
        taken_if(self.additive || self.processes.iter().all(expected), scheme, reason)
    }

    /// Refuses noise that needs Levy areas, which increments do not tell.
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

fn taken_if(holds: bool, scheme: &'static str, reason: &'static str) -> Result<(), SdeError> {
    if holds { Ok(()) } else { Err(SdeError::NotTaken { scheme, reason }) }
}
