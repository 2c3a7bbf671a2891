//! Gradients with respect to the input and the order against central differences, for every scheme.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Bound, Discretisation, Entry, FractionalLaplacian, Number, Operator, OperatorError, OrderOf,
    Riesz, Toeplitz, VariableOrder, Weights, catalogue,
};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Array3};

fn bound(entry: &Entry, alpha: f64, grid: Grid) -> Bound<f64> {
    entry.example(Order::new(alpha).unwrap()).unwrap().on(grid, &Reference).unwrap()
}

fn first() -> &'static Entry {
    catalogue().next().unwrap()
}

/// A smooth signal with neither end at zero.
fn signal(grid: Grid) -> Array1<f64> {
    grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect()
}

/// Weights of the loss: L = sum lbar_n y_n, smooth and without symmetry.
fn loss_weights(grid: Grid) -> Array1<f64> {
    grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect()
}

fn close(found: f64, expected: f64, scale: f64, what: &str) {
    assert!((found - expected).abs() < scale, "{what}: {found} expected {expected}");
}

#[test]
fn in_the_samples() {
    for n in [9, 40] {
        let grid = Grid::uniform(n, 0.1).unwrap();
        let (f, lbar) = (signal(grid), loss_weights(grid));
        for entry in catalogue() {
            for &alpha in entry.range.examples {
                let operator = bound(entry, alpha, grid);
                let loss = |f: &Array1<f64>| operator.apply(f.view()).unwrap().dot(&lbar);
                let gradient = operator.vjp(lbar.view()).unwrap();
                let size = gradient.iter().fold(0.0, |m: f64, g| m.max(g.abs()));
                for j in 0..n {
                    let mut above = f.clone();
                    let mut below = f.clone();
                    above[j] += 0.5;
                    below[j] -= 0.5;
                    let what = format!("{} {alpha} sample {j}", entry.name());
                    close(gradient[j], loss(&above) - loss(&below), 1e-11 * size, &what);
                }
            }
        }
    }
}

/// Convolves the differences of order `.0` with the weights `.1`, whatever the grid.
#[derive(Clone)]
struct OfDifferences(usize, Vec<f64>);

impl Discretisation for OfDifferences {
    fn name(&self) -> (&'static str, &'static str) {
        ("of-differences", "made")
    }

    fn order(&self) -> Order {
        Order::new(0.5).unwrap()
    }

    fn weights_at<N: Number>(&self, _: N, _: Grid) -> Result<Weights<N>, OperatorError> {
        Ok(Weights::from(Toeplitz::of_differences(self.0, self.1.clone())).constant())
    }
}

/// The last q weights meet no difference of order q, and however large they are nothing may be lost
/// to them: the others are chosen so that all sums are exact.
#[test]
fn of_the_input_without_weights_that_meet_no_difference() {
    for (q, n) in [(1, 2), (1, 7), (2, 3), (2, 4), (2, 9), (3, 4), (3, 5), (3, 6), (3, 9)] {
        let weights: Vec<f64> =
            (0..n).map(|k| if k < n - q { 1.0 / (1 << k) as f64 } else { 1e19 }).collect();
        let binomials =
            [1.0, -(q as f64), [0.0, 0.0, 1.0, 3.0][q], if q == 3 { -1.0 } else { 0.0 }];
        let lbar: Array1<f64> = (0..n).map(|j| (3 * j % 5) as f64 - 1.0).collect();
        // What goes from f[m] through the difference at m + j >= q to y[i].
        let expected = |m: usize| -> f64 {
            let through = |j: usize| -> f64 {
                (m + j..n).map(|i| binomials[j] * weights[i - m - j] * lbar[i]).sum()
            };
            (0..=q).filter(|j| m + j >= q).map(through).sum()
        };
        let operator = OfDifferences(q, weights.clone());
        let bound = operator.on(Grid::uniform(n, 0.1).unwrap(), &Reference).unwrap();
        let found = bound.vjp(lbar.view()).unwrap();
        let expected: Array1<f64> = (0..n).map(expected).collect();
        assert_eq!(found, expected, "{q} {n}");
    }
}

/// Of a step as long as that the weight of the last lag is 1e9 times the others, and meets no
/// difference.
#[test]
fn in_the_samples_at_any_step() {
    let rising = VariableOrder::ramp(OrderOf::Lag, Order::new(0.2).unwrap(), 0.2).unwrap();
    let bound = rising.on(Grid::uniform(2, 1.5e88).unwrap(), &Reference).unwrap();
    let matrix = bound.to_matrix().unwrap();
    let found = bound.vjp(Array1::from(vec![0.0, 0.7]).view()).unwrap();
    assert_eq!(found, Array1::from(vec![0.7 * matrix[(1, 0)], 0.7 * matrix[(1, 1)]]));
}

