//! Arguments of `hpfracc transform`.

use crate::input::Missing;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The kinds of transforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The fractional Fourier integral, sampled; of signals that fade towards both ends
    FractionalFourier,
    /// A fractional power of the DFT matrix, unitary for any data; up to 2048 samples
    DiscreteFractionalFourier,
    /// A DFT whose frequencies are any distance apart: the chirp-z transform
    FractionalDft,
}

/// Transform a column of a CSV file, or two columns that are one complex signal.
///
/// The output has the transformed coordinate, real part, imaginary part and modulus, with 17
/// significant digits. Between time and frequency, at --order 0 and 1, turn the fractional Fourier
/// transforms; their coordinate u is j/sqrt(n) for n samples, j = 0 in the middle, before and after.
/// The coordinate of the fractional DFT is the frequency in cycles per sample.
///
/// The input is as for `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc transform --kind fractional-fourier --order 0.5 record.csv
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
    /// Distance of the frequencies of the fractional DFT, in cycles per sample
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,
    /// First frequency of the fractional DFT, in cycles per sample; 0 by default
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) first: Option<f64>,
    /// Number of frequencies of the fractional DFT; as many as samples by default
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
    /// Time between rows, where there is no time column, or in another unit than it has
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// What to do with missing values and rows left out
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its name
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
