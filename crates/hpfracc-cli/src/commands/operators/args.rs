//! Arguments of `hpfracc operators`.

use clap::Args;

/// List the operators and their schemes, or print one definition in full.
///
/// The list has the parameters of each operator, and the range of orders, the accuracy and the cost
/// of each scheme; the default scheme is the first one whose range contains the order. With a name:
/// formula, values for constants and powers of t, relation to other definitions, source, parameters
/// with meanings and ranges, and schemes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc operators
  hpfracc operators caputo
  hpfracc operators riesz --json

Guide to the choice of a definition: docs/which-derivative.md in the repository")]
pub(crate) struct OperatorsArgs {
    /// Definition to print, such as caputo
    #[arg(value_name = "NAME")]
    pub(crate) operator: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
