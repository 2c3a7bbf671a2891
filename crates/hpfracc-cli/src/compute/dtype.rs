use clap::ValueEnum;

/// Precision of the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dtype {
    /// Single precision, about 7 digits.
    F32,
    /// Double precision, about 16 digits.
    F64,
}
