//! Randomness: noises and random starts.

mod random_start;

pub use random_start::{Distribution, RandomStart};

use crate::graph::Id;
use std::fmt;

/// Random process whose increments drive an equation. Its numbers are expressions of constants and
/// parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// Brownian motion.
    Brownian,
    /// Fractional Brownian motion.
    Fractional {
        /// Hurst exponent.
        hurst: Id,
    },
    /// Stable Levy motion.
    Stable {
        /// Index of stability, in (0, 2].
        index: Id,
        /// Skewness, in [-1, 1].
        skewness: Id,
    },
    /// Compound Poisson process.
    Poisson {
        /// Jumps per unit of time.
        rate: Id,
        /// Distribution of a jump.
        jump: Jump,
    },
}

/// Name of the process.
impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Brownian => "Brownian motion",
            Self::Fractional { .. } => "fractional Brownian motion",
            Self::Stable { .. } => "stable Levy motion",
            Self::Poisson { .. } => "compound Poisson process",
        })
    }
}

/// Distribution of the jumps of a compound Poisson process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jump {
    /// Jumps of one size.
    Constant(Id),
    /// Normal distribution.
    Normal {
        /// Mean.
        mean: Id,
        /// Standard deviation.
        standard_deviation: Id,
    },
    /// Upward with some probability, else downward, with exponential sizes either way (Kou).
    DoubleExponential {
        /// Probability of an upward jump.
        upward: Id,
        /// Mean size of upward jumps.
        mean_up: Id,
        /// Mean size of downward jumps, a positive number.
        mean_down: Id,
    },
}

/// Named noise of an equation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoiseSource {
    pub(crate) name: String,
    pub(crate) process: Process,
}

impl NoiseSource {
    /// Name: W of `dW`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Process.
    pub fn process(&self) -> Process {
        self.process
    }
}

/// Correlation of two Brownian motions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correlation {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) value: Id,
}

impl Correlation {
    /// Index of one noise.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Index of the other noise.
    pub fn second(&self) -> usize {
        self.second
    }

    /// Correlation, an expression of constants and parameters.
    pub fn value(&self) -> Id {
        self.value
    }
}

impl Process {
    /// Expressions that occur in it.
    pub fn expressions(&self) -> Vec<Id> {
        match *self {
            Self::Brownian => vec![],
            Self::Fractional { hurst } => vec![hurst],
            Self::Stable { index, skewness } => vec![index, skewness],
            Self::Poisson { rate, jump } => {
                let mut expressions = vec![rate];
                match jump {
                    Jump::Constant(size) => expressions.push(size),
                    Jump::Normal { mean, standard_deviation } => {
                        expressions.extend([mean, standard_deviation]);
                    }
                    Jump::DoubleExponential { upward, mean_up, mean_down } => {
                        expressions.extend([upward, mean_up, mean_down]);
                    }
                }
                expressions
            }
        }
    }

    /// The same process with other expressions.
    #[must_use]
    pub(crate) fn with_expressions(self, mut map: impl FnMut(Id) -> Id) -> Self {
        match self {
            Self::Brownian => Self::Brownian,
            Self::Fractional { hurst } => Self::Fractional { hurst: map(hurst) },
            Self::Stable { index, skewness } => {
                Self::Stable { index: map(index), skewness: map(skewness) }
            }
            Self::Poisson { rate, jump } => {
                let rate = map(rate);
                let jump = match jump {
                    Jump::Constant(size) => Jump::Constant(map(size)),
                    Jump::Normal { mean, standard_deviation } => Jump::Normal {
                        mean: map(mean),
                        standard_deviation: map(standard_deviation),
                    },
                    Jump::DoubleExponential { upward, mean_up, mean_down } => {
                        Jump::DoubleExponential {
                            upward: map(upward),
                            mean_up: map(mean_up),
                            mean_down: map(mean_down),
                        }
                    }
                };
                Self::Poisson { rate, jump }
            }
        }
    }
}
