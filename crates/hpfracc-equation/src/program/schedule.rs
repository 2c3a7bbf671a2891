//! Order of evaluation.

use crate::graph::{Graph, Id, Node, Ternary, Unary};
use std::collections::HashMap;

/// Operation on values in the order of evaluation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Node, and the function of the other kind of a sine or cosine with the same argument.
    Node(Id, Option<Id>),
    /// Operation of this number on a list.
    List(u32),
}

/// Components of an affine map of one list: one operation.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) map: u32,
    pub(super) list: Id,
    /// Nodes of the components, with their rows.
    pub(super) nodes: Vec<(Id, u32)>,
}

/// All operations on lists of a graph, and the one of each component.
pub(super) struct AllRows {
    pub(super) rows: Vec<Rows>,
    numbers: HashMap<Id, u32>,
}

impl AllRows {
    /// Operations of the components that are needed and that depend on a path.
    pub(super) fn of(graph: &Graph, needed: &[bool], varying: &[bool]) -> Self {
        let mut all = Self { rows: Vec::new(), numbers: HashMap::new() };
        let mut known: HashMap<(u32, Id), u32> = HashMap::new();
        for (k, node) in graph.nodes().iter().enumerate() {
            let Node::Affine(map, row, list) = *node else { continue };
            if !(needed[k] && varying[k]) {
                continue;
            }
            let number = *known.entry((map, list)).or_insert_with(|| {
                all.rows.push(Rows { map, list, nodes: Vec::new() });
                all.rows.len() as u32 - 1
            });
            all.rows[number as usize].nodes.push((Id::new(k), row));
            all.numbers.insert(Id::new(k), number);
        }
        all
    }

    /// Number of the operation that computes a node.
    pub(super) fn number(&self, node: Id) -> Option<u32> {
        self.numbers.get(&node).copied()
    }
}

/// Nodes that depend on a path, in an order in which most values are an operand of the next
/// operation.
///
/// Depth-first from the roots. Of the operands of a node those that are used elsewhere too come
/// first, because they are stored in any case; then those that need more rows of scratch, so that
/// fewest values wait at any time.
///
/// Source: R. Sethi and J. D. Ullman, Journal of the ACM 17 (1970) 715,
/// DOI 10.1145/321607.321620.
pub(super) fn schedule(
    graph: &Graph,
    roots: &[Id],
    lists: &AllRows,
    varying: &[bool],
    needed: &[bool],
) -> Vec<Step> {
    let computed = |id: Id| varying[id.index()] && !matches!(graph.node(id), Node::Variable(_));
    let uses = uses(graph, roots, needed);
    let shared = |id: Id| uses[id.index()] > 1;
    let depths = depths(graph, needed, |id| computed(id) && !shared(id));
    let partners = partners(graph, needed);
    // Operands with lower keys are evaluated first.
    let key = |node: Node, id: Id| {
        let condition = matches!(node, Node::Ternary(Ternary::Select, a, _, _) if a == id);
        (!shared(id), condition, u32::MAX - depths[id.index()])
    };

    let mut steps = Vec::new();
    let mut done = vec![false; graph.len()];
    let mut stack: Vec<Id> = Vec::new();
    for &root in roots.iter().filter(|root| computed(**root)) {
        stack.push(root);
        while let Some(&top) = stack.last() {
            if done[top.index()] {
                stack.pop();
                continue;
            }
            let node = graph.node(top);
            let open = node.operands().filter(|id| computed(*id) && !done[id.index()]);
            if let Some(next) = open.min_by_key(|id| key(node, *id)) {
                stack.push(next);
                continue;
            }
            stack.pop();
            if node.is_list() {
                done[top.index()] = true;
                continue;
            }
            if let Some(number) = lists.number(top) {
                let nodes = &lists.rows[number as usize].nodes;
                nodes.iter().for_each(|(id, _)| done[id.index()] = true);
                steps.push(Step::List(number));
                continue;
            }
            let partner = partners[top.index()];
            done[top.index()] = true;
            partner.into_iter().for_each(|id| done[id.index()] = true);
            steps.push(Step::Node(top, partner));
        }
    }
    steps
}

/// Number of uses of each node, by nodes and roots.
pub(super) fn uses(graph: &Graph, roots: &[Id], needed: &[bool]) -> Vec<u32> {
    let mut uses = vec![0; graph.len()];
    let nodes = graph.nodes().iter().zip(needed).filter(|(_, needed)| **needed);
    let operands = nodes.flat_map(|(node, _)| node.operands());
    operands.chain(roots.iter().copied()).for_each(|id| uses[id.index()] += 1);
    uses
}

/// Rows of scratch that the evaluation of each node needs: the number of Sethi and Ullman for an
/// accumulator.
fn depths(graph: &Graph, needed: &[bool], inner: impl Fn(Id) -> bool) -> Vec<u32> {
    let mut depths = vec![0; graph.len()];
    for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
        let mut operands = [0; 3];
        let mut count = 0;
        for operand in node.operands().filter(|id| inner(*id)) {
            operands[count] = depths[operand.index()];
            count += 1;
        }
        let operands = &mut operands[..count];
        operands.sort_unstable_by(|a, b| b.cmp(a));
        let waiting = operands.iter().zip(0u32..).map(|(depth, waiting)| depth + waiting);
        depths[k] = waiting.max().unwrap_or(0);
    }
    depths
}

/// For each sine and cosine that is needed, the other function of the same argument.
fn partners(graph: &Graph, needed: &[bool]) -> Vec<Option<Id>> {
    let mut sines = vec![None; graph.len()];
    let mut partners = vec![None; graph.len()];
    let mut cosines = Vec::new();
    for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
        match *node {
            Node::Unary(Unary::Sin, a) => sines[a.index()] = Some(Id::new(k)),
            Node::Unary(Unary::Cos, a) => cosines.push((a, Id::new(k))),
            _ => {}
        }
    }
    for (a, cosine) in cosines {
        if let Some(sine) = sines[a.index()] {
            partners[cosine.index()] = Some(sine);
            partners[sine.index()] = Some(cosine);
        }
    }
    partners
}
