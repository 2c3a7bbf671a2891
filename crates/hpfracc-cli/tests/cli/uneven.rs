//! `hpfracc diff` on times that are no uniform grid.

use crate::command::{Folder, numbers};
use std::f64::consts::PI;

/// f(t) = 2 + (t - 1) on 1 + (j/10)^2.
fn graded() -> String {
    let times = (0..=50).map(|j| 1.0 + f64::from(j * j) / 100.0);
    "t,x\n".to_owned() + &times.map(|t| format!("{t},{}\n", t + 1.0)).collect::<String>()
}

#[test]
fn times_are_taken_as_they_are_by_schemes_that_can() {
    let folder = Folder::with(&[("x.csv", &graded())]);
    let run = folder.run("diff --operator caputo --scheme l1 --alpha 0.5 x.csv --plot p.svg");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (t, y) in numbers(&run.stdout, 0).into_iter().zip(numbers(&run.stdout, 2)) {
        // L1 is exact for signals that are linear between the samples.
        assert!((y - 2.0 * ((t - 1.0) / PI).sqrt()).abs() < 1e-12, "{t}: {y}");
    }
    let said = "steps from 0.01 to 0.99: non-uniform times are used; set --dt for a uniform grid by row number";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn schemes_that_cannot_say_which_ones_could() {
    let folder = Folder::with(&[("x.csv", &graded())]);
    let run = folder.run("diff --operator weyl --alpha 0.5 x.csv");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("x.csv: row 3, column `t`: the step from"), "{}", run.stderr);
    let said = "weyl, scheme spectral, requires one; non-uniform times are supported by caputo, riemann-liouville";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let run = folder.run("diff --operator caputo --scheme bdf2 --alpha 0.5 x.csv");
    assert!(
        run.stderr.contains("non-uniform times are supported by caputo l1\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_start_is_the_first_time() {
    // f = ln t on 1 .. 5, uniform and graded.
    let row = |t: f64| format!("{t},{}\n", t.ln());
    let uniform: String = (0..=400).map(|j| row(1.0 + f64::from(j) / 100.0)).collect();
    let graded: String = (0..=50).map(|j| row(1.0 + f64::from(j * j) / 100.0)).collect();
    let zero: String = (0..=50).map(|j| format!("{j},1\n")).collect();
    let folder = Folder::with(&[
        ("u.csv", &format!("t,x\n{uniform}")),
        ("g.csv", &format!("t,x\n{graded}")),
        ("z.csv", &format!("t,x\n{zero}")),
        ("d.csv", "date,x\n2001-01-01,1\n2001-01-02,2\n2001-01-03,4\n"),
    ]);
    for file in ["u.csv", "g.csv"] {
        let run = folder.run(&format!("diff --operator hadamard-caputo --alpha 0.5 {file}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stdout.starts_with("t,x,hadamard-caputo_l1_0.5_start=1(x)\n"),
            "{}",
            run.stdout
        );
        for (t, y) in numbers(&run.stdout, 0).into_iter().zip(numbers(&run.stdout, 2)) {
            assert!((y - 2.0 * (t.ln() / PI).sqrt()).abs() < 1e-9, "{t}: {y}");
        }
    }
    for (words, said) in [
        ("z.csv", "z.csv: row 2, column `t`: the time of the first sample is 0, expected positive"),
        ("d.csv", "needs parameter `start`"),
        ("u.csv --dt 0.01", "needs parameter `start`"),
    ] {
        let run = folder.run(&format!("diff --operator hadamard --alpha 0.5 {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words}");
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
    let given =
        folder.run("diff --operator hadamard-caputo --alpha 0.5 --set start=2 --dt 1 z.csv -q");
    assert_eq!(given.code, 0, "{}", given.stderr);
}
