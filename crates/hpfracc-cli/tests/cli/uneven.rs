//! `hpfracc diff` on times that are no uniform grid.

use crate::command::{Folder, numbers};
use hpfracc::operators::{Operator, OperatorError, catalogue};
use hpfracc::types::{Mesh, Order};
use std::f64::consts::PI;

/// Whether the usual scheme has a form for meshes.
fn takes_meshes(operator: &str, scheme: &str) -> bool {
    let entry = catalogue().find(|e| e.definition.name == operator && e.scheme == scheme).unwrap();
    let operator = entry.example(Order::new(entry.range.examples[0]).unwrap()).unwrap();
    let mesh = Mesh::new(vec![1.0, 2.0, 4.0, 7.0, 11.0]).unwrap();
    !matches!(operator.weights_on(&mesh), Err(OperatorError::UniformOnly { .. }))
}

/// f(t) = 2 + (t - 1) on 1 + (j/10)^2.
fn graded() -> String {
    let times = (0..=50).map(|j| 1.0 + f64::from(j * j) / 100.0);
    "t,x\n".to_owned() + &times.map(|t| format!("{t},{}\n", t + 1.0)).collect::<String>()
}

#[test]
fn times_are_taken_as_they_are_by_schemes_that_can() {
    let folder = Folder::with(&[("x.csv", &graded())]);
    let run = folder.run("diff --operator caputo --scheme l1 --alpha 0.5 x.csv --plot p.svg");
    if !takes_meshes("caputo", "l1") {
        assert_eq!(run.code, 2, "{}", run.stderr);
        return;
    }
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (t, y) in numbers(&run.stdout, 0).into_iter().zip(numbers(&run.stdout, 2)) {
        // L1 is exact for what is linear between the samples.
        assert!((y - 2.0 * ((t - 1.0) / PI).sqrt()).abs() < 1e-12, "{t}: {y}");
    }
    let said = "steps from 0.01 to 0.99: times are taken as they are; --dt counts the rows instead";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn schemes_that_cannot_say_which_ones_could() {
    let folder = Folder::with(&[("x.csv", &graded())]);
    let run = folder.run("diff --operator weyl --alpha 0.5 x.csv");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("x.csv: row 3, column `t`: the step from"), "{}", run.stderr);
    if takes_meshes("caputo", "l1") {
        let said = "weyl, scheme spectral, needs one; ";
        assert!(run.stderr.contains(said) && run.stderr.contains("caputo l1"), "{}", run.stderr);
    }
}
