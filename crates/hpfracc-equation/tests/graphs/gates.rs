//! Branches that are not taken have no part in a derivative.

use hpfracc_equation::derive::{forward, jacobian, reverse};
use hpfracc_equation::{Binary, Graph, Id, Ternary, Unary, Values, evaluate};

/// Derivatives of a function of variables 0 and 1 by the three ways, which are the same numbers.
fn gradient(build: impl Fn(&mut Graph, Id, Id) -> Id, x: [f64; 2]) -> [f64; 2] {
    let mut graph = Graph::new();
    let (a, b) = (graph.variable(0), graph.variable(1));
    let root = build(&mut graph, a, b);
    let one = graph.constant(1.0);
    let variables = x.map(Values::Path);
    let of = |nodes: &[Id], graph: &Graph| evaluate(graph, nodes, &variables);
    let nodes = reverse(&mut graph, &[(root, one)], &[0, 1]).unwrap();
    let found = of(&nodes, &graph);
    for k in 0..2 {
        let tangent = forward(&mut graph, &[root], &[(k, one)]).unwrap();
        assert_eq!(of(&tangent, &graph)[0], found[k as usize], "forward, variable {k}, at {x:?}");
        let entries = jacobian(&mut graph, &[root], &[k]).unwrap();
        let nodes: Vec<Id> = entries.iter().map(|entry| entry.value).collect();
        assert_eq!(of(&nodes, &graph).iter().sum::<f64>(), found[k as usize]);
    }
    [found[0], found[1]]
}

/// `if(x > 0, y, 0)`
fn if_positive(graph: &mut Graph, x: Id, y: Id) -> Id {
    let zero = graph.constant(0.0);
    let positive = graph.binary(Binary::Less, zero, x);
    graph.ternary(Ternary::Select, positive, y, zero)
}

#[test]
fn logarithm_of_the_other_branch_does_not_leak() {
    let build = |graph: &mut Graph, x, _| {
        let ln = graph.unary(Unary::Ln, x);
        if_positive(graph, x, ln)
    };
    assert_eq!(gradient(build, [2.0, 0.0]), [0.5, 0.0]);
    assert_eq!(gradient(build, [0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(gradient(build, [-1.0, 0.0]), [0.0, 0.0]);
}

#[test]
fn root_of_a_truncated_variance_is_flat_below_zero() {
    // y sqrt(max(x, 0)), the noise of Heston's model with full truncation.
    let build = |graph: &mut Graph, x, y| {
        let zero = graph.constant(0.0);
        let positive = graph.binary(Binary::Maximum, x, zero);
        let root = graph.unary(Unary::SquareRoot, positive);
        graph.product(y, root)
    };
    assert_eq!(gradient(build, [4.0, 3.0]), [0.75, 2.0]);
    assert_eq!(gradient(build, [-4.0, 3.0]), [0.0, 0.0]);
    assert_eq!(gradient(build, [0.0, 3.0]), [0.0, 0.0]);
}

#[test]
fn one_value_behind_two_conditions_does_not_leak() {
    // u = sqrt(x) in two branches, neither of which is taken.
    let build = |graph: &mut Graph, x, y| {
        let u = graph.unary(Unary::SquareRoot, x);
        let (a, b) = (if_positive(graph, x, u), if_positive(graph, y, u));
        graph.sum(a, b)
    };
    assert_eq!(gradient(build, [0.0, -1.0]), [0.0, 0.0]);
    assert_eq!(gradient(build, [4.0, -1.0]), [0.25, 0.0]);
    assert_eq!(gradient(build, [4.0, 1.0]), [0.5, 0.0]);
}

#[test]
fn nested_conditions_hold_together() {
    // if(x > 0, if(y > 0, ln(x y), 0), 0)
    let build = |graph: &mut Graph, x, y| {
        let product = graph.product(x, y);
        let ln = graph.unary(Unary::Ln, product);
        let inner = if_positive(graph, y, ln);
        if_positive(graph, x, inner)
    };
    assert_eq!(gradient(build, [2.0, 4.0]), [0.5, 0.25]);
    for x in [[0.0, 4.0], [2.0, 0.0], [0.0, 0.0], [-1.0, 1.0]] {
        assert_eq!(gradient(build, x), [0.0, 0.0], "{x:?}");
    }
}

#[test]
fn kinks_take_the_branch_of_the_function() {
    let minimum = |graph: &mut Graph, x, y| graph.binary(Binary::Minimum, x, y);
    let maximum = |graph: &mut Graph, x, y| graph.binary(Binary::Maximum, x, y);
    assert_eq!(gradient(minimum, [1.0, 2.0]), [1.0, 0.0]);
    assert_eq!(gradient(maximum, [1.0, 2.0]), [0.0, 1.0]);
    // Both are their second argument where the arguments are equal.
    assert_eq!(gradient(minimum, [1.0, 1.0]), [0.0, 1.0]);
    assert_eq!(gradient(maximum, [1.0, 1.0]), [0.0, 1.0]);
    let absolute = |graph: &mut Graph, x, _| graph.unary(Unary::Absolute, x);
    for (x, slope) in [(-2.0, -1.0), (0.0, 0.0), (3.0, 1.0)] {
        assert_eq!(gradient(absolute, [x, 0.0]), [slope, 0.0]);
    }
    let steps = |graph: &mut Graph, x, y| {
        let (floor, sign) = (graph.unary(Unary::Floor, x), graph.unary(Unary::Sign, y));
        let less = graph.binary(Binary::Less, x, y);
        let sum = graph.sum(floor, sign);
        graph.sum(sum, less)
    };
    assert_eq!(gradient(steps, [0.3, 0.7]), [0.0, 0.0]);
}
