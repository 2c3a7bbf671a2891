//! Sizes of programs, and what they refuse.

use hpfracc_equation::{Graph, Id, Input, Program, ProgramError, Scratch, Unary};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn bad_input() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(0), graph.variable(1));
    let root = graph.sum(x, y);
    let error = Program::<f64>::new(&graph, &[root], &[Input::Row(0)]).unwrap_err();
    assert_eq!(error, ProgramError::Variable { number: 1, inputs: 1 });
    assert!(error.to_string().contains("variable 1 has no input"), "{error}");
    let rows = [Input::Row(usize::MAX), Input::Uniform(0)];
    let error = Program::<f64>::new(&graph, &[root], &rows).unwrap_err();
    assert_eq!(error, ProgramError::Row { number: 0, row: usize::MAX });
    #[cfg(target_pointer_width = "64")]
    {
        let input = (1 << 32) + 1;
        let uniforms = [Input::Row(0), Input::Uniform(input)];
        let error = Program::<f64>::new(&graph, &[root], &uniforms).unwrap_err();
        assert_eq!(error, ProgramError::Uniform { number: 1, input });
    }
    // Variables that no root needs have no input.
    assert!(Program::<f64>::new(&graph, &[x], &[Input::Row(0)]).is_ok());
    let error = Program::<f64>::new(&graph, &[x, Id::new(3)], &[Input::Row(0)]).unwrap_err();
    assert_eq!(error, ProgramError::Root { position: 1, node: 3, nodes: 3 });
}

/// A run that panics leaves nothing behind that looks computed.
#[test]
fn scratch_after_a_panic() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(0), graph.variable(1));
    let root = graph.sum(x, y);
    let inputs = [0, 1].map(Input::Uniform);
    let program = Program::<f64>::new(&graph, &[root], &inputs).unwrap();
    let mut scratch = Scratch::new();
    let mut run = |uniforms: &[f64]| {
        let mut out = [f64::NAN];
        let run = || program.run_scalar(&[], uniforms, &mut out, &mut scratch);
        catch_unwind(AssertUnwindSafe(run)).ok().map(|()| out[0])
    };
    assert_eq!(run(&[1.0, 2.0]), Some(3.0));
    // Too few numbers, twice.
    assert_eq!((run(&[5.0]), run(&[5.0])), (None, None));
    assert_eq!((run(&[]), run(&[5.0, 2.0])), (None, Some(7.0)));
}

/// The right-hand side of Lorenz is three instructions without rows of scratch.
#[test]
fn lorenz() {
    let mut graph = Graph::new();
    let [x, y, z, sigma, rho, beta] = [0, 1, 2, 3, 4, 5].map(|k| graph.variable(k));
    let f = graph.difference(y, x);
    let f = graph.product(sigma, f);
    let g = graph.difference(rho, z);
    let g = graph.product(x, g);
    let g = graph.difference(g, y);
    let (h, k) = (graph.product(x, y), graph.product(beta, z));
    let h = graph.difference(h, k);
    let rows = [0, 1, 2].map(Input::Row);
    let uniforms = [0, 1, 2].map(Input::Uniform);
    let program = Program::<f64>::new(&graph, &[f, g, h], &[rows, uniforms].concat()).unwrap();
    assert!(program.instructions() <= 3, "{}", program.instructions());
    assert_eq!((program.scratch_rows(), program.roots()), (0, 3));
}

/// Sine and cosine of one argument are one instruction.
#[test]
fn pairs_of_sine_and_cosine() {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let (sine, cosine) = (graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x));
    let program = Program::<f32>::new(&graph, &[cosine, sine], &[Input::Row(0)]).unwrap();
    assert_eq!(program.instructions(), 1);
}

/// The heavier operand of each sum comes first: a chain from the right needs two rows of scratch at
/// most.
#[test]
fn order_of_evaluation() {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let mut sum = x;
    for k in 0..50 {
        let argument = graph.constant(f64::from(k));
        let argument = graph.product(x, argument);
        let term = graph.unary(Unary::Sin, argument);
        sum = graph.sum(term, sum);
    }
    let program = Program::<f64>::new(&graph, &[sum], &[Input::Row(0)]).unwrap();
    assert!(program.scratch_rows() <= 1, "{}", program.scratch_rows());
}

/// A hundred thousand nodes in a chain, and as many that all are roots of one.
#[test]
fn large_graphs() {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let mut chain = x;
    for _ in 0..100_000 {
        chain = graph.unary(Unary::Sin, chain);
    }
    let program = Program::<f64>::new(&graph, &[chain], &[Input::Row(0)]).unwrap();
    assert_eq!((program.instructions(), program.scratch_rows()), (100_000, 0));
    let mut terms: Vec<Id> = (0..65_536)
        .map(|k| {
            let constant = graph.constant(f64::from(k));
            graph.product(x, constant)
        })
        .collect();
    while terms.len() > 1 {
        terms = terms.chunks(2).map(|pair| graph.sum(pair[0], pair[1])).collect();
    }
    let program = Program::<f64>::new(&graph, &terms, &[Input::Row(0)]).unwrap();
    assert!(program.scratch_rows() <= 16, "{}", program.scratch_rows());
}

/// A root that another root contains is stored twice by one instruction.
#[test]
fn roots_within_roots() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(0), graph.variable(1));
    let product = graph.product(x, y);
    let floor = graph.unary(Unary::Floor, product);
    let sum = graph.sum(floor, product);
    let inputs = [Input::Row(0), Input::Row(1)];
    let program = Program::<f64>::new(&graph, &[product, sum, floor], &inputs).unwrap();
    assert_eq!(program.instructions(), 3);
}
