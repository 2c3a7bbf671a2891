//! Simplification passes that change no bit of any evaluation.

mod commute;
mod fold;
mod identities;
mod pass;
mod reciprocals;
mod rewriter;

pub use commute::Commute;
pub use fold::Fold;
pub use identities::Identities;
pub use pass::Pass;
pub use reciprocals::Reciprocals;
pub use rewriter::{Replacement, Rewriter};

use crate::graph::{Graph, Id};

/// All passes at once: each node is replaced until no pass has a replacement.
///
/// The result has the bits of the graph as it is written, in single and in double precision, for every
/// value of the variables; a NaN stays a NaN, of any payload. Common subexpressions are one node already
/// ([`Graph`]); nodes that no root needs are removed. Linear in the size of the graph.
///
/// | pass | replaces |
/// |---|---|
/// | [`Fold`] | operations on constants |
/// | [`Identities`] | `1 x`, `x - 0`, `-(-x)`, `min(x, x)`, ... |
/// | [`Reciprocals`] | division by a power of two |
/// | [`Commute`] | `b a` by `a b` |
///
/// ```
/// use hpfracc_equation::{Graph, Simplify, Unary};
///
/// // -(-x) / (2 2) becomes x 0.25.
/// let mut graph = Graph::new();
/// let (x, two) = (graph.variable(0), graph.constant(2.0));
/// let (negated, four) = (graph.unary(Unary::Negate, x), graph.product(two, two));
/// let twice = graph.unary(Unary::Negate, negated);
/// let root = graph.quotient(twice, four);
/// let (simple, roots) = Simplify::default().run(&graph, &[root]);
/// assert_eq!(simple.len(), 3);
/// assert_eq!(roots.len(), 1);
/// ```
#[derive(Debug)]
pub struct Simplify {
    passes: Vec<Box<dyn Pass>>,
}

impl Default for Simplify {
    /// All passes.
    fn default() -> Self {
        Self::of(vec![
            Box::new(Fold),
            Box::new(Identities),
            Box::new(Reciprocals),
            Box::new(Commute),
        ])
    }
}

impl Simplify {
    /// These passes alone; without any, nodes that no root needs are removed all the same. For a node, the
    /// first has precedence.
    pub fn of(passes: Vec<Box<dyn Pass>>) -> Self {
        Self { passes }
    }

    /// All but the pass of this name. An unknown name changes nothing: see [`names`](Self::names).
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.passes.retain(|pass| pass.name() != name);
        self
    }

    /// Names of the passes.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.passes.iter().map(|pass| pass.name())
    }

    /// New graph with the nodes that the roots need, and the roots in it.
    pub fn run(&self, graph: &Graph, roots: &[Id]) -> (Graph, Vec<Id>) {
        Rewriter::rewrite(graph, roots, |new, node| {
            self.passes.iter().find_map(|pass| pass.replace(new, node))
        })
    }
}
