//! Arguments of `hpfracc solve`.

use crate::commands::arguments::OutputArgs;
use clap::Args;

/// Solve a fractional differential equation: one of the catalogue, or your own.
///
/// Output columns: the time, the states, what the equation shows, the exact solution where it is known,
/// and with --sensitivity the derivatives of the states, as the shortest decimals that read back to the
/// same bits: at the nodes of the scheme, or, for a scheme with adaptive steps, the dense output at --n
/// times. With --scan one row for each value of the parameter: every state and shown quantity at the
/// end, and its smallest and largest value over the second half of the interval.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc solve --equation \"D^0.7 y = -y^3 + sin(t); y(0) = 1; t in [0, 20]\" --plot y.svg
  hpfracc solve lorenz --t1 5 --sensitivity rho,sigma --output sensitivity.csv
  hpfracc solve lorenz --alpha 0.995 --set rho=28 --phase x,z --plot lorenz.png --output lorenz.csv
  hpfracc solve lorenz --scan rho=0:200:41 --plot bifurcation.svg --output scan.csv
  hpfracc solve lorenz --t1 10 --n 2000 --scan rho=0:200:21 --scan sigma=5:15:11 --plot heat.svg
  hpfracc solve robertson --scheme l1 --grading 12 --log-time --plot robertson.png --output out.csv

How to write an equation: hpfracc equation --help. Catalogue and schemes: hpfracc systems")]
pub(crate) struct SolveArgs {
    /// Equation of the catalogue, such as lorenz
    #[arg(value_name = "NAME", conflicts_with = "equation")]
    pub(crate) system: Option<String>,
    /// Equation as a text, or a file with one
    #[arg(long, value_name = "TEXT|FILE")]
    pub(crate) equation: Option<String>,
    /// Order of the derivative, or comma-separated orders of the components
    #[arg(long, value_name = "ALPHA", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) alpha: Vec<f64>,
    /// Parameter; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Solve for COUNT equally spaced values of a parameter, in parallel; twice for all pairs of values
    /// of two parameters
    #[arg(long, value_name = "NAME=FROM:TO:COUNT", conflicts_with_all = ["phase", "log_time", "sensitivity"])]
    pub(crate) scan: Vec<String>,
    /// Column of a scan that the picture shows, such as min(x); default: the late maxima of the first
    /// state for one parameter, and the largest of them, max(x), for two
    #[arg(long, value_name = "COLUMN", requires_all = ["scan", "plot"])]
    pub(crate) quantity: Option<String>,
    /// Parameters, comma-separated, with respect to which the solution is differentiated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) sensitivity: Vec<String>,
    /// End of the interval
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) t1: Option<f64>,
    /// Number of steps; with adaptive steps, number of output intervals
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: Option<u32>,
    /// Exponent r of graded steps t1 (j/n)^r: small ones at t = 0, where the solution is weakly
    /// singular
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) grading: Option<f64>,
    /// Scheme, such as pece; by default that of the equation
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Relative tolerance of a scheme with adaptive steps; default 1e-10
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub(crate) rtol: Option<f64>,
    /// Absolute tolerance of a scheme with adaptive steps; default: the value of --rtol
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub(crate) atol: Option<f64>,
    /// Shortest step of a scheme with adaptive steps; default 0, none
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) min_step: Option<f64>,
    /// Longest step of a scheme with adaptive steps, which sees no feature between the times where
    /// it evaluates the equation: at most a hundredth of the interval apart; default: none
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) max_step: Option<f64>,
    /// Largest number of attempts of a scheme with adaptive steps; default: a million, or 50 000
    /// where a step costs more the later it comes
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: Option<u32>,
    /// Draw a phase portrait of two components
    #[arg(long, value_name = "X,Y", requires = "plot")]
    pub(crate) phase: Option<String>,
    /// Draw a logarithmic time axis
    #[arg(long, requires = "plot", conflicts_with = "phase")]
    pub(crate) log_time: bool,
    #[command(flatten)]
    pub(crate) files: OutputArgs,
}
