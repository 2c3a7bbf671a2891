//! Parameters from synthetic data with small noise.

use super::models;
use super::points::Random;
use hpfracc_fit::{CatalogueModel, Fit, Found, Model, Set, catalogue};

/// Standard deviation of the noise over the norm of the responses.
const NOISE: f64 = 1e-4;

#[test]
fn every_model_recovers_its_parameters() {
    for model in models() {
        if model.entry().name == "xpcs-two-time-laminar-flow" {
            continue;
        }
        let (name, truth) = (&model.entry().name, model.example());
        let inputs = model.example_inputs(if model.inputs() == 1 { 60 } else { 12 });
        let mut numbers = Random(7);
        let mut data = model.values(&truth, &inputs).unwrap();
        let norm = |row: usize| data.iter().map(|y| y[row] * y[row]).sum::<f64>().sqrt();
        let sigma: Vec<f64> = (0..inputs[0].len()).map(|row| NOISE * norm(row)).collect();
        for column in &mut data {
            column.iter_mut().zip(&sigma).for_each(|(y, sigma)| *y += sigma * numbers.normal());
        }
        let set = inputs.iter().fold(Set::new(name, &model), |set, column| set.input(column));
        let set = data.iter().fold(set, |set, column| set.response(column).sigma(&sigma));
        let mut fit = Fit::new(set).unwrap();
        for (declared, value) in model.parameters().iter().zip(&truth) {
            let start = (value * 1.15).min(declared.upper);
            fit = fit.start(&declared.name, start).unwrap();
        }
        let found = fit.run().unwrap();
        assert_recovered(&found, &model, &truth);
    }
}

fn assert_recovered(found: &Found<'_>, model: &CatalogueModel, truth: &[f64]) {
    assert!(found.outcome().is_success(), "{}: {found}", model.entry().name);
    for (declared, truth) in model.parameters().iter().zip(truth) {
        let estimate = found.estimate(&declared.name).unwrap();
        let error = estimate.standard_error.unwrap_or(f64::INFINITY);
        let distance = (estimate.value - truth).abs();
        let is_close = distance < 5.0 * error && error < 0.2 * truth.abs().max(0.5);
        assert!(is_close, "{}: {found}", model.entry().name);
    }
}

/// One angle does not determine the direction of the flow: three share all parameters.
#[test]
fn laminar_flow_of_three_angles() {
    let of = |angle: f64| {
        catalogue::find("xpcs-two-time-laminar-flow").unwrap().with("phi", angle).unwrap()
    };
    let models = [-20.0, 40.0, 110.0].map(of);
    let (truth, inputs) = (models[0].example(), models[0].example_inputs(12));
    let mut numbers = Random(3);
    let data = models.each_ref().map(|model| {
        let mut column = model.values(&truth, &inputs).unwrap().remove(0);
        column.iter_mut().for_each(|y| *y += 1e-4 * numbers.normal());
        column
    });
    let sets = models.iter().zip(&data).zip(["a", "b", "c"]).map(|((model, column), name)| {
        Set::new(name, model).input(&inputs[0]).input(&inputs[1]).response(column)
    });
    let mut fit = Fit::of(sets.collect()).unwrap();
    for (declared, value) in models[0].parameters().iter().zip(&truth) {
        fit = fit.start(&declared.name, value * 1.05).unwrap();
    }
    assert_recovered(&fit.run().unwrap(), &models[0], &truth);
}
