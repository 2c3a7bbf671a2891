use super::{X, Y, model};
use hpfracc_fit::{Fit, FitError, FormulaModel, Set};

fn set(model: &FormulaModel) -> Set<'_> {
    Set::new("line", model).input(&X).response(&Y)
}

/// Message of an error.
fn message<T>(result: Result<T, FitError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn data_that_are_refused() {
    let line = model("a + b x; a = 0; b = 0");
    let none = || Set::new("line", &line);
    let cases: [(Set<'_>, &str); 7] = [
        (none().response(&Y), "the set `line` has 0 columns of inputs, expected 1"),
        (none().input(&X), "the set `line` has 0 columns of responses, expected 1"),
        (
            none().input(&X).response(&Y[..5]),
            "the set `line` has a column of responses with 5 rows, expected 6 as in the first column",
        ),
        (none().input(&[]).response(&[]), "a fit needs rows of data, found none"),
        (
            none().input(&X).response(&[1.0, 2.0, f64::NAN, 1.0, 1.0, 1.0]),
            "the set `line` has NaN in row 2 of responses 0; leave the row out, or skip rows that are not finite",
        ),
        (
            none().input(&X).response(&Y).sigma(&[1.0, 1.0, 1.0, -0.5, 1.0, 1.0]),
            "the set `line` has the standard deviation -0.5 in row 3, expected a positive number",
        ),
        (
            none().input(&X).response(&Y).weight(&[1.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
            "the set `line` has the weight 0 in row 1, expected a positive number",
        ),
    ];
    for (set, expected) in cases {
        assert_eq!(message(Fit::new(set).and_then(Fit::run)), expected);
    }
    let known = Set::new("known", &line).input(&X).response(&Y).sigma(&[1.0; 6]);
    assert_eq!(Fit::of(vec![known, set(&line)]).unwrap_err(), FitError::MixedErrors);
    let twice = Fit::of(vec![set(&line), set(&line)]);
    assert_eq!(message(twice), "two sets are called `line`");
    assert!(matches!(Fit::of(vec![]), Err(FitError::Empty { .. })));
}

#[test]
fn parameters_that_are_refused() {
    let line = model("a + b x; a = 0; b = 0 in [0, 10]");
    let fit = || Fit::new(set(&line)).unwrap();
    let cases = [
        (message(fit().start("c", 1.0)), "no parameter is called `c`; the parameters are a, b"),
        (
            message(fit().start("b", 11.0).unwrap().run()),
            "the start 11 of `b` is outside of its bounds [0, 10]",
        ),
        (
            message(fit().bounds("b", 3.0, 2.0).unwrap().run()),
            "the bounds [3, 2] of `b` have no number between them",
        ),
        (
            message(fit().start("a", f64::NAN).unwrap().run()),
            "the parameter `a` has no start: give it a value",
        ),
        (
            message(fit().prior("a", 0.0, 1.0)),
            "the prior of `a` needs data with known standard deviations",
        ),
        (
            message(fit().tie("a", "2 q")),
            "the tie of `a`: `q` is no parameter; the parameters are a, b",
        ),
        (
            message(fit().tie("a", "2 b").unwrap().tie("b", "a/2").unwrap().run()),
            "the tie of `a`: the ties of a, b need each other",
        ),
        (
            message(fit().loss_scale(0.0)),
            "the scale of the loss is 0, expected a positive finite number",
        ),
        (
            message(fit().logarithmic("a").unwrap().run()),
            "the start of a parameter whose logarithm is fitted is 0, expected a positive number",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let found = fit().run().unwrap();
    assert!(matches!(found.interval("a", 1.0), Err(FitError::OutOfRange { .. })));
    assert!(matches!(found.band(1, &[&[1.0]], 0.9), Err(FitError::Empty { .. })));
    assert!(matches!(found.band(0, &[], 0.9), Err(FitError::Columns { .. })));
}

#[test]
fn models_without_values_at_the_start() {
    let logarithm = model("ln(x + a); a = 1");
    let fit = Fit::new(set(&logarithm)).unwrap().start("a", -0.5).unwrap();
    assert_eq!(
        message(fit.run()),
        "the model of the set `line` is not finite in row 0 at the start: a = -0.5; choose another start"
    );
    let many = model(
        "a + b x + c x^2 + d x^3 + e x^4 + f x^5 + g x^6; a = 0; b = 0; c = 0; d = 0; e = 0; f = 0; g = 0",
    );
    assert_eq!(
        message(Fit::new(set(&many)).unwrap().run()),
        "6 data cannot determine 7 parameters: fix some of them, or add data"
    );
}
