//! Random graphs.

use hpfracc_equation::{Affine, Binary, Graph, Id, Interpolation, Table, Ternary, Unary};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Variables of random graphs.
pub(crate) const VARIABLES: u32 = 4;

/// The same cases in every run.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(18),
        failure_persistence: None,
        max_global_rejects: 8 * cases,
        ..ProptestConfig::default()
    }
}

/// Instruction: a number that chooses the function, and the operands, counted back from the last node.
pub(crate) type Instruction = (u8, [u8; 3]);

pub(crate) fn instructions(most: usize) -> impl Strategy<Value = Vec<Instruction>> {
    vec((any::<u8>(), any::<[u8; 3]>()), 1..most)
}

/// Graph of the variables, the constants and a node for each instruction; the roots are the last two.
pub(crate) fn graph(instructions: &[Instruction], constants: &[f64]) -> (Graph, Vec<Id>) {
    let mut graph = Graph::new();
    let table = Table::new(&[-3.0, -1.0, 0.5, 2.0], &[1.0, -0.5, 2.0, 1.5], Interpolation::Linear);
    let table = graph.add_table(table.unwrap().extended().into());
    let mut ids: Vec<Id> = (0..VARIABLES).map(|number| graph.variable(number)).collect();
    ids.extend(constants.iter().map(|constant| graph.constant(*constant)));
    for (choice, operands) in instructions {
        // Mostly the latest nodes, so that graphs are deep.
        let [a, b, c] = operands.map(|back| {
            let range = if back.is_multiple_of(4) { ids.len() } else { ids.len().min(6) };
            ids[ids.len() - 1 - back as usize / 4 % range]
        });
        let choice = *choice as usize;
        let id = match choice % 8 {
            // Without the last one, trigamma, which has no derivative here.
            0..3 => graph.unary(Unary::ALL[choice / 8 % (Unary::ALL.len() - 1)], a),
            3..5 => graph.binary(Binary::ALL[choice / 8 % 4], a, b),
            5..7 => graph.binary(Binary::ALL[choice / 8 % Binary::ALL.len()], a, b),
            _ if (choice / 8).is_multiple_of(8) => {
                let order = graph.constant(0.6);
                let other = graph.constant([1.0, 0.6, 1.7][choice / 64 % 3]);
                graph.ternary(Ternary::MittagLeffler, order, other, c)
            }
            _ if choice / 8 % 8 == 1 => graph.table(table, 0, a),
            _ if (choice / 8) % 8 == 5 => {
                let outputs = 1 + choice / 64;
                let number = |k: usize| ((3 * k + choice) % 11) as f64 / 4.0 - 1.25;
                let (weights, bias) = ((0..3 * outputs).map(number), (0..outputs).map(number));
                let map = Affine::new(3, weights.collect(), bias.collect()).unwrap();
                let rows = graph.affine(&map, &[a, b, c]);
                ids.extend(&rows[1..]);
                rows[0]
            }
            _ => graph.ternary(Ternary::Select, a, b, c),
        };
        ids.push(id);
    }
    let roots = ids[ids.len() - 2..].to_vec();
    (graph, roots)
}
