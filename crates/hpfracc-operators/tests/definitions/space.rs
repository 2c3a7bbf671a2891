//! Derivatives to both sides of a line: skewness, quadrature of the singular integral.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Discrete, FractionalLaplacian, Operator, OperatorError, Riesz, RieszFeller, Toeplitz, Weights,
    Weyl,
};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_testkit::{Row, Table, max_abs, observed_order, relative_max_error};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn apply(
    operator: impl Operator + Clone + 'static,
    grid: Grid,
    f: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let samples: Array1<f64> = grid.points().map(f).collect();
    operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap().to_vec()
}

fn toeplitz(weights: &Weights) -> &Toeplitz {
    match weights {
        Weights::Toeplitz(toeplitz) => toeplitz,
        Weights::Transposed(weights) => toeplitz(weights),
        other => panic!("no convolution: {other:?}"),
    }
}

/// The weight of a lag of either sign.
fn at_lag(weights: &Weights, lag: i64) -> f64 {
    match weights {
        Weights::Sum(sides) => {
            let [past, future] = [0, 1].map(|side| &toeplitz(&sides[side]).causal);
            if lag < 0 { future[lag.unsigned_abs() as usize] } else { past[lag as usize] }
        }
        one => toeplitz(one).causal[lag as usize],
    }
}

#[test]
fn weights_agree_with_the_table() {
    let table = Table::parse(include_str!("../data/space_weights.csv"));
    let mut groups: BTreeMap<[String; 3], Vec<Row<'_>>> = BTreeMap::new();
    for row in table.rows() {
        let key = ["scheme", "alpha", "theta"].map(|column| row.text(column).to_owned());
        groups.entry(key).or_default().push(row);
    }
    let grid = Grid::uniform(1_000_000, 0.25).unwrap();
    for ([scheme, alpha, theta], rows) in groups {
        let (alpha, theta) = (order(alpha.parse().unwrap()), theta.parse().unwrap());
        let (weights, slopes, skew) = if scheme == "riesz-feller" {
            let operator = RieszFeller::centred(alpha, theta).unwrap();
            let slopes = operator.order_derivative(&Discrete::Grid(grid)).unwrap();
            let skew = operator.weights_theta_derivative(grid);
            (operator.weights(grid).unwrap(), slopes, Some(skew))
        } else {
            let operator = FractionalLaplacian::huang_oberman(alpha).unwrap();
            let slopes = operator.order_derivative(&Discrete::Grid(grid)).unwrap();
            (operator.weights(grid).unwrap(), slopes, None)
        };
        let columns = [
            (Some(&weights), "weight"),
            (Some(&slopes), "derivative"),
            (skew.as_ref(), "theta_derivative"),
        ];
        for (found, column) in columns {
            let Some(found) = found else { continue };
            let exact: Vec<f64> = rows.iter().map(|row| row.number(column)).collect();
            let largest = max_abs(&exact);
            for (row, exact) in rows.iter().zip(exact) {
                let lag = row.number("k") as i64;
                let error = (at_lag(found, lag) - exact).abs();
                // Weights of the tail to 2e-13 of each, slopes and what passes through zero of the
                // largest.
                let pointwise = column == "weight" && lag.abs() > 100;
                let bound = if pointwise { 2e-13 * exact.abs() } else { 1e-13 * largest };
                let what = format!("{scheme} {alpha} {theta} lag {lag} {column}");
                assert!(error <= bound, "{what}: {error:e} of {exact:e}, largest {largest:e}");
            }
        }
    }
}

/// x^3 (1-x)^3, zero outside (0, 1), and its derivative of the past by powers; that of the future
/// is the mirror image.
fn bump(x: f64) -> f64 {
    (x * (1.0 - x)).powi(3)
}

fn bump_left(alpha: f64, x: f64) -> f64 {
    let terms = [(3.0, 1.0), (4.0, -3.0), (5.0, 3.0), (6.0, -1.0)];
    let term =
        |(q, c): (f64, f64)| c * gamma(q + 1.0) * recip_gamma(q + 1.0 - alpha) * x.powf(q - alpha);
    terms.into_iter().map(term).sum()
}

/// The definition by one-sided derivatives.
fn bump_feller(alpha: f64, theta: f64, x: f64) -> f64 {
    let c = |theta: f64| ((alpha - theta) * FRAC_PI_2).sin() / (alpha * PI).sin();
    -(c(theta) * bump_left(alpha, x) + c(-theta) * bump_left(alpha, 1.0 - x))
}

