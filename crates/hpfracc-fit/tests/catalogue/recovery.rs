//! Parameters from synthetic data with small noise.

use super::models;
use super::points::Random;
use hpfracc_fit::{Fit, Model, Set};

/// Standard deviation of the noise over the largest value.
const NOISE: f64 = 1e-4;

#[test]
fn every_model_recovers_its_parameters() {
    for model in models() {
        let (name, truth) = (&model.entry().name, model.example());
        let inputs = model.example_inputs(if model.inputs() == 1 { 60 } else { 12 });
        let mut numbers = Random(7);
        let mut data = model.values(&truth, &inputs).unwrap();
        for column in &mut data {
            let scale = column.iter().fold(0.0f64, |max, y| y.abs().max(max));
            column.iter_mut().for_each(|y| *y += NOISE * scale * numbers.normal());
        }
        let mut set = Set::new(name, &model);
        for column in &inputs {
            set = set.input(column);
        }
        for column in &data {
            set = set.response(column);
        }
        let mut fit = Fit::new(set).unwrap();
        for (declared, value) in model.parameters().iter().zip(&truth) {
            let start = (value * 1.15).min(declared.upper);
            fit = fit.start(&declared.name, start).unwrap();
        }
        let found = fit.run().unwrap();
        assert!(found.outcome().is_success(), "{name}: {found}");
        for (declared, truth) in model.parameters().iter().zip(&truth) {
            let estimate = found.estimate(&declared.name).unwrap();
            let error = estimate.standard_error.unwrap_or(f64::INFINITY);
            let distance = (estimate.value - truth).abs();
            assert!(distance < 5.0 * error && error < 0.2 * truth.abs().max(0.5), "{name}: {found}");
        }
    }
}
