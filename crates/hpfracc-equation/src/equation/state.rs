use super::RandomStart;
use crate::graph::Id;

/// Definition of a fractional derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Derivative {
    /// Caputo: written `D^alpha x`.
    #[default]
    Caputo,
    /// Riemann-Liouville: written `RL D^alpha x`.
    RiemannLiouville,
    /// Caputo-Fabrizio: written `CF D^alpha x`.
    CaputoFabrizio,
    /// Atangana-Baleanu in the sense of Caputo: written `AB D^alpha x`.
    AtanganaBaleanu,
}

/// Meaning of a stochastic integral.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calculus {
    /// Ito integral: written `g dW`.
    Ito,
    /// Stratonovich integral: written `g o dW`.
    Stratonovich,
}

/// Noise in the equation of a component: `coefficient dW`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseTerm {
    pub(crate) noise: usize,
    pub(crate) calculus: Calculus,
    pub(crate) coefficient: Id,
}

impl NoiseTerm {
    /// Index among [`Equation::noises`](crate::Equation::noises).
    pub fn noise(&self) -> usize {
        self.noise
    }

    /// Ito or Stratonovich.
    pub fn calculus(&self) -> Calculus {
        self.calculus
    }

    /// Factor of the noise.
    pub fn coefficient(&self) -> Id {
        self.coefficient
    }
}

/// Component of the state with its equation `D^order x = drift + sum coefficient dW/dt`.
#[derive(Debug, Clone)]
pub struct State {
    pub(crate) name: String,
    pub(crate) definition: Derivative,
    pub(crate) order: Id,
    pub(crate) lower_orders: Vec<Id>,
    pub(crate) drift: Id,
    pub(crate) noise: Vec<NoiseTerm>,
    pub(crate) initial: Vec<Option<Id>>,
    pub(crate) random: Option<RandomStart>,
    pub(crate) history: Option<Id>,
    pub(crate) differential: bool,
}

impl State {
    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Definition of its derivatives.
    pub fn definition(&self) -> Derivative {
        self.definition
    }

    /// Order of the highest derivative, an expression of constants and parameters.
    pub fn order(&self) -> Id {
        self.order
    }

    /// Orders of the lower derivatives that occur, largest first (at the defaults of the parameters).
    pub fn lower_orders(&self) -> &[Id] {
        &self.lower_orders
    }

    /// Right-hand side without noise, solved for the highest derivative.
    pub fn drift(&self) -> Id {
        self.drift
    }

    /// Noise terms.
    pub fn noise(&self) -> &[NoiseTerm] {
        &self.noise
    }

    /// Initial values `y(t0), y'(t0), ...`, expressions of constants and parameters. Those that are
    /// `None` or missing are the history's, or the first one a [random one](Self::random_start); without
    /// both there are at least as many as the order rounded up.
    pub fn initial(&self) -> &[Option<Id>] {
        &self.initial
    }

    /// Random value at t0.
    pub fn random_start(&self) -> Option<RandomStart> {
        self.random
    }

    /// Values before t0, an expression of time.
    pub fn history(&self) -> Option<Id> {
        self.history
    }

    /// Whether the equation is written with differentials, `dX = f dt + g dW`.
    pub fn is_differential(&self) -> bool {
        self.differential
    }
}
