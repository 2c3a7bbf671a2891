//! Equations, times and names that cannot be fitted.

use hpfracc_equation::Equation;
use hpfracc_fit::{EquationModel, Fit, FitError, Model, Outcome, Set};

const RELAXATION: &str = "D^alpha y = -y/tau; alpha = 0.7; tau = 1; y(0) = 1";

fn model(text: &str, quantities: &[&str], times: &[f64]) -> Result<EquationModel, FitError> {
    let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}"));
    EquationModel::new(&equation, quantities, times)
}

#[track_caller]
fn refuses(text: &str, quantities: &[&str], times: &[f64], message: &str) {
    let error = model(text, quantities, times).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn models_that_cannot_be_made() {
    let t = [1.0, 2.0];
    refuses(RELAXATION, &["z"], &t, "`z` cannot be observed: the equation has y");
    refuses(RELAXATION, &[], &t, "a fit needs quantities of the equation, found none");
    refuses(
        RELAXATION,
        &["y"],
        &[1.0, -2.0],
        "the time -2 in row 1 is no time from 0 on, where the equation starts",
    );
    refuses(
        RELAXATION,
        &["y"],
        &[0.0],
        "a fit needs times after the start of the equation, found none",
    );
    refuses(
        "dX = -k X dt + s dW; X(0) = 1; k = 1; s = 1",
        &["X"],
        &t,
        "the equation cannot be fitted: X has noise: this is a stochastic equation, which hpfracc-sde solves \
         (`hpfracc simulate`)",
    );
    refuses(
        "RL D^0.7 y = -k y; k = 1; y(0) = 1",
        &["y"],
        &t,
        "the equation cannot be fitted: y: equations with a Riemann-Liouville derivative have no such gradients",
    );
    refuses(
        "D^0.7 y = -k y; k = 1; s = 0; y(s) = 1; t in [s, 4]",
        &["y"],
        &t,
        "the equation cannot be fitted: its start depends on a parameter, so that no time of the data is a node",
    );
    let model = model(RELAXATION, &["y"], &t).unwrap();
    assert!(matches!(model.steps(0), Err(FitError::OutOfRange { .. })));
}

/// Orders lie between the initial values that they take, and other bounds are those of the text.
#[test]
fn bounds_of_parameters() {
    let text = "D^beta x = -k x + y; D^a y = -y/tau; beta = 1.5; x(0) = 1; x'(0) = b; b = 0; k = 1 in [0.5, 2]
                a = 0.7; tau = 1 in (0, inf); y(0) = 1";
    let model = model(text, &["x"], &[1.0]).unwrap();
    let bounds = |name: &str| {
        let of = model.parameters().iter().find(|known| known.name == name).unwrap();
        (of.lower, of.upper)
    };
    assert_eq!(bounds("beta"), (1f64.next_up(), 2.0));
    assert_eq!(bounds("a"), (0f64.next_up(), 1.0));
    assert_eq!(bounds("k"), (0.5, 2.0));
    assert_eq!(bounds("b"), (f64::NEG_INFINITY, f64::INFINITY));
    let error = model.constants(&["c"]).unwrap_err().to_string();
    assert!(error.starts_with("no parameter is called `c`; the parameters are "), "{error}");
}

/// Constants are none of the parameters, and keep their values.
#[test]
fn constants() {
    let t: Vec<f64> = (0..=10).map(|k| 0.2 * f64::from(k)).collect();
    let y: Vec<f64> = t.iter().map(|t| 2.0 * (-t).exp()).collect();
    let text = "D^alpha y = -k y; alpha = 1; k = 0.5; a = 1; y(0) = a";
    let model = model(text, &["y"], &t).unwrap().constants(&["alpha"]).unwrap();
    let found = Fit::new(Set::new("decay", &model).input(&t).response(&y)).unwrap().run().unwrap();
    assert_eq!(found.names(), ["k", "a"]);
    assert!((found.estimate("k").unwrap().value - 1.0).abs() < 1e-5);
}

/// A solution that leaves all numbers rejects a step, and is named at the start.
#[test]
fn solutions_that_do_not_exist() {
    let t: Vec<f64> = (0..=10).map(|k| 0.1 * f64::from(k)).collect();
    // y = 1/(1/a - t): a = 0.5 reaches t = 1, a >= 1 does not.
    let text = "y' = y^2; a = 0.3; y(0) = a";
    let model = model(text, &["y"], &t).unwrap().steps(100).unwrap();
    let y: Vec<f64> = t.iter().map(|t| 1.0 / (1.0 / 0.9 - t)).collect();
    let fit = || Fit::new(Set::new("growth", &model).input(&t).response(&y)).unwrap();
    let found = fit().run().unwrap();
    assert!((found.estimate("a").unwrap().value - 0.9).abs() < 1e-3, "{:?}", found.estimates());
    assert_ne!(found.outcome(), Outcome::Passes);
    let error = fit().start("a", 5.0).unwrap().run().unwrap_err();
    assert!(matches!(error, FitError::ModelNotFinite { .. }), "{error}");
    // An order that the initial values do not suffice for is named.
    let model = self::model(RELAXATION, &["y"], &t).unwrap();
    let fit = Fit::new(Set::new("decay", &model).input(&t).response(&y)).unwrap();
    let fit = fit.bounds("alpha", 0.1, 1.9).unwrap().start("alpha", 1.5).unwrap();
    let error = fit.run().unwrap_err().to_string();
    assert_eq!(
        error,
        "the equation cannot be fitted: alpha = 1.5 makes the order of the derivative of y 1.5, expected an \
         order above 0 and at most 1"
    );
}
