//! Parameters found again from values of solutions with noise.

use crate::case::{agrees, grid, noisy, problem, product, rows};
use hpfracc_fit::{FieldModel, Fit, Found, Set};
use hpfracc_spatial::Boundary;

/// Fits one field to its own solution for the truth on a finer grid, with noise.
fn fitted(
    (text, boundary, n, searched): (&str, Boundary, usize, &[&str]),
    (columns, sd): ([Vec<f64>; 2], f64),
    truth: &[(&str, f64)],
    check: impl FnOnce(&Found<'_>),
) {
    let on = |n: usize| {
        let line = grid(&[(-1.0, 1.0, n, boundary)]);
        FieldModel::new(problem(text, &line), &["u"], &columns[0], &[&columns[1]]).unwrap()
    };
    let values: Vec<f64> = truth.iter().map(|(_, value)| *value).collect();
    let fine = on(3 * n).steps(600).unwrap();
    let u = noisy(&rows(&fine, &values, &columns, false), sd, 7);
    let model = on(n).search(searched).unwrap();
    let set = Set::new("data", &model).input(&columns[0]).input(&columns[1]).response(&u);
    check(&Fit::new(set).unwrap().run().unwrap());
}

fn points() -> [Vec<f64>; 2] {
    product(&[0.05, 0.1, 0.2, 0.4, 0.7, 1.0], &[-0.9, -0.55, -0.2, 0.0, 0.13, 0.4, 0.7])
}

/// Subdiffusion of a pulse: order and coefficient from a search, the values in the text far away.
#[test]
fn subdiffusion() {
    let truth = [("alpha", 0.65), ("kappa", 0.08)];
    let text = "D^alpha u = kappa lap(u); alpha = 1; kappa = 1e3; u(0) = exp(-x^2/0.05)";
    let case = (text, Boundary::Neumann, 100, &["alpha", "kappa"][..]);
    fitted(case, (points(), 0.003), &truth, |found| {
        agrees(found, &truth, 3.0);
        let steps = found.discretisation().unwrap();
        assert!(steps.iter().all(|of| of.is_small()), "{steps:?}");
        let sigma = found.variance().sqrt();
        assert!((sigma / 0.003 - 1.0).abs() < 0.35, "{sigma}");
    });
}

/// Exponent of a fractional Laplacian beside its coefficient and the amplitude of the start.
#[test]
fn exponents() {
    let truth = [("kappa", 0.2), ("s", 0.7), ("a", 1.3)];
    let text =
        "D^0.9 u = -kappa (-lap)^s(u); kappa = 0.1; s = 0.95; a = 1; u(0) = a exp(-x^2/0.05)";
    let case = (text, Boundary::Periodic, 64, &[][..]);
    fitted(case, (points(), 0.003), &truth, |found| agrees(found, &truth, 3.0));
}

/// Front of a reaction with subdiffusion.
#[test]
fn fisher_front() {
    let truth = [("alpha", 0.85), ("kappa", 0.02), ("r", 3.0)];
    let text = "D^alpha u = kappa lap(u) + r u (1 - u); alpha = 0.95; kappa = 0.05; r = 2
                u(0) = 1/(1 + exp((x + 0.6)/0.05))";
    let case = (text, Boundary::Neumann, 100, &[][..]);
    fitted(case, (points(), 0.005), &truth, |found| agrees(found, &truth, 3.0));
}

/// Two fields on a plane, observed as whole fields.
#[test]
fn two_fields_on_a_plane() {
    let text = "D^alpha u = kappa lap(u) - c u v; D^alpha v = 0.02 lap(v) + c u v - v
                alpha = 0.9; kappa = 0.1; c = 1
                u(0) = 1; v(0) = exp(-(x^2 + y^2)/0.1)";
    let truth = [("alpha", 0.8), ("kappa", 0.05), ("c", 1.5)];
    let plane = grid(&[(-1.0, 1.0, 10, Boundary::Neumann), (-1.0, 1.0, 12, Boundary::Neumann)]);
    let columns = FieldModel::points(&plane, &[0.2, 1.0]);
    let coordinates = [&columns[1][..], &columns[2]];
    let model = FieldModel::new(problem(text, &plane), &["u", "v"], &columns[0], &coordinates);
    let model = model.unwrap().steps(60).unwrap();
    let values: Vec<f64> = truth.iter().map(|(_, value)| *value).collect();
    let data = noisy(&rows(&model, &values, &columns, false), 0.01, 3);
    let (u, v) = data.split_at(columns[0].len());
    let set = Set::new("fields", &model).input(&columns[0]).input(&columns[1]);
    let set = set.input(&columns[2]).response(u).response(v);
    agrees(&Fit::new(set).unwrap().run().unwrap(), &truth, 3.0);
}

/// The bits do not depend on the number of threads, and many rows share one solve.
#[test]
fn bits_do_not_depend_on_threads() {
    let text = "D^alpha u = kappa lap(u) + r u (1 - u); alpha = 0.9; kappa = 0.05; r = 2; u(0) = exp(-x^2/0.05)";
    let line = grid(&[(-1.0, 1.0, 30, Boundary::Neumann)]);
    let x: Vec<f64> = (0..2000).map(|k| -1.0 + 0.001 * f64::from(k)).collect();
    let columns = product(&[0.2, 0.5, 1.0], &x);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let new = FieldModel::new(problem(text, &line), &["u"], &columns[0], &[&columns[1]]);
            let model = new.unwrap().steps(40).unwrap();
            let u = noisy(&rows(&model, &[0.8, 0.03, 3.0], &columns, false), 0.05, 1);
            let set = Set::new("data", &model).input(&columns[0]).input(&columns[1]).response(&u);
            let found = Fit::new(set).unwrap().run().unwrap();
            let numbers =
                found.estimates().into_iter().flat_map(|of| [of.value, of.standard_error.unwrap()]);
            numbers.map(f64::to_bits).collect::<Vec<u64>>()
        })
    };
    assert_eq!(fit(1), fit(4));
}

/// Constants are none of the parameters, and keep their values.
#[test]
fn constants() {
    let line = grid(&[(-1.0, 1.0, 30, Boundary::Neumann)]);
    let text = "D^alpha u = kappa lap(u); alpha = 0.7; kappa = 0.1; a = 1; u(0) = a exp(-x^2/0.05)";
    let columns = points();
    let new =
        || FieldModel::new(problem(text, &line), &["u"], &columns[0], &[&columns[1]]).unwrap();
    let u = rows(&new(), &[0.7, 0.2, 1.5], &columns, false);
    let model = new().constants(&["alpha"]).unwrap();
    let set = Set::new("data", &model).input(&columns[0]).input(&columns[1]).response(&u);
    let found = Fit::new(set).unwrap().run().unwrap();
    assert_eq!(found.names(), ["kappa", "a"]);
    for (value, truth) in found.values().iter().zip([0.2, 1.5]) {
        assert!((value / truth - 1.0).abs() < 1e-9, "{value} {truth}");
    }
    let error = new().search(&["beta"]).unwrap_err().to_string();
    assert_eq!(error, "no parameter is called `beta`; the parameters are alpha, kappa, a");
}
