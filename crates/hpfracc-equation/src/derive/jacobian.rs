use super::error::NoDerivative;
use super::gated::{Gated, opened};
use super::{forward, reverse};
use crate::graph::{Graph, Id, Node};
use std::collections::HashMap;

/// Entry of a sparse Jacobian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JacobianEntry {
    /// Number of the root, counted from 0.
    pub row: usize,
    /// Number of the variable in the list of variables, counted from 0.
    pub column: usize,
    /// Node of the derivative.
    pub value: Id,
}

/// Jacobian of the roots with respect to the `variables`, given by their numbers: its entries that are
/// not identically zero, by rows and then by columns, as nodes that are added to the graph.
///
/// By one forward sweep for each column or one reverse sweep for each row, whichever visits fewer
/// nodes. A sweep visits the nodes alone that depend on the column, or that the row needs: the cost is
/// linear in their number over all sweeps.
///
/// # Errors
///
/// [`NoDerivative`] as for [`forward`](super::forward()).
///
/// ```
/// use hpfracc_equation::{Graph, derive};
///
/// // (x y, y) has the Jacobian [y x; 0 1].
/// let mut graph = Graph::new();
/// let (x, y) = (graph.variable(0), graph.variable(1));
/// let (product, one) = (graph.product(x, y), graph.constant(1.0));
/// let entries = derive::jacobian(&mut graph, &[product, y], &[0, 1])?;
/// let entries: Vec<_> = entries.iter().map(|e| (e.row, e.column, e.value)).collect();
/// assert_eq!(entries, [(0, 0, y), (0, 1, x), (1, 1, one)]);
/// # Ok::<(), hpfracc_equation::derive::NoDerivative>(())
/// ```
pub fn jacobian(
    graph: &mut Graph,
    roots: &[Id],
    variables: &[u32],
) -> Result<Vec<JacobianEntry>, NoDerivative> {
    let sweeps = Sweeps::new(graph, roots, variables);
    let mut entries = if sweeps.forward_is_cheaper(graph, roots) {
        sweeps.by_columns(graph)?
    } else {
        sweeps.by_rows(graph, roots)?
    };
    entries.sort_unstable_by_key(|entry| (entry.row, entry.column));
    Ok(entries)
}

/// Active nodes, which the roots need and which depend on the variables, with their neighbours.
struct Sweeps {
    /// For each node, whether it is active.
    active: Vec<bool>,
    /// Active nodes that use a node.
    users: Vec<Vec<u32>>,
    /// Node of each variable, if it is active.
    leaves: Vec<Option<usize>>,
    /// Columns of each variable's node.
    columns: HashMap<usize, Vec<usize>>,
    /// Rows of each root.
    rows: HashMap<usize, Vec<usize>>,
}

impl Sweeps {
    fn new(graph: &Graph, roots: &[Id], variables: &[u32]) -> Self {
        let mut numbers = variables.to_vec();
        numbers.sort_unstable();
        let mut active = graph.depends(|number| numbers.binary_search(&number).is_ok());
        active.iter_mut().zip(graph.needed(roots)).for_each(|(active, needed)| *active &= needed);
        let mut users = vec![Vec::new(); graph.len()];
        let mut nodes = HashMap::new();
        for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| active[*k]) {
            if let Node::Variable(number) = node {
                nodes.insert(*number, k);
            }
            node.operands().for_each(|operand| users[operand.index()].push(k as u32));
        }
        let leaves: Vec<_> = variables.iter().map(|number| nodes.get(number).copied()).collect();
        let mut columns: HashMap<usize, Vec<usize>> = HashMap::new();
        for (column, leaf) in leaves.iter().enumerate() {
            if let Some(leaf) = leaf {
                columns.entry(*leaf).or_default().push(column);
            }
        }
        let mut rows: HashMap<usize, Vec<usize>> = HashMap::new();
        for (row, root) in roots.iter().enumerate() {
            rows.entry(root.index()).or_default().push(row);
        }
        Self { active, users, leaves, columns, rows }
    }

    fn forward_is_cheaper(&self, graph: &Graph, roots: &[Id]) -> bool {
        // The side that is cheaper so far goes on: counting costs little more than that side.
        let mut visited = vec![false; self.active.len()];
        let (mut forward, mut reverse) = (0, 0);
        let mut leaves = self.leaves.iter().flatten().copied();
        let mut roots = roots.iter().map(|root| root.index());
        loop {
            let up = forward <= reverse;
            let Some(start) = (if up { leaves.next() } else { roots.next() }) else { return up };
            let count = self.reachable(graph, start, up, &mut visited).len();
            *(if up { &mut forward } else { &mut reverse }) += count;
        }
    }

    /// Active nodes that depend on a node (`up`), or that it needs, in ascending order. `visited` is
    /// false before and after.
    fn reachable(&self, graph: &Graph, start: usize, up: bool, visited: &mut [bool]) -> Vec<usize> {
        if !self.active[start] {
            return Vec::new();
        }
        visited[start] = true;
        let mut nodes = vec![start];
        let mut next = 0;
        while let Some(&k) = nodes.get(next) {
            let mut visit = |k: usize| {
                if self.active[k] && !visited[k] {
                    visited[k] = true;
                    nodes.push(k);
                }
            };
            if up {
                self.users[k].iter().for_each(|user| visit(*user as usize));
            } else {
                graph.nodes()[k].operands().for_each(|operand| visit(operand.index()));
            }
            next += 1;
        }
        nodes.sort_unstable();
        nodes.iter().for_each(|k| visited[*k] = false);
        nodes
    }

    fn by_columns(&self, graph: &mut Graph) -> Result<Vec<JacobianEntry>, NoDerivative> {
        let mut entries = Vec::new();
        let mut visited = vec![false; self.active.len()];
        let mut tangents: Vec<Option<Gated>> = vec![None; self.active.len()];
        let one = graph.constant(1.0);
        for (column, leaf) in self.leaves.iter().enumerate() {
            let Some(leaf) = *leaf else { continue };
            let nodes = self.reachable(graph, leaf, true, &mut visited);
            tangents[leaf] = Some(Gated::everywhere(one));
            forward::sweep(graph, &nodes, &mut tangents)?;
            for k in nodes {
                for &row in self.rows.get(&k).into_iter().flatten() {
                    push(graph, &mut entries, row, column, tangents[k]);
                }
                tangents[k] = None;
            }
        }
        Ok(entries)
    }

    fn by_rows(&self, graph: &mut Graph, roots: &[Id]) -> Result<Vec<JacobianEntry>, NoDerivative> {
        let mut entries = Vec::new();
        let mut visited = vec![false; self.active.len()];
        let mut cotangents: Vec<Option<Gated>> = vec![None; self.active.len()];
        let one = graph.constant(1.0);
        for (row, root) in roots.iter().enumerate().filter(|(_, root)| self.active[root.index()]) {
            let nodes = self.reachable(graph, root.index(), false, &mut visited);
            cotangents[root.index()] = Some(Gated::everywhere(one));
            reverse::sweep(graph, &nodes, &self.active, &mut cotangents)?;
            for k in nodes {
                for &column in self.columns.get(&k).into_iter().flatten() {
                    push(graph, &mut entries, row, column, cotangents[k]);
                }
                cotangents[k] = None;
            }
        }
        Ok(entries)
    }
}

fn push(
    graph: &mut Graph,
    entries: &mut Vec<JacobianEntry>,
    row: usize,
    column: usize,
    value: Option<Gated>,
) {
    let value = opened(graph, value);
    if graph.node(value).as_constant() != Some(0.0) {
        entries.push(JacobianEntry { row, column, value });
    }
}
