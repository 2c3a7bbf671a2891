//! Names, circuits, sums and values that are refused, with their messages.

use hpfracc_fit::{CatalogueError, CatalogueModel, catalogue};

fn message(result: Result<CatalogueModel, CatalogueError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn names() {
    let near = message(catalogue::find("cole-kole"));
    assert_eq!(near, "there is no model `cole-kole`: did you mean `cole-cole`?");
    assert!(message(catalogue::find("x")).starts_with("there is no model `x`, only: "));
}

#[test]
fn circuits() {
    for (text, column, what) in [
        ("", 1, "the circuit ends here"),
        ("R0-", 4, "the circuit ends here"),
        ("R0-X1", 4, "unknown element `X`"),
        ("R0-R", 4, "the element `R` has no number"),
        ("R1-p(C1,R1)", 9, "the element `R1` comes twice"),
        ("p(R1,C1", 1, "this bracket is not closed"),
        ("p(R1)", 1, "one part in parallel with nothing"),
        ("R1)", 3, "a bracket that was not opened"),
        ("R1,C1", 3, "a comma outside of brackets"),
        ("R1 C1", 4, "expected `-` or the end"),
        ("R0-\u{e9}\u{e9}1", 4, "unknown element `\u{e9}\u{e9}`"),
        ("R0--C1", 4, "no element"),
        ("p1", 1, "unknown element `p`"),
    ] {
        match catalogue::circuit(text).unwrap_err() {
            CatalogueError::Text { column: found, what: message, .. } => {
                assert_eq!((found, message.as_str()), (column, what), "{text}");
            }
            other => panic!("{text}: {other}"),
        }
    }
    let deep: String = (0..60).map(|k| format!("p(C{k},")).collect();
    assert!(message(catalogue::circuit(&deep)).contains("nested more than 50 deep"));
    let picture = "column 4: unknown element `X`\n  R0-X1\n     ^ known are R, C, L, CPE, W, Wo, Ws, G, ZARC and `p(...)`";
    assert_eq!(message(catalogue::circuit("R0-X1")), picture);
}

/// No text of a circuit panics.
#[test]
fn any_circuit() {
    let pieces = ["R1", "p(", ")", ",", "-", " ", "CPE2", "\u{3b1}", "\0", "Wo", "3", "p"];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..(state >> 33) % 8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(state >> 40) as usize % pieces.len()]);
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if let Err(error) = catalogue::circuit(&text) {
            assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn sums() {
    let other = message(catalogue::sum("cole-cole + stretched-exponential"));
    assert!(other.starts_with("column 13: `stretched-exponential` is another quantity"), "{other}");
    let whole = message(catalogue::sum("springpot-modulus"));
    assert!(whole.starts_with("column 1: the formula of `springpot-modulus` is not"), "{whole}");
    assert!(message(catalogue::sum("cole-cole + deby")).contains("did you mean `debye`?"));
}

#[test]
fn transfer_functions() {
    assert!(message(catalogue::transfer("1", "1 + ")).contains("line 1, column 5"));
    assert!(message(catalogue::transfer("1; a = 2", "s")).starts_with("column 2: this ends"));
    assert!(message(catalogue::transfer("erf(s)", "s")).starts_with("`erf` of a complex number"));
}

#[test]
fn constants_and_frequencies() {
    let model = || catalogue::find("xpcs-two-time").unwrap();
    let unknown = message(model().with("phi", 1.0));
    assert_eq!(unknown, "the model `xpcs-two-time` has no constant `phi`, only: q");
    assert!(message(model().with("q", f64::NAN)).contains("expected a finite number"));
    let time = message(catalogue::find("stretched-exponential").unwrap().in_hertz());
    assert!(time.contains("has the input `t`, expected `omega`"), "{time}");
}

#[test]
fn columns() {
    let model = catalogue::find("stretched-exponential").unwrap();
    let error = model.values(&[1.0], &[vec![1.0]]).unwrap_err().to_string();
    assert_eq!(error, "the set `stretched-exponential` has 1 parameters, expected 4");
    assert!(model.values(&[1.0; 4], &[]).is_err());
    assert_eq!(model.values(&[1.0; 4], &[vec![]]).unwrap(), [Vec::<f64>::new()]);
}
