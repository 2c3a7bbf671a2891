use super::{bits, decay, model, noise, same_on_ranks};
use hpfracc_communicator::Communicator;
use hpfracc_fit::bootstrap::{Resampling, Scheme};
use hpfracc_fit::sample::{Nuts, SampleError};
use hpfracc_fit::{Batch, Fit, FormulaModel, Loss, Set};
use ndarray::Array2;

const DECAY: &str = "a exp(-x/tau) + c; a = 1; tau = 3 in (0, inf); c = 0";

fn over<'a>(fit: Fit<'a>, ranks: Option<&'a dyn Communicator>) -> Fit<'a> {
    match ranks {
        Some(ranks) => fit.over(ranks),
        None => fit,
    }
}

/// Factors, gradients, sums of series and sandwiches of sets with several tasks of 131 072 rows, and of sets that share
/// parameters.
#[test]
fn fits_of_many_rows() {
    let (model, data, few) = (model(DECAY), decay(400_000), decay(1000));
    for loss in [Loss::Squares, Loss::Huber, Loss::Tukey] {
        same_on_ranks(|ranks| {
            let sets = [("long", &data), ("short", &few)];
            let sets = sets.map(|(name, [x, y])| Set::new(name, &model).input(x).response(y));
            let sets = Vec::from(sets);
            let fit = over(Fit::of(sets)?.own("c")?.loss(loss), ranks);
            let found = fit.run()?;
            let tests = found.residual_tests()?.unwrap();
            Ok((bits(&found), tests))
        });
    }
}

/// Starts on a grid and further ones.
#[test]
fn searches_for_starts() {
    let model = model("a sin(w x) + c exp(-x/tau); w = 1 in [0.1, 20]; tau = 3 in [0.1, 10]");
    let x: Vec<f64> = (0..500).map(|k| 0.01 * k as f64).collect();
    let y = |(k, x): (usize, &f64)| (7.0 * x).sin() + 2.0 * (-x).exp() + 0.01 * noise(k);
    let y: Vec<f64> = x.iter().enumerate().map(y).collect();
    let found = same_on_ranks(|ranks| {
        let fit = Fit::new(Set::new("wave", &model).input(&x).response(&y))?.starts(20, 3);
        let found = over(fit, ranks).run()?;
        Ok((bits(&found), found.start_search()))
    });
    assert!(found.1.unwrap().minimisations > 20);
}

fn small() -> (FormulaModel, [Vec<f64>; 2]) {
    (model(DECAY), decay(80))
}

#[test]
fn bootstraps_cross_validations_and_profiles() {
    let (model, [x, y]) = small();
    let schemes = [Scheme::Residual, Scheme::Wild, Scheme::Pairs, Scheme::Blocks { length: 5 }];
    same_on_ranks(|ranks| {
        let set = Set::new("decay", &model).input(&x).response(&y);
        let found = over(Fit::new(set)?, ranks).run()?;
        let bootstraps: Vec<_> = schemes
            .into_iter()
            .map(|scheme| found.bootstrap(&Resampling { scheme, replicates: 150, seed: 5 }))
            .collect::<Result<_, _>>()?;
        let (profile, validation) = (found.profile("tau", 0.95)?, found.cross_validation(9)?);
        Ok((bootstraps, profile, validation))
    });
}

#[test]
fn chains() {
    let (model, [x, y]) = small();
    same_on_ranks(|ranks| {
        let set = Set::new("decay", &model).input(&x).response(&y);
        let found = over(Fit::new(set)?, ranks).run()?;
        let nuts = Nuts { chains: 3, warm_up: 60, draws: 70, seed: 4, ..Nuts::default() };
        let posterior = found.sample(&nuts).map_err(|error| match error {
            SampleError::Fit(error) => error,
            SampleError::Ranks(error) => error.into(),
            other => panic!("{other}"),
        })?;
        Ok((0..3).map(|k| posterior.series(k).concat()).collect::<Vec<_>>())
    });
}

/// Curves, of which some fail, with the reasons of a process alone.
#[test]
fn batches_of_curves() {
    let model = model(DECAY);
    let x: Vec<f64> = (0..30).map(|k| 0.1 * f64::from(k)).collect();
    let y = |(curve, k): (usize, usize)| match (curve % 11, k) {
        (7, 3) => f64::NAN,
        _ => (1.0 + curve as f64) * (-x[k] / 0.7).exp() + 0.01 * noise(31 * curve + k),
    };
    let y = Array2::from_shape_fn((500, 30), y);
    let numbers = same_on_ranks(|ranks| {
        let batch = Batch::new("decays", &model).input(&x).response(&y);
        let batch = match ranks {
            Some(ranks) => batch.over(ranks),
            None => batch,
        };
        let found = batch.run()?;
        let numbers = found.values().into_iter().chain(found.standard_errors());
        let numbers: Vec<u64> = numbers.map(|x| x.to_bits()).collect();
        Ok((numbers, format!("{:?}", found.failures())))
    });
    assert_eq!(numbers.1.matches("NotFinite").count(), 45);
    assert!(numbers.1.contains("row: 3"), "{}", numbers.1);
}
