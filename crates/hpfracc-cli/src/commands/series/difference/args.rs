//! Arguments of `hpfracc difference`.

use crate::commands::arguments::{OutputArgs, SeriesArgs};
use clap::Args;

/// Fractional difference of a column of a CSV file: removes or adds long memory.
///
/// (1-B)^d x with the lag operator B and the time series taken as zero before its start, whatever the
/// length of a step: -d 1 gives the steps of the time series, -d -1 its sums, and --inverse of the same d
/// restores the input. Output columns: the time as text of the input, the input column and the result,
/// named for example `difference_0.4(x)`.
///
/// Without a time column rows are one unit of time apart. In constant memory, row by row, for 0 < d < 2:
/// hpfracc diff --operator grunwald-letnikov --alpha D --dt 1 --stream.
///
/// Input format: see `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc difference -d 0.4 river.csv
  hpfracc difference -d 0.4 --inverse --column residual residuals.csv -o level.csv
  hpfracc difference -d 1 --missing interpolate prices.csv --plot returns.svg")]
pub(crate) struct DifferenceArgs {
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    /// Order d of the difference, any number
    #[arg(short, long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) d: f64,
    /// The inverse, of order -d
    #[arg(long)]
    pub(crate) inverse: bool,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