#[test]
fn skewed_centred_differences_have_order_two() {
    let close_to_one = |theta: f64, x: f64| {
        let side = |alpha: f64| bump_feller(alpha, theta, x);
        0.5 * (side(1.0 + 1e-4) + side(1.0 - 1e-4))
    };
    for (alpha, theta) in [
        (0.5, 0.5),
        (0.5, -0.5),
        (0.5, -0.2),
        (0.9, 0.7),
        (1.0, 0.6),
        (1.0, -1.0),
        (1.2, -0.8),
        (1.5, 0.5),
        (1.5, -0.3),
        (1.8, 0.1),
    ] {
        let exact = |x: f64| {
            if alpha == 1.0 { close_to_one(theta, x) } else { bump_feller(alpha, theta, x) }
        };
        let error_at = |n: usize| {
            let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
            let y = apply(RieszFeller::centred(order(alpha), theta).unwrap(), grid, bump);
            let inside = (n / 10..n - n / 10).step_by(n / 40);
            let errors: Vec<f64> = inside.map(|j| y[j] - exact(grid.t(j))).collect();
            (grid.dt(), max_abs(&errors))
        };
        let errors = [160, 320, 640].map(error_at);
        let seen = observed_order(&errors);
        println!("alpha {alpha} theta {theta}: {seen:.2}, {:.1e}", errors[2].1);
        assert!((seen - 2.0).abs() < 0.2, "{alpha} {theta}: order {seen}, {errors:?}");
        assert!(errors[2].1 < 5e-5, "{alpha} {theta}: {errors:?}");
    }
}

#[test]
fn harmonics_are_shifted_by_the_skewness() {
    for n in [31, 32] {
        let grid = Grid::uniform(n, 3.0 / n as f64).unwrap();
        for (alpha, theta, harmonic) in [(0.5, 0.4, 1), (1.0, -1.0, 2), (1.7, 0.3, 3)] {
            let w = TAU * f64::from(harmonic) / 3.0;
            let y =
                apply(RieszFeller::spectral(order(alpha), theta).unwrap(), grid, |x| (w * x).sin());
            let exact: Vec<f64> =
                grid.points().map(|x| -w.powf(alpha) * (w * x - FRAC_PI_2 * theta).sin()).collect();
            let error = relative_max_error(&y, &exact);
            assert!(error < 1e-13, "{n} {alpha} {theta}: {error:e}");
        }
    }
}

/// The two schemes mean the same side by theta: a wave packet far from both ends.
#[test]
fn both_schemes_lean_to_the_same_side() {
    let grid = Grid::uniform(1024, 1.0 / 16.0).unwrap();
    let f = |x: f64| (-(x - 32.0).powi(2)).exp() * (3.0 * x).sin();
    let (alpha, theta) = (order(1.4), 0.5);
    let spectral = apply(RieszFeller::spectral(alpha, theta).unwrap(), grid, f);
    let centred = apply(RieszFeller::centred(alpha, theta).unwrap(), grid, f);
    let error = relative_max_error(&centred, &spectral);
    assert!(error < 0.02, "{error:e}");
    let other = apply(RieszFeller::centred(alpha, -theta).unwrap(), grid, f);
    assert!(relative_max_error(&other, &spectral) > 0.5);
}

#[test]
fn no_skewness_is_riesz_and_all_of_it_is_one_sided() {
    let grid = Grid::uniform(12, 0.5).unwrap();
    let matrix = |operator: &dyn Fn() -> hpfracc_operators::Bound<f64>| -> Array2<f64> {
        operator().to_matrix().unwrap()
    };
    let close = |a: Array2<f64>, b: Array2<f64>, what: &str| {
        let (difference, scale) = (max_abs(&(&a - &b)), max_abs(&b));
        assert!(difference < 1e-14 * scale, "{what}: {difference:e} of {scale:e}");
    };
    for alpha in [0.4, 1.0, 1.6, 2.0] {
        let alpha = order(alpha);
        close(
            matrix(&|| RieszFeller::spectral(alpha, 0.0).unwrap().on(grid, &Reference).unwrap()),
            matrix(&|| Riesz::spectral(alpha).on(grid, &Reference).unwrap()),
            "spectral",
        );
        close(
            matrix(&|| RieszFeller::centred(alpha, 0.0).unwrap().on(grid, &Reference).unwrap()),
            matrix(&|| Riesz::ortigueira(alpha).unwrap().on(grid, &Reference).unwrap()),
            "centred",
        );
    }
    for alpha in [0.4, 1.0, 1.6] {
        // theta = -alpha is minus the derivative of the past, beyond 1 theta = 2 - alpha is that
        // itself.
        let (theta, sign) = if alpha <= 1.0 { (-alpha, -1.0) } else { (2.0 - alpha, 1.0) };
        let skewed = RieszFeller::spectral(order(alpha), theta).unwrap();
        close(
            matrix(&|| skewed.on(grid, &Reference).unwrap()),
            sign * matrix(&|| Weyl::new(order(alpha)).on(grid, &Reference).unwrap()),
            "one-sided",
        );
        // Its differences look one or two samples ahead and no further.
        let skewed = RieszFeller::centred(order(alpha), theta).unwrap();
        let matrix = matrix(&|| skewed.on(grid, &Reference).unwrap());
        for ((row, column), entry) in matrix.indexed_iter() {
            assert!(column <= row + 2 || *entry == 0.0, "{alpha}: {row} {column} {entry}");
        }
    }
}

