use super::error::NoDerivative;
use super::gated::{Gated, branch, list, opened};
use super::rules::{branches, times_partial};
use super::tidy::Tidy;
use crate::graph::{Affine, Graph, Id, Node};
use std::collections::HashMap;

/// Product of the Jacobian with a vector (jvp, forward mode), as nodes that are added to the graph.
///
/// `seeds` has the vector: pairs of the number of a variable and the node of its derivative, such as the
/// constant 1 or a new variable, each variable at most once; variables without a seed are constants. Returns the derivatives of the
/// roots, in their order: `sum_k d root / d x_k seed_k`. A root that does not depend on them has the
/// constant 0.
///
/// At kinks (`abs`, `min`, `max`, `if`) it is the derivative of the branch taken, 0 for `abs` at 0, and
/// the other branch has no part in it, even where it is infinite or NaN. `sign`, `floor` and comparisons
/// have the derivative 0.
///
/// Cost: linear in the number of nodes that depend on the variables. Higher derivatives: apply again.
///
/// # Errors
///
/// [`NoDerivative`] where a variable enters an argument whose derivative is not a function of the
/// graph: the orders of the Mittag-Leffler function, the argument of the trigamma function.
///
/// ```
/// use hpfracc_equation::{Graph, Unary, Values, derive, evaluate};
///
/// // d/dx x sin(x) = sin(x) + x cos(x)
/// let mut graph = Graph::new();
/// let x = graph.variable(0);
/// let sin = graph.unary(Unary::Sin, x);
/// let root = graph.product(x, sin);
/// let one = graph.constant(1.0);
/// let slope = derive::forward(&mut graph, &[root], &[(0, one)])?;
/// let value = evaluate(&graph, &slope, &[Values::Path(2.0f64)])[0];
/// assert!((value - (2f64.sin() + 2.0 * 2f64.cos())).abs() < 1e-15);
/// # Ok::<(), hpfracc_equation::derive::NoDerivative>(())
/// ```
pub fn forward(
    graph: &mut Graph,
    roots: &[Id],
    seeds: &[(u32, Id)],
) -> Result<Vec<Id>, NoDerivative> {
    let needed = graph.needed(roots);
    let seeds: HashMap<u32, Id> = seeds.iter().copied().collect();
    let depends = graph.depends(|number| seeds.contains_key(&number));
    let active: Vec<usize> = (0..needed.len()).filter(|&k| needed[k] && depends[k]).collect();
    let mut tangents = vec![None; needed.len()];
    for &k in &active {
        if let Node::Variable(number) = graph.nodes()[k] {
            tangents[k] = seeds.get(&number).copied().map(Gated::everywhere);
        }
    }
    sweep(graph, &active, &mut tangents)?;
    Ok(roots.iter().map(|root| opened(graph, tangents[root.index()])).collect())
}

/// Tangents of the active nodes, in ascending order; those of variables are known.
pub(crate) fn sweep(
    graph: &mut Graph,
    active: &[usize],
    tangents: &mut [Option<Gated>],
) -> Result<(), NoDerivative> {
    for &k in active {
        match graph.nodes()[k] {
            // Tangents of lists are made where they are used.
            Node::Variable(_) | Node::List(..) => {}
            Node::Affine(map, row, x) => {
                tangents[k] = tangent_of_affine(graph, (map, row, x), tangents);
            }
            node => tangents[k] = tangent(graph, Id::new(k), node, tangents)?,
        }
    }
    Ok(())
}

/// The same row of the map without bias, of the list of tangents.
fn tangent_of_affine(
    graph: &mut Graph,
    (map, row, x): (u32, u32, Id),
    tangents: &mut [Option<Gated>],
) -> Option<Gated> {
    if tangents[x.index()].is_none() {
        let elements: Vec<_> =
            graph.elements(x).into_iter().map(|id| tangents[id.index()]).collect();
        tangents[x.index()] = list(&elements, graph);
    }
    let Gated { gate, value } = tangents[x.index()]?;
    let linear = graph.add_map_of(map, Affine::linear);
    let mut tidy = Tidy::new(graph);
    let value = tidy.affine(linear, row, value);
    (!tidy.is_zero(value)).then_some(Gated { gate, value })
}

fn tangent(
    graph: &mut Graph,
    y: Id,
    node: Node,
    tangents: &[Option<Gated>],
) -> Result<Option<Gated>, NoDerivative> {
    let mut operands = [None; 3];
    for (k, operand) in node.operands().enumerate() {
        operands[k] = tangents[operand.index()];
    }
    if let Some((condition, [a, b])) = branches(graph, node) {
        return Ok(branch(condition, operands[a], operands[b], graph));
    }
    let mut total: Option<Gated> = None;
    for (k, operand) in operands.into_iter().enumerate() {
        let Some(Gated { gate, value }) = operand else { continue };
        let mut tidy = Tidy::new(graph);
        let value = times_partial(&mut tidy, y, k, value)?;
        if !tidy.is_zero(value) {
            let term = Gated { gate, value };
            total = Some(total.map_or(term, |total| total.plus(term, graph)));
        }
    }
    Ok(total)
}
