//! Arguments of `hpfracc fit`.

use crate::commands::arguments::OutputArgs;
use clap::Args;
use std::path::PathBuf;

/// Fit a model to data: least squares with exact derivatives, standard errors, profiles and bands.
///
/// The model is a formula of columns of the file and of parameters, or a TOML file with a formula and its
/// settings; --list shows models of the literature. The report goes to standard output; --output writes the rows with
/// model, confidence band and residual, --plot draws them. Data larger than the memory go through a temporary file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc fit \"y = a exp(-(t/tau)^s) + c\" --start a=1,tau=2,s=0.8,c=0 data.csv --plot fit.svg
  hpfracc fit \"y = a + b x\" --sigma err --profile b data.csv
  hpfracc fit model.toml data.csv --json
  hpfracc fit model.toml data.csv --checkpoints run1

Model file; required key: formula:
  formula = \"y = a exp(-(t/tau)^s) + c\"

  [data]
  response = \"y\"                   # by default the left side, or the only other numeric column
  sigma = \"err\"                    # known standard deviations; or weight: relative; neither: estimated
  missing = \"error\"                # or skip
  missing-values = [\"-999\"]

  [parameters]
  tau = { start = 2.0, within = [0.0, 10.0], log = true }
  s = { start = 0.8, within = [0.05, 1.0], prior = { mean = 0.5, sd = 0.05 } }
  a = { start = 1.0 }
  c = { tied = \"1 - a\" }           # or fixed = 0.0

  [fit]
  loss = \"soft-l1\"                 # or squares, huber, cauchy, arctan
  scale = 0.02                     # of the loss
  level = 0.95                     # of intervals

  [derived]
  half = \"tau*0.69^(1/s)\"

Columns of raw files of numbers (double precision, little-endian, row after row; --columns) are read in place.")]
pub(crate) struct FitArgs {
    /// Formula, or model file
    #[arg(value_name = "FORMULA|MODEL.toml", required_unless_present = "list")]
    pub(crate) model: Option<String>,
    /// CSV file, - for standard input, or with --columns a raw file
    #[arg(value_name = "DATA", required_unless_present = "list")]
    pub(crate) data: Option<PathBuf>,
    /// List the models of the literature
    #[arg(long, exclusive = true)]
    pub(crate) list: bool,
    /// Columns of a raw file
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Column of the response
    #[arg(long, value_name = "NAME")]
    pub(crate) response: Option<String>,
    /// Column of known standard deviations
    #[arg(long, value_name = "NAME", conflicts_with = "weight")]
    pub(crate) sigma: Option<String>,
    /// Column of weights: inverse variances up to a factor
    #[arg(long, value_name = "NAME")]
    pub(crate) weight: Option<String>,
    /// Starts of parameters, comma-separated
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) start: Vec<String>,
    /// Parameters that keep a value, comma-separated
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) fix: Vec<String>,
    /// Bounds of a parameter; repeatable
    #[arg(long, value_name = "NAME=LOW:HIGH", allow_hyphen_values = true)]
    pub(crate) within: Vec<String>,
    /// Parameter that is an expression of others; repeatable
    #[arg(long, value_name = "NAME=EXPRESSION")]
    pub(crate) tie: Vec<String>,
    /// Expression of the parameters to report, with its standard error; repeatable
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) derived: Vec<String>,
    /// Parameters, comma-separated, whose profile likelihood gives intervals
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) profile: Vec<String>,
    /// Leave out rows with missing values, and count them
    #[arg(long)]
    pub(crate) skip: bool,
    /// Largest memory of the data, in MiB, before they go to a temporary file; default: half of what is available
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Folder of checkpoints, every ten seconds and when interrupted; a fit with a checkpoint goes on to the same bits
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoints: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
