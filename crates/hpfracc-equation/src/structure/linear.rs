use super::variables::depends_on;
use crate::derive::{Tidy, reverse};
use crate::graph::{Binary, Graph, Id, Node, Ternary, Unary};

/// Root that is linear in variables: `constant + sum_k coefficients[k] x_k`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// Term without the variables.
    pub constant: Id,
    /// Coefficient of each variable, free of all of them; the constant 0 where a variable does not occur.
    pub coefficients: Vec<Id>,
}

/// A root is not linear in the variables as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not linear: {function} of the variables")]
pub struct Nonlinear {
    /// Name of the function that is not linear.
    pub function: &'static str,
    /// Its node.
    pub at: Id,
}

/// Coefficients of a root that is linear in the `variables`, given by their numbers.
///
/// Linear as written: sums, differences, products with and quotients by what is free of the variables,
/// and branches under a condition that is free of them. Products that do not contain the variables are
/// not expanded: `(a + b) (x - 1)` has the coefficient `a + b` and the constant `-(a + b)`. Cost: linear in
/// the number of nodes that the root needs.
///
/// # Errors
///
/// [`Nonlinear`] with the first node that is a nonlinear function of the variables.
///
/// ```
/// use hpfracc_equation::{Graph, structure};
///
/// // a x + b
/// let mut graph = Graph::new();
/// let (x, a, b) = (graph.variable(0), graph.variable(1), graph.variable(2));
/// let product = graph.product(a, x);
/// let root = graph.sum(product, b);
/// let linear = structure::coefficients(&mut graph, root, &[0])?;
/// assert_eq!((linear.constant, linear.coefficients), (b, vec![a]));
/// assert!(structure::coefficients(&mut graph, root, &[0, 1]).is_err());
/// # Ok::<(), structure::Nonlinear>(())
/// ```
pub fn coefficients(graph: &mut Graph, root: Id, variables: &[u32]) -> Result<Linear, Nonlinear> {
    let depends = depends_on(graph, variables);
    let needed = graph.needed(&[root]);
    for k in (0..needed.len()).filter(|&k| needed[k] && depends[k]) {
        let node = graph.nodes()[k];
        if !is_linear(node, &depends) {
            return Err(Nonlinear { function: node.name(), at: Id::new(k) });
        }
    }
    let constant = at_zero(graph, root, &needed, &depends);
    let one = graph.constant(1.0);
    // The gradient of a linear function is its coefficients. It exists: no function above is left.
    let coefficients = reverse(graph, &[(root, one)], variables)
        .map_err(|error| Nonlinear { function: error.function, at: error.at })?;
    Ok(Linear { constant, coefficients })
}

/// Root where the variables are 0. `needed` and `depends` are those of the nodes.
fn at_zero(graph: &mut Graph, root: Id, needed: &[bool], depends: &[bool]) -> Id {
    let zero = graph.constant(0.0);
    let mut values: Vec<Id> = (0..needed.len()).map(Id::new).collect();
    for k in (0..needed.len()).filter(|&k| needed[k] && depends[k]) {
        values[k] = match graph.nodes()[k] {
            Node::Variable(_) => zero,
            node => {
                let node = node.with_operands(|operand| values[operand.index()]);
                Tidy::new(graph).add(node)
            }
        };
    }
    values[root.index()]
}

/// Whether a node that depends on the variables is linear in its operands that do.
fn is_linear(node: Node, depends: &[bool]) -> bool {
    let free = |id: Id| !depends[id.index()];
    match node {
        Node::Constant(_) | Node::Variable(_) | Node::Unary(Unary::Negate, _) => true,
        Node::Binary(Binary::Add | Binary::Subtract, ..) => true,
        Node::Empty | Node::List(..) | Node::Affine(..) => true,
        Node::Binary(Binary::Multiply, a, b) => free(a) || free(b),
        Node::Binary(Binary::Divide, _, b) => free(b),
        Node::Ternary(Ternary::Select, condition, ..) => free(condition),
        _ => false,
    }
}
