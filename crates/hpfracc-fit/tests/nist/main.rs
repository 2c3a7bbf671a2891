//! The nonlinear problems of NIST from both starts, and with bounds.

mod problems;
mod projection;

use hpfracc_fit::{Fit, FitError, Found, Set};
use problems::{Problem, parameter};

fn set(problem: &Problem) -> Set<'_> {
    let set = Set::new(problem.name, &problem.model);
    let set = problem.inputs.iter().fold(set, |set, column| set.input(column));
    set.response(&problem.response)
}

fn fit<'a>(problem: &'a Problem, start: &[f64]) -> Result<Fit<'a>, FitError> {
    let starts = start.iter().enumerate();
    starts.fold(Fit::new(set(problem)), |fit, (k, value)| fit?.start(&parameter(k), *value))
}

/// Equal leading digits of the worst number.
fn digits(found: &[f64], expected: &[f64]) -> f64 {
    let pairs = found.iter().zip(expected);
    let errors = pairs.map(|(found, expected)| ((found - expected) / expected).abs());
    errors
        .map(|error| if error.is_nan() { -9.0 } else { -error.max(1e-16).log10() })
        .fold(16.0, f64::min)
}

fn parameters(found: &Found<'_>, count: usize) -> (Vec<f64>, Vec<f64>) {
    let estimates = (0..count).map(|k| found.estimate(&parameter(k)).unwrap());
    estimates.map(|estimate| (estimate.value, estimate.standard_error.unwrap_or(f64::NAN))).unzip()
}

/// Parameters and standard errors to 10 digits; the residuals of Lanczos1 are rounding, and so are its standard errors.
#[test]
fn certified_values_from_both_starts() {
    let mut failed = vec![];
    for problem in problems::all() {
        for (number, start) in problem.starts.iter().enumerate() {
            let found = fit(&problem, start).unwrap().run().unwrap();
            let (values, errors) = parameters(&found, problem.parameters.len());
            let of_values = digits(&values, &problem.parameters);
            let of_errors = digits(&errors, &problem.standard_errors);
            let of_cost = digits(&[found.cost()], &[problem.cost]);
            println!(
                "{:9} {} {of_values:5.1} {of_errors:5.1} {of_cost:5.1} digits, {:5} passes, {}",
                problem.name,
                number + 1,
                found.passes(),
                found.outcome()
            );
            let enough = if problem.name == "Lanczos1" { 3.0 } else { 10.0 };
            if !(of_values >= 10.0 && of_errors >= enough && found.outcome().is_success()) {
                failed.push(format!("{} {}", problem.name, number + 1));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Each parameter of each problem bounded two standard errors on the wrong side of its minimum. The reference has it
/// fixed on the bound, and starts at the certified values.
#[test]
fn bounds_that_exclude_the_minimum() {
    let (mut count, mut reached, mut lower) = (0, 0, 0);
    for problem in problems::all() {
        for k in 0..problem.parameters.len() {
            for side in [-1.0, 1.0] {
                let bound = problem.parameters[k] + 2.0 * side * problem.standard_errors[k];
                // Lanczos1 has no standard errors.
                if problem.name == "Lanczos1" {
                    continue;
                }
                let name = parameter(k);
                let reference =
                    fit(&problem, &problem.parameters).unwrap().fix(&name, bound).unwrap();
                let Ok(reference) = reference.run() else { continue };
                let (low, high) =
                    if side > 0.0 { (bound, f64::INFINITY) } else { (f64::NEG_INFINITY, bound) };
                let start = problem.starts[1][k].clamp(low, high);
                let bounded = fit(&problem, &problem.starts[1]).unwrap().bounds(&name, low, high);
                let Ok(found) = bounded.unwrap().start(&name, start).unwrap().run() else {
                    continue;
                };
                count += 1;
                let ratio = found.cost() / reference.cost();
                let value = found.estimate(&name).unwrap().value;
                assert!(value >= low && value <= high, "{} {name}", problem.name);
                if (ratio - 1.0).abs() < 1e-6 {
                    reached += 1;
                } else if ratio < 1.0 {
                    lower += 1;
                } else {
                    println!(
                        "{} {name} {side:+}: cost ratio {ratio}, {}",
                        problem.name,
                        found.outcome()
                    );
                }
            }
        }
    }
    println!("{reached} of {count} at the bounded minimum, {lower} at a lower one");
    assert!(reached * 228 >= count * 220, "{reached} of {count}");
}
