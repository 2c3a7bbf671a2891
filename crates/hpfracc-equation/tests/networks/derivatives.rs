//! Derivatives of networks, against each other and against differences.

use crate::random::{network, number};
use hpfracc_equation::derive::{forward, jacobian, reverse};
use hpfracc_equation::{Activation, Graph, Id, Ternary, Unary, Values, evaluate};

const INPUTS: usize = 4;

fn values(graph: &Graph, nodes: &[Id], x: &[f64]) -> Vec<f64> {
    let variables: Vec<_> = x.iter().map(|x| Values::Path(*x)).collect();
    evaluate(graph, nodes, &variables)
}

fn graph(activation: Activation) -> (Graph, Vec<Id>) {
    let network = network(&[INPUTS, 16, 9, 3], activation, 2);
    let mut graph = Graph::new();
    let inputs: Vec<Id> = (0..INPUTS as u32).map(|k| graph.variable(k)).collect();
    let roots = graph.network(&network, &inputs);
    (graph, roots)
}

/// Central difference of the roots along a direction.
fn difference(graph: &Graph, roots: &[Id], x: &[f64], dx: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-4;
    let at = |s: f64| {
        let x: Vec<f64> = x.iter().zip(dx).map(|(x, dx)| x + s * dx).collect();
        values(graph, roots, &x)
    };
    let quotient = |s: f64| {
        let pairs = at(s).into_iter().zip(at(-s));
        pairs.map(|(a, b)| (a - b) / (2.0 * s)).collect::<Vec<_>>()
    };
    let (coarse, fine) = (quotient(2.0 * STEP), quotient(STEP));
    fine.iter().zip(coarse).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a:e}, expected {b:e}");
}

#[test]
fn forward_reverse_and_jacobian_agree() {
    for activation in Activation::ALL {
        let (mut graph, roots) = graph(activation);
        let variables: Vec<u32> = (0..INPUTS as u32).collect();
        let x: Vec<f64> = (0..INPUTS as u64).map(|k| 1.5 * number(k)).collect();
        let dx: Vec<f64> = (0..INPUTS as u64).map(|k| number(100 + k)).collect();
        let w: Vec<f64> = (0..3).map(|k| number(200 + k)).collect();
        let seeds: Vec<(u32, Id)> =
            variables.iter().map(|k| (*k, graph.constant(dx[*k as usize]))).collect();
        let tangents = forward(&mut graph, &roots, &seeds).unwrap();
        let jvp = values(&graph, &tangents, &x);
        for (found, expected) in jvp.iter().zip(difference(&graph, &roots, &x, &dx)) {
            close(*found, expected, 1e-8);
        }
        let seeds: Vec<(Id, Id)> =
            roots.iter().zip(&w).map(|(root, w)| (*root, graph.constant(*w))).collect();
        let cotangents = reverse(&mut graph, &seeds, &variables).unwrap();
        let vjp = values(&graph, &cotangents, &x);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        close(dot(&vjp, &dx), dot(&jvp, &w), 1e-13);

        // By rows (three roots, four variables) and by columns.
        for columns in [&variables[..], &variables[..1]] {
            let entries = jacobian(&mut graph, &roots, columns).unwrap();
            assert_eq!(entries.len(), 3 * columns.len());
            for entry in entries {
                let mut unit = vec![0.0; INPUTS];
                unit[entry.column] = 1.0;
                let expected = difference(&graph, &roots, &x, &unit)[entry.row];
                close(values(&graph, &[entry.value], &x)[0], expected, 1e-8);
            }
        }
    }
}

#[test]
fn second_derivatives() {
    // Without kinks in the second derivative.
    for activation in [Activation::Tanh, Activation::Gelu, Activation::Sigmoid] {
        let (mut graph, roots) = graph(activation);
        let variables: Vec<u32> = (0..INPUTS as u32).collect();
        let x: Vec<f64> = (0..INPUTS as u64).map(|k| 1.5 * number(k)).collect();
        let one = graph.constant(1.0);
        let gradient = reverse(&mut graph, &[(roots[0], one)], &variables).unwrap();
        let hessian = jacobian(&mut graph, &gradient, &variables).unwrap();
        assert_eq!(hessian.len(), INPUTS * INPUTS);
        for entry in hessian {
            let mut unit = vec![0.0; INPUTS];
            unit[entry.column] = 1.0;
            let expected = difference(&graph, &gradient, &x, &unit)[entry.row];
            close(values(&graph, &[entry.value], &x)[0], expected, 1e-7);
        }
    }
}

/// A branch that is not taken has no part in a derivative, through a network either.
#[test]
fn conditions_around_and_inside() {
    // if(x > 0, f(ln(x), x), 0) and f(if(x > 0, ln(x), 0), if(y > 0, ln(y), 0))
    let network = network(&[2, 5, 1], Activation::Tanh, 3);
    let mut graph = Graph::new();
    let (x, y, zero) = (graph.variable(0), graph.variable(1), graph.constant(0.0));
    let logarithms = [x, y].map(|x| graph.unary(Unary::Ln, x));
    let positive = [x, y].map(|x| graph.binary(hpfracc_equation::Binary::Less, zero, x));
    let value = graph.network(&network, &[logarithms[0], x])[0];
    let around = graph.ternary(Ternary::Select, positive[0], value, zero);
    let masked = [0, 1].map(|k| graph.ternary(Ternary::Select, positive[k], logarithms[k], zero));
    let inside = graph.network(&network, &masked)[0];
    let one = graph.constant(1.0);
    for root in [around, inside] {
        let gradient = reverse(&mut graph, &[(root, one)], &[0, 1]).unwrap();
        let tangents: Vec<Id> = [0, 1]
            .into_iter()
            .flat_map(|k| forward(&mut graph, &[root], &[(k, one)]).unwrap())
            .collect();
        for at in [[0.0, 0.0], [0.0, 2.0], [3.0, 0.0], [-1.0, 2.0], [3.0, 2.0]] {
            let (found, forwards) =
                (values(&graph, &gradient, &at), values(&graph, &tangents, &at));
            for k in 0..2 {
                assert!(found[k].is_finite(), "{at:?}: {found:?}");
                close(found[k], forwards[k], 1e-13);
                assert!(at[k] > 0.0 || found[k] == 0.0, "{at:?}: {found:?}");
            }
        }
    }
}

/// A derivative is linear in the size of the network, and so is its program.
#[test]
fn sizes_of_derivatives() {
    let network = network(&[8, 128, 128, 8], Activation::Tanh, 4);
    let mut graph = Graph::new();
    let inputs: Vec<Id> = (0..8).map(|k| graph.variable(k)).collect();
    let roots = graph.network(&network, &inputs);
    let before = graph.len();
    assert!(before < 900, "{before}");
    let seeds: Vec<(Id, Id)> = roots.iter().map(|root| (*root, graph.variable(20))).collect();
    reverse(&mut graph, &seeds, &(0..8).collect::<Vec<_>>()).unwrap();
    assert!(graph.len() < 4 * before, "{before} and {}", graph.len());
}
