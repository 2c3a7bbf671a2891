use crate::{near, numbers, slopes};
use hpfracc_lanes::Rows;
use hpfracc_nn::{Cotangent, EnergyDistance, LossError, MarginalEnergy, Pairs};

/// Rows, paths x, paths y: about the sizes of the blocks.
const SIZES: [(usize, usize, usize); 6] =
    [(1, 2, 2), (3, 5, 4), (2, 16, 7), (4, 17, 20), (1, 33, 3), (2, 3, 37)];

/// The distance of samples by loops over all pairs, given how far apart two paths are.
fn formula(pairs: Pairs, n: usize, m: usize, far: impl Fn(usize, usize) -> f64) -> f64 {
    // Paths 0..n are x, the rest is y.
    let mean = |a: std::ops::Range<usize>, b: std::ops::Range<usize>, count: f64| {
        a.map(|i| b.clone().map(|j| far(i, j)).sum::<f64>()).sum::<f64>() / count
    };
    let count = |n: usize| match pairs {
        Pairs::Distinct => n as f64 * (n as f64 - 1.0),
        Pairs::All => (n as f64).powi(2),
    };
    mean(0..n, n..n + m, n as f64 * m as f64)
        - 0.5 * mean(0..n, 0..n, count(n))
        - 0.5 * mean(n..n + m, n..n + m, count(m))
}

fn joint(pairs: Pairs, x: &[f64], y: &[f64], n: usize, m: usize) -> (f64, Vec<f64>) {
    let mut xbar = vec![f64::NAN; x.len()];
    let bar = Some(Cotangent::new(0.7, &mut xbar, n));
    let of = EnergyDistance { pairs };
    (of.evaluate(Rows::new(x, n), Rows::new(y, m), bar).unwrap(), xbar)
}

fn marginal(pairs: Pairs, x: &[f64], y: &[f64], n: usize, m: usize) -> (f64, Vec<f64>) {
    let mut xbar = vec![f64::NAN; x.len()];
    let bar = Some(Cotangent::new(0.7, &mut xbar, n));
    let mut of = MarginalEnergy::new(pairs);
    (of.evaluate(Rows::new(x, n), Rows::new(y, m), bar).unwrap(), xbar)
}

#[test]
fn against_all_pairs() {
    for (rows, n, m) in SIZES {
        for pairs in [Pairs::Distinct, Pairs::All] {
            let name = format!("{rows} {n} {m} {pairs:?}");
            let (x, y) = (numbers(11, rows * n), numbers(700, rows * m));
            let at = |row: usize, path: usize| {
                if path < n { x[row * n + path] } else { y[row * m + path - n] }
            };
            let apart = |row, i, j| at(row, i) - at(row, j);
            let norm = |i, j| (0..rows).map(|r| apart(r, i, j).powi(2)).sum::<f64>().sqrt();
            let (found, xbar) = joint(pairs, &x, &y, n, m);
            near(&name, &[found], &[formula(pairs, n, m, norm)], 1e-13);
            let differences = slopes(&x, |x| 0.7 * joint(pairs, x, &y, n, m).0);
            near(&name, &xbar, &differences, 1e-8);

            let mean = |i, j| (0..rows).map(|r| apart(r, i, j).abs()).sum::<f64>() / rows as f64;
            let (found, xbar) = marginal(pairs, &x, &y, n, m);
            near(&name, &[found], &[formula(pairs, n, m, mean)], 1e-13);
            let differences = slopes(&x, |x| 0.7 * marginal(pairs, x, &y, n, m).0);
            near(&name, &xbar, &differences, 1e-8);
        }
    }
}

#[test]
fn same_sample_and_another() {
    let (rows, n) = (5, 40);
    let x = numbers(11, rows * n);
    for of in [joint, marginal] {
        let (found, xbar) = of(Pairs::All, &x, &x, n, n);
        assert!(found.abs() < 1e-15, "{found}");
        near("same", &xbar, &vec![0.0; rows * n], 1e-12);
        // Moved apart: positive, and the gradient leads back.
        let moved: Vec<f64> = x.iter().map(|x| x + 0.5).collect();
        for pairs in [Pairs::All, Pairs::Distinct] {
            let (found, xbar) = of(pairs, &moved, &x, n, n);
            assert!(found > 0.01, "{found}");
            assert!(xbar.iter().sum::<f64>() > 0.01);
        }
        // Of two points the distance is what can be seen.
        let (found, xbar) = of(Pairs::All, &[3.0], &[1.0], 1, 1);
        assert_eq!((found, xbar), (2.0, vec![0.7]));
    }
}

