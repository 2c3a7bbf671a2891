//! Forward and reverse derivatives and Jacobians against dual numbers and each other.

use super::dual::duals;
use super::random::{VARIABLES, config, graph, instructions};
use hpfracc_equation::derive::{NoDerivative, forward, jacobian, mittag_leffler_by_nodes, reverse};
use hpfracc_equation::{
    Binary, Builder, Expression, Graph, Id, Simplify, Ternary, Unary, Values, evaluate,
};
use proptest::prelude::*;

const CONSTANTS: [f64; 3] = [0.7, -1.3, 2.0];

fn numbers() -> impl Strategy<Value = [f64; VARIABLES as usize]> {
    prop::array::uniform4(prop_oneof![0.2..2.5f64, -2.5..-0.2f64])
}

/// Values of nodes, all numbers being those of a path.
fn values(graph: &Graph, roots: &[Id], x: &[f64]) -> Vec<f64> {
    let variables: Vec<_> = x.iter().map(|x| Values::Path(*x)).collect();
    evaluate(graph, roots, &variables)
}

fn close(a: f64, b: f64, scale: f64) -> Result<(), TestCaseError> {
    let error = (a - b).abs();
    prop_assert!(error <= 1e-11 * scale + 1e-250, "{a:e} and {b:e}: {error:e} of {scale:e}");
    Ok(())
}

/// Variables of seeds come after those of the graph.
fn seeds(graph: &mut Graph, count: usize) -> Vec<Id> {
    (0..count).map(|k| graph.variable(VARIABLES + k as u32)).collect()
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn forward_agrees_with_dual_numbers(
        instructions in instructions(40), x in numbers(), dx in numbers(),
    ) {
        let (mut graph, roots) = graph(&instructions, &CONSTANTS);
        let expected = duals(&graph, &roots, &x, &dx);
        prop_assume!(expected.is_some());
        let seeds = seeds(&mut graph, VARIABLES as usize);
        let pairs: Vec<_> = (0..VARIABLES).zip(seeds).collect();
        let tangents = forward(&mut graph, &roots, &pairs).unwrap();
        let found = values(&graph, &tangents, &[x, dx].concat());
        for (found, dual) in found.iter().zip(expected.unwrap()) {
            close(*found, dual.slope, dual.scale)?;
        }
    }

    #[test]
    fn reverse_is_the_transpose_of_forward(
        instructions in instructions(40), x in numbers(), dx in numbers(), w in prop::array::uniform2(-2.0..2.0f64),
    ) {
        let (mut graph, roots) = graph(&instructions, &CONSTANTS);
        let expected = duals(&graph, &roots, &x, &dx);
        prop_assume!(expected.is_some());
        let seeds = seeds(&mut graph, roots.len());
        let pairs: Vec<_> = roots.iter().copied().zip(seeds).collect();
        let variables: Vec<u32> = (0..VARIABLES).collect();
        let cotangents = reverse(&mut graph, &pairs, &variables).unwrap();
        let found = values(&graph, &cotangents, &[&x[..], &w[..]].concat());
        // <J^T w, dx> = <w, J dx>
        let found: f64 = found.iter().zip(dx).map(|(a, b)| a * b).sum();
        let (mut sum, mut scale) = (0.0, 0.0);
        for (w, dual) in w.iter().zip(expected.unwrap()) {
            sum += w * dual.slope;
            scale += w.abs() * dual.scale;
        }
        close(found, sum, scale)?;
    }

    #[test]
    fn jacobian_has_the_columns_of_dual_numbers(instructions in instructions(40), x in numbers(), one in any::<bool>()) {
        let (mut graph, mut roots) = graph(&instructions, &CONSTANTS);
        // One row goes by a reverse sweep, several rows and one column by a forward sweep.
        roots.truncate(if one { 1 } else { 2 });
        let variables: Vec<u32> = (0..if one { VARIABLES } else { 1 }).collect();
        let columns: Option<Vec<_>> = variables.iter().map(|k| {
            let mut seed = [0.0; VARIABLES as usize];
            seed[*k as usize] = 1.0;
            duals(&graph, &roots, &x, &seed)
        }).collect();
        prop_assume!(columns.is_some());
        let entries = jacobian(&mut graph, &roots, &variables).unwrap();
        let nodes: Vec<Id> = entries.iter().map(|entry| entry.value).collect();
        let mut columns = columns.unwrap();
        for (entry, value) in entries.iter().zip(values(&graph, &nodes, &x)) {
            let dual = &mut columns[entry.column][entry.row];
            close(value, dual.slope, dual.scale)?;
            dual.slope = 0.0;
        }
        // Entries that are absent are zero.
        prop_assert!(columns.iter().flatten().all(|dual| dual.slope == 0.0));
        prop_assert!(entries.is_sorted_by_key(|entry| (entry.row, entry.column)));
    }

    #[test]
    fn second_derivatives_agree_with_dual_numbers_of_the_first(
        instructions in instructions(20), x in numbers(), dx in numbers(),
    ) {
        let (mut graph, mut roots) = graph(&instructions, &CONSTANTS);
        roots.truncate(1);
        let one = graph.constant(1.0);
        let variables: Vec<u32> = (0..VARIABLES).collect();
        let gradient = reverse(&mut graph, &[(roots[0], one)], &variables).unwrap();
        let expected = duals(&graph, &gradient, &x, &dx);
        prop_assume!(expected.is_some());
        let seeds = seeds(&mut graph, VARIABLES as usize);
        let pairs: Vec<_> = (0..VARIABLES).zip(seeds).collect();
        // A trigamma function has no derivative.
        let Ok(product) = forward(&mut graph, &gradient, &pairs) else { return Ok(()) };
        let found = values(&graph, &product, &[x, dx].concat());
        for (found, dual) in found.iter().zip(expected.unwrap()) {
            close(*found, dual.slope, 10.0 * dual.scale)?;
        }
    }
}

