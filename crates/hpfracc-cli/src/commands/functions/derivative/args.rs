//! Arguments of `hpfracc derivative`.

use clap::Args;

/// Fractional derivative or integral of a formula at given times, to about 12 digits.
///
/// Prints one number for each time, the shortest decimal that reads back to the same bits. The formula
/// is written as in `hpfracc equation`; parameters follow after `;`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc derivative --of \"exp(-t) sin(3 t)\" --operator caputo --alpha 0.5 --at 2
  hpfracc derivative --of \"a t^2; a = 3\" --operator riemann-liouville --alpha 0.3 --at 0.5,1,2
  hpfracc derivative --of \"cos(t)\" --operator rl-integral --alpha 0.5 --from -1 --at 0")]
pub(crate) struct DerivativeArgs {
    /// Formula of t
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) of: String,
    /// Definition: caputo, riemann-liouville or rl-integral
    #[arg(long, value_name = "NAME", default_value = "caputo")]
    pub(crate) operator: String,
    /// Order
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Times, comma-separated
    #[arg(
        long,
        value_name = "T",
        value_delimiter = ',',
        required = true,
        allow_negative_numbers = true
    )]
    pub(crate) at: Vec<f64>,
    /// Start t0 of the derivative
    #[arg(long, value_name = "T0", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) from: f64,
}