/// Single numbers with equal ones among them.
#[test]
fn ties() {
    let (x, y) = ([1.0, 1.0, 2.0, 0.0], [1.0, 2.0, 2.0]);
    let (_, xbar) = marginal(Pairs::All, &x, &y, 4, 3);
    let sign = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).signum() };
    let expected: Vec<f64> = x
        .iter()
        .map(|a| {
            let of_y: f64 = y.iter().map(|b| sign(*a, *b)).sum();
            let of_x: f64 = x.iter().map(|b| sign(*a, *b)).sum();
            0.7 * (of_y / 12.0 - of_x / 16.0)
        })
        .collect();
    near("ties", &xbar, &expected, 1e-14);
    near("ties", &xbar, &joint(Pairs::All, &x, &y, 4, 3).1, 1e-14);
}

/// Samples of one law: of distinct pairs the mean is zero, of all pairs it is not.
#[test]
fn unbiased() {
    let normals = hpfracc_sde::noise::Normals::new(5);
    let stream =
        hpfracc_sde::noise::Stream::new(hpfracc_sde::noise::Purpose::Parameters, 0).unwrap();
    let (rows, n, m, draws) = (3, 6, 9, 4000);
    let sample = |draw: u64, paths: usize, first: u64| -> Vec<f64> {
        let at = |i: usize| normals.at(stream, 1000 * draw + first + i as u64, 0);
        (0..rows * paths).map(at).collect()
    };
    for of in [joint, marginal] {
        let mean = |pairs| {
            let values: Vec<f64> = (0..draws)
                .map(|d| of(pairs, &sample(d, n, 0), &sample(d, m, 500), n, m).0)
                .collect();
            let mean = values.iter().sum::<f64>() / draws as f64;
            let square = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / draws as f64;
            (mean, (square / draws as f64).sqrt())
        };
        let (unbiased, error) = mean(Pairs::Distinct);
        assert!(unbiased.abs() < 4.0 * error, "{unbiased} {error}");
        let (biased, error) = mean(Pairs::All);
        assert!(biased > 20.0 * error, "{biased} {error}");
    }
}

#[test]
fn single_precision_and_limits() {
    let (rows, n, m) = (7, 20, 18);
    let (x, y) = (numbers(11, rows * n), numbers(700, rows * m));
    let (expected, expectedbar) = joint(Pairs::Distinct, &x, &y, n, m);
    let narrow = |values: &[f64]| values.iter().map(|x| *x as f32).collect::<Vec<_>>();
    let (x, y) = (narrow(&x), narrow(&y));
    let mut xbar = vec![f32::NAN; x.len()];
    let bar = Some(Cotangent::new(0.7, &mut xbar, n));
    let (x_rows, y_rows) = (Rows::new(&x, n), Rows::new(&y, m));
    let found = EnergyDistance::default().evaluate(x_rows, y_rows, bar).unwrap();
    near("f32", &[f64::from(found)], &[expected], 1e-4);
    let xbar: Vec<f64> = xbar.iter().map(|x| f64::from(*x)).collect();
    near("f32", &xbar, &expectedbar, 1e-5);

    let one = Rows::new(&x[..rows], 1);
    let error = EnergyDistance::default().evaluate(one, y_rows, None).unwrap_err();
    assert_eq!(error.to_string(), "the number of paths of `x` is 1, expected at least 2");
    let error = MarginalEnergy::new(Pairs::All).evaluate(x_rows, one, None);
    assert!(error.is_ok());
    let short = Rows::new(&y[..m], m);
    let error = EnergyDistance::default().evaluate(x_rows, short, None).unwrap_err();
    assert!(matches!(error, LossError::Size { what: "x", .. }), "{error}");
    let mut broken = x.clone();
    broken[3] = f32::NAN;
    let broken = Rows::new(&broken, n);
    assert!(EnergyDistance::default().evaluate(broken, y_rows, None).unwrap().is_nan());
    let mut of = MarginalEnergy::new(Pairs::Distinct);
    assert!(of.evaluate(broken, y_rows, None).unwrap().is_nan());
}
