//! Equations, points and names that cannot be fitted.

use crate::case::{grid, problem};
use hpfracc_equation::FieldEquation;
use hpfracc_fit::{FieldModel, Fit, FitError, Set};
use hpfracc_pde::FieldProblem;
use hpfracc_spatial::{Boundary, Graph, GraphLaplacian};
use std::sync::Arc;

const DIFFUSION: &str = "D^alpha u = kappa lap(u); alpha = 0.7; kappa = 0.1; u(0) = 1 + x";

#[track_caller]
fn refuses(text: &str, quantities: &[&str], (t, x): (&[f64], &[f64]), message: &str) {
    let line = grid(&[(0.0, 1.0, 10, Boundary::Neumann)]);
    let error = FieldModel::new(problem(text, &line), quantities, t, &[x]).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn models_that_cannot_be_made() {
    let at = (&[0.5, 1.0][..], &[0.2, 0.4][..]);
    refuses(DIFFUSION, &["v"], at, "`v` cannot be observed: the equation has the fields u");
    refuses(DIFFUSION, &[], at, "a fit needs fields of the equation, found none");
    refuses(
        DIFFUSION,
        &["u"],
        (&[0.5, -1.0], at.1),
        "the time -1 in row 1 is no time from 0 on, where the equation starts",
    );
    refuses(
        DIFFUSION,
        &["u"],
        (&[f64::NAN, 1.0], at.1),
        "the time NaN in row 0 is no time from 0 on, where the equation starts",
    );
    let nothing = "a fit needs times after the start of the equation, found none";
    refuses(DIFFUSION, &["u"], (&[0.0], &[0.5]), nothing);
    for (x, text) in [(1.5, "1.5"), (-0.1, "-0.1"), (f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        let message = format!(
            "x is {text} in row 1, outside of the box [0, 1]: leave the row out, or make the box larger"
        );
        refuses(DIFFUSION, &["u"], (at.0, &[0.2, x]), &message);
    }
    let late = "D^0.7 u = lap(u); u(1) = 1 + x; t in [1, 2]";
    let message = "the equation cannot be fitted: it starts at t = 1, and fields start at t = 0";
    refuses(late, &["u"], at, message);
    let line = grid(&[(0.0, 1.0, 10, Boundary::Robin(1.0))]);
    let text = "D u = lap(u^2); u(0) = 1";
    let error = FieldModel::new(problem(text, &line), &["u"], at.0, &[at.1]).unwrap_err();
    assert!(error.to_string().contains("Robin"), "{error}");
    let missing = "D^0.7 u = lap(u)";
    let message = "the equation cannot be fitted: the equation has no start: set u(0) with `start` or \
                       `start_from`";
    refuses(missing, &["u"], at, message);
    let plain = || problem(DIFFUSION, &grid(&[(0.0, 1.0, 10, Boundary::Neumann)]));
    let error = FieldModel::new(plain(), &["u"], at.0, &[at.1, at.1]).unwrap_err().to_string();
    assert_eq!(error, "the number of columns of coordinates is 2, expected one for each axis");
    let model = FieldModel::new(plain(), &["u"], at.0, &[at.1]).unwrap();
    assert!(matches!(model.steps(0), Err(FitError::OutOfRange { .. })));

    let graph = GraphLaplacian::combinatorial(&Graph::ring(5).unwrap()).unwrap();
    let equation = FieldEquation::parse("D u = k lap(u); k = 1; u(0) = 1", &[]).unwrap();
    let fields = FieldProblem::with_operator(equation, Arc::new(graph)).unwrap();
    let error = FieldModel::new(fields, &["u"], at.0, &[]).unwrap_err().to_string();
    assert!(error.contains("need a box"), "{error}");
}

#[test]
fn data_that_cannot_be_fitted() {
    let line = grid(&[(0.0, 1.0, 10, Boundary::Neumann)]);
    let (t, x, u) = ([0.5, 1.0, 1.5], [0.2, 0.4, 0.6], [1.3, f64::NAN, 1.4]);
    let model = FieldModel::new(problem(DIFFUSION, &line), &["u"], &t, &[&x]).unwrap();
    let set = Set::new("data", &model).input(&t).input(&x).response(&u);
    let error = Fit::new(set).unwrap().run().unwrap_err();
    assert!(matches!(error, FitError::NotFinite { row: 1, what: "responses", .. }), "{error}");
    let set = Set::new("data", &model).input(&t).response(&x);
    let error = Fit::new(set).unwrap_err();
    assert!(matches!(error, FitError::Columns { found: 1, expected: 2, .. }), "{error}");
    // Another parameter than those of the text.
    let set = || Set::new("data", &model).input(&t).input(&x).response(&x);
    let error = Fit::new(set()).unwrap().start("beta", 0.5).unwrap_err().to_string();
    assert_eq!(error, "no parameter is called `beta`; the parameters are alpha, kappa");
    // An order that the initial values do not suffice for.
    let fit = Fit::new(set()).unwrap().bounds("alpha", 0.1, 1.9).unwrap().start("alpha", 1.5);
    let error = fit.unwrap().run().unwrap_err().to_string();
    assert!(error.contains("alpha = 1.5"), "{error}");
}

/// A solution that leaves all numbers rejects a step, and is named at the start.
#[test]
fn solutions_that_do_not_exist() {
    let line = grid(&[(0.0, 1.0, 10, Boundary::Neumann)]);
    // Without diffusion u = 1/(1/a - t): a = 0.5 reaches t = 1, a > 1 does not.
    let text = "D u = lap(u) + u^2; a = 0.3; u(0) = a";
    let t: Vec<f64> = (1..=10).map(|k| 0.1 * f64::from(k)).collect();
    let x = vec![0.5; 10];
    let u: Vec<f64> = t.iter().map(|t| 1.0 / (1.0 / 0.8 - t)).collect();
    let model = FieldModel::new(problem(text, &line), &["u"], &t, &[&x]).unwrap();
    let fit = || Fit::new(Set::new("growth", &model).input(&t).input(&x).response(&u)).unwrap();
    let found = fit().run().unwrap();
    assert!((found.estimate("a").unwrap().value - 0.8).abs() < 1e-3, "{:?}", found.estimates());
    let error = fit().start("a", 50.0).unwrap().run().unwrap_err();
    assert!(matches!(error, FitError::ModelNotFinite { .. }), "{error}");
}
