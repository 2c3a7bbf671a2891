//! Values against numbers of high precision.

use hpfracc_fit::{CatalogueModel, Model, catalogue};

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// Parameters in the order of the model, and constants.
fn assigned(model: CatalogueModel, text: &str) -> (CatalogueModel, Vec<f64>) {
    let mut model = model;
    let pairs: Vec<(&str, f64)> = text
        .split(' ')
        .map(|pair| pair.split_once('=').unwrap())
        .map(|(name, value)| (name, value.parse().unwrap()))
        .collect();
    for (name, value) in &pairs {
        if model.entry().notes.iter().any(|note| note.constant && note.name == *name) {
            model = model.with(name, *value).unwrap();
        }
    }
    let of = |name: &str| pairs.iter().find(|(known, _)| *known == name).unwrap().1;
    let parameters = model.parameters().iter().map(|declared| of(&declared.name)).collect();
    (model, parameters)
}

#[test]
fn values_of_the_table() {
    let table = include_str!("data/values.csv");
    let mut worst: f64 = 0.0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(';').collect();
        let name = fields[0];
        let model = if catalogue::names().any(|known| known == name) {
            super::found(name)
        } else {
            catalogue::circuit(name).unwrap()
        };
        let (model, parameters) = assigned(model, fields[1]);
        let inputs: Vec<Vec<f64>> = numbers(fields[2]).into_iter().map(|x| vec![x]).collect();
        let values = model.values(&parameters, &inputs).unwrap();
        let expected = numbers(fields[3]);
        let scale = expected.iter().fold(0.0f64, |max, y| y.abs().max(max));
        for (found, expected) in values.iter().zip(&expected) {
            let error = (found[0] - expected).abs() / scale;
            worst = worst.max(error);
            assert!(error < 1e-12, "{line}: {} {expected} {error:.1e}", found[0]);
        }
    }
    println!("worst error {worst:.1e} of the largest response");
}
