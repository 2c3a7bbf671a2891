use crate::graph::{Graph, Id, Node, Ternary};

/// Replaces the Mittag-Leffler functions below some roots by [`Ternary::MittagLefflerByNodes`], whose value and
/// derivatives with respect to the argument and both orders are computed together.
///
/// A derivative with respect to an order then costs a few nanoseconds beside the value, which has an error of 1e-13 of
/// max(1, |E|) in place of the last digits.
///
/// ```
/// use hpfracc_equation::{Formula, derive::mittag_leffler_by_nodes};
///
/// let formula = Formula::parse("E(s, -t); s = 0.5", &["t"])?;
/// let mut graph = formula.graph().clone();
/// let roots = mittag_leffler_by_nodes(&mut graph, &[formula.root()]);
/// assert_ne!(roots[0], formula.root());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mittag_leffler_by_nodes(graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
    let mut new: Vec<Id> = Vec::with_capacity(graph.len());
    for k in 0..graph.len() {
        let node = graph.node(Id::new(k)).with_operands(|id| new[id.index()]);
        new.push(graph.add(match node {
            Node::Ternary(Ternary::MittagLeffler, a, b, c) => {
                Node::Ternary(Ternary::MittagLefflerByNodes, a, b, c)
            }
            node => node,
        }));
    }
    roots.iter().map(|id| new[id.index()]).collect()
}