#[test]
fn hessian_is_symmetric_and_exact() {
    // f = x^3 y^2: [6 x y^2, 6 x^2 y; 6 x^2 y, 2 x^3]
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(0), graph.variable(1));
    let (cube, square) = (graph.integer_power(x, 3), graph.integer_power(y, 2));
    let (root, one) = (graph.product(cube, square), graph.constant(1.0));
    let gradient = reverse(&mut graph, &[(root, one)], &[0, 1]).unwrap();
    let hessian = jacobian(&mut graph, &gradient, &[0, 1]).unwrap();
    let nodes: Vec<Id> = hessian.iter().map(|entry| entry.value).collect();
    assert_eq!(values(&graph, &nodes, &[2.0, 3.0]), [108.0, 72.0, 72.0, 16.0]);
}

#[test]
fn powers_have_their_limits_at_zero() {
    let slopes = |exponent: f64, x: f64| {
        let mut graph = Graph::new();
        let (a, b) = (graph.variable(0), graph.variable(1));
        let (root, one) = (graph.binary(Binary::Power, a, b), graph.constant(1.0));
        let gradient = reverse(&mut graph, &[(root, one)], &[0, 1]).unwrap();
        let gradient = values(&graph, &gradient, &[x, exponent]);
        let constant = graph.constant(exponent);
        let root = graph.binary(Binary::Power, a, constant);
        let slope = reverse(&mut graph, &[(root, one)], &[0]).unwrap();
        assert_eq!(values(&graph, &slope, &[x])[0], gradient[0], "{x}^{exponent}");
        // The exponent is a constant: no logarithm.
        assert_eq!(graph.nodes().iter().filter(|n| format!("{n:?}").contains("Ln")).count(), 1);
        gradient
    };
    assert_eq!(slopes(2.5, 0.0), [0.0, 0.0]);
    assert_eq!(slopes(1.0, 0.0), [1.0, 0.0]);
    assert_eq!(slopes(0.0, 0.0), [0.0, 0.0]);
    assert_eq!(slopes(0.3, 0.0), [f64::INFINITY, 0.0]);
    assert_eq!(slopes(2.0, -3.0)[0], -6.0);
    assert!((slopes(2.0, 3.0)[1] - 9.0 * 3f64.ln()).abs() < 1e-14);
}

#[test]
fn constants_are_combined_within_their_range() {
    let tangent = |factor: f64, seed: f64| {
        let mut graph = Graph::new();
        let (x, factor) = (graph.variable(0), graph.constant(factor));
        let product = graph.product(factor, x);
        let (root, dx) = (graph.product(factor, product), graph.variable(1));
        let tangent = forward(&mut graph, &[root], &[(0, dx)]).unwrap();
        values(&graph, &tangent, &[1.0, seed])[0]
    };
    assert_eq!(tangent(3.0, 2.0), 18.0);
    assert_eq!(tangent(1e-200, 1e300), 1e-200 * (1e-200 * 1e300));
    assert_eq!(tangent(1e200, 1e-300), 1e200 * (1e200 * 1e-300));
}

#[test]
fn mittag_leffler_function_stays_among_its_kind() {
    for (a, b) in [(0.5, 1.0), (0.7, 0.7), (1.3, 2.2)] {
        for z in [-20.0, -1.5, -1e-9, 0.0, 0.4, 1.1] {
            let mut graph = Graph::new();
            let (order, other, x) = (graph.constant(a), graph.constant(b), graph.variable(0));
            let root = graph.ternary(Ternary::MittagLeffler, order, other, x);
            let one = graph.constant(1.0);
            let slope = forward(&mut graph, &[root], &[(0, one)]).unwrap();
            let curve = forward(&mut graph, &slope, &[(0, one)]).unwrap();
            let found = values(&graph, &[slope[0], curve[0]], &[z]);
            for (k, found) in (1..).zip(found) {
                let expected = hpfracc_special::mittag_leffler_derivative(a, b, k, z).unwrap();
                let error = (found - expected).abs() / (expected.abs() + 1.0 / (1.0 + z.abs()));
                assert!(error < 1e-12, "derivative {k} of E_{{{a},{b}}}({z}): {found} {expected}");
            }
        }
    }
}

