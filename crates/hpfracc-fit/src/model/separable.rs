//! Parameters in which a formula is affine.

use hpfracc_equation::{Binary, Graph, Id, Node, Unary};

/// Structure of a model that is affine in some of its parameters c, which [`Model::linear`](super::Model::linear) has:
/// `y = phi_0(alpha) + sum of c_j phi_j(alpha)`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Separable {
    /// Pairs (j, k) of a linear and another parameter whose mixed second derivative `d phi_j/d alpha_k` is not zero.
    pub mixed: Vec<(usize, usize)>,
    /// Other parameters k with a derivative `d phi_0/d alpha_k` that is not zero.
    pub offset: Vec<usize>,
}

/// Parameters in which functions with these derivatives are affine, jointly: no derivative with respect to one of them depends
/// on one of them. Of parameters in a product, those that exclude the fewest others, the first of equal ones.
pub(super) fn jointly_linear(
    graph: &Graph,
    derivatives: &[Vec<Id>],
    variables: &[u32],
) -> Vec<usize> {
    let depends: Vec<Vec<bool>> =
        variables.iter().map(|variable| graph.depends(|known| known == *variable)).collect();
    let curved = |j: usize, k: usize| derivatives[j].iter().any(|id| depends[k][id.index()]);
    let mut candidates: Vec<usize> = (0..variables.len()).filter(|k| !curved(*k, *k)).collect();
    let excluded = |k: usize| candidates.iter().filter(|j| curved(k, **j)).count();
    let counts: Vec<usize> = (0..variables.len()).map(excluded).collect();
    candidates.sort_by_key(|k| counts[*k]);
    let mut linear: Vec<usize> = vec![];
    for k in candidates {
        if linear.iter().all(|j| !curved(k, *j) && !curved(*j, k)) {
            linear.push(k);
        }
    }
    linear.sort_unstable();
    linear
}

/// Whether expressions are zero where some variables are, by their structure.
pub(super) fn vanishes(graph: &Graph, roots: &[Id], is_zero: impl Fn(u32) -> bool) -> bool {
    let mut zero = vec![false; graph.len()];
    for (k, node) in graph.nodes().iter().enumerate() {
        let of = |id: &Id| zero[id.index()];
        zero[k] = match node {
            Node::Variable(variable) => is_zero(*variable),
            Node::Unary(Unary::Negate, a) => of(a),
            Node::Binary(Binary::Add | Binary::Subtract, a, b) => of(a) && of(b),
            Node::Binary(Binary::Multiply, a, b) => of(a) || of(b),
            Node::Binary(Binary::Divide, a, _) => of(a),
            node => node.as_constant() == Some(0.0),
        };
    }
    roots.iter().all(|root| zero[root.index()])
}
