//! Every model of the catalogue finds its example without a start.

use super::random::Random;
use hpfracc_fit::{CatalogueError, CatalogueModel, Fit, FitError, Found, Model, Set, catalogue};

/// Standard deviation of the noise over the norm of the responses.
const NOISE: f64 = 0.01;

/// Models by their names, but for those that several sets have to share.
fn models() -> Vec<CatalogueModel> {
    let names = catalogue::names().filter(|name| *name != "xpcs-two-time-laminar-flow");
    names.filter_map(found).collect()
}

/// Model of a name; None where its formula has no derivatives: with respect to orders of Mittag-Leffler functions.
fn found(name: &str) -> Option<CatalogueModel> {
    match catalogue::find(name) {
        Err(CatalogueError::Model(FitError::NoDerivative(_))) => None,
        found => Some(found.unwrap()),
    }
}

/// Columns of the responses at the example, with noise, and its standard deviations.
fn data(model: &CatalogueModel, inputs: &[Vec<f64>], seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut numbers = Random(seed);
    let mut data = model.values(&model.example(), inputs).unwrap();
    let norm = |row: usize| data.iter().map(|y| y[row] * y[row]).sum::<f64>().sqrt();
    let sigma: Vec<f64> = (0..inputs[0].len()).map(|row| NOISE * norm(row)).collect();
    for column in &mut data {
        column.iter_mut().zip(&sigma).for_each(|(y, sigma)| *y += sigma * numbers.normal());
    }
    (data, sigma)
}

fn run<'a>(
    model: &'a CatalogueModel,
    inputs: &'a [Vec<f64>],
    (data, sigma): (&'a [Vec<f64>], Option<&'a [f64]>),
    starts: Option<&[f64]>,
) -> Result<Found<'a>, FitError> {
    let set = inputs.iter().fold(Set::new("example", model), |set, column| set.input(column));
    let set = data.iter().fold(set, |set, column| match sigma {
        Some(sigma) => set.response(column).sigma(sigma),
        None => set.response(column),
    });
    let mut fit = Fit::new(set)?;
    for (declared, value) in model.parameters().iter().zip(starts.into_iter().flatten()) {
        fit = fit.start(&declared.name, *value)?;
    }
    fit.run()
}

/// The minimum is that of a start at the example, for known relative errors and for equal ones.
#[test]
fn every_model_finds_its_example_without_a_start() {
    let mut failed = vec![];
    for model in models() {
        let inputs = model.example_inputs(if model.inputs() == 1 { 60 } else { 12 });
        let (data, sigma) = data(&model, &inputs, 7);
        for sigma in [Some(&sigma[..]), None] {
            let name = format!("{} {}", model.entry().name, if sigma.is_some() { "sigma" } else { "equal" });
            let expected = run(&model, &inputs, (&data, sigma), Some(&model.example())).unwrap();
            let time = std::time::Instant::now();
            match run(&model, &inputs, (&data, sigma), None) {
                Ok(found) => {
                    println!(
                        "{name:45} {:10.3e} {:10.3e} passes {} {}, {:?} {:.2} s",
                        found.cost(), expected.cost(), found.passes(), expected.passes(), found.start_search(), time.elapsed().as_secs_f64()
                    );
                    if found.cost() > expected.cost() * (1.0 + 1e-6) {
                        failed.push(format!("{name}: {found}\n{expected}"));
                    }
                }
                Err(error) => failed.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
