//! Any text ends in an equation or an error: no panic, no hang.

use hpfracc_equation::{Equation, ErrorKind};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "x",
    "y",
    "a",
    "t",
    "D",
    "D^a x",
    "x'",
    "y''",
    "dx/dt",
    "dX",
    "dW",
    "dt",
    "dW/dt",
    "o",
    "∘",
    "= ",
    "=",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ";",
    "\n",
    " ",
    "1",
    "0.5",
    "2",
    "0",
    "in",
    "for",
    "t <",
    "<=",
    ">",
    "and",
    "or",
    "not",
    "if(",
    "sin",
    "sin(",
    "E(",
    "pi",
    "inf",
    "when",
    "stop",
    "rising",
    "show",
    "corr(",
    "W",
    "B",
    "fbm(",
    "stable(",
    "poisson(",
    "normal(",
    "RL",
    "CF",
    "AB",
    "x(0) = 1",
    "x(t - a)",
    "a = 1",
    "²",
    "⁻¹",
    "α",
    "#",
    "hpfracc equation 1",
    "net",
    "table",
    "table g: [0, 1, 3] -> [0, 2, 1]",
    "cubic extended",
    "g(t)",
    "g'(",
    "->",
    "from",
    "\"g.csv\"",
    "x' = ",
    "y(t) = 1 for t <= 0",
    "t in [0, 1]",
    "[x, y]",
    "_1",
    "1e999",
    "|",
];

fn check(text: &str) {
    match Equation::parse(text) {
        Ok(equation) => {
            let printed = equation.to_string();
            let again = Equation::parse(&printed);
            assert!(again.is_ok_and(|again| again == equation), "{text}\nprints as\n{printed}");
        }
        Err(error) => {
            assert!(text.get(error.range()).is_some(), "{text}\n{error}");
            assert!(error.line() > 0 && error.column() > 0);
            assert!(!error.to_string().is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 3000 } else { 100_000 }))]

    #[test]
    fn characters(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn printable_characters(text in "[ -~\n]{0,80}") {
        check(&text);
    }

    #[test]
    fn pieces(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)) {
        check(&pieces.concat());
        check(&pieces.join(" "));
    }

    #[test]
    fn pieces_in_an_equation(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)) {
        let inner = pieces.join(" ");
        check(&format!("x' = {inner}\na = 1\nx(0) = 1"));
        check(&format!("dX = dt + {inner}\na = 1; B = fbm(0.3)\nX(0) = 1"));
        check(&format!("D^a x = 1\n a = 0.5\n x(0) = 1\n{inner}"));
    }
}

#[test]
fn long_texts_end() {
    let tail = "\nsigma = 10; beta = 2; x(0) = 1; y(0) = 1; z(0) = 1";
    let sum = vec!["sigma (y - x) + x y - beta z"; 30_000].join(" + ");
    check(&format!("x' = {sum}\ny' = 1\nz' = 1{tail}"));
    let names: String = (0..40_000).map(|k| format!("a{} = a{k} + x\n", k + 1)).collect();
    check(&format!("{names}a0 = 1\nx' = a40000; x(0) = 1"));
    let states: String = (0..20_000).map(|k| format!("x{k}' = -x{k}\nx{k}(0) = {k}\n")).collect();
    check(&states);
    let noises: String = (0..200).map(|k| format!("+ x dW{k} ")).collect();
    check(&format!("dx = dt {}; x(0) = 1", noises.repeat(300)));
}

#[test]
fn deep_texts_end() {
    for (open, close) in
        [("(", ")"), ("sin(", ")"), ("[", "]"), ("-", ""), ("not ", ""), ("2^", ""), ("", "'")]
    {
        let text = format!("x' = {}x{}; x(0) = 1", open.repeat(100_000), close.repeat(100_000));
        check(&text);
    }
    let error = Equation::parse(&format!("x' = {}1{}", "(".repeat(100_000), ")".repeat(100_000)));
    let error = error.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Limit, 206));
    assert_eq!(error.message(), "nested more than 200 deep");
    check(&"(".repeat(1_000_000));
    check(&"x ".repeat(500_000));
    check(&"1".repeat(1_000_000));
}

/// A chain of definitions is a graph that is deep and, written out, exponentially long.
#[test]
fn deep_graphs_print() {
    let names: String = (0..2000).map(|k| format!("_{} = sin(_{k}) _{k} + 1\n", k + 1)).collect();
    check(&format!("{names}_0 = x\nx' = _2000; x(0) = 1"));
    let lags: String = (0..60).map(|k| format!("_{} = x(t - exp(_{k} _{k}))\n", k + 1)).collect();
    check(&format!("{lags}_0 = x\nx' = _60; x(t) = 1 for t <= 0"));
}

/// Lagged states within delays are read once, also of a state called E, which is a function too.
#[test]
fn nested_delays_of_a_state_called_e() {
    let nested = format!("{}t - 1{}", "E(t - ".repeat(60), ")".repeat(60));
    let nested = nested.replacen("t - 1", "1", 1);
    let _ = Equation::parse(&format!("E' = {nested}; E(t) = 1 for t <= 0; t in [0, 1]"));
}

/// Names of the language can be shown and are printed so.
#[test]
fn time_is_shown() {
    let text = "x' = 1; x(0) = 0; show t; show pi";
    let printed = Equation::parse(text).unwrap().to_string();
    assert!(printed.contains("show t\n") && printed.contains("show pi"), "{printed}");
    check(text);
}
