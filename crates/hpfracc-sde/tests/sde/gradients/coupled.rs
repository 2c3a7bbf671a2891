//! Losses of the ensemble as a whole: its moments against given ones.

use super::case::{Case, PATHS, close};
use super::systems::mixed;
use hpfracc_sde::{Cotangents, EnsembleGradient, FractionalEulerMaruyama, Paths};
use ndarray::Array3;

/// `sum_t,i (mean - 0.2)^2 + (mean of squares - 0.5)^2` and its derivatives by path, time,
/// component.
fn moments(paths: &Array3<f64>) -> (f64, Array3<f64>) {
    let (mut loss, mut bar) = (0.0, Array3::zeros(paths.dim()));
    let (count, times, dim) = paths.dim();
    for time in 0..times {
        for i in 0..dim {
            let of = |power: i32| -> f64 {
                (0..count).map(|p| paths[[p, time, i]].powi(power)).sum::<f64>() / count as f64
            };
            let (mean, square) = (of(1) - 0.2, of(2) - 0.5);
            loss += mean * mean + square * square;
            for p in 0..count {
                let x = paths[[p, time, i]];
                bar[[p, time, i]] = (2.0 * mean + 4.0 * square * x) / count as f64;
            }
        }
    }
    (loss, bar)
}

#[test]
fn matching_moments() {
    let case = Case::new(mixed(), &[0.7, 0.9]);
    let scheme = FractionalEulerMaruyama::default();
    let solve = |case: &Case| {
        case.ensemble().solve(&case.problem::<f64>(), &scheme, &case.noise(), &Paths).unwrap()
    };
    let paths = solve(&case);
    let (_, bar) = moments(&paths);
    let gradient = EnsembleGradient::new(case.ensemble());
    let loss = Cotangents(bar.view());
    let found = gradient.solve(&case.problem(), &scheme, &case.noise(), &loss).unwrap();
    let product = (&paths * &bar).sum();
    close("sum of products", found.loss.values[0], product, 1e-12);
    let difference = |at: &dyn Fn(&mut Case) -> &mut f64| {
        let moved = |by: f64| {
            let mut case = case.clone();
            *at(&mut case) += by;
            moments(&solve(&case)).0
        };
        let (d, pairs) = (3e-3, [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)]);
        let sum: f64 = pairs.iter().map(|(by, c)| c * (moved(by * d) - moved(-by * d))).sum();
        sum / (60.0 * d)
    };
    for k in 0..case.system.theta.len() {
        let expected = difference(&|case| &mut case.system.theta[k]);
        close(&format!("parameter {k}"), found.parameters.values[k], expected, 1e-9);
    }
    for i in 0..2 {
        let expected = difference(&|case| &mut case.start[i]);
        close(&format!("start {i}"), found.start.values[i], expected, 1e-9);
    }
    assert_eq!(paths.dim().0, PATHS);
}
