use super::{model, noise};
use hpfracc_fit::{Batch, BatchFound, Fit, FitError, FormulaModel, Found, Loss, Outcome, Set};
use ndarray::{Array2, ArrayView1, Axis};
use std::sync::atomic::AtomicBool;

const CURVES: usize = 200;
const POINTS: usize = 40;

fn decay() -> FormulaModel {
    model("a exp(-x/tau) + c; a = 1; tau = 1 in [0.4, inf); c = 0")
}

fn times() -> Vec<f64> {
    (0..POINTS).map(|k| k as f64 / 10.0).collect()
}

/// Decays with different times, some below the bound of tau, which holds the fits there.
fn responses() -> Array2<f64> {
    Array2::from_shape_fn((CURVES, POINTS), |(curve, k)| {
        let tau = 0.3 + 0.02 * curve as f64;
        2.0 * (-(k as f64) / 10.0 / tau).exp() + 0.3 + 0.05 * noise(curve * POINTS + k)
    })
}

fn slice<'y>(row: ArrayView1<'y, f64>) -> &'y [f64] {
    row.to_slice().unwrap()
}

/// Requires the bits of a single fit.
fn same(found: &BatchFound, curve: usize, single: &Found<'_>) {
    let bits = |x: f64| if x.is_nan() { 0 } else { x.to_bits() };
    for (k, estimate) in single.estimates().iter().enumerate() {
        let error = estimate.standard_error.unwrap_or(f64::NAN);
        let of_batch = [found.values()[[curve, k]], found.standard_errors()[[curve, k]]];
        assert_eq!(of_batch.map(bits), [estimate.value, error].map(bits), "{curve} {estimate:?}");
    }
    assert_eq!(found.costs()[curve].to_bits(), single.cost().to_bits(), "{curve}");
    assert_eq!(found.passes()[curve], single.passes(), "{curve}");
    assert_eq!(found.outcomes()[curve], Some(single.outcome()), "{curve}");
}

#[test]
fn curves_have_the_bits_of_single_fits() {
    let (model, t, y) = (decay(), times(), responses());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Batch::new("decays", &model).input(&t).response(&y).run().unwrap())
    };
    let found = run(3);
    assert_eq!((found.curves(), found.names()), (CURVES, &["a", "tau", "c"].map(String::from)[..]));
    assert!(found.failures().is_empty());
    for curve in 0..CURVES {
        let set = Set::new("decay", &model).input(&t).response(slice(y.row(curve)));
        same(&found, curve, &Fit::new(set).unwrap().run().unwrap());
    }
    assert_eq!(run(1).values(), found.values());
    // Curves at the bound have no standard error of tau.
    let (tau, errors) = (found.value("tau").unwrap(), found.standard_error("tau").unwrap());
    assert!(tau[0] == 0.4 && errors[0].is_nan() && errors[100] > 0.0);
    assert!((tau[100] - 2.3).abs() < 5.0 * errors[100], "{}", tau[100]);
    assert!(matches!(found.value("b"), Err(FitError::UnknownParameter { .. })));
}

/// Own inputs, standard deviations and starts of each curve, fixed and logarithmic parameters, and a loss.
#[test]
fn all_that_curves_can_have() {
    let (model, t, y) = (decay(), times(), responses());
    let own = Array2::from_shape_fn((CURVES, POINTS), |(curve, k)| t[k] + 1e-4 * curve as f64);
    let sigma = Array2::from_shape_fn((CURVES, POINTS), |(c, k)| 0.02 + 0.01 * noise(c + k).abs());
    let starts: Vec<f64> = (0..CURVES).map(|curve| 0.5 + 0.01 * curve as f64).collect();
    // An array whose rows are not contiguous.
    let columns = y.t().as_standard_layout().into_owned();
    let batch = Batch::new("decays", &model).input(&own).response(columns.t()).sigma(&sigma);
    let batch = batch.starts("tau", &starts).unwrap().fix("c", 0.3).unwrap();
    let batch = batch.logarithmic("tau").unwrap().bounds("a", 0.0, 1.99).unwrap();
    let found = batch.loss(Loss::SoftL1, Some(2.0)).unwrap().run().unwrap();
    let slices: Vec<&[f64]> = (0..CURVES).map(|curve| slice(y.row(curve))).collect();
    for curve in (0..CURVES).step_by(7) {
        let set = Set::new("decay", &model).input(slice(own.row(curve))).response(slices[curve]);
        let fit = Fit::new(set.sigma(slice(sigma.row(curve)))).unwrap().fix("c", 0.3).unwrap();
        let fit = fit.start("tau", starts[curve]).unwrap().logarithmic("tau").unwrap();
        let fit = fit.bounds("a", 0.0, 1.99).unwrap().loss(Loss::SoftL1);
        same(&found, curve, &fit.loss_scale(2.0).unwrap().run().unwrap());
    }
    // Slices of different lengths.
    let [short, short_t]: [Vec<&[f64]>; 2] = [
        slices.iter().enumerate().map(|(k, y)| &y[..20 + k % 20]).collect(),
        (0..CURVES).map(|k| &t[..20 + k % 20]).collect(),
    ];
    let batch = Batch::new("decays", &model).input(&short_t[..]).response(&short[..]);
    let found = batch.weight(&sigma.index_axis(Axis(0), 0).to_vec()).run().unwrap();
    // The weights of all curves have the length of the longest alone.
    assert_eq!(found.failures().len(), CURVES);
    let found =
        Batch::new("decays", &model).input(&short_t[..]).response(&short[..]).run().unwrap();
    let set = Set::new("decay", &model).input(short_t[33]).response(short[33]);
    same(&found, 33, &Fit::new(set).unwrap().run().unwrap());
}

