//! `hpfracc mittag-leffler`.

use crate::command::{Folder, Run};

fn run(words: &str) -> Run {
    Folder::with(&[]).run(&format!("mittag-leffler {words}"))
}

/// Values as pairs (real, imaginary).
fn values(text: &str) -> Vec<(f64, f64)> {
    let line = |line: &str| match line.strip_suffix('i') {
        None => (line.parse().unwrap(), 0.0),
        Some(body) => {
            let at = body.rfind(['+', '-']).unwrap();
            (body[..at].parse().unwrap(), body[at..].parse().unwrap())
        }
    };
    text.lines().map(line).collect()
}

#[test]
fn values_in_closed_form() {
    let (re, im) = ((0.5_f64).exp() * 2.0_f64.cos(), (0.5_f64).exp() * 2.0_f64.sin());
    for (words, expected) in [
        ("--alpha 1 1", (1.0_f64.exp(), 0.0)),
        ("--alpha 1 -1", ((-1.0_f64).exp(), 0.0)),
        ("--alpha 2 -4", (2.0_f64.cos(), 0.0)),
        ("--alpha 2 --beta 2 -4", (2.0_f64.sin() / 2.0, 0.0)),
        // exp(1) erfc(1), exp(1/4) erfc(1/2)
        ("--alpha 0.5 -1", (0.427583576155807, 0.0)),
        ("--alpha 0.5 -- -0.5", (0.6156903441929259, 0.0)),
        ("--alpha 1 0.5+2i", (re, im)),
        ("--alpha 1 --beta 2 1", (1.0_f64.exp() - 1.0, 0.0)),
        // (1 + z) exp(z)
        ("--alpha 1 --gamma 2 1.5", (2.5 * 1.5_f64.exp(), 0.0)),
        ("--alpha=0.7 --beta=1 0", (1.0, 0.0)),
    ] {
        let run = run(words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        let (re, im) = values(&run.stdout)[0];
        let error = (re - expected.0).hypot(im - expected.1);
        assert!(error < 1e-14 * expected.0.hypot(expected.1).max(1.0), "{words}: {}", run.stdout);
    }
}

#[test]
fn values_stand_anywhere_and_keep_their_order() {
    let run = run("-1 --alpha 1 -2-0i 3 --beta 1 -i");
    assert_eq!(run.code, 0, "{}", run.stderr);
    // Complex if written so, real if not.
    let complex: Vec<bool> = run.stdout.lines().map(|line| line.ends_with('i')).collect();
    assert_eq!(complex, [false, true, false, true]);
    let found = values(&run.stdout);
    let expected = [
        ((-1.0_f64).exp(), 0.0),
        ((-2.0_f64).exp(), 0.0),
        (3.0_f64.exp(), 0.0),
        (1.0_f64.cos(), -(1.0_f64.sin())),
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found.0 - expected.0).hypot(found.1 - expected.1) < 1e-13, "{found:?}");
    }
}

#[test]
fn standard_input_is_answered_line_by_line() {
    let folder = Folder::with(&[]);
    let run = folder.run_with_input("mittag-leffler --alpha 1 -", "0\n\n 1 \n1e-3+2e0i\r\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(run.stdout.starts_with("1\n2.71828182845904"));
    let marked = folder.run_with_input("mittag-leffler --alpha 1 -", "\u{feff}0\n");
    assert_eq!((marked.code, marked.stdout.as_str()), (0, "1\n"));
    let run = folder.run_with_input("mittag-leffler --alpha 1 -", "0\n\none\n2\n");
    assert_eq!((run.code, run.stdout.as_str()), (2, "1\n"));
    assert!(run.stderr.contains("<stdin>: row 3: `one` is not a finite number"), "{}", run.stderr);
}

#[test]
fn refuses_what_it_cannot_evaluate() {
    for (words, said) in [
        ("--alpha 0 1", "`alpha` is 0, expected a positive finite number"),
        ("--alpha -1 1", "`alpha` is -1"),
        ("--alpha nan 1", "`alpha` is NaN"),
        ("--alpha 1 --beta inf 1", "`beta` is inf"),
        ("--alpha 1 --gamma nan 1", "`gamma` is NaN"),
        ("--alpha 1 2 x", "value 2: `x` is not a finite number, expected a real one or `re+imi`"),
        ("--alpha 1 nan", "value 1: `nan` is not a finite number"),
        ("--alpha 1 1 -", "`-` reads the values from standard input"),
        ("--alpha 1", "<Z>..."),
        ("1", "--alpha <A>"),
        ("--alpha 1 --delta 2 1", "unexpected argument '--delta'"),
    ] {
        let run = run(words);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
}
