//! Facts found from graphs, against closed forms and against values.

use super::random::{VARIABLES, config, graph, instructions};
use hpfracc_equation::derive::jacobian;
use hpfracc_equation::structure::*;
use hpfracc_equation::{Builder, Diagram, Expression, Graph, Id, Simplify, Values, evaluate};
use proptest::prelude::*;

fn values(graph: &Graph, nodes: &[Id], x: &[f64]) -> Vec<f64> {
    let variables: Vec<_> = x.iter().map(|x| Values::Path(*x)).collect();
    evaluate(graph, nodes, &variables)
}

/// Whether columns of a diffusion matrix commute; `entries` have component, noise and value. Variables 0 and
/// 1 are states, 2 and 3 parameters.
fn commute<const N: usize>(
    entries: impl for<'a> Fn([Expression<'a>; 4]) -> [(usize, usize, Expression<'a>); N],
) -> bool {
    let builder = Builder::new();
    let variables = [0, 1, 2, 3].map(|k| builder.variable(k));
    let entries = entries(variables).map(|(component, noise, value)| DiffusionEntry {
        component,
        noise,
        value: value.id(),
    });
    noises_commute(&mut builder.finish(), &entries, &[0, 1])
}

#[test]
fn commuting_noises_are_found() {
    // Multiples of one column: 0.1 (x + y) and a / 3 (y + x), also with powers and roots.
    assert!(commute(|[x, y, a, _]| [(0, 0, 0.1 * (x + y)), (0, 1, a / 3.0 * (y + x))]));
    assert!(commute(|[x, _, a, b]| [(0, 0, a * x.powf(b)), (0, 1, x.powf(b) / 7.0)]));
    assert!(commute(|[x, _, a, _]| [(0, 0, x.powf(1.7)), (0, 1, a * x * x.powf(0.7))]));
    assert!(commute(|[x, _, a, _]| [(0, 0, a * x.sqrt()), (0, 1, x / x.sqrt())]));
    assert!(commute(|[x, y, _, _]| [
        (0, 0, 2.0 * (x + y).sqrt()),
        (0, 1, (x + y).sqrt() + 1.0 * (x + y).sqrt()),
    ]));
    // Geometric Brownian motions with any matrix: x_i sum_j s_ij dW_j.
    assert!(commute(|[x, y, a, b]| [
        (0, 0, a * x),
        (0, 1, 0.3 * x),
        (1, 0, b * y),
        (1, 1, (a - 0.7 * b) * y),
    ]));
    // Rotations commute with scalings.
    assert!(commute(|[x, y, a, b]| [(0, 0, -a * y), (1, 0, a * x), (0, 1, b * x), (1, 1, b * y)]));
    // Additive, and diagonal with factors of the component alone.
    assert!(commute(|[_, _, a, b]| [(0, 0, a), (0, 1, b), (1, 1, a * b)]));
    assert!(commute(|[x, y, _, _]| [(0, 0, x.sin()), (1, 1, y.exp())]));
    // (x + 1)^2 and its expansion.
    assert!(commute(
        |[x, _, a, _]| [(0, 0, (x + 1.0).powi(2)), (0, 1, a * (x * x + 2.0 * x) + a),]
    ));
}

#[test]
fn noises_that_do_not_commute_are_not_found_to() {
    assert!(!commute(|[x, _, a, _]| [(0, 0, x), (0, 1, a)]));
    assert!(!commute(|[x, _, _, _]| [(0, 0, x), (0, 1, 1.0 + 1e-9 * x)]));
    assert!(!commute(|[x, y, _, _]| [(0, 0, x), (0, 1, y)]));
    // Stochastic volatility: the factor of the price has the variance.
    assert!(!commute(|[x, v, a, _]| [(0, 0, v.sqrt() * x), (1, 1, a * v.sqrt())]));
    // The rotations of two axes, and roots whose squares differ.
    assert!(!commute(|[x, y, a, b]| [
        (0, 0, -a * y),
        (1, 0, a * x),
        (0, 1, b * x),
        (1, 1, -b * y)
    ]));
    assert!(!commute(|[x, y, _, _]| [(0, 0, (x + y).sqrt()), (0, 1, (x - y).sqrt())]));
    // Orders of the Mittag-Leffler function have no derivative: in doubt, false.
    assert!(!commute(|[x, _, a, _]| [(0, 0, a.mittag_leffler(x, 1.0)), (0, 1, x)]));
}

proptest! {
    #![proptest_config(config(400))]

    /// The bracket in numbers at random points: never large where the columns are said to commute.
    #[test]
    fn noises_said_to_commute_do(
        instructions in instructions(12), x in prop::array::uniform4(0.3..2.0f64), multiple in any::<bool>(),
    ) {
        let (mut graph, roots) = graph(&instructions, &[0.5, 3.0]);
        let factor = graph.variable(3);
        let other = if multiple { graph.product(factor, roots[0]) } else { roots[1] };
        let value = [roots[0], other];
        let entries = [0, 1].map(|noise| DiffusionEntry { component: 0, noise, value: value[noise] });
        if noises_commute(&mut graph, &entries, &[0]) {
            let slopes = jacobian(&mut graph, &value, &[0]).unwrap();
            let [f, g] = [0, 1].map(|k| values(&graph, &[value[k]], &x)[0]);
            let slope = |row| slopes.iter().find(|e| e.row == row).map_or(0.0, |e| values(&graph, &[e.value], &x)[0]);
            let (a, b) = (slope(0) * g, slope(1) * f);
            let error = (a - b).abs();
            prop_assert!(!error.is_finite() || error <= 1e-9 * (a.abs() + b.abs() + 1e-6), "{} {}", a, b);
        }
    }

    #[test]
    fn dependencies_are_those_of_values(instructions in instructions(25), x in prop::array::uniform4(0.3..2.0f64)) {
        let (graph, roots) = graph(&instructions, &[0.5]);
        let found = dependencies(&graph, &roots);
        let at = values(&graph, &roots, &x);
        for number in 0..VARIABLES {
            let mut moved = x;
            moved[number as usize] += 0.5;
            for (row, (before, after)) in at.iter().zip(values(&graph, &roots, &moved)).enumerate() {
                let changed = before.to_bits() != after.to_bits() && !before.is_nan();
                prop_assert!(!changed || found[row].contains(&number));
            }
            let autonomous = !found.iter().any(|numbers| numbers.contains(&number));
            prop_assert_eq!(is_autonomous(&graph, &roots, number), autonomous);
        }
        prop_assert!(found.iter().all(|numbers| numbers.is_sorted()));
    }

    #[test]
    fn linear_coefficients_give_the_root_again(
        instructions in instructions(15), x in prop::array::uniform4(0.3..2.0f64),
    ) {
        let (mut graph, roots) = graph(&instructions, &[0.5, -2.0]);
        if let Ok(linear) = coefficients(&mut graph, roots[0], &[0, 1]) {
            let nodes = [linear.constant, linear.coefficients[0], linear.coefficients[1]];
            let used = dependencies(&graph, &nodes);
            prop_assert!(used.iter().flatten().all(|number| *number > 1), "{:?}", used);
            let [c, a, b] = values(&graph, &nodes, &x)[..] else { unreachable!() };
            let (sum, root) = (c + a * x[0] + b * x[1], values(&graph, &roots[..1], &x)[0]);
            let scale = c.abs() + a.abs() + b.abs();
            let wild = !scale.is_finite() || scale > 1e10 || !root.is_finite();
            prop_assert!(wild || (sum - root).abs() <= 1e-9 * scale, "{} {}", sum, root);
        }
    }

    #[test]
    fn linear_part_and_rest_give_the_roots_again(
        instructions in instructions(15), x in prop::array::uniform4(0.3..2.0f64),
    ) {
        let (mut graph, roots) = graph(&instructions, &[0.5, -2.0]);
        // States 0 and 1, time 2, parameter 3.
        let part = linear_part(&mut graph, &roots, &[0, 1], |number| number == 3);
        let entries: Vec<Id> = part.matrix.iter().map(|entry| entry.value).collect();
        prop_assert!(dependencies(&graph, &entries).iter().flatten().all(|number| *number == 3));
        let (expected, mut sums) = (values(&graph, &roots, &x), values(&graph, &part.rest, &x));
        let mut scales: Vec<f64> = sums.iter().map(|rest| rest.abs()).collect();
        for (entry, value) in part.matrix.iter().zip(values(&graph, &entries, &x)) {
            sums[entry.row] += value * x[entry.column];
            scales[entry.row] += value.abs();
        }
        for ((sum, expected), scale) in sums.iter().zip(expected).zip(scales) {
            let wild = !scale.is_finite() || scale > 1e10 || !expected.is_finite();
            prop_assert!(wild || (sum - expected).abs() <= 1e-9 * scale, "{} {}", sum, expected);
        }
    }

    #[test]
    fn fingerprints_depend_on_the_functions_alone(
        instructions in instructions(25), change in any::<prop::sample::Index>(), dead in 0..4u32,
    ) {
        let (first, roots) = graph(&instructions, &[0.5, 3.0]);
        let found = fingerprint(&first, &roots);
        // Other nodes first, so that every number changes, and dead ones among them.
        let mut other = Graph::new();
        for k in (0..dead).rev() {
            let (variable, constant) = (other.variable(k), other.constant(3.0 - f64::from(k)));
            other.product(variable, constant);
        }
        let copied = other.import(&first, &roots);
        prop_assert_eq!(fingerprint(&other, &copied), found);
        let compaction = Simplify::of(vec![]);
        let (compact, copied) = compaction.run(&first, &roots);
        prop_assert_eq!(fingerprint(&compact, &copied), found);
        // Any other function has another fingerprint.
        prop_assert_ne!(fingerprint(&first, &roots[..1]), found);
        let mut changed = instructions.clone();
        changed[change.index(instructions.len())].0 ^= 1;
        let (second, second_roots) = graph(&changed, &[0.5, 3.0]);
        let (compact_second, second_roots) = compaction.run(&second, &second_roots);
        let same = compact_second.nodes() == compact.nodes() && second_roots == copied;
        prop_assert_eq!(fingerprint(&compact_second, &second_roots) == found, same);
    }
}

#[test]
fn fingerprint_is_the_same_for_ever() {
    let builder = Builder::new();
    let (x, y) = (builder.variable(0), builder.variable(1));
    let roots = [10.0 * (y - x), x.sin().max(y) / -0.0].map(|root| root.id());
    assert_eq!(fingerprint(&builder.finish(), &roots), 7_958_663_244_097_244_515);
}

#[test]
fn linear_roots_have_their_coefficients_as_written() {
    let builder = Builder::new();
    let [x, y, a, b] = [0, 1, 2, 3].map(|k| builder.variable(k));
    let root = (a + b) * (x - 2.0 * y) / b - a.less_than(b).select(x, 3.0) + a;
    let nonlinear = (a * x + x * y).id();
    let root = root.id();
    let mut graph = builder.finish();
    let linear = coefficients(&mut graph, root, &[0, 1, 9]).unwrap();
    let nodes = [&[linear.constant], &linear.coefficients[..]].concat();
    assert_eq!(values(&graph, &nodes, &[5.0, 7.0, 2.0, 4.0]), [2.0, 0.5, -3.0, 0.0]);
    assert_eq!(values(&graph, &nodes, &[5.0, 7.0, 4.0, 2.0]), [1.0, 3.0, -6.0, 0.0]);
    let error = coefficients(&mut graph, nonlinear, &[0, 1]).unwrap_err();
    assert_eq!(error.to_string(), "not linear: * of the variables");
    assert!(coefficients(&mut graph, nonlinear, &[0]).is_ok());
}

#[test]
fn linear_part_of_the_fitzhugh_nagumo_equations() {
    // v' = mu (v - v^3 - w) + sin(t) w, w' = e (v - b w): states 0, 1; parameters 2 to 4; time 5.
    let builder = Builder::new();
    let [v, w, mu, e, b, t] = [0, 1, 2, 3, 4, 5].map(|k| builder.variable(k));
    let roots = [mu * (v - v.powi(3) - w) + t.sin() * w, e * (v - b * w)].map(|root| root.id());
    let mut graph = builder.finish();
    let part = linear_part(&mut graph, &roots, &[0, 1], |number| (2..5).contains(&number));
    let places: Vec<_> = part.matrix.iter().map(|entry| (entry.row, entry.column)).collect();
    assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    let nodes: Vec<Id> = part.matrix.iter().map(|entry| entry.value).collect();
    let x = [2.0, 3.0, 0.5, 0.25, 4.0, 1.0];
    assert_eq!(values(&graph, &nodes, &x), [0.5, -0.5, 0.25, -1.0]);
    assert_eq!(values(&graph, &part.rest, &x), [-4.0 + 1f64.sin() * 3.0, 0.0]);
}

#[test]
fn noise_has_its_structure() {
    let mut graph = Graph::new();
    let (x, zero) = (graph.variable(0), graph.constant(0.0));
    let constant = graph.constant(2.0);
    let entry = |component, noise, value| DiffusionEntry { component, noise, value };
    let structure = |dim, noises, entries: &[_]| noise_kind(&graph, dim, noises, entries);
    assert_eq!(structure(2, 0, &[]), NoiseKind::None);
    assert_eq!(structure(1, 1, &[entry(0, 0, zero)]), NoiseKind::None);
    assert_eq!(structure(1, 1, &[entry(0, 0, x)]), NoiseKind::Diagonal);
    let diagonal = [entry(0, 0, x), entry(1, 1, x), entry(0, 1, zero)];
    assert_eq!(structure(2, 2, &diagonal), NoiseKind::Diagonal);
    assert_eq!(structure(5, 2, &diagonal), NoiseKind::LeadingDiagonal { noises: 2 });
    let column = [entry(0, 0, x), entry(1, 0, x)];
    assert_eq!(structure(2, 1, &column), NoiseKind::Scalar);
    assert_eq!(structure(2, 2, &column), NoiseKind::General { noises: 2 });
    assert_eq!(structure(2, 1, &[entry(1, 0, x)]), NoiseKind::Scalar);
    let mixed = [entry(0, 0, x), entry(0, 1, constant), entry(1, 1, constant)];
    assert_eq!(additive_noises(&graph, 3, &mixed, &[0]), [false, true, true]);
    assert_eq!(additive_noises(&graph, 3, &mixed, &[7]), [true, true, true]);
}

#[test]
fn pictures_have_names_and_no_dead_nodes() {
    let builder = Builder::new();
    let (x, y) = (builder.variable(0), builder.variable(1));
    let (root, _dead) = ((x - 2.0 * y).id(), y.exp().id());
    let roots = [("f \"quoted\"\\", root)];
    let diagram = Diagram::new(&builder.finish(), &roots, |number| format!("v{number}"));
    assert!(diagram.edges.iter().all(|edge| edge.from < edge.to));
    let text = diagram.dot();
    assert!(text.starts_with("digraph {") && text.ends_with("}\n"));
    assert!(text.contains("n0 [label=\"v0\", shape=box];"));
    assert!(text.contains("[label=\"f \\\"quoted\\\"\\\\\", shape=box, style=bold];"));
    assert!(diagram.nodes.len() == 6 && !text.contains("exp"));
    assert_eq!(text.matches("->").count(), 5);
}

#[test]
fn expressions_of_two_builders_meet_in_the_left_one() {
    let (left, right) = (Builder::new(), Builder::new());
    right.variable(5);
    let sum = left.variable(0) + right.variable(1).sin() * 2.0;
    let root = sum.id();
    let found = values(&left.finish(), &[root], &[0.5, 0.7])[0];
    assert_eq!(found, 0.5 + hpfracc_lanes::Elementary::sin(0.7f64) * 2.0);
}
