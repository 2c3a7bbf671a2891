use crate::SolveError;
use crate::noise::{CellIntegral, Gaussian, Law, Rows, RowsMut};
use crate::sde::{Coupling, StochasticSystem};

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
    /// [`SolveError::OutOfRange`] if the scheme does not solve such equations.
    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SolveError>;
}

/// What a scheme has to know of an equation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equation<'a> {
    /// Components.
    pub dim: usize,
    /// How noise acts.
    pub coupling: Coupling,
    /// Orders of the components.
    pub orders: &'a [f64],
    /// What the components of the noise are.
    pub laws: &'a [Law],
    /// Whether g does not depend on x.
    pub additive: bool,
    /// Whether the columns of g [commute](StochasticSystem::commutative).
    pub commutative: bool,
    /// Number of steps.
    pub steps: usize,
    /// Length of a step.
    pub h: f64,
}

/// Takes the steps of a tile of paths.
pub trait Stepper<T: Gaussian>: Sync {
    /// What a tile carries from step to step besides its present values.
    type State;

    /// Of so many paths, before the first step.
    fn start(&self, lanes: usize) -> Self::State;

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
    /// [integrals](Self::integrals).
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        t: f64,
        x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
    );

    /// What the last step could not solve, for schemes that solve equations.
    fn unsolved(&self, state: &Self::State) -> Option<Unsolved> {
        let _ = state;
        None
    }
}

/// A path whose implicit step has no solution within reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unsolved {
    /// The lane of the path.
    pub lane: usize,
    /// The largest change that the last iteration made.
    pub residual: f64,
}

impl Equation<'_> {
    /// Refuses orders other than 1, for schemes without memory.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`].
    pub fn without_memory(&self, what: &'static str) -> Result<(), SolveError> {
        match self.orders.iter().find(|order| **order != 1.0) {
            None => Ok(()),
            Some(&value) => {
                let expected = "1: schemes without memory have no fractional orders";
                Err(SolveError::OutOfRange { what, value, expected })
            }
        }
    }

    /// Refuses noise that is not Brownian motion, for schemes that use the law of its increments.
    ///
    /// # Errors
    /// [`SolveError::NotTaken`].
    pub fn of_brownian_noise(&self, scheme: &'static str) -> Result<(), SolveError> {
        let reason = "its noise must be Brownian motion, of whose increments it uses the variance";
        taken_if(self.laws.iter().all(|law| *law == Law::Brownian), scheme, reason)
    }

    /// Refuses noise that needs Levy areas, which increments do not tell.
    ///
    /// # Errors
    /// [`SolveError::NotTaken`].
    pub fn of_commuting_noise(&self, scheme: &'static str) -> Result<(), SolveError> {
        let reason = "its noise does not commute, and would need Levy areas; Euler and Maruyama's \
                      scheme, or Heun's, take it with strong order 1/2";
        taken_if(self.commutative || self.additive, scheme, reason)
    }

    /// Refuses jumps whose size depends on the path, for schemes of the ordinary rules of calculus.
    ///
    /// # Errors
    /// [`SolveError::NotTaken`].
    pub fn without_jumps(&self, scheme: &'static str) -> Result<(), SolveError> {
        let jumps = |law: &Law| matches!(law, Law::Jumps | Law::Stable { .. });
        let reason = "it takes jumps only if g does not depend on x: no mean of g at both ends of a \
                      jump is Stratonovich's integral";
        taken_if(self.additive || !self.laws.iter().any(jumps), scheme, reason)
    }

    /// `I_(1,0)` of every noise.
    pub(super) fn time_integrals(&self) -> Vec<CellIntegral> {
        let noises = 0..self.coupling.noises(self.dim);
        noises.map(|noise| CellIntegral { noise, exponent: 1.0, lag: 0 }).collect()
    }
}

fn taken_if(holds: bool, scheme: &'static str, reason: &'static str) -> Result<(), SolveError> {
    if holds { Ok(()) } else { Err(SolveError::NotTaken { scheme, reason }) }
}
