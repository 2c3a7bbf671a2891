use crate::graph::Table;
use crate::graph::{Graph, Id, Node, Unary};

/// What a rule puts in place of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// A node that exists.
    Existing(Id),
    /// Another node, to which rules are applied again.
    Node(Node),
}

/// New graph while it is written, operands first.
#[derive(Debug, Default)]
pub struct Rewriter {
    graph: Graph,
    /// Variables below each node: bit k is variable k, the last bit is any other variable.
    variables: Vec<u128>,
}

impl Rewriter {
    /// Node of the new graph.
    pub fn node(&self, id: Id) -> Node {
        self.graph.node(id)
    }

    /// The new graph.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Value of a constant of the new graph.
    pub fn value(&self, id: Id) -> Option<f64> {
        self.graph.node(id).as_constant()
    }

    /// Table of a number.
    pub fn table(&self, number: u32) -> &Table {
        &self.graph.tables()[number as usize]
    }

    /// Operand, where the node is this function of one argument.
    pub fn operand(&self, operation: Unary, id: Id) -> Option<Id> {
        match self.graph.node(id) {
            Node::Unary(found, a) if found == operation => Some(a),
            _ => None,
        }
    }

    /// Node, added if it is new.
    pub fn add(&mut self, node: Node) -> Id {
        let id = self.graph.add(node);
        if id.index() == self.variables.len() {
            let set = match node {
                Node::Variable(number) => 1 << number.min(OTHERS),
                _ => node.operands().fold(0, |set, a| set | self.variables[a.index()]),
            };
            self.variables.push(set);
        }
        id
    }

    /// Whether b depends on no variable that a does not depend on, as far as is known (false if in
    /// doubt): then an operation on a and b is computed in double precision only if a is.
    pub fn covers(&self, a: Id, b: Id) -> bool {
        let (a, b) = (self.variables[a.index()], self.variables[b.index()]);
        b & !a == 0 && b >> OTHERS == 0
    }

    /// Graph of the roots alone, in which `rule` has replaced nodes until it finds no replacement.
    pub(super) fn rewrite(
        graph: &Graph,
        roots: &[Id],
        rule: impl Fn(&mut Self, Node) -> Option<Replacement>,
    ) -> (Graph, Vec<Id>) {
        let mut new = Self { graph: graph.without_nodes(), ..Self::default() };
        let mut ids: Vec<Option<Id>> = vec![None; graph.len()];
        for (k, needed) in graph.needed(roots).into_iter().enumerate() {
            if needed {
                let of = |operand: Id| ids[operand.index()].unwrap_or(operand);
                let mut replacement = Replacement::Node(graph.nodes()[k].with_operands(of));
                ids[k] = Some(loop {
                    match replacement {
                        Replacement::Existing(id) => break id,
                        Replacement::Node(node) => match rule(&mut new, node) {
                            Some(next) => replacement = next,
                            None => break new.add(node),
                        },
                    }
                });
            }
        }
        let roots: Vec<Id> = roots.iter().map(|root| ids[root.index()].unwrap_or(*root)).collect();
        if new.graph.needed(&roots).iter().all(|needed| *needed) {
            return (new.graph, roots);
        }
        // Rules leave nodes behind.
        let mut compact = graph.without_nodes();
        let roots = compact.import(&new.graph, &roots);
        (compact, roots)
    }
}

/// Bit of all variables that have none of their own.
const OTHERS: u32 = u128::BITS - 1;
