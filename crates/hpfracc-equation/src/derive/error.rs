use crate::graph::Id;

/// A function has no derivative that can be written with the functions of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{function} has no derivative with respect to its argument {argument} (counted from 1): keep that \
     argument free of the variables of the derivative"
)]
pub struct NoDerivative {
    /// Name of the function.
    pub function: &'static str,
    /// Number of the argument, counted from 1.
    pub argument: usize,
    /// Node of the function.
    pub at: Id,
}
