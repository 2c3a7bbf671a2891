use crate::SdeError;
use hpfracc_equation::ProgramError;
use hpfracc_equation::derive::NoDerivative;
use hpfracc_equation::structure::TableRangeError;
use thiserror::Error;

/// Equation that is not a stochastic equation which this crate solves.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EquationModelError {
    /// An equation without an interval.
    #[error("the equation has no interval of time: write `t in [0, 1]`")]
    NoInterval,
    /// A part that stochastic equations do not have.
    #[error("{state}: stochastic equations have no {what}")]
    Unsupported {
        /// Component.
        state: String,
        /// The part.
        what: &'static str,
    },
    /// A component without an initial value.
    #[error("{state} has no initial value: write `{state}(0) = 1`")]
    NoStart {
        /// Component.
        state: String,
    },
    /// A gradient of an equation with a random initial value.
    #[error(
        "{state} has a random initial value: gradients with respect to its distribution do not exist, write a number"
    )]
    RandomStart {
        /// Component.
        state: String,
    },
    /// Ito's and Stratonovich's integrals in one equation.
    #[error(
        "{state} has an Ito integral over {noise} and others are Stratonovich's: write all multiplicative \
         noise in one calculus"
    )]
    MixedCalculus {
        /// Component of the Ito integral.
        state: String,
        /// Its noise.
        noise: String,
    },
    /// Correlated processes other than Brownian motions.
    #[error("{first} and {second} are correlated: only Brownian motions can be")]
    Correlation {
        /// A noise.
        first: String,
        /// Another one.
        second: String,
    },
    /// A table without values on a part of the interval.
    #[error(transparent)]
    Table(#[from] TableRangeError),
    /// Invalid numbers of the equation.
    #[error(transparent)]
    Problem(#[from] SdeError),
    /// A function without a derivative.
    #[error(transparent)]
    NoDerivative(#[from] NoDerivative),
    /// A graph that cannot be compiled.
    #[error(transparent)]
    Program(#[from] ProgramError),
}
