//! Every pass keeps every bit.

use super::random::{VARIABLES, config, graph, instructions};
use hpfracc_equation::simplify::{Commute, Fold, Identities, Pass, Reciprocals};
use hpfracc_equation::{Binary, Graph, Id, Node, Simplify, Ternary, Unary, Values, evaluate};
use proptest::prelude::*;

const PASSES: [&dyn Pass; 4] = [&Fold, &Identities, &Reciprocals, &Commute];

/// Numbers that break identities.
const SPECIAL: [f64; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -4.0,
    0.1,
    1.0 / 3.0,
    -7.3,
    1e-320,
    1e-45,
    1e-38,
    3.0e38,
    -3.5e38,
    1e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2e-39,
    16777217.0,
    1.0 + f64::EPSILON,
    1.7014118346046923e38,
    1.1754943508222875e-38,
    3.4028236692093846e38, // 2^128
    7.174648137343064e-43, // 2^-140
];

fn special() -> impl Strategy<Value = f64> {
    prop_oneof![3 => prop::sample::select(&SPECIAL[..]), 1 => -3.0..3.0f64]
}

/// Values of the variables: each of a path or not.
fn variables() -> impl Strategy<Value = [(bool, f64); VARIABLES as usize]> {
    prop::array::uniform4((any::<bool>(), special()))
}

/// Bits of the roots in single and double precision; all NaN are the same.
fn bits(graph: &Graph, roots: &[Id], variables: &[(bool, f64)]) -> (Vec<u32>, Vec<u64>) {
    let single: Vec<_> = variables
        .iter()
        .map(|(path, x)| if *path { Values::Path(*x as f32) } else { Values::Uniform(*x) })
        .collect();
    let double: Vec<_> = variables
        .iter()
        .map(|(path, x)| if *path { Values::Path(*x) } else { Values::Uniform(*x) })
        .collect();
    let single = evaluate(graph, roots, &single);
    let double = evaluate(graph, roots, &double);
    (
        single.into_iter().map(|x| if x.is_nan() { f32::NAN } else { x }.to_bits()).collect(),
        double.into_iter().map(|x| if x.is_nan() { f64::NAN } else { x }.to_bits()).collect(),
    )
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn passes_keep_the_bits_alone_and_in_any_order(
        instructions in instructions(30),
        constants in prop::array::uniform6(special()),
        points in prop::collection::vec(variables(), 3),
        order in Just([0usize, 1, 2, 3]).prop_shuffle(),
        left_out in 0..5usize,
    ) {
        let (graph, roots) = graph(&instructions, &constants);
        let (mut in_order, mut roots_in_order) = (graph.clone(), roots.clone());
        let mut results = Vec::new();
        for k in order {
            results.push((PASSES[k].name(), PASSES[k].run(&graph, &roots)));
            (in_order, roots_in_order) = PASSES[k].run(&in_order, &roots_in_order);
        }
        results.push(("all, one after the other", (in_order, roots_in_order)));
        let mut together = Simplify::default();
        if let Some(pass) = PASSES.get(left_out) {
            together = together.without(pass.name());
            prop_assert_eq!(together.names().count(), PASSES.len() - 1);
        }
        results.push(("all at once", together.run(&graph, &roots)));
        for point in points {
            let expected = bits(&graph, &roots, &point);
            for (name, (graph, roots)) in &results {
                prop_assert_eq!(&bits(graph, roots, &point), &expected, "{} at {:?}", name, point);
            }
        }
        for (name, (simple, _)) in &results {
            prop_assert!(simple.len() <= graph.len() + instructions.len(), "{} grows", name);
        }
    }

    #[test]
    fn simplified_graphs_have_nothing_left_to_simplify(
        instructions in instructions(30), constants in prop::array::uniform6(special()),
    ) {
        let (graph, roots) = graph(&instructions, &constants);
        let (simple, roots) = Simplify::default().run(&graph, &roots);
        let (again, roots_again) = Simplify::default().run(&simple, &roots);
        prop_assert_eq!(again.nodes(), simple.nodes());
        prop_assert_eq!(roots_again, roots);
    }
}

/// Nodes of the simplified graph of `build(x)`.
fn simplified(build: impl Fn(&mut Graph, Id) -> Id) -> Vec<Node> {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let root = build(&mut graph, x);
    let (graph, roots) = Simplify::default().run(&graph, &[root]);
    assert_eq!(roots, [Id::new(graph.len() - 1)]);
    graph.nodes().to_vec()
}

#[test]
fn identities_are_found() {
    let x = [Node::Variable(0)];
    let with = |operation, constant: f64| {
        move |graph: &mut Graph, x| {
            let constant = graph.constant(constant);
            graph.binary(operation, x, constant)
        }
    };
    assert_eq!(simplified(with(Binary::Multiply, 1.0)), x);
    assert_eq!(simplified(with(Binary::Divide, 1.0)), x);
    assert_eq!(simplified(with(Binary::Subtract, 0.0)), x);
    assert_eq!(simplified(with(Binary::Add, -0.0)), x);
    assert_eq!(simplified(|graph, x| graph.binary(Binary::Minimum, x, x)), x);
    let negate = |graph: &mut Graph, x| graph.unary(Unary::Negate, x);
    assert_eq!(simplified(with(Binary::Multiply, -1.0)), simplified(negate));
    let twice = |graph: &mut Graph, x| {
        let negated = negate(graph, x);
        negate(graph, negated)
    };
    assert_eq!(simplified(twice), x);
    assert_eq!(simplified(with(Binary::Divide, 8.0)), simplified(with(Binary::Multiply, 0.125)));
    // These would change a bit.
    for build in [with(Binary::Add, 0.0), with(Binary::Subtract, -0.0), with(Binary::Multiply, 0.0)]
    {
        assert_eq!(simplified(build).len(), 3);
    }
    // In single precision 2^-127 is below the normal numbers, and 2^128 is infinite.
    for divisor in [3.0, 0.0, 2f64.powi(127), 2f64.powi(-127), 2f64.powi(128), 2f64.powi(-140)] {
        let divide = Node::Binary(Binary::Divide, Id::new(0), Id::new(1));
        assert_eq!(simplified(with(Binary::Divide, divisor))[2], divide, "{divisor:e}");
    }
}

#[test]
fn branch_of_a_constant_condition_is_taken_if_its_rounding_stays() {
    let select = |graph: &mut Graph, taken: Id, other: Id| {
        let two = graph.constant(2.0);
        graph.ternary(Ternary::Select, two, taken, other)
    };
    let found = simplified(|graph, x| {
        let half = graph.constant(0.5);
        select(graph, x, half)
    });
    assert_eq!(found, [Node::Variable(0)]);
    // A parameter that a path rounds must go on to be rounded there.
    let kept = simplified(|graph, x| {
        let parameter = graph.variable(1);
        select(graph, parameter, x)
    });
    assert_eq!(kept.len(), 4);
}

#[test]
fn equal_products_in_another_order_are_one_node() {
    let found = simplified(|graph, x| {
        let y = graph.variable(1);
        let (a, b) = (graph.product(x, y), graph.product(y, x));
        graph.sum(a, b)
    });
    assert_eq!(found.len(), 4);
}
