//! Arguments of `hpfracc equation`.

use clap::Args;
use hpfracc::equation::wgsl::NumberFormat;
use std::path::PathBuf;

/// Check an equation and print what it is: its form, orders, parameters, noise, linear part, and its
/// canonical text.
///
/// A line for each unknown: `D^0.7 y = -y^3 + sin(t)`, `x'' = -x`, `dS = mu S dt + sigma S dW`. Products
/// are written as on paper, `sigma (y - x)` or `2x y`. Further lines define parameters and other
/// quantities in any order, `rho = 28 in [0, 200]`, initial values `y(0) = 1`, the interval `t in [0, 20]`,
/// histories of delays `y(t) = 1 for t <= 0`, noises `B = fbm(0.3)`, events `when x = 1: stop`, quantities
/// to show `show r = sqrt(x^2 + y^2)`. `;` separates lines, `#` begins a comment.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc equation \"D^alpha y = -k y; k = 2; alpha = 0.7 in (0, 1]; y(0) = 1; t in [0, 10]\"
  hpfracc equation lorenz --jacobian
  hpfracc equation lorenz --graph lorenz.svg
  hpfracc equation lorenz --rust
  hpfracc equation \"dX = -tanh(X) dt + 0.1 dW; X(0) = 1\" --wgsl=f64

The whole language: docs/equations.md in the repository")]
pub(crate) struct EquationArgs {
    /// Text, file, or name of the catalogue
    #[arg(value_name = "TEXT|FILE|NAME")]
    pub(crate) equation: String,
    /// Parameter; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print the entries of the Jacobian that are not zero
    #[arg(long)]
    pub(crate) jacobian: bool,
    /// Print the right-hand side as a Rust function
    #[arg(long, conflicts_with = "jacobian")]
    pub(crate) rust: bool,
    /// Print the coefficients as a function in WGSL, the language of shaders, with the functions that it calls, in
    /// numbers f32 (the default), f64 or df64, sums of two f32
    #[arg(long, conflicts_with_all = ["jacobian", "rust"], value_name = "NUMBERS", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "f32", value_parser = number_format)]
    pub(crate) wgsl: Option<NumberFormat>,
    /// Draw the expression graph: a picture, or a text for Graphviz, by the ending of the name
    #[arg(long, value_name = "OUT.svg|OUT.dot")]
    pub(crate) graph: Option<PathBuf>,
}

/// Format of this name.
fn number_format(name: &str) -> Result<NumberFormat, String> {
    let known = NumberFormat::ALL.map(NumberFormat::name);
    let format = NumberFormat::ALL.into_iter().find(|format| format.name() == name);
    format.ok_or_else(|| format!("numbers are {}", known.join(", ")))
}
