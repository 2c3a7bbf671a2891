use crate::graph::Graph;

/// For each node, whether it depends on one of the variables.
pub(crate) fn depends_on(graph: &Graph, variables: &[u32]) -> Vec<bool> {
    let mut numbers = variables.to_vec();
    numbers.sort_unstable();
    graph.depends(|number| numbers.binary_search(&number).is_ok())
}
