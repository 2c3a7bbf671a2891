//! Derivatives of all models against differences.

use super::models;
use super::points::{Random, random};
use hpfracc_equation::{Rows, RowsMut};
use hpfracc_fit::{CatalogueModel, Model};

/// Derivatives of the responses, by response and parameter.
fn derivatives(model: &CatalogueModel, parameters: &[f64], inputs: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (flat, lanes) = (inputs.concat(), inputs[0].len());
    let (responses, count) = (model.responses(), parameters.len());
    let mut out = vec![0.0; responses * (1 + count) * lanes];
    let bound = model.at(parameters).unwrap();
    bound.derivatives(Rows::new(&flat, lanes), RowsMut::new(&mut out, lanes));
    out[responses * lanes..].chunks(lanes).map(<[f64]>::to_vec).collect()
}

/// Differences of fourth order with respect to a parameter, and their step.
fn differences(
    model: &CatalogueModel,
    parameters: &[f64],
    k: usize,
    inputs: &[Vec<f64>],
) -> (Vec<Vec<f64>>, f64) {
    let step = 2e-5 * parameters[k].abs().max(0.1 * model.example()[k].abs());
    let at = |shift: f64| {
        let mut parameters = parameters.to_vec();
        parameters[k] += shift * step;
        model.values(&parameters, inputs).unwrap()
    };
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
    let response = |r: usize| {
        let slope = |i: usize| (8.0 * (c[r][i] - b[r][i]) - (d[r][i] - a[r][i])) / (12.0 * step);
        (0..a[r].len()).map(slope).collect()
    };
    ((0..a.len()).map(response).collect(), step)
}

fn largest(column: &[f64]) -> f64 {
    column.iter().fold(0.0, |max, x| x.abs().max(max))
}

/// At random points inside of the bounds, and next to the upper bounds of orders.
#[test]
fn derivatives_are_those_of_differences() {
    let mut worst: f64 = 0.0;
    for model in models() {
        let (mut numbers, name) = (Random(19), &model.entry().name);
        let inputs = model.example_inputs(9);
        for draw in 0..12 {
            let mut parameters = random(&model, &mut numbers, draw % 4 == 3);
            let mut values = model.values(&parameters, &inputs).unwrap();
            while values.iter().flatten().any(|value| !value.is_finite()) {
                let names = || model.parameters().iter().map(|declared| declared.name.as_str());
                let of = |name| parameters[names().position(|known| known == name).unwrap()];
                assert!(of("alpha") <= of("beta"), "{name} has no value at {parameters:?}");
                parameters = random(&model, &mut numbers, false);
                values = model.values(&parameters, &inputs).unwrap();
            }
            let exact = derivatives(&model, &parameters, &inputs);
            for k in 0..parameters.len() {
                let (differences, step) = differences(&model, &parameters, k, &inputs);
                for (response, difference) in differences.iter().enumerate() {
                    let exact = &exact[response * parameters.len() + k];
                    let error: Vec<f64> =
                        exact.iter().zip(difference).map(|(a, b)| a - b).collect();
                    let scale = largest(exact) + 1e-5 * largest(&values[response]) / step;
                    let scale = if scale == 0.0 { 1.0 } else { scale };
                    let error = largest(&error) / scale;
                    worst = worst.max(error);
                    let parameter = &model.parameters()[k].name;
                    assert!(
                        error < 1e-7 && exact.iter().all(|x| x.is_finite()),
                        "{name}: {error:.1e} in {parameter} at {parameters:?}:\n{exact:?}\n{difference:?}"
                    );
                }
            }
        }
    }
    println!("worst relative difference {worst:.1e}");
}

/// Derivatives at t = 0 are limits, and no NaN.
#[test]
fn derivatives_at_the_start() {
    for model in models().iter().filter(|model| model.entry().inputs[0].name == "t") {
        let (name, inputs) = (&model.entry().name, [vec![0.0]]);
        let at_start = model.values(&model.example(), &inputs).unwrap()[0][0];
        if at_start.is_finite() {
            let slopes = derivatives(model, &model.example(), &inputs);
            assert!(slopes.iter().flatten().all(|slope| slope.is_finite()), "{name}: {slopes:?}");
        } else {
            // Moduli that are infinite at once, with a dashpot or springpot beside.
            assert!(name.ends_with("-relaxation"), "{name}: {at_start}");
        }
    }
}
