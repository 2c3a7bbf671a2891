use crate::ProgramError;
use crate::derive::NoDerivative;
use thiserror::Error;

/// Reason why an expression has no shader.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShaderError {
    /// A function of the state that shaders do not have.
    #[error(
        "`{expression}` has no shader, because {function} is computed on the CPU: write it with the functions that \
         shaders have, or solve on the CPU"
    )]
    Function {
        /// The function.
        function: String,
        /// The expression.
        expression: String,
    },
    /// A network with more operations than are written: every weight of a layer, or of a neuron of a hidden one.
    #[error(
        "networks of the state have {weights} operations that a shader writes one by one, at most {most}: use smaller layers, \
         or solve on the CPU"
    )]
    Network {
        /// Number of operations.
        weights: usize,
        /// Largest number.
        most: usize,
    },
    /// More operations than a shader may have.
    #[error("the expressions have {nodes} operations, shaders at most {most}: solve on the CPU")]
    Size {
        /// Number of operations.
        nodes: usize,
        /// Largest number.
        most: usize,
    },
    /// A function without a derivative.
    #[error(transparent)]
    NoDerivative(#[from] NoDerivative),
    /// A graph that cannot be compiled.
    #[error(transparent)]
    Program(#[from] ProgramError),
}
