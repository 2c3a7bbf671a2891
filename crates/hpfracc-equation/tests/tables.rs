//! Tables of data: values, derivatives, programs, texts, ranges.

use hpfracc_equation::derive::{forward, jacobian};
use hpfracc_equation::structure::{fingerprint, is_autonomous};
use hpfracc_equation::{
    Diagram, Equation, Files, Graph, Input, Interpolation, Program, Scratch, Simplify, Table,
    TableError, Values, evaluate,
};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};

fn table(knots: &[f64], values: &[f64], interpolation: Interpolation) -> Table {
    Table::new(knots, values, interpolation).unwrap()
}

#[test]
fn straight_lines_between_knots() {
    let table = table(&[-1.0, 0.0, 2.0], &[4.0, 1.0, 2.0], Interpolation::Linear);
    for (x, value, slope) in [
        (-1.0, 4.0, -3.0),
        (-0.5, 2.5, -3.0),
        (0.0, 1.0, 0.5),
        (1.0, 1.5, 0.5),
        (2.0, 2.0, 0.5),
        (2.0 + 1e-12, 2.0, 0.5), // a rounding error of the argument
        (-1.0 - 1e-12, 4.0, -3.0),
    ] {
        assert_eq!((table.value(x, 0), table.value(x, 1)), (value, slope), "at {x}");
        assert_eq!(table.value(x, 2), 0.0);
    }
    for x in [2.0 + 1e-11, -1.1, f64::NAN, f64::INFINITY] {
        assert!(table.value(x, 0).is_nan() && table.value(x, 1).is_nan(), "at {x}");
    }
    let extended = table.extended();
    assert_eq!([3.0, -2.0, f64::INFINITY].map(|x| extended.value(x, 0)), [2.0, 4.0, 2.0]);
    assert_eq!([3.0, -2.0, f64::INFINITY].map(|x| extended.value(x, 1)), [0.0; 3]);
    assert!(extended.value(f64::NAN, 0).is_nan());
}

/// By hand: slopes at the knots 0, 1, 3, 4 of 0, 1, 2, 0 are those of the formulas of Fritsch and Butland.
#[test]
fn cubics_have_the_published_slopes() {
    let table = table(&[0.0, 1.0, 3.0, 4.0], &[0.0, 1.0, 2.0, 0.0], Interpolation::Cubic);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} and {b}");
    // Secants 1, 1/2, -2. At 1: 9/(5/1 + 4/(1/2)) = 9/13; 3 is an extremum.
    close(table.value(1.0, 1), 9.0 / 13.0);
    close(table.value(3.0, 1), 0.0);
    // Ends: (4 - 1/2)/3 = 7/6, and (4 (-2) - 1/2)/3 = -17/6.
    close(table.value(0.0, 1), 7.0 / 6.0);
    close(table.value(4.0, 1), -17.0 / 6.0);
    // Hermite's polynomial in the middle of a piece: (y0 + y1)/2 + h (m0 - m1)/8.
    close(table.value(0.5, 0), 0.5 + (7.0 / 6.0 - 9.0 / 13.0) / 8.0);
    close(table.value(2.0, 0), 1.5 + 2.0 * (9.0 / 13.0) / 8.0);
    for (knot, value) in table.knots().iter().zip(table.values()) {
        assert_eq!(table.value(*knot, 0), *value);
    }
}

#[test]
fn cubics_are_smooth_monotone_and_of_third_order() {
    let error = |n: usize| {
        let knots: Vec<f64> = (0..=n).map(|k| 2.0 * k as f64 / n as f64).collect();
        let values: Vec<f64> = knots.iter().map(|x| x.exp()).collect();
        let table = table(&knots, &values, Interpolation::Cubic);
        let mut before = 0.0;
        (0..=4096).fold(0.0, |largest: f64, k| {
            let x = 2.0 * f64::from(k) / 4096.0;
            assert!(table.value(x, 0) > before && table.value(x, 1) > 0.0);
            before = table.value(x, 0);
            largest.max((before - x.exp()).abs())
        })
    };
    let order = (error(64) / error(128)).log2();
    assert!((2.8..3.3).contains(&order), "order {order}");
    // No slope jumps, and no overshoot beside a jump of the data.
    let table = table(&[0.0, 1.0, 1.1, 2.0], &[0.0, 0.0, 1.0, 1.0], Interpolation::Cubic);
    for knot in [1.0, 1.1] {
        let jump = table.value(knot, 1) - table.value(knot - 1e-9, 1);
        assert!(jump.abs() < 1e-5, "{jump}");
    }
    for k in 0..=1000 {
        assert!((0.0..=1.0).contains(&table.value(f64::from(k) / 500.0, 0)));
    }
}

