//! Random equations: what is printed reads back to the same equation.

use hpfracc_equation::{Binary, Equation, Graph, Id, Interpolation, Node, Table, Ternary, Unary};
use proptest::prelude::*;

/// The table of random graphs.
const TABLE: &str = "table g: [-1, 0, 2] -> [0.5, 2, 1] cubic extended";

/// Random nodes: each is an operation on nodes before it. An operation on constants alone is left out:
/// its value need not exist.
fn graph_of(constants: &[f64], operations: &[(u8, u16, u16, u16)]) -> (Graph, Vec<Id>) {
    let mut graph = Graph::new();
    let table = Table::new(&[-1.0, 0.0, 2.0], &[0.5, 2.0, 1.0], Interpolation::Cubic);
    let table = graph.add_table(table.unwrap().extended().into());
    let mut ids: Vec<Id> = (0..4).map(|k| graph.variable(k)).collect();
    ids.extend(constants.iter().map(|constant| graph.constant(*constant)));
    for (operation, a, b, c) in operations {
        let of = |k: &u16| ids[*k as usize % ids.len()];
        let (a, b, c) = (of(a), of(b), of(c));
        let depends = graph.depends(|_| true);
        let is_constant = |id: Id| !depends[id.index()];
        let zero = |id| graph.node(id).as_constant() == Some(0.0);
        let operation = *operation as usize % 42;
        let node = match operation {
            0..19 => Node::Unary(Unary::ALL[operation], a),
            19..29 => Node::Binary(Binary::ALL[operation - 19], a, b),
            29 => Node::Ternary(Ternary::MittagLeffler, a, b, c),
            30 => Node::Ternary(Ternary::Select, a, b, c),
            31..36 if is_constant(a) => continue,
            31..36 => {
                let power = graph.integer_power(ids[0], i32::from(operation as u8) - 33);
                ids.push(graph.product(power, a));
                continue;
            }
            41 => Node::Table(table, (b.index() % 4) as u8, a),
            _ => Node::Binary(Binary::ALL[operation % 4], a, b),
        };
        let all_constant = node.operands().all(is_constant);
        let division = matches!(node, Node::Binary(Binary::Divide, _, b) if zero(b));
        if !all_constant && !division {
            ids.push(graph.add(node));
        }
    }
    (graph, ids)
}

/// Equation whose right sides are nodes of a random graph.
fn equation_of(graph: &Graph, roots: &[Id]) -> String {
    // Variables are time, the states x and y, the parameter a: as in this equation.
    let base = format!("x' = 1; y' = 1; a = 0.5; x(0) = 1; y(0) = 1; {TABLE}");
    let base = Equation::parse(&base).unwrap();
    let text = |id: Id| base.expression_in(graph, id);
    let (definitions, expressions): (Vec<_>, Vec<_>) = roots
        .iter()
        .enumerate()
        .map(|(k, id)| {
            let text = text(*id);
            let (expression, rest) = text.split_once(" where ").unwrap_or((&text, ""));
            // Abbreviations of different expressions have different names.
            let renamed = |text: &str| text.replace('_', &format!("_{k}x"));
            (renamed(rest), renamed(expression))
        })
        .unzip();
    format!(
        "x' = ({})\ny' = ({})\na = 0.5\nx(0) = 1\ny(0) = 1\n{TABLE}\n{}",
        expressions[0],
        expressions[1],
        definitions.join("\n")
    )
}

fn constants() -> impl Strategy<Value = Vec<f64>> {
    let constant = prop_oneof![
        Just(1.0),
        Just(2.0),
        Just(0.5),
        Just(-2.0),
        Just(0.0),
        Just(std::f64::consts::PI),
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        -1e3..1e3f64,
    ];
    proptest::collection::vec(constant, 1..6)
}

fn operations() -> impl Strategy<Value = Vec<(u8, u16, u16, u16)>> {
    proptest::collection::vec(any::<(u8, u16, u16, u16)>(), 1..60)
}

