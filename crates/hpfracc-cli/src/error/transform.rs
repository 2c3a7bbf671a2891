use thiserror::Error;

/// Error of `hpfracc transform` besides bad input files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransformError {
    /// Missing option of a kind of transform.
    #[error("--kind {kind}: {option} is required")]
    OptionMissing {
        /// Kind of transform.
        kind: &'static str,
        /// Missing option.
        option: &'static str,
    },
    /// Real and imaginary parts with values at different times.
    #[error(
        "column `{}` goes from {} to {} and column `{}` from {} to {}: expected values of both parts of a complex signal at the same times",
        names.0, spans.0[0], spans.0[1], names.1, spans.1[0], spans.1[1]
    )]
    PartsDiffer {
        /// The columns.
        names: (String, String),
        /// First and last time of each.
        spans: Box<([String; 2], [String; 2])>,
    },
    /// Same column for both parts.
    #[error("column `{name}` cannot be both the real and the imaginary part")]
    PartsEqual {
        /// The column.
        name: String,
    },
    /// Last frequency beyond the range of `f64`.
    #[error(
        "--first {first:e}, --rate {rate:e}: the frequency of bin {bin} is not a finite number"
    )]
    Frequency {
        /// First frequency.
        first: f64,
        /// Step of the frequencies.
        rate: f64,
        /// Number of the last bin, from 0.
        bin: usize,
    },
    /// Error of a transform.
    #[error("transform: {0}")]
    Transform(#[from] hpfracc::transforms::TransformError),
}

convert_through!(TransformError: hpfracc::transforms::TransformError);
