//! Picture of the expression graph.

use crate::Error;
use crate::equations::Case;
use hpfracc::equation::{Diagram, DiagramKind, Equation, Id, Symbol};
use hpfracc_plot::{Format, GraphEdge, GraphNode, NodeGraph, NodeShape, PlotError};
use std::path::Path;

/// Text of Graphviz or SVG, by the ending of the file's name.
pub(super) fn of(case: &Case, path: &Path) -> Result<Vec<u8>, Error> {
    let equation = &case.equation;
    let diagram = Diagram::new(equation.graph(), &roots(equation), |k| name(equation, k));
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("dot") => Ok(diagram.dot().into_bytes()),
        Some("svg") => svg(&case.title, &diagram).map_err(|error| match error {
            PlotError::TooLarge { .. } => {
                refused(path, format!("{error}; write it as .dot, and draw it by dot -Tsvg"))
            }
            other => other.into(),
        }),
        _ => Err(refused(path, "the name must end in .dot or .svg".to_owned())),
    }
}

/// Functions whose operands may change places.
const SYMMETRIC: [&str; 5] = ["+", "*", "min", "max", "="];

fn refused(path: &Path, reason: String) -> Error {
    Error::OptionUnused { option: "--graph", value: path.display().to_string(), reason }
}

fn svg(title: &str, diagram: &Diagram) -> Result<Vec<u8>, PlotError> {
    let shape = |kind| match kind {
        DiagramKind::Constant => NodeShape::Plain,
        DiagramKind::Variable => NodeShape::Box,
        DiagramKind::Operation => NodeShape::Ellipse,
        DiagramKind::Root => NodeShape::Bold,
    };
    let nodes: Vec<GraphNode<'_>> = (diagram.nodes.iter())
        .map(|node| GraphNode { label: &node.label, shape: shape(node.kind) })
        .collect();
    let places: Vec<String> = (diagram.edges.iter())
        .map(|edge| {
            let symmetric = SYMMETRIC.contains(&diagram.nodes[edge.to].label.as_str());
            edge.place.filter(|_| !symmetric).map_or(String::new(), |place| place.to_string())
        })
        .collect();
    let edges: Vec<GraphEdge<'_>> = (diagram.edges.iter().zip(&places))
        .map(|(edge, label)| GraphEdge { from: edge.from, to: edge.to, label })
        .collect();
    NodeGraph { title, nodes: &nodes, edges: &edges }.draw(Format::Svg)
}

/// Right-hand sides and factors of noise, with names.
fn roots(equation: &Equation) -> Vec<(&str, Id)> {
    let states = equation.states().iter();
    states
        .flat_map(|state| {
            let noise = state.noise().iter().map(|term| (state.name(), term.coefficient()));
            std::iter::once((state.name(), state.drift())).chain(noise)
        })
        .collect()
}

/// Name of a variable.
fn name(equation: &Equation, variable: u32) -> String {
    let state = |k: usize| equation.states()[k].name().to_owned();
    match equation.symbols().get(variable as usize) {
        Some(Symbol::Time) | None => "t".to_owned(),
        Some(Symbol::State(k)) => state(*k),
        Some(Symbol::Parameter(k)) => equation.parameters()[*k].name().to_owned(),
        Some(Symbol::Lagged { state: k, delay }) => {
            format!("{}(t - {})", state(*k), equation.expression(equation.delays()[*delay]))
        }
        Some(Symbol::LowerDerivative { state: k, term }) => {
            let order = equation.expression(equation.states()[*k].lower_orders()[*term]);
            format!("D^({order}) {}", state(*k))
        }
    }
}