/// Whether two expressions are equal, given the nodes of the one that are known to equal those of the
/// other.
fn same(a: (&Graph, Id), b: (&Graph, Id)) -> bool {
    let mut open = vec![(a.1, b.1)];
    let mut seen = std::collections::HashSet::new();
    while let Some((p, q)) = open.pop() {
        if !seen.insert((p, q)) {
            continue;
        }
        let (p, q) = (a.0.node(p), b.0.node(q));
        let bare = |node: Node| node.with_operands(|_| Id::new(0));
        if bare(p) != bare(q) {
            return false;
        }
        open.extend(p.operands().zip(q.operands()));
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 2000 } else { 20_000 }))]

    #[test]
    fn expressions(constants in constants(), operations in operations()) {
        let (graph, ids) = graph_of(&constants, &operations);
        let roots = [ids[ids.len() - 1], ids[ids.len() / 2]];
        let text = equation_of(&graph, &roots);
        let equation = Equation::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (state, root) in equation.states().iter().zip(roots) {
            prop_assert!(same((equation.graph(), state.drift()), (&graph, root)), "{}", text);
        }
        let printed = equation.to_string();
        let again = Equation::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        prop_assert!(again == equation, "{}\nprints as\n{}", text, printed);
    }
}

/// Part of a random equation: texts from which one is chosen.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(texts)
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = one_of(&[
        "x",
        "Y",
        "a",
        "b",
        "t",
        "2",
        "0.3",
        "x(t - tau)",
        "Y(t - 2 tau)",
        "r",
        "s",
        "-1",
        "pi",
    ]);
    leaf.prop_map(String::from).prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) + ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) - ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})/(1 + ({b})^2)")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("({a})^3")),
            inner.clone().prop_map(|a| format!("tanh({a})")),
            inner.clone().prop_map(|a| format!("abs({a})^b")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("if({a} < {b} and not {b} = 1, {c}, {a})")),
        ]
    })
}

fn equation() -> impl Strategy<Value = String> {
    let first = one_of(&[
        "D^alpha x =",
        "x' =",
        "RL D^alpha x =",
        "D^(H + 1/2) x + 0.5 D^(H/2) x + a x =",
        "AB D^alpha x =",
        "2 D^alpha x - D^0.1 x =",
    ]);
    let rate = one_of(&["", "+ 0.3 dW/dt", "- a x dW/dt + sin(x) dB/dt", "+ x o dB/dt - dW/dt"]);
    let noise = one_of(&[
        "",
        "+ 0.3 dW",
        "- a Y dW + (dB - b dL) Y",
        "+ q dN + Y o dB",
        "- Y (a dt - 2 dW)",
    ]);
    let rest = one_of(&[
        "",
        "when x = 1 rising: stop\nwhen Y = a falling: Y = -0.8 Y, x = 1",
        "show z = x + Y\nshow r\nshow x",
        "t in [0, 10 a]\ncorr(W, B2) = b/2\nB2 = brownian()",
    ]);
    (first, expression(), rate, expression(), noise, expression(), rest).prop_map(
        |(first, f, rate, g, noise, r, rest)| {
            let r = r.replace(['r', 's'], "b");
            let r = r.replace("abb", "abs");
            format!(
                "{first} {f} {rate}
                 dY = ({g}) dt + 0 dW {noise}
                 r = {r} + x
                 s = r^2 + t
                 alpha = 0.8 in (0, 1]; H = 0.3 in (0, 1/2); a = 1 [m/s^2]; b = -0.5 in [-1, inf) [1/s]; q = 2
                 tau = 0.5; x(t) = cos(a t) for t < 0; x(0) = 1; Y(t) = 0.5 for t <= 0
                 B = fbm(H); L = stable(1.7, b); N = poisson(q, normal(0, 0.1 q))
                 {rest}"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 1000 } else { 10_000 }))]

    #[test]
    fn equations(text in equation()) {
        // Correlated noises are Brownian here: B is fractional, B2 is not.
        let equation = Equation::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let printed = equation.to_string();
        let again = Equation::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        prop_assert!(again == equation, "{}\nprints as\n{}\nthen as\n{}", text, printed, again);
        prop_assert_eq!(again.to_string(), printed);
    }
}
