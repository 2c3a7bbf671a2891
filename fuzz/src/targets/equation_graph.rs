use super::random_graph::{Case, EQUATION, POINTS};
use crate::{Bytes, Target};
use hpfracc::equation::derive::{NoDerivative, forward, reverse};
use hpfracc::equation::simplify::{Commute, Fold, Identities, Pass, Reciprocals};
use hpfracc::equation::structure::fingerprint;
use hpfracc::equation::{Diagram, Execute, Graph, Id, Program, Scratch, Simplify, evaluate};
use hpfracc::sde::{Rows, RowsMut};

/// Random graphs: passes and programs keep the bits of the evaluation node by node, and derivatives
/// forwards and backwards agree.
pub(super) const TARGET: Target = Target {
    name: "equation_graph",
    about: "graphs through passes, derivatives and programs",
    run,
};

const PASSES: [&dyn Pass; 4] = [&Fold, &Identities, &Reciprocals, &Commute];

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let case = Case::of(&mut bytes);
    passes(&case);
    program::<f32>(&case);
    program::<f64>(&case);
    derivatives(&case);
    let named: Vec<(&str, Id)> = case.roots.iter().map(|root| ("root", *root)).collect();
    assert!(!Diagram::new(&case.graph, &named, |number| number.to_string()).dot().is_empty());
    for root in &case.roots {
        assert!(!EQUATION.expression_in(&case.graph, *root).is_empty());
    }
    assert_eq!(fingerprint(&case.graph, &case.roots), fingerprint(&case.graph, &case.roots));
}

/// Bits of a number; all NaN are one.
fn bits<T: Execute>(x: T) -> u64 {
    let x = x.widen();
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

/// Bits of the roots at all points.
fn evaluated<T: Execute>(graph: &Graph, roots: &[Id], case: &Case) -> Vec<Vec<u64>> {
    let at = |point: usize| {
        let values = evaluate(graph, roots, &case.values::<T>(point));
        values.into_iter().map(bits).collect()
    };
    (0..POINTS).map(at).collect()
}

fn passes(case: &Case) {
    let (graph, roots) = (&case.graph, &case.roots);
    let all = |graph: &Graph, roots: &[Id]| {
        (evaluated::<f32>(graph, roots, case), evaluated::<f64>(graph, roots, case))
    };
    let expected = all(graph, roots);
    for pass in PASSES {
        let (simple, roots) = pass.run(graph, roots);
        assert_eq!(all(&simple, &roots), expected, "{}", pass.name());
    }
    let (simple, roots) = Simplify::default().run(graph, roots);
    assert_eq!(all(&simple, &roots), expected, "all passes");
    let (again, roots_again) = Simplify::default().run(&simple, &roots);
    assert_eq!((again.nodes(), roots_again), (simple.nodes(), roots), "passes go on");
}

/// All points at once, and one after the other.
fn program<T: Execute>(case: &Case) {
    let inputs = case.inputs();
    let program = Program::<T>::new(&case.graph, &case.roots, &inputs).expect("all have inputs");
    let (mut scratch, mut out) = (Scratch::new(), vec![T::narrow(99.0); case.roots.len() * POINTS]);
    let numbers = case.rows::<T>();
    let expected = evaluated::<T>(&case.graph, &case.roots, case);
    let arch = Default::default();
    let rows = Rows::new(&numbers, POINTS);
    program.run(arch, rows, &case.uniforms, RowsMut::new(&mut out, POINTS), &mut scratch);
    for (k, value) in out.iter().enumerate() {
        let (root, point) = (k / POINTS, k % POINTS);
        assert_eq!(bits(*value), expected[point][root], "{}: root {root}, {value:e}", T::NAME);
    }
    let mut one = vec![T::narrow(99.0); case.roots.len()];
    for (point, expected) in expected.iter().enumerate() {
        let path = case.path::<T>(point);
        program.run_scalar(&path, &case.uniforms, &mut one, &mut scratch);
        let found: Vec<u64> = one.iter().copied().map(bits).collect();
        assert_eq!(found, *expected, "{}: one path", T::NAME);
    }
}

/// `<w, J dx> = <J^T w, dx>`, or a typed error.
fn derivatives(case: &Case) {
    let mut graph = case.graph.clone();
    let count = case.variables();
    let one = graph.constant(1.0);
    let seeds: Vec<(u32, Id)> = (0..count as u32).map(|number| (number, one)).collect();
    let weights: Vec<(Id, Id)> = case.roots.iter().map(|root| (*root, one)).collect();
    let variables: Vec<u32> = (0..count as u32).collect();
    let forwards = forward(&mut graph, &case.roots, &seeds);
    let backwards = reverse(&mut graph, &weights, &variables);
    let (forwards, backwards) = match (forwards, backwards) {
        (Ok(forwards), Ok(backwards)) => (forwards, backwards),
        // What is zero on the way is left out, which is not the same forwards and backwards.
        (Err(NoDerivative { function, .. }), _) | (_, Err(NoDerivative { function, .. })) => {
            assert!(["E", "trigamma"].contains(&function), "{function} has a derivative");
            return;
        }
    };
    let all: Vec<Id> = (0..graph.len()).map(Id::new).collect();
    let needed = graph.needed(&[&forwards[..], &backwards].concat());
    for point in 0..POINTS {
        let double = evaluate(&graph, &all, &case.values::<f64>(point));
        let single = evaluate(&graph, &all, &case.values::<f32>(point));
        // Without numbers that overflow or underflow on the way.
        let sized = |x: f64| x == 0.0 || (1e-30..1e30).contains(&x.abs());
        let number = |k: &usize| needed[*k] && !graph.nodes()[*k].is_list();
        let mut nodes = (0..graph.len()).filter(number);
        if !nodes.all(|k| sized(double[k]) && sized(f64::from(single[k]))) {
            continue;
        }
        let sum = |ids: &[Id], of: &dyn Fn(usize) -> f64| -> f64 {
            ids.iter().map(|id| of(id.index())).sum()
        };
        let [found, expected] = [&backwards, &forwards].map(|ids| sum(ids, &|k| double[k]));
        // The error of single precision, a billion times that of double, measures the condition.
        let [a, b] = [&backwards, &forwards]
            .map(|ids| sum(ids, &|k| (double[k] - f64::from(single[k])).abs()));
        let largest = (0..graph.len()).filter(number).fold(0.0, |m: f64, k| m.max(double[k].abs()));
        let bound = 1e-2 * (a + b) + 1e-11 * largest;
        assert!((found - expected).abs() <= bound, "{found:e}, not {expected:e} +- {bound:e}");
    }
}
