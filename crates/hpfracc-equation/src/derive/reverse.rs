use super::error::NoDerivative;
use super::gated::{Gated, list, opened};
use super::rules::{branches, times_partial};
use super::tidy::Tidy;
use crate::graph::{Affine, Graph, Id, Node};
use std::collections::{BTreeMap, HashMap};

/// Product of a vector with the Jacobian (vjp, reverse mode, adjoint), as nodes that are added to the
/// graph.
///
/// `seeds` has a root and the node of its cotangent each, such as the constant 1 or a new variable.
/// Returns the cotangents of the `variables`, given by their numbers, in their order:
/// `sum_i seed_i d root_i / d x_k`. A variable on which no root depends has the constant 0.
///
/// Kinks and branches are those of [`forward`](super::forward()). Cost: linear in the number of nodes
/// that the roots need, independent of the number of variables.
///
/// # Errors
///
/// [`NoDerivative`] as for [`forward`](super::forward()).
///
/// ```
/// use hpfracc_equation::{Graph, Values, derive, evaluate};
///
/// // The gradient of x y is (y, x).
/// let mut graph = Graph::new();
/// let (x, y) = (graph.variable(0), graph.variable(1));
/// let root = graph.product(x, y);
/// let one = graph.constant(1.0);
/// let gradient = derive::reverse(&mut graph, &[(root, one)], &[0, 1])?;
/// assert_eq!(gradient, [y, x]);
/// # Ok::<(), hpfracc_equation::derive::NoDerivative>(())
/// ```
pub fn reverse(
    graph: &mut Graph,
    seeds: &[(Id, Id)],
    variables: &[u32],
) -> Result<Vec<Id>, NoDerivative> {
    let roots: Vec<Id> = seeds.iter().map(|(root, _)| *root).collect();
    let needed = graph.needed(&roots);
    let mut numbers = variables.to_vec();
    numbers.sort_unstable();
    let depends = graph.depends(|number| numbers.binary_search(&number).is_ok());
    let active: Vec<usize> = (0..needed.len()).filter(|&k| needed[k] && depends[k]).collect();
    let mut cotangents = vec![None; needed.len()];
    for &(root, seed) in seeds {
        add(graph, &mut cotangents, root, Gated::everywhere(seed));
    }
    sweep(graph, &active, &depends, &mut cotangents)?;
    let leaves: HashMap<u32, usize> = active
        .iter()
        .filter_map(|&k| match graph.nodes()[k] {
            Node::Variable(number) => Some((number, k)),
            _ => None,
        })
        .collect();
    let of = |number| leaves.get(number).and_then(|&k| cotangents[k]);
    Ok(variables.iter().map(|number| opened(graph, of(number))).collect())
}

/// Cotangents of the active nodes, in descending order; those of the roots are known.
pub(crate) fn sweep(
    graph: &mut Graph,
    active: &[usize],
    depends: &[bool],
    cotangents: &mut [Option<Gated>],
) -> Result<(), NoDerivative> {
    // Cotangents of the rows of affine maps, by list and map.
    let mut maps: HashMap<Id, BTreeMap<u32, Vec<Option<Gated>>>> = HashMap::new();
    for &k in active.iter().rev() {
        for (map, rows) in maps.remove(&Id::new(k)).into_iter().flatten() {
            pull_back(graph, (map, &rows, Id::new(k)), depends, cotangents);
        }
        let Some(cotangent) = cotangents[k] else { continue };
        let node = graph.nodes()[k];
        if let Node::Affine(map, row, list) = node {
            let outputs = graph.map(map).map_or(0, Affine::outputs);
            let rows = maps.entry(list).or_default().entry(map);
            let rows = rows.or_insert_with(|| vec![None; outputs]);
            if let Some(row) = rows.get_mut(row as usize) {
                *row = Some(cotangent);
            }
            continue;
        }
        let branches = branches(graph, node);
        for (j, operand) in node.operands().enumerate() {
            if !depends[operand.index()] {
                continue;
            }
            let term = match branches {
                Some((condition, [a, _])) if j == a => cotangent.behind(condition, true, graph),
                Some((condition, [_, b])) if j == b => cotangent.behind(condition, false, graph),
                _ => {
                    let value =
                        times_partial(&mut Tidy::new(graph), Id::new(k), j, cotangent.value)?;
                    Gated { gate: cotangent.gate, value }
                }
            };
            if !Tidy::new(graph).is_zero(term.value) {
                add(graph, cotangents, operand, term);
            }
        }
    }
    Ok(())
}

/// Cotangents of the elements of a list: the transposed map of those of its rows.
fn pull_back(
    graph: &mut Graph,
    (map, rows, x): (u32, &[Option<Gated>], Id),
    depends: &[bool],
    cotangents: &mut [Option<Gated>],
) {
    let Some(Gated { gate, value }) = list(rows, graph) else { return };
    let transposed = graph.add_map_of(map, Affine::transposed);
    for (input, element) in (0u32..).zip(graph.elements(x)) {
        if depends[element.index()] {
            let mut tidy = Tidy::new(graph);
            let value = tidy.affine(transposed, input, value);
            if !tidy.is_zero(value) {
                add(graph, cotangents, element, Gated { gate, value });
            }
        }
    }
}

fn add(graph: &mut Graph, cotangents: &mut [Option<Gated>], node: Id, term: Gated) {
    let total = &mut cotangents[node.index()];
    *total = Some(total.map_or(term, |total| total.plus(term, graph)));
}
