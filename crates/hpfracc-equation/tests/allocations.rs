//! Running programs do not allocate.

use hpfracc_equation::{Graph, Input, Program, Scratch, Ternary, Unary};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
fn later_runs_do_not_allocate() {
    let mut graph = Graph::new();
    let [x, y, time, alpha] = [0, 1, 2, 3].map(|k| graph.variable(k));
    let phase = graph.product(time, x);
    let (sine, cosine) = (graph.unary(Unary::Sin, phase), graph.unary(Unary::Cos, phase));
    let product = graph.product(sine, cosine);
    let memory = graph.ternary(Ternary::MittagLeffler, alpha, alpha, y);
    let forcing = graph.unary(Unary::Exp, time);
    let (f, g) = (graph.sum(product, forcing), graph.difference(memory, forcing));
    let inputs = [Input::Row(0), Input::Row(1), Input::Uniform(0), Input::Uniform(1)];
    let program = Program::<f64>::new(&graph, &[f, g], &inputs).unwrap();
    let mut scratch = Scratch::new();
    let numbers: Vec<f64> = (0..600).map(|k| -0.01 * f64::from(k)).collect();
    let mut out = vec![0.0; 600];
    let mut allocations = 0;
    // The tables of Mittag-Leffler functions are made when they are first needed.
    for step in 0..5 {
        let before = ALLOCATOR.calls();
        for lanes in [1, 30, 300] {
            let rows = Rows::new(&numbers[..2 * lanes], lanes);
            let uniforms = [f64::from(step), 0.7];
            let out = RowsMut::new(&mut out[..2 * lanes], lanes);
            program.run(Arch::new(), rows, &uniforms, out, &mut scratch);
        }
        program.run_scalar(&numbers[..2], &[0.5, 0.7], &mut out, &mut scratch);
        allocations = ALLOCATOR.calls() - before;
    }
    assert_eq!(allocations, 0);
}
