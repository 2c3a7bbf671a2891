//! Random graphs.

use hpfracc_equation::{Affine, Binary, Graph, Id, Input, Interpolation, Table, Ternary, Unary};
use proptest::prelude::*;

/// Variables of a random graph: rows and uniform inputs alternate.
pub(crate) const VARIABLES: usize = 7;

/// Graph with roots.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) roots: Vec<Id>,
}

/// Rows 0 to 3 are variables 0, 2, 4 and 6, uniform inputs 0 to 2 the others.
pub(crate) fn inputs() -> Vec<Input> {
    let input =
        |k: usize| if k.is_multiple_of(2) { Input::Row(k / 2) } else { Input::Uniform(k / 2) };
    (0..VARIABLES).map(input).collect()
}

const CONSTANTS: [f64; 8] = [0.0, 1.0, -1.0, 0.5, 0.1, 3.0, -0.7, f64::INFINITY];

/// Graphs of arithmetic and all functions. Half of the operations are arithmetic.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let operation = (0u8..13, any::<u16>(), any::<u16>(), any::<u16>());
    let roots = prop::collection::vec(any::<u16>(), 1..6);
    (prop::collection::vec(operation, 1..60), roots).prop_map(|(operations, roots)| {
        let mut graph = Graph::new();
        let tables = [Interpolation::Linear, Interpolation::Cubic].map(|interpolation| {
            let table = Table::new(&[-3.0, -1.0, 0.1, 2.0], &[1.0, -0.3, 2.0, 2.5], interpolation);
            graph.add_table(table.unwrap().into())
        });
        let mut ids: Vec<Id> = (0..VARIABLES as u32).map(|k| graph.variable(k)).collect();
        ids.extend(CONSTANTS.map(|c| graph.constant(c)));
        for (kind, a, b, c) in operations {
            // Recent nodes more often, so that chains form.
            let near = |k: u16| {
                let count = ids.len();
                let window = if k.is_multiple_of(3) { count } else { count.min(4) };
                ids[count - 1 - usize::from(k / 3) % window]
            };
            let (x, y, z) = (near(a), near(b), near(c));
            let pick = usize::from(c);
            let id = match kind {
                11 => {
                    // Components of an affine map, of which some stay unused.
                    let list = [x, y, z, x, z];
                    let map = affine(1 + pick % 5, 1 + pick / 5 % 9, c.into());
                    let rows = graph.affine(&map, &list[..map.inputs()]);
                    ids.extend(&rows[1..]);
                    rows[0]
                }
                0..=6 => graph.binary(Binary::ALL[pick % 3], x, y),
                7 => graph.binary(Binary::ALL[pick % 10], x, y),
                8 => graph.unary([Unary::Sin, Unary::Cos][pick % 2], x),
                9 | 10 => graph.unary(Unary::ALL[pick % 16], x),
                _ if pick % 8 == 0 => graph.unary([Unary::Gamma, Unary::Digamma][pick / 8 % 2], x),
                _ if pick % 8 == 1 => graph.ternary(Ternary::MittagLeffler, x, y, z),
                _ if pick % 8 == 3 => {
                    // Two functions of a family, which may share what is computed.
                    ids.push(graph.ternary(Ternary::ALL[2 + pick / 8 % 4], x, y, z));
                    graph.ternary(Ternary::ALL[2 + (pick / 8 + 1) % 4], x, y, z)
                }
                _ if pick % 8 == 2 => graph.table(tables[pick / 8 % 2], (pick / 16 % 4) as u8, x),
                _ => graph.ternary(Ternary::Select, x, y, z),
            };
            ids.push(id);
        }
        let last = ids.len() - 1;
        let roots = roots.iter().map(|k| ids[last - usize::from(*k) % ids.len().min(20)]).collect();
        Case { graph, roots }
    })
}

/// Affine map with weights that are not exact in single precision.
pub(crate) fn affine(inputs: usize, outputs: usize, seed: u64) -> Affine {
    let finite = |k: usize| Some(number(seed << 20 ^ k as u64)).filter(|x| x.is_finite());
    let weights = (0..inputs * outputs).map(|k| finite(k).unwrap_or(0.1)).collect();
    let bias = (0..outputs).map(|k| finite(1000 + k).unwrap_or(-0.2)).collect();
    Affine::new(inputs, weights, bias).unwrap()
}

/// A number of a path or a uniform input, special values among them.
pub(crate) fn number(seed: u64) -> f64 {
    const SPECIAL: [f64; 8] =
        [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e12, -2e5, 1e-310];
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = mixed ^ mixed >> 32;
    if mixed.is_multiple_of(16) {
        SPECIAL[(mixed >> 8) as usize % SPECIAL.len()]
    } else {
        (mixed >> 11) as f64 / (1u64 << 50) as f64 - 4.0
    }
}
