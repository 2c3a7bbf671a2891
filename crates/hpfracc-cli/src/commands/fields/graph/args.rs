//! Arguments of `hpfracc graph`.

use clap::{Args, Subcommand, ValueEnum};
use hpfracc::spatial::Normalisation;
use std::path::PathBuf;

/// Apply fractional operators to values on the nodes of a graph.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc graph power --gamma 0.5 edges.csv values.csv
  hpfracc graph power --gamma -0.5 --laplacian normalised edges.csv values.csv --output y.csv
  hpfracc graph diffuse --alpha 0.7 --times 0.1,1,10 edges.csv values.csv --output u.csv")]
pub(crate) struct GraphArgs {
    #[command(subcommand)]
    pub(crate) command: GraphCommand,
}

/// What is computed.
#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Power L^gamma of the Laplacian, of each column of values
    ///
    /// Output columns: node, and the columns of the values. Negative powers need values that are
    /// orthogonal to the null space: mean 0 on each component of the graph for the combinatorial
    /// Laplacian.
    Power(PowerArgs),
    /// Fractional diffusion D^alpha u = -kappa L u from each column of values, without time steps
    ///
    /// Output columns: t, node, and the columns of the values.
    Diffuse(DiffuseArgs),
}

/// The graph and the values on its nodes.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// CSV file of the undirected edges: columns from and to, and weight unless all weights are 1
    #[arg(value_name = "EDGES.csv")]
    pub(crate) edges: PathBuf,
    /// CSV file of the values: a column node with the names of all nodes (by default they are 0, 1,
    /// 2, ...), and columns of numbers
    #[arg(value_name = "VALUES.csv")]
    pub(crate) values: PathBuf,
    /// Laplacian of the graph
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub(crate) laplacian: LaplacianKind,
    /// Tolerance of the error, relative to the norm of the result
    #[arg(long, value_name = "TOL", default_value_t = 1e-10, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Suppress diagnostics except errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Laplacian of a graph with weights W and degrees D.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LaplacianKind {
    /// D - W
    #[default]
    Combinatorial,
    /// D^-1/2 (D - W) D^-1/2
    Normalised,
    /// D^-1 (D - W)
    RandomWalk,
}

impl LaplacianKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Combinatorial => "combinatorial",
            Self::Normalised => "normalised",
            Self::RandomWalk => "random-walk",
        }
    }

    pub(crate) fn normalisation(self) -> Normalisation {
        match self {
            Self::Combinatorial => Normalisation::Combinatorial,
            Self::Normalised => Normalisation::Symmetric,
            Self::RandomWalk => Normalisation::RandomWalk,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PowerArgs {
    /// Exponent
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true)]
    pub(crate) gamma: f64,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

#[derive(Debug, Args)]
pub(crate) struct DiffuseArgs {
    /// Order of the derivative in time, above 0 and below 2
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Times of the output, comma-separated
    #[arg(
        long,
        value_name = "TIMES",
        value_delimiter = ',',
        required = true,
        allow_negative_numbers = true
    )]
    pub(crate) times: Vec<f64>,
    /// Diffusivity
    #[arg(long, value_name = "KAPPA", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) kappa: f64,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}
