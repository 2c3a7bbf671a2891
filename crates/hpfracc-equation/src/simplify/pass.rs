use super::rewriter::{Replacement, Rewriter};
use crate::graph::{Graph, Id, Node};
use std::fmt::Debug;

/// Rewriting of a graph that changes no bit of any evaluation, in single and in double precision.
///
/// A pass is a rule for one node, given that its operands are rewritten. Passes may run alone, in any
/// order, any number of times. Nodes that occur twice afterwards are one node, as in every [`Graph`].
pub trait Pass: Debug + Send + Sync {
    /// Name, by which [`Simplify::without`](crate::Simplify::without) knows it.
    fn name(&self) -> &'static str;

    /// Replacement of a node, whose operands are nodes of the new graph; `None` if it stays.
    ///
    /// Replacements come to an end: each has fewer operations, or the same with operands that occur
    /// earlier.
    fn replace(&self, new: &mut Rewriter, node: Node) -> Option<Replacement>;

    /// New graph with the nodes that the roots need, and the roots in it. Linear in the size of the
    /// graph.
    fn run(&self, graph: &Graph, roots: &[Id]) -> (Graph, Vec<Id>) {
        Rewriter::rewrite(graph, roots, |new, node| self.replace(new, node))
    }
}