#[test]
fn in_the_order() {
    let grid = Grid::uniform(60, 0.1).unwrap();
    let (f, lbar) = (signal(grid), loss_weights(grid));
    for entry in catalogue() {
        for &alpha in entry.range.examples {
            let loss = |alpha: f64| bound(entry, alpha, grid).apply(f.view()).unwrap().dot(&lbar);
            let step = 1e-3;
            // Fourth-order central difference: its error is step^4 = 1e-12 times a derivative.
            let expected = (8.0 * (loss(alpha + step) - loss(alpha - step))
                - (loss(alpha + 2.0 * step) - loss(alpha - 2.0 * step)))
                / (12.0 * step);
            let found = bound(entry, alpha, grid).vjp_order(f.view(), lbar.view()).unwrap();
            // The step magnifies the rounding of a loss, whose terms are larger than their sum.
            let matrix = bound(entry, alpha, grid).to_matrix().unwrap().mapv(f64::abs);
            let terms = matrix.dot(&f.mapv(f64::abs)).dot(&lbar.mapv(f64::abs));
            let scale =
                1e-9 * (expected.abs() + loss(alpha).abs()) + 2.0 * f64::EPSILON * terms / step;
            let what = format!("{} {alpha}", entry.name());
            close(found, expected, scale, &what);
        }
    }
}

#[test]
fn in_the_order_at_whole_orders() {
    // The recurrences have no pole there; differences straddle the point where a scheme allows it.
    let grid = Grid::uniform(60, 0.1).unwrap();
    let (f, lbar) = (signal(grid), loss_weights(grid));
    for entry in catalogue().filter(|e| e.definition.name == "grunwald-letnikov") {
        for alpha in [1.0, 2.0] {
            let loss = |alpha: f64| bound(entry, alpha, grid).apply(f.view()).unwrap().dot(&lbar);
            let expected = (loss(alpha + 1e-5) - loss(alpha - 1e-5)) / 2e-5;
            let found = bound(entry, alpha, grid).vjp_order(f.view(), lbar.view()).unwrap();
            close(found, expected, 1e-6 * expected.abs(), entry.scheme);
        }
    }
}

#[test]
fn on_a_box() {
    let axes = [Grid::uniform(4, 0.3).unwrap(), Grid::uniform(5, 0.2).unwrap()];
    let f = Array2::from_shape_fn((4, 5), |(i, j)| ((i * i + 3 * j) as f64).sin());
    let lbar = Array2::from_shape_fn((4, 5), |(i, j)| ((2 * i + j * j) as f64).cos());
    let laplacian = |alpha: f64| {
        let order = Order::new(alpha).unwrap();
        FractionalLaplacian::spectral(order).on_box::<f64, _>(&axes, &Reference).unwrap()
    };
    let loss = |alpha: f64| (laplacian(alpha).apply(f.view()).unwrap() * &lbar).sum();
    let expected = (loss(1.2 + 1e-5) - loss(1.2 - 1e-5)) / 2e-5;
    let found = laplacian(1.2).vjp_order(f.view(), lbar.view()).unwrap();
    close(found, expected, 1e-7 * expected.abs(), "order");
    // Real and even: the transpose is the operator itself.
    let gradient = laplacian(1.2).vjp(lbar.view()).unwrap();
    let forward = laplacian(1.2).apply(lbar.view()).unwrap();
    for (g, y) in gradient.iter().zip(&forward) {
        close(*g, *y, 1e-11, "transpose");
    }
    let riesz = Riesz::spectral(Order::new(1.2).unwrap()).on_box(&axes, &Reference).unwrap();
    let negative: f64 = riesz.vjp_order(f.view(), lbar.view()).unwrap();
    close(negative, -found, 1e-12, "riesz");
}

#[test]
fn of_a_batch_is_the_sum_over_its_signals() {
    let grid = Grid::uniform(9, 0.2).unwrap();
    let operator = bound(first(), 0.7, grid);
    let f = Array3::from_shape_fn((2, 9, 3), |(a, n, b)| ((a + 2 * b + 1) * n) as f64 * 0.1);
    let lbar = Array3::from_shape_fn((2, 9, 3), |(a, n, b)| (a + b + n * n) as f64 * 0.1);
    let along = operator.along(ndarray::Axis(1)).unwrap();
    let found = along.vjp_order(f.view(), lbar.view()).unwrap();
    let one = bound(first(), 0.7, grid);
    let mut expected = 0.0;
    for (signal, weights) in f.lanes(ndarray::Axis(1)).into_iter().zip(lbar.lanes(ndarray::Axis(1)))
    {
        expected += one.vjp_order(signal, weights).unwrap();
    }
    close(found, expected, 1e-12 * expected.abs(), "batch");
}
