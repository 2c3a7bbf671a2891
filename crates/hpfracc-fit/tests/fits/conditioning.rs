use super::model;
use hpfracc_fit::{Fit, Set};
use nalgebra::{DMatrix, DVector};

const DEGREE: usize = 6;

/// A polynomial of degree 6 on [3, 4.5], whose columns, scaled to length 1, have the condition number 6e7: normal equations
/// would lose all digits. The fit is within ten times of an orthogonal decomposition in double precision.
#[test]
fn nearly_dependent_columns() {
    let truth = [-1.0, 2.0, -3.0, 1.5, 2.5, -0.75, 0.25];
    let x: Vec<f64> = (0..700).map(|k| 3.0 + 1.5 * f64::from(k) / 699.0).collect();
    let y: Vec<f64> = x.iter().map(|x| truth.iter().rev().fold(0.0, |y, b| y * x + b)).collect();
    let terms: Vec<String> = (0..=DEGREE).map(|k| format!("b{k} x^{k}")).collect();
    let starts: Vec<String> = (0..=DEGREE).map(|k| format!("b{k} = 1")).collect();
    let model = model(&format!("{}; {}", terms.join(" + "), starts.join("; ")));
    let found = Fit::new(Set::new("polynomial", &model).input(&x).response(&y)).unwrap().run();
    let found = found.unwrap();

    let powers = DMatrix::from_fn(x.len(), DEGREE + 1, |i, k| x[i].powi(k as i32));
    let norms: Vec<f64> = powers.column_iter().map(|column| column.norm()).collect();
    let scaled = DMatrix::from_fn(x.len(), DEGREE + 1, |i, k| powers[(i, k)] / norms[k]);
    let decomposition = scaled.svd(true, true);
    let values = &decomposition.singular_values;
    let condition = values.max() / values.min();
    assert!((1e7..1e9).contains(&condition), "{condition:e}");
    let solution = decomposition.solve(&DVector::from_column_slice(&y), 0.0).unwrap();

    let error = |of: &dyn Fn(usize) -> f64| -> f64 {
        (0..=DEGREE).map(|k| (of(k) / truth[k] - 1.0).abs()).fold(0.0, f64::max)
    };
    let orthogonal = error(&|k| solution[k] / norms[k]);
    let ours = error(&|k| found.estimate(&format!("b{k}")).unwrap().value);
    assert!(ours <= 10.0 * orthogonal, "{ours:e} {orthogonal:e}");
    assert!(ours < 1e-5, "{ours:e}");
}
