//! Texts of `hpfracc pde` with several orders, zero outside, on graphs, with events and noise.

use crate::command::{Folder, Run, numbers, table};
use std::f64::consts::PI;

fn pde(folder: &Folder, text: &str, words: &[&str]) -> Run {
    folder.run_with(&[&["pde", text], words].concat())
}

fn solved(folder: &Folder, text: &str, words: &[&str]) -> Run {
    let run = pde(folder, text, words);
    assert_eq!(run.code, 0, "{text} {words:?}: {}", run.stderr);
    run
}

fn refused(folder: &Folder, cases: &[(&str, &[&str], &str)]) {
    for (text, words, said) in cases {
        let run = pde(folder, text, words);
        assert_eq!(run.code, 2, "{text} {words:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{text} {words:?}: {}", run.stderr);
    }
}

fn largest_difference(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const LINE: [&str; 6] = ["--box", "0:1:40", "--boundary", "dirichlet", "--until", "1"];

#[test]
fn several_and_distributed_orders_without_steps_and_by_steps() {
    let folder = Folder::with(&[]);
    for left in ["D^0.8 u + 0.5 D^0.3 u", "int(2 a D^a u, a in [0.2, 1])"] {
        let text = format!("{left} = 0.2 lap(u); u(0) = sin(pi x)");
        let words = [&LINE[..], &["--times", "0.5,1"]].concat();
        let exact = solved(&folder, &text, &words);
        assert!(
            exact.stderr.contains("without time steps, error in time below 1e-10"),
            "{}",
            exact.stderr
        );
        let steps = [&words[..], &["--scheme", "l1", "--n", "400", "--plot", "u.svg"]].concat();
        let stepped = solved(&folder, &text, &steps);
        assert!(stepped.stderr.contains("l1, order 2 - alpha, 400 steps"), "{}", stepped.stderr);
        let [one, other] = [&exact, &stepped].map(|run| numbers(&run.stdout, 2));
        assert!(largest_difference(&one, &other) < 2e-3, "{left}");
    }
    let picture = String::from_utf8(folder.read("u.svg")).unwrap();
    assert!(picture.contains("<svg"));
    // Nonlinear texts take l1 by themselves.
    let run = solved(&folder, "D u + D^0.5 u = 0.1 lap(u) + u - u^3; u(0) = 1", &LINE);
    assert!(run.stderr.contains("l1, order 2 - alpha, 200 steps"), "{}", run.stderr);
}

#[test]
fn variable_orders_take_steps() {
    let folder = Folder::with(&[]);
    let text = "D^(a + b t) u = lap(u); a = 0.6; b = 0.2; u(0) = sin(pi x)";
    let run = solved(&folder, text, &[&LINE[..], &["--times", "1"]].concat());
    assert!(run.stderr.contains("l1, order 2 - alpha"), "{}", run.stderr);
    // With b = 0 it is the order 0.6, whose solution needs no steps.
    let constant = solved(
        &folder,
        text,
        &[&LINE[..], &["--times", "1", "--set", "b=0", "--n", "400"]].concat(),
    );
    let exact = solved(&folder, text, &[&LINE[..], &["--times", "1", "--alpha", "0.6"]].concat());
    assert!(exact.stderr.contains("without time steps"), "{}", exact.stderr);
    let [run, constant, exact] = [run, constant, exact].map(|run| numbers(&run.stdout, 2));
    assert!(largest_difference(&constant, &exact) < 1e-3);
    assert!(largest_difference(&run, &exact) > 1e-3);
    let several = "D u + D^0.5 u = lap(u) - u^2; u(0) = 1";
    refused(
        &folder,
        &[
            (
                several,
                &[&LINE[..], &["--scheme", "product-trapezoid"]].concat(),
                "take l1 or implicit-explicit",
            ),
            (
                text,
                &[&LINE[..], &["--scheme", "none"]].concat(),
                "--scheme none: the equation is not linear",
            ),
            (text, &[&LINE[..], &["--set", "b=0.9"]].concat(), "order"),
            ("D u - D^0.5 u = lap(u); u(0) = 1", &LINE, "the weight of a derivative in time is -1"),
            ("D^(0.5 + x) u = lap(u); u(0) = 1", &LINE, "the order of a derivative depends on"),
            (several, &[&LINE[..], &["--alpha", "1.5"]].concat(), "1.5"),
        ],
    );
}

#[test]
fn the_integral_definition_is_zero_outside() {
    let folder = Folder::with(&[]);
    let line = ["--definition", "integral", "--box", "-1:1:99"];
    let words = [&line[..], &["--until", "40", "--times", "40", "--output", "u.csv"]].concat();
    let run = solved(&folder, "D u = -(-lap)^0.5(u) + 1; u(0) = 0", &words);
    assert!(run.stderr.contains("integral of u 1.56"), "{}", run.stderr);
    let u = String::from_utf8(folder.read("u.csv")).unwrap();
    assert_eq!(table(&u).0, ["t", "x", "u"]);
    for (x, u) in numbers(&u, 1).into_iter().zip(numbers(&u, 2)) {
        assert!((u - (1.0 - x * x).sqrt()).abs() < 1e-8, "{x} {u}");
    }
    // On a disk, and its table as a start.
    let disk = [
        "--definition",
        "integral",
        "--box",
        "-1:1:9",
        "--box",
        "-1:1:9",
        "--domain",
        "x^2 + y^2 < 1",
    ];
    let text = "D^0.8 u = lap^0.6(u) + u - u^3";
    let words = ["--start", "1 + x", "--until", "0.5", "--times", "0.5", "--n", "20"];
    let files = ["--output", "v.csv", "--plot", "u.png", "--animate", "a.png"];
    solved(&folder, text, &[&disk[..], &words, &files].concat());
    let again = ["--start", "v.csv", "--until", "0.5", "--times", "0", "--n", "20"];
    let again = solved(&folder, text, &[&disk[..], &again].concat());
    assert!(numbers(&again.stdout, 3).iter().all(|u| u.is_finite() && *u > 0.0));
    let power = "D u = lap^0.5(u); u(0) = 1; t in [0, 1]";
    refused(
        &folder,
        &[
            (power, &[&line[..], &["--boundary", "dirichlet"]].concat(), "no boundary condition"),
            (
                power,
                &[&line[..], &["--value", "u(x=-1) = 1"]].concat(),
                "--value u(x=-1) = 1: boundary values",
            ),
            (power, &[&LINE[..], &["--domain", "x < 1"]].concat(), "take --definition integral"),
            (
                power,
                &[&line[..], &["--domain", "x > 9"]].concat(),
                "the number of nodes of a domain is 0",
            ),
            (power, &["--definition", "other", "--box", "-1:1:9"], "other"),
            ("D u = lap(u); u(0) = 1; t in [0, 1]", &line, "expected 0 < s < 1"),
            ("D u = grad(u); u(0) = 1; t in [0, 1]", &line, "needs a box with boundary conditions"),
            ("D u = -(-lap)^1.2(u); u(0) = 1; t in [0, 1]", &line, "1.2"),
        ],
    );
}

/// Ring of six nodes in an order of their own.
const EDGES: &str = "from,to\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\n";
const NODES: &str = "node,p\nc,2\nb,1\na,0\nf,5\ne,4\nd,3\n";

#[test]
fn texts_on_graphs() {
    let start = "node,u\nf,0\ne,0\nd,0\nc,0\nb,0\na,1\n";
    let folder = Folder::with(&[("edges.csv", EDGES), ("nodes.csv", NODES), ("start.csv", start)]);
    let graph = ["--graph", "edges.csv", "--until", "2", "--times", "0.5,2"];
    // lap is minus the Laplacian: the same as `graph diffuse`.
    let text = "D^0.8 u = k lap(u); k = 0.5";
    let run = solved(&folder, text, &[&graph[..], &["--start", "start.csv"]].concat());
    assert_eq!(table(&run.stdout).0, ["t", "node", "u"]);
    assert!(run.stderr.contains("graph: 6 nodes, 6 edges, 1 component"), "{}", run.stderr);
    assert!(run.stderr.contains("sum of u 0.9999"), "{}", run.stderr);
    let diffuse =
        folder.run("graph diffuse --alpha 0.8 --kappa 0.5 --times 0.5,2 edges.csv start.csv");
    assert_eq!(diffuse.code, 0, "{}", diffuse.stderr);
    // The rows of the starts are f, e, ..., a, and those of the edges a, b, ..., f.
    let (u, v) = (numbers(&run.stdout, 2), numbers(&diffuse.stdout, 2));
    let turned: Vec<f64> = v.chunks_exact(6).flat_map(|row| row.iter().rev().copied()).collect();
    assert!(largest_difference(&u, &turned) < 1e-9);
    // The same start by node, and by an attribute; then the rows are those of the nodes.
    let listed = solved(&folder, text, &[&graph[..], &["--start", "a: 1"]].concat());
    assert_eq!(listed.stdout, run.stdout);
    let nodes = [&graph[..], &["--nodes", "nodes.csv"]].concat();
    let by_attribute = solved(&folder, text, &[&nodes[..], &["--start", "(p = 0)"]].concat());
    let (names, rows) = (table(&by_attribute.stdout).1, numbers(&by_attribute.stdout, 2));
    assert_eq!((names[0][1].as_str(), rows[2]), ("c", u[0]));
    // A wave of the attribute is an eigenvector, of the power too.
    let text = "D u = lap^0.5(u); u(0) = cos(pi p/3)";
    let run = solved(&folder, text, &[&nodes[..], &["--plot", "u.png"]].concat());
    let u = numbers(&run.stdout, 2);
    assert!((u[2] - (-0.5f64).exp()).abs() < 1e-9, "the eigenvalue is 1: {}", u[2]);
    // Reactions take steps; the normalised Laplacian is half of it on a ring.
    let text = "D^0.8 u = lap(u) + p u (1 - u) + t; u(0) = 0.1; show w = 2 u";
    let run =
        solved(&folder, text, &[&nodes[..], &["--laplacian", "normalised", "--n", "50"]].concat());
    assert_eq!(table(&run.stdout).0, ["t", "node", "u", "w"]);
    let [u, w] = [2, 3].map(|column| numbers(&run.stdout, column));
    assert!(u.iter().zip(&w).all(|(u, w)| *w == 2.0 * u));
}

#[test]
fn graphs_refuse_what_they_do_not_have() {
    let short = "node,u\na,1\nb,0\n";
    let twice = "node,u\na,1\na,0\nb,0\nc,0\nd,0\ne,0\n";
    let folder = Folder::with(&[
        ("edges.csv", EDGES),
        ("nodes.csv", NODES),
        ("short.csv", short),
        ("twice.csv", twice),
        ("plain.csv", "p\n1\n"),
        ("sin.csv", "node,sin\na,1\nb,1\nc,1\nd,1\ne,1\nf,1\n"),
    ]);
    let graph = ["--graph", "edges.csv", "--until", "1"];
    let text = "D u = lap(u); u(0) = 1";
    refused(
        &folder,
        &[
            (text, &[&graph[..], &["--box", "0:1:9"]].concat(), "--graph"),
            (text, &[&graph[..], &["--boundary", "neumann"]].concat(), "--graph"),
            (text, &[&graph[..], &["--definition", "integral"]].concat(), "--graph"),
            (
                text,
                &[&LINE[..], &["--nodes", "nodes.csv"]].concat(),
                "--nodes nodes.csv: it belongs to --graph",
            ),
            (
                text,
                &[&LINE[..], &["--laplacian", "normalised"]].concat(),
                "--laplacian normalised: it belongs to --graph",
            ),
            (text, &[&graph[..], &["--nodes", "plain.csv"]].concat(), "no column `node`"),
            (text, &[&graph[..], &["--nodes", "short.csv"]].concat(), "edge 2: no node `c`"),
            (
                text,
                &[&graph[..], &["--nodes", "sin.csv"]].concat(),
                "a coordinate cannot be named `sin`",
            ),
            (text, &[&graph[..], &["--start", "short.csv"]].concat(), "2 rows, expected 6"),
            (text, &[&graph[..], &["--start", "twice.csv"]].concat(), "node `a` has two rows"),
            (text, &[&graph[..], &["--start", "q: 1"]].concat(), "no node `q`"),
            (
                text,
                &[&graph[..], &["--start", "a: x"]].concat(),
                "expected a number after each node",
            ),
            ("D u = lap(u) + grad(u); u(0) = 1", &graph, "points without coordinates"),
            ("diffusion", &graph, "no start of u"),
        ],
    );
}

#[test]
fn events_end_solutions_and_quantities_are_shown() {
    let folder = Folder::with(&[]);
    let text = "D^0.8 u = 0.2 lap(u); u(0) = sin(pi x); show mass = integral(u); show v = u/2
        when max(u) = 0.5 falling: stop";
    let run = solved(&folder, text, &[&LINE[..4], &["--until", "50", "--frames", "3"]].concat());
    let (header, rows) = table(&run.stdout);
    assert_eq!(header, ["t", "x", "u", "mass", "v"]);
    assert!(run.stderr.contains("event max(u) - 0.5 = 0 at t ="), "{}", run.stderr);
    assert!(run.stderr.contains("order 2"), "{}", run.stderr);
    let [t, u, mass, v] = [0, 2, 3, 4].map(|column| numbers(&run.stdout, column));
    assert_eq!(rows.len(), 80, "the start and the event");
    assert!(t[79] < 25.0 && (u[59] - 0.5).abs() < 1e-9, "{} {}", t[79], u[59]);
    assert!((mass[79] - u[40..].iter().sum::<f64>() / 40.0).abs() < 1e-14);
    assert!(u.iter().zip(&v).all(|(u, v)| *v == u / 2.0));
    // A field that jumps.
    let text = "D u = 0 u; u(0) = x; when t = 0.5: u = 2 u + mean(u)";
    let run = solved(&folder, text, &[&LINE[..], &["--times", "1"]].concat());
    let [x, u] = [1, 2].map(|column| numbers(&run.stdout, column));
    assert!(x.iter().zip(&u).all(|(x, u)| (u - 2.0 * x - 0.5).abs() < 1e-9), "{u:?}");
    refused(
        &folder,
        &[
            ("D u = lap(u); u(0) = 1; when u = 1: stop", &LINE, "an event of `u`, which differs"),
            ("D u = lap(u) + max(u); u(0) = 1", &LINE, "`max(u)` in an equation"),
            ("D u = lap(u) - u(t - 1); u(0) = 1", &LINE, "delays of fields do not exist yet"),
        ],
    );
}

#[test]
fn noise_is_a_path() {
    let folder = Folder::with(&[]);
    let text = "D^0.8 u = lap(u) - u + s dW/dt; s = 0.1; u(0) = 0";
    let words = [&LINE[..], &["--times", "0.5,1", "--n", "20"]].concat();
    let run = solved(&folder, text, &[&words[..], &["--seed", "7", "--path", "3"]].concat());
    assert!(
        run.stderr.contains("product rectangle rule, 20 steps, path 3 of the seed 7"),
        "{}",
        run.stderr
    );
    let other = solved(&folder, text, &[&words[..], &["--seed", "7"]].concat());
    let double = solved(&folder, text, &[&words[..], &["--seed", "7", "--set", "s=0.2"]].concat());
    let [run, other, double] = [run, other, double].map(|run| numbers(&run.stdout, 2));
    assert!(largest_difference(&run, &other) > 1e-3);
    let twice: Vec<f64> = other.iter().map(|u| 2.0 * u).collect();
    assert!(largest_difference(&double, &twice) < 1e-10, "linear in the noise");
    let deterministic = "D u = lap(u); u(0) = 1";
    refused(
        &folder,
        &[
            (
                deterministic,
                &[&LINE[..], &["--seed", "1"]].concat(),
                "--seed 1: the equation has no noise",
            ),
            (
                text,
                &[&words[..], &["--scheme", "l1"]].concat(),
                "--scheme l1: an equation with noise",
            ),
            (
                text,
                &[&LINE[..], &["--times", "0.33", "--n", "20"]].concat(),
                "the time 0.33, which is none of the 20",
            ),
            ("D^0.4 u = lap(u) + dW/dt; u(0) = 0", &words, "above 1/2"),
            (
                "D u = lap(u) + u dW/dt; u(0) = 0",
                &words,
                "the factor of `dW` in the equation of a field",
            ),
            ("D u = lap(u) + dW/dt; u(0) = 0; when max(u) = 1: stop", &words, "noise and events"),
        ],
    );
}

/// The discrete eigenvalue of a sine says how a mean-conserving reaction relaxes.
#[test]
fn means_may_stand_in_equations() {
    let folder = Folder::with(&[]);
    let text = "D u = mean(u) - u; u(0) = 1 + sin(2 pi x)";
    let words = ["--box", "0:1:32", "--boundary", "periodic", "--until", "1", "--times", "1"];
    let run = solved(&folder, text, &words);
    for (x, u) in numbers(&run.stdout, 1).into_iter().zip(numbers(&run.stdout, 2)) {
        assert!((u - 1.0 - (-1f64).exp() * (2.0 * PI * x).sin()).abs() < 1e-4, "{x} {u}");
    }
}
