//! Arguments of `hpfracc transform`.

use crate::commands::arguments::{OutputArgs, SeriesArgs};
use clap::{Args, ValueEnum};

/// Kind of transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Sampled fractional Fourier integral, for signals that decay towards both ends
    FractionalFourier,
    /// Fractional power of the DFT matrix, unitary for any data; up to 2048 samples
    DiscreteFractionalFourier,
    /// DFT with any frequency spacing: the chirp-z transform
    FractionalDft,
}

/// Transform a column of a CSV file, or two columns that form a complex signal.
///
/// Output columns: the transformed coordinate, real part, imaginary part and modulus, as the
/// shortest decimals that read back to the same bits. The fractional Fourier transforms rotate
/// between time (--order 0) and frequency (--order 1); their coordinate is u = j/sqrt(n) for n
/// samples, with j = 0 in the middle. The coordinate of the fractional DFT is the frequency in
/// cycles per sample.
///
/// Input format: see `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc transform --kind fractional-fourier --order 0.5 data.csv
  hpfracc transform --kind discrete-fractional-fourier --order 0.25 --column x --imag y wide.csv
  hpfracc transform --kind fractional-dft --rate 0.001 --bins 99 sunspots.csv -p z.svg -o z.csv")]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    /// Kind of transform
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) kind: Kind,
    /// Order of a fractional Fourier transform: 1 is the Fourier transform, 2 reverses time
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) order: Option<f64>,
    /// Frequency spacing of the fractional DFT, in cycles per sample
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,
    /// First frequency of the fractional DFT, in cycles per sample; default 0
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) first: Option<f64>,
    /// Number of frequencies of the fractional DFT; by default the number of samples
    #[arg(long, value_name = "M")]
    pub(crate) bins: Option<usize>,
    /// Column of the imaginary part
    #[arg(long, value_name = "NAME", requires = "column")]
    pub(crate) imag: Option<String>,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