#[test]
fn gradients_in_the_skewness() {
    let grid = Grid::uniform(40, 0.1).unwrap();
    let f: Array1<f64> = grid.points().map(|x| (1.7 * x).cos() + 0.3 * x).collect();
    let lbar: Array1<f64> = grid.points().map(|x| 0.5 + (0.9 * x + 0.2).sin()).collect();
    for alpha in [0.6, 1.0, 1.5] {
        for make in [RieszFeller::spectral, RieszFeller::centred] {
            let loss = |theta: f64| {
                let bound = make(order(alpha), theta).unwrap().on(grid, &Reference).unwrap();
                bound.apply(f.view()).unwrap().dot(&lbar)
            };
            for theta in [-0.3, 0.0, 0.2] {
                let expected = (loss(theta + 1e-5) - loss(theta - 1e-5)) / 2e-5;
                let operator = make(order(alpha), theta).unwrap();
                let found = operator.vjp_theta(grid, f.view(), lbar.view(), &Reference).unwrap();
                let scale = expected.abs() + loss(theta).abs();
                assert!((found - expected).abs() < 1e-7 * scale, "{alpha}: {found} {expected}");
            }
        }
    }
}

#[test]
fn skewness_outside_its_bound() {
    for (alpha, theta, expected) in
        [(0.5, 0.51, 0.5), (1.5, -0.6, 0.5), (2.0, 0.1, 0.0), (1.0, f64::NAN, 1.0)]
    {
        for refused in
            [RieszFeller::spectral(order(alpha), theta), RieszFeller::centred(order(alpha), theta)]
        {
            let error = refused.unwrap_err();
            let text = error.to_string();
            assert!(
                matches!(error, OperatorError::Skewness { bound, .. } if bound == expected),
                "{text}"
            );
            assert!(text.contains(&format!("= {expected}")), "{text}");
        }
    }
    for alpha in [0.0, 2.1] {
        let refused = RieszFeller::spectral(order(alpha), 0.0).unwrap_err();
        assert!(matches!(refused, OperatorError::OutOfRange { .. }), "{refused}");
    }
}

#[test]
fn parabolas_have_order_four_less_alpha_on_a_gaussian() {
    let table = Table::parse(include_str!("../data/gaussian.csv"));
    for alpha in [1.0, 1.2, 1.8, 2.0] {
        let error_at = |per_unit: usize| {
            let grid = Grid::uniform(16 * per_unit + 1, 1.0 / per_unit as f64).unwrap();
            let operator = FractionalLaplacian::huang_oberman(order(alpha)).unwrap();
            let y = apply(operator, grid, |x| (-(x - 8.0).powi(2)).exp());
            let rows = table.rows().filter(|row| row.number("alpha") == alpha);
            let errors: Vec<f64> = rows
                .map(|row| {
                    let node = ((8.0 + row.number("x")) * per_unit as f64).round() as usize;
                    y[node] - row.number("value")
                })
                .collect();
            (grid.dt(), max_abs(&errors))
        };
        let errors = [64, 128, 256].map(error_at);
        let seen = observed_order(&errors);
        println!("alpha {alpha}: {seen:.2}, {errors:?}");
        assert!((seen - (4.0 - alpha)).abs() < 0.2, "alpha {alpha}: order {seen}, {errors:?}");
    }
}

/// The matrix is diagonally dominant with one sign off the diagonal, as that of a Laplacian.
#[test]
fn parabolas_have_weights_of_one_sign() {
    let grid = Grid::uniform(2000, 0.1).unwrap();
    for alpha in [0.01, 0.5, 1.0, 1.5, 1.99, 2.0] {
        let weights = FractionalLaplacian::huang_oberman(order(alpha)).unwrap().weights(grid);
        let causal = toeplitz(&weights.unwrap()).causal.clone();
        assert!(causal[1..].iter().all(|w| *w <= 0.0), "{alpha}");
        let sum: f64 = causal.iter().sum();
        assert!(sum >= -1e-13 * causal[0], "{alpha}: {sum:e} of {:e}", causal[0]);
    }
}
