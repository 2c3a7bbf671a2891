//! Values of networks: bits of programs, and plain loops.

use crate::random::{forward, network, number};
use hpfracc_equation::{
    Activation, Execute, Graph, Id, Input, Program, ProgramError, Scratch, Values, evaluate,
};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};

/// All instruction sets of this processor.
fn instruction_sets() -> Vec<Arch> {
    let mut sets = vec![Arch::Scalar, Arch::new()];
    #[cfg(target_arch = "x86_64")]
    {
        use hpfracc_lanes::pulp::x86::{V3, V4};
        sets.extend(V3::try_new().map(Arch::V3));
        sets.extend(V4::try_new().map(Arch::V4));
    }
    sets
}

/// Time is uniform, the other inputs are rows.
fn check<T: Execute>(widths: &[usize], activation: Activation, lanes: usize) {
    let network = network(widths, activation, 7);
    let mut graph = Graph::new();
    let inputs: Vec<Id> = (0..widths[0] as u32).map(|k| graph.variable(k)).collect();
    let mut roots = graph.network(&network, &inputs);
    // An output that is used again, and one that is a root twice.
    let sum = graph.sum(roots[0], inputs[0]);
    roots.extend([sum, roots[0]]);
    let rows = widths[0] - 1;
    let mut places = vec![Input::Uniform(0)];
    places.extend((0..rows).map(Input::Row));
    let program = Program::<T>::new(&graph, &roots, &places).unwrap();
    let x: Vec<T> = (0..rows * lanes).map(|k| T::narrow(number(k as u64))).collect();
    let (mut scratch, mut out) = (Scratch::new(), vec![T::zero(); roots.len() * lanes]);
    for time in [0.3, -1.7] {
        let path = |lane: usize| (0..rows).map(|row| x[row * lanes + lane]).collect::<Vec<T>>();
        let expected = |lane: usize| {
            let mut values = vec![Values::Uniform(time)];
            values.extend(path(lane).into_iter().map(Values::Path));
            evaluate(&graph, &roots, &values)
        };
        let expected: Vec<Vec<T>> = (0..lanes).map(expected).collect();
        for arch in instruction_sets() {
            out.fill(T::zero());
            let out_rows = RowsMut::new(&mut out, lanes);
            program.run(arch, Rows::new(&x, lanes), &[time], out_rows, &mut scratch);
            for (k, value) in out.iter().enumerate() {
                let (root, lane) = (k / lanes, k % lanes);
                let expected = expected[lane][root];
                assert!(
                    value.widen().to_bits() == expected.widen().to_bits(),
                    "{} {arch:?} {widths:?}: root {root}, lane {lane} of {lanes}: {value} {expected}",
                    T::NAME
                );
            }
        }
        let mut one = vec![T::zero(); roots.len()];
        program.run_scalar(&path(lanes / 2), &[time], &mut one, &mut scratch);
        assert_eq!(one, expected[lanes / 2], "{} {widths:?}: one path", T::NAME);
    }
}

#[test]
fn programs_have_the_bits_of_evaluate() {
    for (widths, lanes) in [
        (&[2, 1][..], 1),
        (&[2, 3, 2], 3),
        (&[3, 64, 64, 2], 130),
        (&[5, 7, 13, 4], 257),
        (&[4, 33, 6, 5], 19),
        (&[3, 100, 1], 65),
    ] {
        check::<f32>(widths, Activation::Tanh, lanes);
        check::<f64>(widths, Activation::Tanh, lanes);
    }
    for activation in Activation::ALL {
        check::<f32>(&[3, 6, 2], activation, 21);
        check::<f64>(&[3, 6, 2], activation, 21);
    }
    for lanes in 1..70 {
        check::<f32>(&[3, 5, 6], Activation::Relu, lanes);
        check::<f64>(&[3, 5, 6], Activation::Relu, lanes);
    }
}

