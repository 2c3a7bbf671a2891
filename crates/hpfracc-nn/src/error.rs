use thiserror::Error;

/// Why there is no such network.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// A sequence of no layers.
    #[error("a network without layers")]
    NoLayers,
    /// A layer does not take what the one before it gives.
    #[error("layer {layer} takes {taken} rows, the one before it gives {given}")]
    Mismatch {
        /// The layer, from 0.
        layer: usize,
        /// Rows that the layer before it gives.
        given: usize,
        /// Rows that it takes.
        taken: usize,
    },
}
