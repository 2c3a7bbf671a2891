use crate::graph::{Graph, Id, Node};

/// Sparsity pattern: for each root, the numbers of the variables on which it depends, ascending.
///
/// A dependence is one as written: `x - x` depends on x. Cost: linear in the sum over the roots of the
/// nodes that each needs.
///
/// ```
/// use hpfracc_equation::{Graph, structure};
///
/// let mut graph = Graph::new();
/// let (x, y) = (graph.variable(0), graph.variable(7));
/// let product = graph.product(x, y);
/// assert_eq!(structure::dependencies(&graph, &[product, y]), [vec![0, 7], vec![7]]);
/// ```
pub fn dependencies(graph: &Graph, roots: &[Id]) -> Vec<Vec<u32>> {
    let mut visited_for = vec![usize::MAX; graph.len()];
    let mut stack = Vec::new();
    roots
        .iter()
        .enumerate()
        .map(|(row, root)| {
            let mut numbers = Vec::new();
            stack.push(*root);
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut visited_for[id.index()], row) != row {
                    match graph.node(id) {
                        Node::Variable(number) => numbers.push(number),
                        node => stack.extend(node.operands()),
                    }
                }
            }
            numbers.sort_unstable();
            numbers
        })
        .collect()
}

/// Whether no root depends on the variable of this number, such as time: an autonomous system.
pub fn is_autonomous(graph: &Graph, roots: &[Id], time: u32) -> bool {
    let depends = graph.depends(|number| number == time);
    !roots.iter().any(|root| depends[root.index()])
}