#[test]
fn derivatives_agree_with_differences() {
    let h = 1e-5;
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let mut graph = Graph::new();
        let data = table(&[-1.0, 0.2, 1.0, 2.5], &[1.0, -0.5, 0.3, 2.0], interpolation);
        let (number, x) = (graph.add_table(data.into()), graph.variable(0));
        // f(x^2) x
        let square = graph.product(x, x);
        let value = graph.table(number, 0, square);
        let mut root = graph.product(value, x);
        for order in 1..=3 {
            let one = graph.constant(1.0);
            let slope = forward(&mut graph, &[root], &[(0, one)]).unwrap()[0];
            for x in [0.1, 0.6, 0.8, 1.2, 1.5] {
                let at = |root, x| evaluate::<f64>(&graph, &[root], &[Values::Path(x)])[0];
                let difference = (at(root, x + h) - at(root, x - h)) / (2.0 * h);
                let found = at(slope, x);
                let close = (found - difference).abs() < 1e-7 * (1.0 + found.abs());
                assert!(close, "{interpolation:?}, order {order} at {x}: {found} {difference}");
            }
            root = slope;
        }
    }
}

/// Uniform arguments, arguments of a path, both precisions, the tape of one path, simplified graphs.
#[test]
fn programs_have_the_bits_of_evaluate() {
    fn check<T: hpfracc_equation::Execute>() {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let mut graph = Graph::new();
            let data = table(&[-1.0, 0.2, 1.0, 2.5], &[1.0, -0.5, 0.3, 2.0], interpolation);
            let number = graph.add_table(data.into());
            let (t, x, constant) = (graph.variable(0), graph.variable(1), graph.constant(0.3));
            let mut roots: Vec<_> = (0..3)
                .flat_map(|d| [t, x, constant].map(|a| (d, a)))
                .map(|(d, a)| graph.table(number, d, a))
                .collect();
            roots.push(graph.product(roots[0], roots[1]));
            let (simple, simple_roots) = Simplify::default().run(&graph, &roots);
            let inputs = [Input::Uniform(0), Input::Row(0)];
            let rows: Vec<T> = (0..41).map(|k| T::narrow(f64::from(k) * 0.1 - 1.3)).collect();
            for (t, (graph, roots)) in
                [(0.7, (&graph, &roots)), (9.0, (&graph, &roots)), (0.1, (&simple, &simple_roots))]
            {
                let program = Program::<T>::new(graph, roots, &inputs).unwrap();
                let (mut out, mut scratch) = (vec![T::zero(); 41 * roots.len()], Scratch::new());
                let (from, to) = (Rows::new(&rows[..], 41), RowsMut::new(&mut out[..], 41));
                program.run(Arch::new(), from, &[t], to, &mut scratch);
                for (lane, x) in rows.iter().enumerate() {
                    let expected = evaluate(graph, roots, &[Values::Uniform(t), Values::Path(*x)]);
                    let mut alone = vec![T::zero(); roots.len()];
                    program.run_scalar(&[*x], &[t], &mut alone, &mut scratch);
                    for (k, value) in expected.iter().enumerate() {
                        let bits = |x: T| x.widen().to_bits();
                        assert_eq!(bits(out[k * 41 + lane]), bits(*value), "root {k} at {x:?}");
                        assert_eq!(bits(alone[k]), bits(*value), "root {k} at {x:?} alone");
                    }
                }
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn graphs_know_the_data_of_their_tables() {
    let of = |values: &[f64]| table(&[0.0, 1.0], values, Interpolation::Linear);
    let graph_of = |data: Table| {
        let mut graph = Graph::new();
        let (number, x) = (graph.add_table(data.into()), graph.variable(0));
        let root = graph.table(number, 0, x);
        (graph, root)
    };
    let (mut first, root) = graph_of(of(&[1.0, 2.0]));
    assert_eq!(
        (first.add_table(of(&[1.0, 2.0]).into()), first.add_table(of(&[1.0, 3.0]).into())),
        (0, 1)
    );
    let (second, other) = graph_of(of(&[1.0, 2.5]));
    assert_eq!(fingerprint(&first, &[root]), {
        let (same, root) = graph_of(of(&[1.0, 2.0]));
        fingerprint(&same, &[root])
    });
    let all = [of(&[1.0, 2.5]), of(&[1.0, 2.0]).extended()];
    for data in all {
        let (other, root_of_other) = graph_of(data);
        assert_ne!(fingerprint(&first, &[root]), fingerprint(&other, &[root_of_other]));
    }
    // Another graph's table has another number here.
    let copied = first.import(&second, &[other])[0];
    let x = [Values::Path(1.0)];
    assert_eq!(evaluate::<f64>(&first, &[root, copied], &x), [2.0, 2.5]);
    let diagram = Diagram::new(&first, &[("f", copied)], |_| "x".into());
    assert!(diagram.nodes.iter().any(|node| node.label == "table 2"));
}

/// A file with the columns `time` and `Force (N)`.
struct Drive;

impl Files for Drive {
    fn table(&self, path: &str, x: &str, y: &str) -> Result<[Vec<f64>; 2], String> {
        match (path, x, y) {
            ("drive.csv", "time", "Force (N)") => Ok([vec![0.0, 1.0, 2.0], vec![0.0, 3.0, 1.0]]),
            _ => Err(format!("{path}: no columns `{x}` and `{y}`")),
        }
    }
}

#[test]
fn texts_are_printed_and_read_again() {
    let text = "x' = load(t) - diode(x) + load(t - 1) + load'(t)
        table load: time -> \"Force (N)\" from \"drive.csv\" extended
        table diode: [-1, 0, 0.5] -> [-1e-3, 0, 0.2] cubic extended
        x(0) = 0; t in [0, 2]";
    let equation = Equation::parse_with(text, &Drive).unwrap();
    let printed = equation.to_string();
    assert_eq!(
        printed,
        "x' = load(t) - diode(x) + load(t - 1) + load'(t)\n\
         table load: time -> \"Force (N)\" from \"drive.csv\" extended\n\
         table diode: [-1, 0, 0.5] -> [-0.001, 0, 0.2] cubic extended\n\
         x(0) = 0\n\
         t in [0, 2]"
    );
    assert!(Equation::parse_with(&printed, &Drive).unwrap() == equation);
    // The same data in the text are the same equation; other data are another one.
    let inline = |values| text.replace("time -> \"Force (N)\" from \"drive.csv\"", values);
    let same = Equation::parse(&inline("[0, 1, 2] -> [0, 3, 1] linear")).unwrap();
    assert!(same == equation && Equation::parse(&same.to_string()).unwrap() == same);
    for other in ["[0, 1, 2] -> [0, 3, 2]", "[0, 1, 2] -> [0, 3, 1] cubic"] {
        assert!(Equation::parse(&inline(other)).unwrap() != equation);
    }
    assert_eq!(equation.tables()[0].file(), Some("drive.csv"));
    assert_eq!(equation.tables()[1].name(), "diode");
    // A Jacobian is printed with the names, and reads back.
    let mut graph = equation.graph().clone();
    let drift = equation.states()[0].drift();
    let entries = jacobian(&mut graph, &[drift], &[1]).unwrap();
    assert_eq!(equation.expression_in(&graph, entries[0].value), "-diode'(x)");
    assert!(!is_autonomous(equation.graph(), &[drift], 0));
}

#[test]
fn tables_have_to_cover_the_interval() {
    let check = |right: &str, rest: &str| {
        let text = format!("x' = {right}; x(0) = 1; tau = 1; t in [0, 2]; table g: {rest}");
        Equation::parse(&text).unwrap().check_tables().map_err(|error| error.to_string())
    };
    let data = "[0, 1.5] -> [0, 1]";
    let message = |argument: &str, first: f64, last: f64| {
        Err(format!(
            "the table `g` has values from 0 to 1.5, but `g({argument})` needs them from {first} to {last}: \
             write `extended` after its data, or change the interval of time"
        ))
    };
    assert_eq!(check("g(t)", data), message("t", 0.0, 2.0));
    assert_eq!(check("x g(t - tau)", data), message("t - tau", -1.0, 1.0));
    assert_eq!(check("2*g((2 - t)/2 + 1)", data), message("(2 - t)/2 + 1", 1.0, 2.0));
    for (right, data) in [
        ("g(t)", "[0, 2] -> [0, 1]"),
        ("g(t)", "[0, 1.5] -> [0, 1] extended"),
        ("if(t < 1, g(t), 0)", data),
        ("g(t/2)", data),
        ("g(x)", data),
        ("g(sin(t)^2)", data),
    ] {
        assert_eq!(check(right, data), Ok(()), "{right}");
    }
}

#[test]
fn abbreviations_are_not_called_like_tables() {
    let s = "(sin(x + t)*cos(x - t) + exp(-x^2 - t^2) + tanh(x*t + 3))";
    let text =
        format!("x' = {s}^2 + {s} + sqrt(1 + {s}^4) + _1(t); x(0) = 1; table _1: [0, 1] -> [0, 1]");
    let equation = Equation::parse(&text).unwrap();
    assert_eq!(Equation::parse(&equation.to_string()).unwrap(), equation);
}

#[test]
fn arguments_too_far_apart_are_refused() {
    let error = Table::new(&[-1.7e308, 1.7e308], &[2.0, 2.5], Interpolation::Linear).unwrap_err();
    assert!(matches!(error, TableError::Wide { row: 2, .. }), "{error}");
}