#[test]
fn values_are_those_of_plain_loops() {
    for activation in Activation::ALL {
        let network = network(&[3, 20, 11, 2], activation, 1);
        let mut graph = Graph::new();
        let inputs = [0, 1, 2].map(|k| graph.variable(k));
        let roots = graph.network(&network, &inputs);
        for k in 0..50 {
            let x = [0, 1, 2].map(|j| 4.0 * number(3 * k + j));
            let found = evaluate(&graph, &roots, &x.map(Values::Path));
            for (found, expected) in found.iter().zip(forward(&network, &x)) {
                assert!(
                    (found - expected).abs() < 1e-13 * (1.0 + expected.abs()),
                    "{activation:?}"
                );
            }
        }
    }
}

/// A network of time and parameters alone is computed in double precision, once for all paths.
#[test]
fn uniform_networks() {
    let network = network(&[2, 9, 3], Activation::Tanh, 5);
    let mut graph = Graph::new();
    let [t, p, x] = [0, 1, 2].map(|k| graph.variable(k));
    let outputs = graph.network(&network, &[t, p]);
    let root = graph.product(outputs[2], x);
    let inputs = [Input::Uniform(0), Input::Uniform(1), Input::Row(0)];
    let program = Program::<f32>::new(&graph, &[root, outputs[0]], &inputs).unwrap();
    assert_eq!(program.instructions(), 2);
    let (mut scratch, mut out) = (Scratch::new(), [0.0f32; 2]);
    for uniforms in [[0.5, 2.0], [0.5, -2.0]] {
        program.run_scalar(&[3.0], &uniforms, &mut out, &mut scratch);
        let at = [Values::Uniform(uniforms[0]), Values::Uniform(uniforms[1]), Values::Path(3.0f32)];
        assert_eq!(out.to_vec(), evaluate(&graph, &[root, outputs[0]], &at));
        assert_eq!(out[1], forward(&network, &uniforms)[0] as f32);
    }
}

/// Uniform numbers may come first in a list, and be used nowhere else.
#[test]
fn uniform_inputs_come_first() {
    let network = network(&[3, 4, 2], Activation::Tanh, 5);
    let mut graph = Graph::new();
    let [p, x] = [0, 1].map(|k| graph.variable(k));
    let twice = graph.sum(p, p);
    let roots = graph.network(&network, &[twice, p, x]);
    let inputs = [Input::Uniform(0), Input::Row(0)];
    let program = Program::<f32>::new(&graph, &roots, &inputs).unwrap();
    let (mut scratch, mut out) = (Scratch::new(), [0.0f32; 2]);
    program.run_scalar(&[0.7], &[0.3], &mut out, &mut scratch);
    let at = [Values::Uniform(0.3), Values::Path(0.7f32)];
    assert_eq!(out.to_vec(), evaluate(&graph, &roots, &at));
}

#[test]
fn lists_are_no_numbers() {
    use hpfracc_equation::{Node, Unary};
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let list = graph.list(&[x, x]);
    let sine = graph.unary(Unary::Sin, list);
    let of = |graph: &Graph, root: Id| Program::<f64>::new(graph, &[root], &[Input::Row(0)]).err();
    let node = list.index();
    assert_eq!(of(&graph, list), Some(ProgramError::List { node }));
    assert_eq!(of(&graph, sine), Some(ProgramError::List { node }));
    let map = hpfracc_equation::Affine::new(2, vec![1.0; 6], vec![0.0; 3]).unwrap();
    graph.affine(&map, &[x, x]);
    let short = graph.list(&[x]);
    for (row, list, inputs) in [(0, short, 1), (3, list, 2), (0, x, 0)] {
        let wrong = graph.add(Node::Affine(0, row, list));
        let node = wrong.index();
        let error = ProgramError::Affine { node, row, inputs, rows: 3, expected: 2 };
        assert_eq!(of(&graph, wrong), Some(error));
        assert!(evaluate(&graph, &[wrong], &[Values::Path(1.0f64)])[0].is_nan());
    }
}
