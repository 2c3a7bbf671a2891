//! Arguments of `hpfracc train`.

use clap::Args;
use std::path::PathBuf;

/// Train a neural fractional differential equation, stochastic or not, on columns of a CSV file.
///
/// The configuration is TOML; unknown keys are refused. The folder gets `metrics.jsonl` (an object for
/// each step and each epoch), `checkpoints`, and at the end `parameters`, `loss.svg`, `forecast.csv` and
/// `forecast.svg`. A training that was stopped in any way goes on with --resume and ends with the same
/// bits. Files that are named in the configuration are looked for beside it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc train sunspots.toml
  hpfracc train sunspots.toml --out run1
  hpfracc train sunspots.toml --out run1 --resume

A configuration; all but [data] file, [windows] length and [model.drift] may be left out:
  precision = \"f32\"                # or f64

  [data]
  file = \"sunspots.csv\"
  columns = [\"SUNACTIVITY\"]        # by default the only numeric one
  time = \"YEAR\"                    # by default t, time, date or year
  dt = 1.0                         # by default as the times say
  missing = \"error\"                # or interpolate, drop
  delays = [3]                     # components that are the columns so many rows before

  [windows]
  length = 24                      # rows after the first, which is the start
  stride = 1
  validation = 0.2                 # of the record, its end; 0 for none

  [model.drift.perceptron]         # or [model.drift.network]: any network
  hidden = [32, 32]
  activation = \"tanh\"
  time = false                     # whether time is an input

  [model.diffusion.diagonal]       # or diffusion = \"none\", additive, general
  floor = 0.01
  of.perceptron = { hidden = [16], activation = \"tanh\" }

  [model.orders.learned]           # or orders = \"one\", orders.fixed = [0.8]
  lower = 0.5
  upper = 1.0
  start = 0.8
  each = false

  [solver]
  steps = 2                        # of each row
  memory = \"blocked\"               # or direct, exponentials = { tolerance = 1e-6 }
  drift = \"rectangle\"              # or predictor-corrector
  checkpoints = \"all\"              # or sqrt, binomial = { states = 8 }

  [loss]
  misfit = \"energy-score\"          # or moments, each = \"mean-square\", each.huber = { delta = 1.0 },
                                   # each.gaussian-likelihood = { floor = 0.0 }
  paths = 8                        # of each window

  [training]
  optimiser.adam = { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }
  schedule.cosine = { from = 1e-2, to = 1e-4, steps = 2000 }
  epochs = 100
  batch = 32
  seed = 0
  clip = 1.0
  validate-every = 1
  patience = 20

  [checkpoints]
  every = 100                      # steps, besides each epoch
  keep = 3

  [forecast]
  from = \"end\"                     # or validation: the part held back
  rows = 30
  paths = 1000")]
pub(crate) struct TrainArgs {
    /// The configuration
    #[arg(value_name = "CONFIG.toml")]
    pub(crate) config: PathBuf,
    /// Go on from the newest checkpoint in the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// Folder for all results; by default the name of the configuration without its ending
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
