//! Arguments of `hpfracc transform`.

use crate::input::Missing;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
/// Output columns: the transformed coordinate, real part, imaginary part and modulus, with 17
/// significant digits. The fractional Fourier transforms rotate between time (--order 0) and
/// frequency (--order 1); their coordinate is u = j/sqrt(n) for n samples, with j = 0 in the middle.
/// The coordinate of the fractional DFT is the frequency in cycles per sample.
///
/// Input format: see `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc transform --kind fractional-fourier --order 0.5 data.csv
  hpfracc transform --kind discrete-fractional-fourier --order 0.25 --column x --imag y wide.csv
  hpfracc transform --kind fractional-dft --rate 0.001 --bins 99 sunspots.csv -p z.svg -o z.csv")]
pub(crate) struct TransformArgs {
    /// CSV file, or - for standard input
    #[arg(value_name = "INPUT.csv")]
    pub(crate) input: PathBuf,
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
    /// Column to transform; by default the only numeric one besides the time
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Column of the imaginary part
    #[arg(long, value_name = "NAME", requires = "column")]
    pub(crate) imag: Option<String>,
    /// Time column; by default the first one named t, time, date or year
    #[arg(long, value_name = "NAME")]
    pub(crate) time: Option<String>,
    /// Step size, if there is no time column or in another unit
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Treatment of missing values and missing rows
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its extension
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Suppress diagnostics except errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
