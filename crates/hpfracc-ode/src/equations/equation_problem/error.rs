use crate::OdeError;
use hpfracc_equation::ProgramError;
use hpfracc_equation::derive::NoDerivative;
use hpfracc_equation::structure::TableRangeError;
use thiserror::Error;

/// Equation that has no problem of this crate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EquationProblemError {
    /// An equation with noise.
    #[error(
        "{state} has noise: this is a stochastic equation, which hpfracc-sde solves (`hpfracc simulate`)"
    )]
    Noise {
        /// Component with the noise.
        state: String,
    },
    /// A random initial value.
    #[error(
        "{state} has a random initial value, which hpfracc-sde draws for each path (`hpfracc simulate`): write a \
         number to solve the equation"
    )]
    RandomStart {
        /// Component with the random value.
        state: String,
    },
    /// An equation without an interval.
    #[error("the equation has no interval of time: write `t in [0, 10]`")]
    NoInterval,
    /// Components with derivatives of different definitions.
    #[error(
        "{first} and {second} have derivatives of different definitions: write one definition for all \
         components"
    )]
    MixedDefinitions {
        /// A component.
        first: String,
        /// Another one.
        second: String,
    },
    /// A derivative that has no such equations.
    #[error("{state}: equations with a {definition} derivative have no {what}")]
    Unsupported {
        /// Component.
        state: String,
        /// Definition of its derivative.
        definition: &'static str,
        /// What they do not have.
        what: &'static str,
    },
    /// Components of different orders where one order is needed.
    #[error(
        "{first} has order {order} and {second} order {other}: equations with a {definition} derivative \
         have one order for all components"
    )]
    DifferentOrders {
        /// A component.
        first: String,
        /// Its order.
        order: f64,
        /// Another one.
        second: String,
        /// Its order.
        other: f64,
        /// Definition of the derivatives.
        definition: &'static str,
    },
    /// A lagged state outside of a right-hand side.
    #[error(
        "a lagged state such as y(t - 1) stands in a delay, an event or a shown quantity: only right-hand sides have them"
    )]
    Lagged,
    /// A parameter that the equation does not have.
    #[error("the equation has no parameter `{name}`")]
    UnknownParameter {
        /// Name.
        name: String,
    },
    /// A table without values on a part of the interval.
    #[error(transparent)]
    Table(#[from] TableRangeError),
    /// A problem of the equation's numbers.
    #[error(transparent)]
    Problem(#[from] OdeError),
    /// A function without a derivative.
    #[error(transparent)]
    NoDerivative(#[from] NoDerivative),
    /// A graph that cannot be compiled.
    #[error(transparent)]
    Program(#[from] ProgramError),
}
