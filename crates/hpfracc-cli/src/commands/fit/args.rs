//! Arguments of `hpfracc fit`.

use crate::commands::arguments::OutputArgs;
use crate::commands::fields::space::SpaceArgs;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::path::PathBuf;

/// Fit a model to data: least squares with exact derivatives, standard errors, profiles, bootstraps, samplings.
///
/// The model is a model of the literature by its name (--list), a circuit, a formula of columns of the file and of
/// parameters, a fractional differential equation, an equation of fields on a box (--box, as in `hpfracc pde`), or a TOML file with one of
/// these and its settings. The report goes to standard output;
/// --output writes the rows with model, confidence band and residual, --plot draws them. Several files are sets of one fit, which share
/// parameters of the same name unless --own says otherwise. Data larger than the memory go through a temporary file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc fit \"y = a exp(-(t/tau)^s) + c\" --start a=1,tau=2,s=0.8,c=0 data.csv --plot fit.svg
  hpfracc fit fractional-zener-modulus rheometer.csv --relative each --compare parallel-springpots-modulus
  hpfracc fit \"circuit R0-p(R1,CPE1)-p(R2,CPE2)\" impedance.csv --hertz --relative modulus
  hpfracc fit \"D^alpha y = -y/tau; alpha = 0.9; tau = 1 in (0, inf); y(0) = a; a = 1\" relaxation.csv
  hpfracc fit \"D^alpha u = kappa lap(u); u(0) = exp(-x^2/0.02)\" field.csv --box -1:1:200 --boundary neumann
  hpfracc fit \"y = a + b x\" --sigma err --profile b --bootstrap 999 --sample 4x1000 data.csv
  hpfracc fit stretched-exponential monday.csv tuesday.csv --own a,c
  hpfracc fit model.toml data.csv --json --resume run1
  hpfracc fit --list

Model file; one of model, formula and equation:
  model = \"cole-cole\"              # or \"circuit R0-p(R1,CPE1)\", \"debye + cole-cole\", \"transfer (b0 + s^beta)/(1 + a1 s^alpha)\"
  # formula = \"y = a exp(-(t/tau)^s) + c\"
  # equation = \"D^alpha y = -y/tau; alpha = 0.9; tau = 1; y(0) = a; a = 1\"
  hertz = true                     # frequencies in hertz
  own = [\"delta\"]                  # parameters that each set has for itself

  [data]
  response = [\"re\", \"im\"]          # columns; by default those with the names of the model
  sigma = \"err\"                    # known standard deviations; or weight: relative ones; neither: estimated
  relative = \"each\"                # or modulus: errors proportional to the responses
  missing = \"error\"                # or skip
  missing-values = [\"-999\"]
  names = { f = \"frequency\" }      # names of the model for columns of the file

  [[set]]                          # files, in place of those of the command line
  data = \"low.csv\"
  constants = { q = 0.01 }         # numbers of the experiment; for all sets: [constants]

  [parameters]
  tau = { start = 2.0, within = [0.0, 10.0], log = true }
  s = { start = 0.8, within = [0.05, 1.0], prior = { mean = 0.5, sd = 0.05 } }
  c = { tied = \"1 - a\" }           # or fixed = 0.0

  [space]                          # box of an equation of fields
  box = [\"-1:1:200\"]
  boundary = [\"neumann\"]

  [fit]
  loss = \"soft-l1\"                 # or squares, huber, cauchy, arctan, tukey
  scale = 0.02                     # of the loss; by default from the residuals
  level = 0.95                     # of intervals
  starts = 16                      # further starts

  [derived]
  half = \"tau*0.69^(1/s)\"

Columns of raw files of numbers (double precision, little-endian, row after row; --columns) are read in place.")]
pub(crate) struct FitArgs {
    /// Name, circuit, formula or equation, or model file
    #[arg(value_name = "MODEL|MODEL.toml", required_unless_present = "list")]
    pub(crate) model: Option<String>,
    /// CSV files, - for standard input, or with --columns raw files
    #[arg(value_name = "DATA")]
    pub(crate) data: Vec<PathBuf>,
    /// List the models of the literature, or describe one, with a model file as an example
    #[arg(long, exclusive = true, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) list: Option<String>,
    /// Columns of a raw file
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Columns of the responses, comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) response: Vec<String>,
    /// Name of the model for a column of another name; repeatable
    #[arg(long, value_name = "NAME=COLUMN")]
    pub(crate) map: Vec<String>,
    /// Columns of known standard deviations, one or one for each response
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["weight", "relative"])]
    pub(crate) sigma: Vec<String>,
    /// Columns of weights, inverse variances up to a factor: one or one for each response
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "relative")]
    pub(crate) weight: Vec<String>,
    /// Errors are proportional to the responses
    #[arg(long, value_name = "TO", value_enum)]
    pub(super) relative: Option<Relative>,
    /// Frequencies are in hertz in place of angular ones
    #[arg(long)]
    pub(crate) hertz: bool,
    /// Numbers of the experiment in a model of the literature, comma-separated
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) constant: Vec<String>,
    #[command(flatten)]
    pub(crate) space: SpaceArgs,
    /// Parameters that each file has for itself, comma-separated; the others are shared
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) own: Vec<String>,
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
    /// Number of further starts, spread over the ranges of the parameters
    #[arg(long, value_name = "N")]
    pub(crate) starts: Option<u32>,
    /// Loss of the residuals; its scale comes from them unless the model file has one
    #[arg(long, value_name = "LOSS", value_enum)]
    pub(super) loss: Option<Loss>,
    /// Expression of the parameters to report, with its standard error; repeatable
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) derived: Vec<String>,
    /// Parameters, comma-separated, whose profile likelihood gives intervals
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) profile: Vec<String>,
    /// Number of refits to resampled data, for standard errors and intervals
    #[arg(long, value_name = "N")]
    pub(crate) bootstrap: Option<u32>,
    /// How data are resampled: residual, wild, pairs, or blocks:ROWS
    #[arg(long, value_name = "HOW", default_value = "residual", requires = "bootstrap")]
    pub(crate) resample: String,
    /// Draws from the posterior distribution, such as 4x1000: chains and draws of each
    #[arg(long, value_name = "CHAINSxDRAWS")]
    pub(crate) sample: Option<String>,
    /// CSV file of the draws
    #[arg(long, value_name = "DRAWS.csv", requires = "sample")]
    pub(crate) draws: Option<PathBuf>,
    /// Seed of starts, refits and draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Other model to compare with, as the first argument; repeatable
    #[arg(long, value_name = "MODEL|MODEL.toml")]
    pub(crate) compare: Vec<String>,
    /// Leave out rows with missing values, and count them
    #[arg(long)]
    pub(crate) skip: bool,
    /// Largest memory of the data, in MiB, before they go to a temporary file; default: half of what is available
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Keep checkpoints in a folder and go on from the newest one there, to the same bits; also when interrupted by Ctrl-C
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Seconds between checkpoints
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10.0,
        requires = "resume",
        allow_negative_numbers = true
    )]
    pub(crate) every: f64,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}

/// What errors are proportional to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Relative {
    /// The size of each number
    Each,
    /// The norm of all responses of a row: the modulus of a complex number
    Modulus,
}

/// Loss of the residuals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Loss {
    /// Least squares
    #[default]
    Squares,
    /// Squares, and linear beyond the scale
    Huber,
    /// Smooth form of huber
    #[serde(rename = "soft-l1")]
    #[value(name = "soft-l1")]
    SoftL1,
    /// Logarithmic
    Cauchy,
    /// Bounded
    Arctan,
    /// Biweight: outliers have no weight
    Tukey,
}