/// Derivatives with respect to the orders and the argument, of the function and of the one from nodes, against central
/// differences of the former.
#[test]
fn mittag_leffler_function_has_derivatives_in_its_orders() {
    for (a, b, z) in [(0.6, 1.0, -0.7), (0.9, 1.3, -20.0), (1.4, 1.0, -3.0), (0.5, 0.8, 0.9)] {
        let mut graph = Graph::new();
        let x = [0, 1, 2].map(|k| graph.variable(k));
        let exact = graph.ternary(Ternary::MittagLeffler, x[0], x[1], x[2]);
        let roots = [exact, mittag_leffler_by_nodes(&mut graph, &[exact])[0]];
        let one = graph.constant(1.0);
        let value = |at: [f64; 3]| hpfracc_special::mittag_leffler(at[0], at[1], at[2]).unwrap();
        let by_nodes = values(&graph, &roots, &[a, b, z]);
        assert!((by_nodes[1] - value([a, b, z])).abs() < 2e-13, "{by_nodes:?}");
        for k in 0..3 {
            let slopes = forward(&mut graph, &roots, &[(k as u32, one)]).unwrap();
            let shifted = |h: f64| {
                let mut at = [a, b, z];
                at[k] += h;
                value(at)
            };
            let h = 1e-3;
            let [near, far] = [h, 2.0 * h].map(|h| (shifted(h) - shifted(-h)) / (2.0 * h));
            let expected = near + (near - far) / 3.0;
            for found in values(&graph, &slopes, &[a, b, z]) {
                let error = (found - expected).abs();
                assert!(
                    error < 1e-9 * expected.abs().max(1.0),
                    "{k} {a} {b} {z}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn derivatives_in_orders_and_trigamma_have_no_derivative() {
    let mut graph = Graph::new();
    let (x, p, one) = (graph.variable(0), graph.variable(1), graph.constant(1.0));
    let root = graph.ternary(Ternary::MittagLefflerByAlpha, p, one, x);
    let error = NoDerivative { function: "E_alpha", argument: 1, at: root };
    assert_eq!(forward(&mut graph, &[root], &[(0, one), (1, one)]), Err(error));
    assert_eq!(reverse(&mut graph, &[(root, one)], &[1]), Err(error));
    assert_eq!(jacobian(&mut graph, &[root], &[1]), Err(error));
    assert!(error.to_string().contains("E_alpha has no derivative with respect to its argument 1"));
    // Of variables that it does not depend on.
    assert!(forward(&mut graph, &[root], &[(2, one)]).is_ok());
    let root = graph.unary(Unary::Trigamma, x);
    assert!(reverse(&mut graph, &[(root, one)], &[0]).is_err());
    assert_eq!(reverse(&mut graph, &[(root, one)], &[1]).unwrap(), [graph.constant(0.0)]);
}

/// Number of operations.
fn operations(graph: &Graph, roots: &[Id]) -> usize {
    let (graph, _) = Simplify::default().run(graph, roots);
    graph.nodes().iter().filter(|node| node.operands().len() > 0).count()
}

#[test]
fn vjps_have_at_most_three_times_the_operations() {
    type System = for<'a> fn([Expression<'a>; 6]) -> Vec<Expression<'a>>;
    // State and parameters are variables; the vjp is with respect to all of them.
    let systems: [(&str, System); 4] = [
        ("Lorenz", |[x, y, z, sigma, rho, beta]| {
            vec![sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
        }),
        ("Brusselator", |[x, y, a, b, ..]| {
            vec![a - (b + 1.0) * x + x.powi(2) * y, b * x - x.powi(2) * y]
        }),
        ("FitzHugh-Nagumo", |[v, w, i, a, b, tau]| {
            vec![v - v.powi(3) / 3.0 - w + i, (v + a - b * w) / tau]
        }),
        ("Holling", |[x, y, r, k, a, h]| {
            let eaten = a * x * y / (1.0 + h * x);
            vec![r * x * (1.0 - x / k) - eaten, 0.5 * eaten - 0.1 * y + (-x).exp()]
        }),
    ];
    for (name, system) in systems {
        let builder = Builder::new();
        let variables = [0, 1, 2, 3, 4, 5].map(|k| builder.variable(k));
        let roots: Vec<Id> = system(variables).into_iter().map(Expression::id).collect();
        let mut graph = builder.finish();
        let seeds: Vec<_> =
            (10..).zip(&roots).map(|(k, root)| (*root, graph.variable(k))).collect();
        let vjp = reverse(&mut graph, &seeds, &[0, 1, 2, 3, 4, 5]).unwrap();
        let counts = [operations(&graph, &roots), operations(&graph, &vjp)];
        println!("{name}: {} and {} operations", counts[0], counts[1]);
        assert!(counts[1] <= 3 * counts[0], "{name}: {counts:?}");
    }
}
