use hpfracc_nn::trainer::{
    RecordError, Standardisation, Subset, TrainerError, order_of_epoch, split,
};
use hpfracc_nn::{Batch, Objective};

use crate::objectives::Sine;

/// All orders of four samples are equally frequent: 24 classes, chi square below its 0.999
/// quantile.
#[test]
fn all_orders_are_equally_likely() {
    let mut counts = std::collections::BTreeMap::new();
    let epochs = 24_000;
    for epoch in 0..epochs {
        *counts.entry(order_of_epoch(11, epoch, 4)).or_insert(0.0) += 1.0;
    }
    assert_eq!(counts.len(), 24);
    let expected = epochs as f64 / 24.0;
    let chi: f64 = counts.values().map(|n: &f64| (n - expected).powi(2) / expected).sum();
    assert!(chi < 49.7, "{chi}");
}

#[test]
fn a_split_has_each_sample_once() {
    let (first, second) = split(10, 0.25, 3).unwrap();
    assert_eq!((first.len(), second.len()), (7, 3));
    let mut all = [first.clone(), second].concat();
    all.sort_unstable();
    assert_eq!(all, (0..10).collect::<Vec<_>>());
    assert_ne!(split(10, 0.25, 4).unwrap().0, first);
    for fraction in [0.0, 0.04, 0.96, 1.0, -1.0, f64::NAN] {
        assert!(matches!(split(10, fraction, 3), Err(TrainerError::OutOfRange(_))), "{fraction}");
    }
}

#[test]
fn a_subset_uses_the_indices_of_the_whole() {
    let mut whole = Sine::new(9, 3);
    whole.noise = 0.5;
    let part = Subset::new::<f64>(&whole, vec![8, 2, 5]).unwrap();
    let mut theta = vec![0.0; Objective::<f64>::parameters(&part)];
    part.initialise(1, &mut theta);
    let [of_part, of_whole] = [Batch::new(&[2, 0], 77), Batch::new(&[5, 8], 77)];
    assert_eq!(part.loss(&theta, of_part).unwrap(), whole.loss(&theta, of_whole).unwrap());
    let (mut a, mut b) = (theta.clone(), theta.clone());
    part.gradient(&theta, of_part, &mut a).unwrap();
    whole.gradient(&theta, of_whole, &mut b).unwrap();
    assert_eq!(a, b);
    let error = Subset::new::<f64>(&whole, vec![9]).unwrap_err().to_string();
    assert_eq!(error, "a sample's number has the size 9, expected 9");
}

#[test]
fn standardisation_and_its_inverse() {
    let record = [1.0, 5.0, 3.0, f64::NAN, 5.0, 9.0, 7.0, 7.0];
    let standardisation = Standardisation::of(&record, 2).unwrap();
    assert_eq!(standardisation.mean, [4.0, 7.0]);
    assert_eq!(standardisation.deviation, [5.0f64.sqrt(), (8.0f64 / 3.0).sqrt()]);
    let mut there = record;
    standardisation.apply(&mut there);
    let again = Standardisation::of(&there, 2).unwrap();
    assert!(again.mean.iter().all(|mean| mean.abs() < 1e-15));
    assert!(again.deviation.iter().all(|deviation| (deviation - 1.0).abs() < 1e-15));
    standardisation.undo(&mut there);
    for (there, x) in there.iter().zip(record).filter(|(_, x)| !x.is_nan()) {
        assert!((there - x).abs() < 1e-14);
    }
    let refused = |record: &[f64], components| Standardisation::of(record, components).unwrap_err();
    assert_eq!(refused(&[1.0, 2.0, 3.0], 2), RecordError::Ragged { values: 3, components: 2 });
    let infinite = refused(&[1.0, 2.0, 3.0, f64::INFINITY], 2);
    assert_eq!(infinite, RecordError::Infinite { row: 1, component: 1, value: f64::INFINITY });
    for column in [[2.0, 2.0], [2.0, f64::NAN], [f64::NAN, f64::NAN]] {
        let record = [1.0, column[0], 3.0, column[1]];
        assert_eq!(refused(&record, 2), RecordError::Unchanging { component: 1 });
    }
    assert_eq!(refused(&[], 1), RecordError::Unchanging { component: 0 });
    // Squares that overflow, squares that vanish, and a sum that overflows.
    for column in [[-1e200, 1e200], [0.0, 1e-200], [1.7e308, 1.6e308]] {
        let error = refused(&[1.0, column[0], 3.0, column[1]], 2);
        assert!(matches!(error, RecordError::Moments { component: 1, .. }), "{error}");
    }
}
