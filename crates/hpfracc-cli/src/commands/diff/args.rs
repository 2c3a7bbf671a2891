//! Arguments of `hpfracc diff`.

use crate::commands::arguments::{OutputArgs, SeriesArgs};
use crate::compute::Dtype;
use clap::Args;

/// Differentiate or integrate a column of a CSV file.
///
/// Output columns: the time as text of the input, the input column and the result, named for
/// example `caputo_l1_0.5(co2)`; the last two as the shortest decimals that read back to the same
/// bits.
///
/// The input is CSV with a header, separated by commas, semicolons or tabs; after the last two,
/// numbers may have a decimal comma. Lines that begin with # are comments, and a row of units below
/// the header is skipped. Times are numbers, dates YYYYMMDD or YYYY-MM-DD, or clock times HH:MM:SS
/// after such a date or alone; dates and clock times are counted in days. A uniform grid has steps
/// within a millionth of the median step; schemes for non-uniform meshes accept any increasing
/// times. Empty cells, NA, N/A, NaN and null are missing values; infinities are errors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 sunspots.csv
  hpfracc diff --operator caputo --alpha 0.5 --missing interpolate co2.csv --plot co2.svg -o out.csv
  hpfracc diff --operator grunwald-letnikov --scheme bdf2 --alpha 0.9 --column x --dt 0.01 run.csv
  cut -d, -f1,3 wide.csv | hpfracc diff --operator riesz --alpha 1.5 -
  tail -n +1 data.csv | hpfracc diff --operator caputo --alpha 0.5 --stream --tolerance 1e-8 -
  hpfracc diff --operator rl-integral --alpha 0.5 --chunk 100000 data.csv --output integral.csv

Names of operators and schemes: hpfracc operators")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    /// Definition of the derivative, such as caputo; with its scheme, such as caputo-l1; or the
    /// name of a column of an earlier result, such as caputo_l1_0.5
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the first one of the operator for this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Order of the derivative or the integral
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Parameter of the operator, such as lambda=0.5; repeatable
    ///
    /// Parameters of an operator: hpfracc operators NAME. `start`, the time of the first sample,
    /// defaults to the first number of the time column.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Row by row in constant memory, for a time series of any length
    ///
    /// Uses a sum of exponentials (SOE) with a relative error of its weights below --tolerance; not
    /// every scheme has one. The step is that of the first 64 rows, or --dt. Standard output gets
    /// each row immediately, so that rows before an error are printed; a file is written completely
    /// or not at all.
    #[arg(long, conflicts_with_all = ["missing", "plot", "chunk"])]
    pub(crate) stream: bool,
    /// Relative error of the weights of --stream, 1e-12 to 0.1; default 1e-10
    #[arg(long, value_name = "TOL", requires = "stream", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Exactly, in chunks of N rows with their full history
    ///
    /// Memory: about 15 numbers per sample, none of the text. Rows are counted first; input from a
    /// pipe is copied to a temporary file. For causal convolutions and sums of them.
    #[arg(long, value_name = "N", conflicts_with_all = ["missing", "plot"])]
    pub(crate) chunk: Option<usize>,
    /// Precision of the computation
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f64")]
    pub(crate) dtype: Dtype,
    /// Backend, see hpfracc explain; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
