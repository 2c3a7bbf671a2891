//! Formulas in the comments of generated text.

use crate::graph::{Binary, Graph, Id, Node, Ternary, Unary};
use crate::text::unary_name;
use hpfracc_types::shortest;

/// Longest formula, in bytes.
const LONGEST: usize = 48;

/// For each node a short formula in the names of the variables; longer ones have the name of a value in place of an
/// operand.
pub(super) fn labels(graph: &Graph, names: &[String]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::with_capacity(graph.len());
    for (k, node) in graph.nodes().iter().enumerate() {
        let operand = |id: Id| match labels[id.index()].as_str() {
            label if label.len() <= LONGEST / 2 => label.to_owned(),
            _ => format!("v{}", id.index()),
        };
        let inner = |id: Id| match operand(id) {
            label if label.contains(' ') => format!("({label})"),
            label => label,
        };
        let label = match *node {
            Node::Constant(bits) => shortest(f64::from_bits(bits)),
            Node::Variable(number) => {
                names.get(number as usize).cloned().unwrap_or_else(|| format!("variable {number}"))
            }
            Node::Unary(Unary::Negate, a) => format!("-{}", inner(a)),
            Node::Unary(operation, a) => format!("{}({})", function_name(operation), operand(a)),
            Node::Binary(operation, a, b) => match operator(operation) {
                Some(operator) => format!("{} {operator} {}", inner(a), inner(b)),
                None => format!("{operation:?}({}, {})", operand(a), operand(b)).to_lowercase(),
            },
            Node::Ternary(Ternary::Select, a, b, c) => {
                format!("if {} then {} else {}", inner(a), inner(b), inner(c))
            }
            Node::Ternary(operation, a, b, c) => {
                format!("{operation:?}({}, {}, {})", operand(a), operand(b), operand(c))
            }
            Node::Empty | Node::List(..) => String::new(),
            Node::Affine(map, row, _) => format!("row {row} of affine map {map}"),
            Node::Table(table, derivative, a) => {
                format!("table {table}{}({})", "'".repeat(derivative.into()), operand(a))
            }
        };
        let short = label.len() <= 2 * LONGEST;
        labels.push(if short { label } else { format!("v{k}") });
    }
    labels
}

/// Name of a function of one argument.
pub(super) fn function_name(function: Unary) -> String {
    let name = || format!("{function:?}").to_lowercase();
    unary_name(function).map_or_else(name, str::to_owned)
}

/// Symbol of an operation between its operands.
fn operator(operation: Binary) -> Option<&'static str> {
    match operation {
        Binary::Add => Some("+"),
        Binary::Subtract => Some("-"),
        Binary::Multiply => Some("*"),
        Binary::Divide => Some("/"),
        Binary::Less => Some("<"),
        Binary::LessOrEqual => Some("<="),
        Binary::Equal => Some("=="),
        Binary::Power | Binary::Minimum | Binary::Maximum => None,
    }
}
