//! Arguments of `hpfracc pde`.

use super::domain::Definition;
use super::poisson::PoissonArgs;
use crate::commands::arguments::OutputArgs;
use crate::commands::fields::graph::LaplacianKind;
use crate::commands::fields::space::SpaceArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Solve a time- and space-fractional partial differential equation on a box: one of `hpfracc pde
/// list`, or your own.
///
/// The text is that of `hpfracc equation` with fields as unknowns: lap(u), (-lap)^s(u),
/// div(k grad(u)), grad(u) in one dimension and grad_x(u) in several; in time several orders
/// (D u + 2 D^0.4 u = ...), variable ones (D^(0.6 + 0.2 t) u = ...) and distributed ones
/// (int(2 a D^a u, a in [0.2, 1]) = ...). Boundary values are 0 unless --value gives them. A linear
/// equation with constant sources is solved without time steps, to twelve digits in time.
///
/// In place of a box, --graph has the edges of a graph: lap(u) is minus its Laplacian, so that
/// diffusion has the same text on both.
///
/// `show mass = integral(u)` adds a column with a quantity of the point or of the whole field
/// (integral, mean, max, min), `when max(u) = 2 rising: stop` ends the solution. `+ 0.1 dW/dt` is noise
/// that is white in space and time, of which --seed and --path choose a path.
///
/// Output columns: t, the coordinates or the node, the fields and the shown quantities, a row for each
/// point and time; an array of the fields (time, field if there are several, x, y, z) if the name ends
/// in .npy.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  hpfracc pde \"D^0.6 u = 0.1 lap(u) + u - u^3\" --box 0:1:200 --boundary dirichlet \\
    --start \"sin(pi x)\" --until 1 --plot heat.png --animate u.png
  hpfracc pde diffusion --box 0:1:200 --boundary neumann --until 2 --plot heat.svg --output u.npy
  hpfracc pde gray-scott --box 0:1:128 --box 0:1:128 --boundary periodic --until 2000 --n 2000 \\
    --scheme implicit-explicit --field v --plot patches.png --quiet --output v.npy
  hpfracc pde \"D^0.8 u = div((0.1 + x) grad(u)); u(0) = 0\" --box 0:1:100 \\
    --boundary dirichlet,neumann --value \"u(x=0) = sin(t)\" --until 5 --plot heat.png
  hpfracc pde \"D u + 2 D^0.4 u = lap(u) + u - u^3; u(0) = sin(pi x)\" --box 0:1:100 \\
    --boundary dirichlet --until 5 --plot traps.png
  hpfracc pde \"D^0.8 u = -(-lap)^0.6(u); u(0) = 1\" --definition integral --box -1:1:99 \\
    --until 2 --plot jumps.png
  hpfracc pde \"D^0.8 u = 0.5 lap(u) + u (1 - u)\" --graph edges.csv --start \"a: 1\" --until 10
  hpfracc pde poisson --definition integral --s 0.5 --source 1 --box -1:1:255 --box -1:1:255 \\
    --domain \"x^2 + y^2 < 1\" --plot disk.png
  hpfracc pde list"
)]
pub(crate) struct PdeArgs {
    #[command(subcommand)]
    pub(crate) command: Option<PdeCommand>,
    /// Name of a ready equation, a text, or a file with one
    #[arg(value_name = "EQUATION")]
    pub(crate) equation: Option<String>,
    #[command(flatten)]
    pub(crate) space: SpaceArgs,
    /// Which fractional Laplacian the powers of -lap are; default: spectral
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) definition: Option<Definition>,
    /// Points of the domain of the integral definition, a comparison such as "x^2 + y^2 < 1"; by
    /// default the box
    #[arg(long, value_name = "CONDITION")]
    pub(crate) domain: Option<String>,
    /// In place of a box: CSV file of the undirected edges of a graph, with columns from and to, and
    /// weight unless all weights are 1
    #[arg(long, value_name = "EDGES.csv", conflicts_with_all = ["axes", "boundary", "points", "definition", "domain", "value", "animate"])]
    pub(crate) graph: Option<PathBuf>,
    /// CSV file of the nodes of the graph, with a column node; its other columns are the coordinates
    /// of the equation and of the start
    #[arg(long, value_name = "NODES.csv")]
    pub(crate) nodes: Option<PathBuf>,
    /// Laplacian of the graph; default: combinatorial
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) laplacian: Option<LaplacianKind>,
    /// Boundary value in the condition of the face, an expression of t, the coordinates and
    /// parameters; repeatable
    #[arg(long, value_name = "u(x=0) = EXPR")]
    pub(crate) value: Vec<String>,
    /// Start: an expression of the coordinates, FIELD=EXPR if there are several fields, or a .npy or
    /// .csv file with the values of all; on a graph also values of nodes, "a: 1, b: 0.5"; repeatable
    #[arg(long, value_name = "EXPR|FILE", allow_hyphen_values = true)]
    pub(crate) start: Vec<String>,
    /// Velocity at t = 0 for orders above 1, likewise an expression; default: that of the text
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) velocity: Vec<String>,
    /// Order of the derivative in time, or comma-separated orders of the fields
    #[arg(long, value_name = "ALPHA", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) alpha: Vec<f64>,
    /// Parameter; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// End of the time; default that of the text, else the last of --times
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Times of the output, comma-separated
    #[arg(long, value_name = "TIMES", value_delimiter = ',', conflicts_with = "frames")]
    pub(crate) times: Vec<f64>,
    /// Number of equally spaced times of the output, 0 and the end among them; default 101 in one
    /// dimension, 6 in more
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) frames: Option<u32>,
    /// Scheme: product-trapezoid, l1, implicit-explicit, or none (without steps, if the equation is
    /// linear); by default none where it can be, else l1 for several, distributed and variable orders,
    /// product-trapezoid for others
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: u32,
    /// Exponent r of graded steps T (j/n)^r; by default one that suits the smallest order
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) grading: Option<f64>,
    /// Seed of the noise of an equation such as "D u = lap(u) + 0.1 dW/dt"; default: 0
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Number of the path of the noise; default: 0
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<u64>,
    /// Field of the pictures; by default the first
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Option<String>,
    /// Animation to draw, a PNG: profiles in one dimension, maps in two
    #[arg(long, value_name = "OUT.png")]
    pub(crate) animate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}

/// Other tasks.
#[derive(Debug, Subcommand)]
pub(crate) enum PdeCommand {
    /// List the ready equations
    List,
    Poisson(PoissonArgs),
}
