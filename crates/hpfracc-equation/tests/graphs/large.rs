//! Deep and large graphs: no recursion, and sizes that grow in proportion.

use hpfracc_equation::derive::{forward, jacobian, reverse};
use hpfracc_equation::structure::{
    DiffusionEntry, coefficients, dependencies, fingerprint, linear_part, noises_commute,
};
use hpfracc_equation::{Binary, Graph, Id, Simplify, Ternary, Unary, Values, evaluate};

const DEEP: usize = 100_000;

/// x, then n operations, each on the result before: all functions in turn, kinks among them.
fn chain(n: usize) -> (Graph, Id) {
    let mut graph = Graph::new();
    let (x, zero) = (graph.variable(0), graph.constant(0.0));
    let mut y = x;
    for k in 0..n {
        y = match k % 7 {
            0 => graph.unary(Unary::Sin, y),
            1 => graph.sum(y, x),
            2 => graph.unary(Unary::Atan, y),
            3 => graph.binary(Binary::Maximum, y, x),
            4 => graph.unary(Unary::Negate, y),
            5 => graph.ternary(Ternary::Select, x, y, zero),
            _ => graph.product(y, x),
        };
    }
    (graph, y)
}

#[test]
fn deep_chains_are_differentiated_in_proportion() {
    for n in [DEEP / 10, DEEP] {
        let (mut graph, root) = chain(n);
        let one = graph.constant(1.0);
        let before = graph.len();
        let tangent = forward(&mut graph, &[root], &[(0, one)]).unwrap();
        let forward_nodes = graph.len() - before;
        let cotangent = reverse(&mut graph, &[(root, one)], &[0]).unwrap();
        let reverse_nodes = graph.len() - before - forward_nodes;
        assert!(forward_nodes < 4 * n && reverse_nodes < 4 * n, "{forward_nodes} {reverse_nodes}");
        let entries = jacobian(&mut graph, &[root], &[0]).unwrap();
        assert_eq!(entries.len(), 1);
        let nodes = [tangent[0], cotangent[0], entries[0].value];
        let values = evaluate(&graph, &nodes, &[Values::Path(0.3f64)]);
        assert!(values[0].is_finite() && (values[1] / values[0] - 1.0).abs() < 1e-9, "{values:?}");
        let (simple, _) = Simplify::default().run(&graph, &[root]);
        assert!(simple.len() <= n + 3);
    }
}

#[test]
fn deep_negations_and_selections_do_not_recur() {
    let mut graph = Graph::new();
    let (x, zero) = (graph.variable(0), graph.constant(0.0));
    let (mut y, mut z) = (x, x);
    for _ in 0..DEEP {
        y = graph.unary(Unary::Negate, y);
        z = graph.difference(zero, z);
    }
    let root = graph.product(y, z);
    let one = graph.constant(1.0);
    let slope = forward(&mut graph, &[root], &[(0, one)]).unwrap();
    assert_eq!(evaluate(&graph, &slope, &[Values::Path(3.0f64)]), [6.0]);
    let (simple, _) = Simplify::default().run(&graph, &[root]);
    assert!(simple.len() <= DEEP + 3);
}

#[test]
fn banded_systems_have_jacobians_in_proportion() {
    // Diffusion of 3000 components: x_{i-1} - 2 x_i + x_{i+1} - x_i^3, both ways.
    let n = 3000;
    let mut graph = Graph::new();
    let two = graph.constant(2.0);
    let states: Vec<Id> = (0..n).map(|k| graph.variable(k)).collect();
    let roots: Vec<Id> = (1..n as usize - 1)
        .map(|k| {
            let sum = graph.sum(states[k - 1], states[k + 1]);
            let (twice, cube) = (graph.product(two, states[k]), graph.integer_power(states[k], 3));
            let difference = graph.difference(sum, twice);
            graph.difference(difference, cube)
        })
        .collect();
    let variables: Vec<u32> = (0..n).collect();
    let before = graph.len();
    let entries = jacobian(&mut graph, &roots, &variables).unwrap();
    assert_eq!(entries.len(), 3 * roots.len());
    assert!(graph.len() - before < 8 * roots.len());
}

#[test]
fn facts_of_deep_graphs_are_found_without_recursion() {
    let (mut graph, root) = chain(DEEP);
    assert_eq!(dependencies(&graph, &[root]), [vec![0]]);
    assert_ne!(fingerprint(&graph, &[root]), 0);
    let entries = [0, 1].map(|noise| DiffusionEntry { component: 0, noise, value: root });
    noises_commute(&mut graph, &entries, &[0]);
    // Linear, each term with its own factor.
    let (mut graph, mut sum) = (Graph::new(), Id::new(0));
    let (x, a) = (graph.variable(0), graph.variable(1));
    let mut factor = a;
    for k in 0..DEEP / 4 {
        let term = graph.product(factor, x);
        sum = if k == 0 { term } else { graph.sum(sum, term) };
        factor = graph.product(factor, a);
    }
    let before = graph.len();
    let linear = coefficients(&mut graph, sum, &[0]).unwrap();
    let part = linear_part(&mut graph, &[sum], &[0], |number| number == 1);
    assert!(graph.len() - before < 3 * DEEP);
    let nodes = [linear.coefficients[0], part.matrix[0].value];
    let values = evaluate(&graph, &nodes, &[Values::Path(1.0f64), Values::Path(0.5)]);
    assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-12), "{values:?}");
    let entries = [0, 1].map(|noise| DiffusionEntry { component: 0, noise, value: sum });
    noises_commute(&mut graph, &entries, &[0]);
}
