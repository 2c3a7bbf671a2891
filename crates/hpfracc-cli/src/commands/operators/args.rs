//! Arguments of `hpfracc operators`.

use clap::Args;

/// List the operators and their schemes, or print one definition in full.
///
/// The list has the parameters, and the range of orders, the accuracy and the cost of each scheme; the
/// first scheme of an operator whose range holds the order is its usual one. With a name: formula,
/// what it makes of constants and of powers of t, how it stands to other definitions, the source, the
/// parameters with their meanings and ranges, and the schemes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc operators
  hpfracc operators caputo
  hpfracc operators riesz --json

Which one to take: docs/which-derivative.md in the repository")]
pub(crate) struct OperatorsArgs {
    /// Definition to print, such as caputo
    #[arg(value_name = "NAME")]
    pub(crate) operator: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