#[test]
fn curves_that_fail_are_named_and_do_not_end_the_others() {
    let (model, t, mut y) = (decay(), times(), responses());
    y[[17, 5]] = f64::NAN;
    let mut starts = vec![1.0; CURVES];
    (starts[3], starts[150]) = (0.1, f64::NAN);
    let batch = || {
        let batch = Batch::new("decays", &model).input(&t).response(&y);
        batch.starts("tau", &starts).unwrap()
    };
    let found = batch().run().unwrap();
    let messages: Vec<String> = found.failures().iter().map(ToString::to_string).collect();
    let expected = [
        "curve 3: the start 0.1 of `tau` is outside of its bounds [0.4, 1.7976931348623157e308]",
        "curve 17: the set `decays` has NaN in row 5 of responses 0; leave the row out, or skip rows that are not finite",
        "curve 150: the parameter `tau` has no start: give it a value",
    ];
    assert_eq!(messages, expected);
    for curve in [3, 17, 150] {
        let row = found.values().row(curve).to_owned();
        assert!(row.iter().all(|x| x.is_nan()) && found.costs()[curve].is_nan());
        assert_eq!((found.outcomes()[curve], found.passes()[curve]), (None, 0));
    }
    // The curve after one that failed, and one whose row is skipped.
    let single = |curve: usize| {
        let set = Set::new("decay", &model).input(&t).response(slice(y.row(curve)));
        Fit::new(set.skip_not_finite()).unwrap().run().unwrap()
    };
    same(&found, 4, &single(4));
    let skipped = batch().skip_not_finite().run().unwrap();
    assert_eq!(skipped.failures().len(), 2);
    same(&skipped, 17, &single(17));
    // A model that is not finite, and a limit of passes.
    let logarithm = super::model("a ln(x + b) + c; a = 1; b = 1; c = 0");
    let bs: Vec<f64> = (0..CURVES).map(|curve| if curve == 9 { -1.0 } else { 1.0 }).collect();
    let batch = Batch::new("logs", &logarithm).input(&t).response(&y).skip_not_finite();
    let found = batch.starts("b", &bs).unwrap().max_passes(3).run().unwrap();
    assert_eq!(found.failures().len(), 1);
    let message = found.failures()[0].to_string();
    assert!(message.starts_with("curve 9: the model of the set `logs` is not finite"), "{message}");
    assert!(found.outcomes().contains(&Some(Outcome::Passes)));
}

#[test]
fn batches_that_are_refused() {
    let (model, t, y) = (decay(), times(), responses());
    let message = |batch: Batch<'_>| batch.run().unwrap_err().to_string();
    let empty = Array2::zeros((0, POINTS));
    let none = || Batch::new("decays", &model);
    let cases = [
        (message(none().response(&y)), "the set `decays` has 0 columns of inputs, expected 1"),
        (message(none().input(&t)), "the set `decays` has 0 columns of responses, expected 1"),
        (
            message(none().input(&t).response(&t)),
            "a fit needs a column with a row for each curve, found none",
        ),
        (
            message(none().input(&t).response(&y).starts("a", &t).unwrap()),
            "a column of starts has 40 curves, expected 200 as in the first column with curves of its own",
        ),
        (message(none().input(&t).response(&empty)), "a fit needs curves, found none"),
        (
            message(none().input(&t).response(&y).bounds("a", 2.0, 1.0).unwrap()),
            "the bounds [2, 1] of `a` have no number between them",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let stop = AtomicBool::new(true);
    let found = none().input(&t).response(&y).cancel(&stop).run().unwrap();
    assert!(found.outcomes().iter().all(|outcome| *outcome == Some(Outcome::Cancelled)));
}
