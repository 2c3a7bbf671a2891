//! Arguments of `hpfracc diff`.

use crate::compute::Dtype;
use crate::input::Missing;
use clap::Args;
use std::path::PathBuf;

/// Differentiate or integrate a column of a CSV file.
///
/// The output has the time column as it stands in the file, the input column and the result, named
/// for example `caputo_l1_0.5(co2)`, the last two with 17 significant digits.
///
/// The input is CSV with a line of column names. Time is a column of numbers or of dates, written
/// YYYYMMDD or YYYY-MM-DD and counted in days. It must be uniform: steps may differ from the median
/// step by a millionth of it. Empty cells, NA, N/A, NaN and null are missing values; infinities are
/// refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 sunspots.csv
  hpfracc diff --operator caputo --alpha 0.5 --missing interpolate co2.csv --plot co2.svg -o out.csv
  hpfracc diff --operator grunwald-letnikov --scheme bdf2 --alpha 0.9 --column x --dt 0.01 run.csv
  cut -d, -f1,3 wide.csv | hpfracc diff --operator riesz --alpha 1.5 -
  tail -n +1 record.csv | hpfracc diff --operator caputo --alpha 0.5 --stream --tolerance 1e-8 -
  hpfracc diff --operator rl-integral --alpha 0.5 --chunk 100000 record.csv --output integral.csv

Names of operators and schemes: hpfracc operators")]
pub(crate) struct DiffArgs {
    /// CSV file, or - for standard input
    #[arg(value_name = "INPUT.csv")]
    pub(crate) input: PathBuf,
    /// Definition of the derivative, such as caputo
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the operator's usual one at this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Order of the derivative or the integral
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// A parameter of the operator, such as lambda=0.5; may be given many times
    ///
    /// Which ones an operator has: hpfracc operators NAME. `start`, the time of the first sample, is
    /// taken from the time column if the times are numbers and it is not given.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Column to differentiate; by default the only numeric one besides the time
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Time column; by default the first one named t, time, date or year
    #[arg(long, value_name = "NAME")]
    pub(crate) time: Option<String>,
    /// Time between rows, in the unit the result shall have
    ///
    /// Needed where there is no time column. Beside one it is the length of a step, such as
    /// 0.0191650 for weeks in years, while the column still tells which rows are left out. Steps that
    /// are no grid, such as months of unequal length, are counted row by row, with a remark, unless
    /// one of them spans a whole number of the others.
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// What to do with missing values and rows left out
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// Row by row in constant memory, for a record of any length
    ///
    /// The operator becomes a sum of exponentials, whose weights are right within --tolerance; not every
    /// scheme has one. The step is that of the first 64 rows, or --dt. Rows go to standard output as
    /// they come, so that earlier ones are out when a later one is refused; a file appears whole.
    #[arg(long, conflicts_with_all = ["missing", "plot", "chunk"])]
    pub(crate) stream: bool,
    /// Relative error of the weights of --stream, 1e-12 to 0.1; 1e-10 by default
    #[arg(long, value_name = "TOL", requires = "stream", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Exactly, N rows at a time with the history of all before them
    ///
    /// Memory holds some 15 numbers a sample and none of the text. Rows are counted first: what comes
    /// through a pipe is kept in a temporary file. Only causal convolutions can, and sums of them.
    #[arg(long, value_name = "N", conflicts_with_all = ["missing", "plot"])]
    pub(crate) chunk: Option<usize>,
    /// Precision of the computation
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f64")]
    pub(crate) dtype: Dtype,
    /// Backend that computes, see hpfracc explain; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
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
