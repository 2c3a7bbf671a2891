//! Bits of programs on all instruction sets against those of `evaluate`.

use crate::random::{Case, cases, inputs, number};
use hpfracc_equation::{
    Binary, Execute, Graph, Id, Input, Program, Scratch, Ternary, Unary, Values, evaluate,
};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Elementary, Rows, RowsMut};
use proptest::prelude::*;

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

/// Bits of a value; all NaN are one.
fn bits<T: Elementary>(x: T) -> u64 {
    let x = x.widen();
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

/// Number of a lane of an input row, representable in single precision.
fn at(seed: u64, row: usize, lane: usize) -> f64 {
    f64::from(number(seed ^ ((row as u64) << 40 | (lane as u64) << 20)) as f32)
}

fn check<T: Execute>(graph: &Graph, roots: &[Id], inputs: &[Input], lanes: usize, seed: u64) {
    let program = Program::<T>::new(graph, roots, inputs).unwrap();
    let rows = 1 + inputs.iter().fold(0, |n, input| match input {
        Input::Row(row) => n.max(*row),
        Input::Uniform(_) => n,
    });
    let numbers: Vec<T> =
        (0..rows * lanes).map(|k| T::narrow(at(seed, k / lanes, k % lanes))).collect();
    let mut scratch = Scratch::new();
    // The second round changes some of the uniform inputs, the third none.
    for round in [0, 1, 1] {
        let uniforms: Vec<f64> = (0..inputs.len())
            .map(|k| number(seed ^ if k == 1 { 7 } else { round << 8 } ^ k as u64))
            .collect();
        let path =
            |lane: usize| -> Vec<T> { (0..rows).map(|row| numbers[row * lanes + lane]).collect() };
        let expected: Vec<Vec<u64>> = (0..lanes)
            .map(|lane| {
                let path = path(lane);
                let variables: Vec<Values<T>> = inputs
                    .iter()
                    .map(|input| match *input {
                        Input::Row(row) => Values::Path(path[row]),
                        Input::Uniform(k) => Values::Uniform(uniforms[k]),
                    })
                    .collect();
                evaluate(graph, roots, &variables).into_iter().map(bits).collect()
            })
            .collect();
        for arch in instruction_sets() {
            let mut out = vec![T::narrow(99.0); roots.len() * lanes];
            let rows = Rows::new(&numbers[..], lanes);
            program.run(arch, rows, &uniforms, RowsMut::new(&mut out, lanes), &mut scratch);
            // With the memory of the thread, the results in two parts.
            let mut parts = vec![T::narrow(99.0); roots.len() * lanes];
            let (first, others) = parts.split_at_mut((seed as usize % (roots.len() + 1)) * lanes);
            let given = (uniforms[0], &uniforms[1..]);
            let parted = [RowsMut::new(first, lanes), RowsMut::new(others, lanes)];
            program.run_shared(arch, rows, given, parted);
            for (k, (value, part)) in out.iter().zip(&parts).enumerate() {
                let (root, lane) = (k / lanes, k % lanes);
                assert_eq!(bits(*part), bits(*value), "in parts: root {root}, lane {lane}");
                assert_eq!(
                    bits(*value),
                    expected[lane][root],
                    "{} {arch:?}: root {root}, lane {lane} of {lanes}: {value:e}",
                    T::NAME
                );
            }
        }
        for lane in (0..lanes).step_by(37) {
            let mut out = vec![T::narrow(99.0); roots.len()];
            program.run_scalar(&path(lane), &uniforms, &mut out, &mut scratch);
            let out: Vec<u64> = out.into_iter().map(bits).collect();
            assert_eq!(out, expected[lane], "{}: lane {lane} alone", T::NAME);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs(
        Case { graph, roots } in cases(),
        lanes in prop_oneof![1usize..20, 1usize..300],
        seed in any::<u32>(),
    ) {
        check::<f32>(&graph, &roots, &inputs(), lanes, seed.into());
        check::<f64>(&graph, &roots, &inputs(), lanes, seed.into());
    }
}

/// Each operation on each kind of operands: row, uniform, and value just computed.
#[test]
fn every_operation() {
    let mut graph = Graph::new();
    let mut roots = vec![];
    let x = graph.variable(0);
    let y = graph.variable(2);
    let p = graph.variable(1);
    let sum = graph.sum(x, y);
    let operands = [x, y, p, sum];
    for a in operands {
        for operation in Unary::ALL {
            roots.push(graph.unary(*operation, a));
        }
        for b in operands {
            for operation in Binary::ALL {
                roots.push(graph.binary(*operation, a, b));
            }
            roots.push(graph.ternary(Ternary::Select, a, b, sum));
        }
    }
    check::<f32>(&graph, &roots, &inputs(), 200, 5);
    check::<f64>(&graph, &roots, &inputs(), 200, 5);
    // One root at a time: other values are in the accumulator.
    for root in roots {
        check::<f32>(&graph, &[root], &inputs(), 21, 6);
        check::<f64>(&graph, &[root], &inputs(), 21, 6);
    }
}

/// All pairs and triples of additions, subtractions and products of rows and constants.
#[test]
fn fused_arithmetic() {
    const OPERATIONS: [Binary; 3] = [Binary::Add, Binary::Subtract, Binary::Multiply];
    let mut graph = Graph::new();
    let mut roots = vec![];
    let leaves = [0, 2, 4, 1, 3].map(|k| graph.variable(k));
    let exp = graph.unary(Unary::Floor, leaves[0]);
    for inner in OPERATIONS {
        for a in [leaves[0], leaves[3], exp] {
            for b in [leaves[1], leaves[4]] {
                let first = graph.binary(inner, a, b);
                let other = graph.binary(inner, leaves[2], leaves[3]);
                for outer in OPERATIONS {
                    for c in [leaves[2], leaves[4], other, exp] {
                        roots.push(graph.binary(outer, first, c));
                        roots.push(graph.binary(outer, c, first));
                    }
                }
            }
        }
    }
    for root in roots {
        check::<f32>(&graph, &[root], &inputs(), 19, 1);
        check::<f64>(&graph, &[root], &inputs(), 19, 1);
    }
}

/// Numbers that are not special reach every lane count around a block.
#[test]
fn all_numbers_of_lanes() {
    let mut graph = Graph::new();
    let [x, y, p] = [0, 2, 1].map(|k| graph.variable(k));
    let product = graph.product(x, y);
    let sine = graph.unary(Unary::Sin, product);
    let root = graph.difference(sine, p);
    let roots = [root, product, p, x, root];
    for lanes in (1..300).filter(|lanes| *lanes < 40 || lanes % 7 == 0 || lanes % 64 < 2) {
        check::<f32>(&graph, &roots, &inputs(), lanes, 3);
        check::<f64>(&graph, &roots, &inputs(), lanes, 3);
    }
}

/// Programs that are gone leave no memory behind on a thread that runs others.
#[test]
fn memory_of_a_thread() {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let root = graph.unary(Unary::Exp, x);
    let (x, mut out) = ([0.0; 4], [0.0; 4]);
    let mut used = 0;
    // A thread that lives on runs each program, too.
    let (send, programs) = std::sync::mpsc::channel::<Program<f64>>();
    let (done, ran) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for program in programs {
            let mut out = [0.0; 4];
            let parts = [RowsMut::new(&mut out[..], 4), RowsMut::new(&mut [], 4)];
            program.run_shared(Arch::new(), Rows::new(&[0.0; 4], 4), (0.0, &[]), parts);
            drop(program);
            done.send(f64::with_memories(|memories| memories.len())).unwrap();
        }
    });
    for _ in 0..20 {
        let program = Program::<f64>::new(&graph, &[root], &[Input::Row(0)]).unwrap();
        send.send(program.clone()).unwrap();
        assert_eq!(ran.recv().unwrap(), 1);
        for _ in 0..2 {
            let parts = [RowsMut::new(&mut out[..], 4), RowsMut::new(&mut [], 4)];
            program.run_shared(Arch::new(), Rows::new(&x[..], 4), (0.0, &[]), parts);
        }
        used = used.max(f64::with_memories(|memories| memories.len()));
        assert_eq!(out, [1.0; 4]);
    }
    assert_eq!(used, 1);
}

/// A scratch serves several programs, one after the other.
#[test]
fn scratch_of_another_program() {
    let mut graph = Graph::new();
    let (x, p) = (graph.variable(0), graph.variable(1));
    let (sum, product) = (graph.sum(x, p), graph.product(x, p));
    let inputs = [Input::Row(0), Input::Uniform(0)];
    let add = Program::<f64>::new(&graph, &[sum], &inputs).unwrap();
    let multiply = Program::<f64>::new(&graph, &[product, sum], &inputs).unwrap();
    let (mut scratch, mut out) = (Scratch::new(), [0.0; 2]);
    for _ in 0..2 {
        add.run_scalar(&[3.0], &[4.0], &mut out, &mut scratch);
        assert_eq!(out[0], 7.0);
        multiply.run_scalar(&[3.0], &[4.0], &mut out, &mut scratch);
        assert_eq!(out, [12.0, 7.0]);
    }
}
