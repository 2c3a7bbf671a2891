use thiserror::Error;

/// What `hpfracc transform` refuses besides bad records.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransformError {
    /// A kind without the number that it needs.
    #[error("--kind {kind}: {option} is needed")]
    OptionMissing {
        /// The kind of transform.
        kind: &'static str,
        /// The option.
        option: &'static str,
    },
    /// Real and imaginary parts with values at different times.
    #[error(
        "column `{}` goes from {} to {} and column `{}` from {} to {}: the parts of a complex signal need values at the same times",
        names.0, spans.0[0], spans.0[1], names.1, spans.1[0], spans.1[1]
    )]
    PartsDiffer {
        /// The columns.
        names: (String, String),
        /// First and last time of each.
        spans: Box<([String; 2], [String; 2])>,
    },
    /// The transform cannot do this.
    #[error("transform: {0}")]
    Transform(#[from] hpfracc::transforms::TransformError),
}

impl From<hpfracc::transforms::TransformError> for super::Error {
    fn from(error: hpfracc::transforms::TransformError) -> Self {
        TransformError::from(error).into()
    }
}
