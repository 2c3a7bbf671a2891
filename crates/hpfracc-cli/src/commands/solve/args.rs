//! Arguments of `hpfracc solve`.

use crate::commands::arguments::OutputArgs;
use clap::Args;

/// Solve a named fractional differential equation.
///
/// Output columns: the time, the components, and the exact solution where it is known, as the
/// shortest decimals that read back to the same bits: at the nodes of the scheme, or, for a scheme
/// with adaptive steps, the dense output at --n times.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc solve relaxation --alpha 0.5 --plot relaxation.svg --output relaxation.csv
  hpfracc solve lorenz --alpha 0.995 --t1 50 --n 10000 --param rho=28 --phase x,z --plot lorenz.png
  hpfracc solve brusselator --alpha 0.8,0.7 --scheme trapezoid --output out.csv
  hpfracc solve robertson --scheme l1 --grading 12 --log-time --plot robertson.png --output out.csv

Names of equations, parameters and schemes: hpfracc systems")]
pub(crate) struct SolveArgs {
    /// Equation, such as lorenz
    #[arg(value_name = "NAME")]
    pub(crate) system: String,
    /// Order of the derivative, or comma-separated orders of the components
    #[arg(long, value_name = "ALPHA", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) alpha: Vec<f64>,
    /// Parameter or initial value; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// End of the interval, which starts at 0
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
