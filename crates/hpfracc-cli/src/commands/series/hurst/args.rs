//! Arguments of `hpfracc hurst`.

use crate::commands::arguments::SeriesArgs;
use clap::{Args, ValueEnum};

/// Likelihood of the parametric model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// Exact up to 4096 values, Whittle's beyond
    Auto,
    /// Exact, in time proportional to the square of the length
    Exact,
    /// Whittle's approximation, by the spectrum
    Whittle,
}

/// Hurst exponent H of a column of a CSV file, and the memory parameter d = H - 1/2.
///
/// Estimates with standard errors: fractional Gaussian noise by its likelihood, which assumes exact
/// self-similarity, and the local Whittle, Geweke-Porter-Hudak and wavelet estimators, which assume a
/// power law at low frequencies alone; with --arfima also d of a model with short memory. R/S and DFA
/// are descriptions, no estimates: their exponents are printed with those of simulated noises of known
/// H and the same length.
///
/// No estimator can tell a noise with H near 1 from a path with H near 0, so that --noise or --path has
/// to be given: a noise fluctuates about a mean (returns, residuals, yearly flows), a path is a wandering
/// level (positions, logarithms of prices, sums), whose steps are the noise.
///
/// With --tracks, diffusion of particles: D, alpha = 2 H and the localisation error from the exact
/// likelihood of all steps, without a fit of the mean squared displacement, whose points are correlated.
///
/// Without a time column rows are one unit of time apart. Input format: see `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc hurst --noise nile.csv
  hpfracc hurst --path --column log_price --json prices.csv
  hpfracc hurst --noise --arfima 1,0 --likelihood whittle residuals.csv
  hpfracc hurst --tracks particle --columns x,y --dt 0.05 tracks.csv")]
pub(crate) struct HurstArgs {
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    /// The values are a noise: stationary fluctuations about a mean
    #[arg(long, conflicts_with_all = ["path", "tracks"])]
    pub(crate) noise: bool,
    /// The values are a path, whose steps are a noise
    #[arg(long, conflicts_with = "tracks")]
    pub(crate) path: bool,
    /// Likelihood of the parametric models
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", conflicts_with = "tracks")]
    pub(crate) likelihood: Method,
    /// Also an ARFIMA(P, d, Q) model, with P autoregressive and Q moving-average terms
    #[arg(long, value_name = "P,Q", value_parser = pair, conflicts_with = "tracks")]
    pub(crate) arfima: Option<(usize, usize)>,
    /// Column that names the particle of each position; rows of a particle are in the order of time
    #[arg(long, value_name = "NAME", requires_all = ["columns", "dt"], conflicts_with_all = ["column", "time"])]
    pub(crate) tracks: Option<String>,
    /// Columns of the positions, such as x,y
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "tracks")]
    pub(crate) columns: Vec<String>,
    /// Print a JSON document
    #[arg(long)]
    pub(crate) json: bool,
    /// Suppress diagnostics except errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Two counts separated by a comma.
fn pair(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once(',').map(|(p, q)| (p.trim().parse(), q.trim().parse()));
    match numbers {
        Some((Ok(p), Ok(q))) => Ok((p, q)),
        _ => Err("expected two counts such as 1,0".to_owned()),
    }
}
