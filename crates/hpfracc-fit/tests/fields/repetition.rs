//! Standard errors against the spread of estimates over many data sets.

use crate::case::{grid, noisy, problem, product, rows};
use hpfracc_fit::{FieldModel, Fit, Set};
use hpfracc_spatial::Boundary;

const SEEDS: u64 = 200;

#[test]
fn standard_errors_are_the_spread_of_estimates() {
    let text = "D^alpha u = kappa lap(u); alpha = 0.8; kappa = 0.1; u(0) = sin(pi x)";
    let truth = [0.65, 0.08];
    let line = grid(&[(0.0, 1.0, 16, Boundary::Dirichlet)]);
    let columns = product(&[0.05, 0.2, 0.5, 1.0], &[0.2, 0.5, 0.7]);
    let model = FieldModel::new(problem(text, &line), &["u"], &columns[0], &[&columns[1]]).unwrap();
    let exact = rows(&model, &truth, &columns, false);
    let mut scores = [vec![], vec![]];
    for seed in 0..SEEDS {
        let u = noisy(&exact, 0.01, seed);
        let set = Set::new("data", &model).input(&columns[0]).input(&columns[1]).response(&u);
        let found = Fit::new(set).unwrap().run().unwrap();
        assert!(found.outcome().is_success());
        for ((of, truth), scores) in found.estimates().iter().zip(truth).zip(&mut scores) {
            scores.push((of.value - truth) / of.standard_error.unwrap());
        }
    }
    // Of 12 data and 2 parameters: Student's t with 10 degrees of freedom, of variance 10/8, whose
    // quantile for 95 % is 2.228. Bounds are three standard deviations of 200 draws.
    for (scores, name) in scores.iter().zip(["alpha", "kappa"]) {
        let n = SEEDS as f64;
        let mean = scores.iter().sum::<f64>() / n;
        let variance = scores.iter().map(|score| score * score).sum::<f64>() / n;
        let inside = scores.iter().filter(|score| score.abs() < 2.228).count() as f64 / n;
        assert!(mean.abs() < 3.0 * (1.25 / n).sqrt(), "{name}: mean {mean}");
        assert!((variance / 1.25 - 1.0).abs() < 0.4, "{name}: variance {variance}");
        assert!((inside - 0.95).abs() < 3.0 * (0.95 * 0.05 / n).sqrt(), "{name}: {inside}");
    }
}
