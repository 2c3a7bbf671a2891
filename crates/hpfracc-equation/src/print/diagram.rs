//! Pictures of graphs.

use crate::graph::{Graph, Id, Node};
use std::fmt::Write;

/// Nodes and edges of a picture of a graph: the nodes that named roots need, in topological order, then
/// the roots.
///
/// ```
/// use hpfracc_equation::{Diagram, Graph, Unary};
///
/// let mut graph = Graph::new();
/// let x = graph.variable(0);
/// let sin = graph.unary(Unary::Sin, x);
/// let diagram = Diagram::new(&graph, &[("x'", sin)], |_| "x".into());
/// let text = diagram.dot();
/// assert!(text.contains(r#"n0 [label="x", shape=box];"#));
/// assert!(text.contains("n0 -> n1;"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// Nodes.
    pub nodes: Vec<DiagramNode>,
    /// Edges from operands to operations, and from values to roots: each goes to a later node.
    pub edges: Vec<DiagramEdge>,
}

/// Node of a [`Diagram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramNode {
    /// Text: a number, a name, an operation.
    pub label: String,
    /// What the node is.
    pub kind: DiagramKind,
}

/// Kind of a [`DiagramNode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagramKind {
    /// Constant.
    Constant,
    /// Variable.
    Variable,
    /// Function of its operands.
    Operation,
    /// Named root.
    Root,
}

/// Edge of a [`Diagram`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramEdge {
    /// Index of the operand.
    pub from: usize,
    /// Index of the operation.
    pub to: usize,
    /// Place of the operand among several, from 1.
    pub place: Option<usize>,
}

impl Diagram {
    /// Diagram of named roots. `variable` has the name of a variable by its number; names may contain any
    /// character.
    pub fn new(graph: &Graph, roots: &[(&str, Id)], variable: impl Fn(u32) -> String) -> Self {
        let ids: Vec<Id> = roots.iter().map(|(_, id)| *id).collect();
        let mut diagram = Self { nodes: Vec::new(), edges: Vec::new() };
        let needed = graph.needed(&ids);
        // Index of each node in the diagram.
        let mut index = vec![0; needed.len()];
        for k in (0..needed.len()).filter(|k| needed[*k]) {
            let node = graph.nodes()[k];
            let (label, kind) = match node {
                Node::Constant(bits) => (f64::from_bits(bits).to_string(), DiagramKind::Constant),
                Node::Variable(number) => (variable(number), DiagramKind::Variable),
                Node::Affine(map, row, _) => {
                    (format!("layer {} row {}", map + 1, row + 1), DiagramKind::Operation)
                }
                Node::Table(number, order, _) => {
                    let primes = "'".repeat(order.into());
                    (format!("table {number}{primes}"), DiagramKind::Operation)
                }
                _ => (node.name().to_owned(), DiagramKind::Operation),
            };
            index[k] = diagram.add(label, kind);
            // Operands of a function that is not symmetric have their places.
            let places = node.operands().len() > 1;
            for (place, operand) in (1..).zip(node.operands()) {
                let place = places.then_some(place);
                diagram.connect(index[operand.index()], index[k], place);
            }
        }
        for (name, id) in roots {
            let root = diagram.add((*name).to_owned(), DiagramKind::Root);
            diagram.connect(index[id.index()], root, None);
        }
        diagram
    }

    fn add(&mut self, label: String, kind: DiagramKind) -> usize {
        self.nodes.push(DiagramNode { label, kind });
        self.nodes.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize, place: Option<usize>) {
        self.edges.push(DiagramEdge { from, to, place });
    }

    /// Text of Graphviz, for `dot -Tsvg`.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph {\n  rankdir=BT;\n  node [shape=ellipse];\n");
        for (k, DiagramNode { label, kind }) in self.nodes.iter().enumerate() {
            let shape = match kind {
                DiagramKind::Constant => ", shape=plaintext",
                DiagramKind::Variable => ", shape=box",
                DiagramKind::Operation => "",
                DiagramKind::Root => ", shape=box, style=bold",
            };
            line(&mut text, format_args!("n{k} [label=\"{}\"{shape}]", escaped(label)));
        }
        for DiagramEdge { from, to, place } in &self.edges {
            let label = place.map_or(String::new(), |place| format!(" [label={place}]"));
            line(&mut text, format_args!("n{from} -> n{to}{label}"));
        }
        text.push_str("}\n");
        text
    }
}

fn line(text: &mut String, statement: std::fmt::Arguments<'_>) {
    // Writing into a string does not fail.
    let _ = writeln!(text, "  {statement};");
}

fn escaped(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, c| {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' | '\r' => text.push(' '),
            _ => text.push(c),
        }
        text
    })
}
