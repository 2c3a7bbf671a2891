//! Arguments of `hpfracc train`.

use super::backend::TrainingBackend;
use clap::Args;
use std::path::PathBuf;

/// Train a neural fractional differential equation, stochastic or not, on columns of a CSV file.
///
/// The configuration is TOML; unknown keys are errors. Output folder: `metrics.jsonl` (an object
/// for each step and each epoch), `checkpoints`, and at the end `parameters`, `loss.svg`,
/// `forecast.csv`, `forecast.svg`, and `drift.json`, the drift for equations, if its layers are dense. --resume continues an interrupted training to the same final
/// bits. Paths in the configuration are relative to it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc train sunspots.toml
  hpfracc train sunspots.toml --out run1
  hpfracc train sunspots.toml --out run1 --resume
  hpfracc train sunspots.toml --backend wgpu

Configuration; required keys: [data] file, [windows] length and [model.drift]:
  precision = \"f32\"                # or f64

  [data]
  file = \"sunspots.csv\"
  columns = [\"SUNACTIVITY\"]        # by default the only numeric one
  time = \"YEAR\"                    # by default t, time, date or year
  dt = 1.0                         # by default from the times
  missing = \"error\"                # or interpolate, drop
  missing-values = [\"-999\"]        # further missing values
  delays = [3]                     # further components: the columns 3 rows earlier

  [windows]
  length = 24                      # rows after the initial one
  stride = 1
  validation = 0.2                 # fraction held out at the end; 0 for none

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
  steps = 2                        # per row
  memory = \"blocked\"               # or direct, exponentials = { tolerance = 1e-6 }
  drift = \"rectangle\"              # or predictor-corrector
  checkpoints = \"all\"              # or sqrt, binomial = { states = 8 }
  storage = \"full\"                 # of states: or bfloat16, float16 (with a loss scale)

  [loss]
  path-loss = \"energy-score\"       # or moments, each = \"mean-square\", each.huber = { delta = 1.0 },
                                   # each.gaussian-likelihood = { floor = 0.0 }
  paths = 8                        # per window

  [training]
  optimiser.adam = { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0 }
  schedule.cosine = { from = 1e-2, to = 1e-4, steps = 2000 }
  epochs = 100
  batch = 32
  seed = 0
  clip = 1.0
  orders = { estimate = true, rate = 0.1 }  # start and rate of learned orders; see the book
  validate-every = 1
  patience = 20

  [checkpoints]
  every = 100                      # steps, and every epoch
  keep = 3

  [forecast]
  from = \"end\"                     # or validation: the held-out part
  rows = 30
  paths = 1000")]
pub(crate) struct TrainArgs {
    /// Configuration file
    #[arg(value_name = "CONFIG.toml")]
    pub(crate) config: PathBuf,
    /// Continue from the newest checkpoint in the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// Output folder; by default the file name of the configuration without extension
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Where losses and gradients are computed: cpu, on a GPU in single precision, wgpu (wgpu@1 is the adapter at position
    /// 1 of hpfracc devices), or auto, a GPU if there is one that takes the model
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub(crate) backend: TrainingBackend,
    /// Suppress diagnostics except errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
