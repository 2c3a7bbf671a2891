use super::variables::depends_on;
use crate::derive::{JacobianEntry, Tidy, jacobian};
use crate::graph::{Binary, Graph, Id, Node, Unary};

/// Right-hand side as `A x + rest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearPart {
    /// Entries of A that are not identically zero, by rows and then by columns.
    pub matrix: Vec<JacobianEntry>,
    /// What remains of each root.
    pub rest: Vec<Id>,
}

/// Linear part of a system with constant coefficients: the roots as `A x + rest`, where x are the
/// `states`, given by their numbers, and the entries of A depend on the variables alone that
/// `is_parameter` accepts.
///
/// Terms are those of the sums as written. A sum times or divided by a parameter belongs to both:
/// `mu (x - x^3)` has the entry mu and the rest `-mu x^3`. Other products are not expanded. The sum of both
/// parts equals the root, but for rounding. Cost: linear in the number of nodes, and for the matrix in
/// that of each row.
///
/// ```
/// use hpfracc_equation::{Graph, structure};
///
/// // a x + x^2
/// let mut graph = Graph::new();
/// let (x, a) = (graph.variable(0), graph.variable(1));
/// let (linear, square) = (graph.product(a, x), graph.product(x, x));
/// let root = graph.sum(linear, square);
/// let part = structure::linear_part(&mut graph, &[root], &[0], |number| number == 1);
/// assert_eq!((part.matrix[0].value, part.rest), (a, vec![square]));
/// ```
pub fn linear_part(
    graph: &mut Graph,
    roots: &[Id],
    states: &[u32],
    is_parameter: impl Fn(u32) -> bool,
) -> LinearPart {
    let state = depends_on(graph, states);
    let varying = graph.depends(|number| !is_parameter(number));
    let needed = graph.needed(roots);
    let zero = graph.constant(0.0);
    let mut parts: Vec<Parts> =
        (0..needed.len()).map(|k| Parts { linear: zero, rest: Id::new(k) }).collect();
    for k in (0..needed.len()).filter(|&k| needed[k] && state[k]) {
        if let Some(split) = split(&mut Tidy::new(graph), Id::new(k), &parts, &varying) {
            parts[k] = split;
        }
    }
    let linear: Vec<Id> = roots.iter().map(|root| parts[root.index()].linear).collect();
    match jacobian(graph, &linear, states) {
        Ok(matrix) => {
            LinearPart { matrix, rest: roots.iter().map(|root| parts[root.index()].rest).collect() }
        }
        // Sums and multiples have derivatives: this is not reached, and true all the same.
        Err(_) => LinearPart { matrix: Vec::new(), rest: roots.to_vec() },
    }
}

/// Node as a sum.
#[derive(Clone, Copy)]
struct Parts {
    linear: Id,
    rest: Id,
}

/// Parts of a node; `None` if it is no sum and no multiple of one.
fn split(tidy: &mut Tidy<'_>, id: Id, parts: &[Parts], varying: &[bool]) -> Option<Parts> {
    let zero = tidy.constant(0.0);
    let of = |id: Id| parts[id.index()];
    let fixed = |id: Id| !varying[id.index()];
    let split = match tidy.graph.node(id) {
        Node::Variable(_) => Parts { linear: id, rest: zero },
        Node::Unary(Unary::Negate, a) => {
            Parts { linear: tidy.negate(of(a).linear), rest: tidy.negate(of(a).rest) }
        }
        Node::Binary(Binary::Add, a, b) => Parts {
            linear: tidy.sum(of(a).linear, of(b).linear),
            rest: tidy.sum(of(a).rest, of(b).rest),
        },
        Node::Binary(Binary::Subtract, a, b) => Parts {
            linear: tidy.difference(of(a).linear, of(b).linear),
            rest: tidy.difference(of(a).rest, of(b).rest),
        },
        Node::Binary(Binary::Multiply, a, b) if fixed(a) || fixed(b) => {
            let (factor, b) = if fixed(a) { (a, b) } else { (b, a) };
            Parts {
                linear: tidy.product(factor, of(b).linear),
                rest: tidy.product(factor, of(b).rest),
            }
        }
        Node::Binary(Binary::Divide, a, b) if fixed(b) => {
            Parts { linear: tidy.quotient(of(a).linear, b), rest: tidy.quotient(of(a).rest, b) }
        }
        _ => return None,
    };
    // What has no linear term stays as it is written.
    (!tidy.is_zero(split.linear)).then_some(split)
}
