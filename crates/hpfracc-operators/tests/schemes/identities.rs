//! Properties that hold for every signal: linearity, adjoints, causality, composition, layout.

use hpfracc_backend::Reference;
use hpfracc_operators::{Bound, Entry, GrunwaldLetnikov, Operator, catalogue};
use hpfracc_testkit::{max_abs, samples};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Array3, Axis, s};
use proptest::prelude::*;

const N: usize = 24;

fn grid() -> Grid {
    Grid::uniform(N, 0.2).unwrap()
}

/// An order inside the range.
fn order(entry: &Entry) -> Order {
    Order::new(entry.range.examples[0]).unwrap()
}

/// Every scheme of the catalogue, at an order inside its range.
fn operators() -> Vec<(String, Bound<f64>)> {
    catalogue()
        .map(|entry| {
            let operator = entry.example(order(entry)).unwrap();
            (entry.name(), operator.on(grid(), &Reference).unwrap())
        })
        .collect()
}

fn assert_close(a: &Array1<f64>, b: &Array1<f64>, what: &str) {
    let scale = max_abs(a).max(max_abs(b)).max(1.0);
    let difference = max_abs(&(a - b));
    assert!(difference < 1e-11 * scale, "{what}: {difference:e} of {scale:e}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn linear(f in samples(N), g in samples(N), a in -3.0..3.0f64) {
        let (f, g) = (Array1::from(f), Array1::from(g));
        for (name, operator) in operators() {
            let combined = operator.apply((a * &f + &g).view()).unwrap();
            let separate =
                a * operator.apply(f.view()).unwrap() + operator.apply(g.view()).unwrap();
            assert_close(&combined, &separate, &name);
        }
    }

    #[test]
    fn adjoint(f in samples(N), ybar in samples(N)) {
        let (f, ybar) = (Array1::from(f), Array1::from(ybar));
        for (name, operator) in operators() {
            let forward = operator.apply(f.view()).unwrap();
            let backward = operator.vjp(ybar.view()).unwrap();
            let scale = max_abs(&forward) * max_abs(&ybar) * N as f64;
            let difference = (forward.dot(&ybar) - f.dot(&backward)).abs();
            prop_assert!(difference < 1e-13 * (1.0 + scale), "{}: {:e}", name, difference);
        }
    }

    #[test]
    fn the_matrix_is_the_map(f in samples(N)) {
        let f = Array1::from(f);
        for (name, operator) in operators() {
            let product = operator.to_matrix().unwrap().dot(&f);
            assert_close(&product, &operator.apply(f.view()).unwrap(), &name);
        }
    }

    /// What comes later does not matter to memory operators (but for the samples their start
    /// corrections and shifted formulas look ahead at).
    #[test]
    fn causal(f in samples(N), change in samples(N), cut in 9..N) {
        let f = Array1::from(f);
        let mut g = f.clone();
        g.slice_mut(s![cut..]).assign(&Array1::from(change).slice(s![cut..]));
        for (entry, (name, operator)) in catalogue().zip(operators()) {
            let two_sided = ["periodic", "both sides", "interval"];
            let two_sided = two_sided.iter().any(|outside| entry.outside.contains(outside));
            if two_sided && entry.scheme != "shifted" {
                continue;
            }
            let (y, z) = (operator.apply(f.view()).unwrap(), operator.apply(g.view()).unwrap());
            let last = if name.ends_with("shifted") { cut - 1 } else { cut };
            prop_assert_eq!(y.slice(s![..last]), z.slice(s![..last]), "{}", name);
        }
    }

    /// Grünwald–Letnikov derivatives compose exactly: (1-x)^alpha (1-x)^beta = (1-x)^(alpha+beta).
    #[test]
    fn orders_add(f in samples(N), alpha in 0.0..1.5f64, beta in 0.0..1.5f64) {
        let f = Array1::from(f);
        let on = |alpha: f64, f: &Array1<f64>| {
            let operator = GrunwaldLetnikov::new(Order::new(alpha).unwrap());
            operator.on(grid(), &Reference).unwrap().apply(f.view()).unwrap()
        };
        assert_close(&on(alpha, &on(beta, &f)), &on(alpha + beta, &f), "semigroup");
    }

    /// A derivative undoes the integral of the same order, on the discrete level for BDF 1 and the
    /// rectangle rule at order 1.
    #[test]
    fn the_derivative_undoes_the_integral(f in samples(N)) {
        let order = Order::new(1.0).unwrap();
        let f = Array1::from(f);
        let integral = hpfracc_operators::RlIntegral::rectangle(order).unwrap();
        let sums = integral.on(grid(), &Reference).unwrap().apply(f.view()).unwrap();
        let back = GrunwaldLetnikov::new(order).on(grid(), &Reference).unwrap();
        let back = back.apply(sums.view()).unwrap();
        // The rectangle rule takes the value on the left of each cell.
        let shifted = Array1::from_shape_fn(N, |n| if n == 0 { 0.0 } else { f[n - 1] });
        assert_close(&back, &shifted, "inverse");
    }
}

#[test]
fn any_axis_of_any_layout_gives_the_same_numbers() {
    let value = |n: usize, a: usize, b: usize| ((n * n) as f64 * 0.1 + a as f64 - b as f64).sin();
    for (name, operator) in operators() {
        let single = |a: usize, b: usize| {
            let f = Array1::from_shape_fn(N, |n| value(n, a, b));
            (operator.apply(f.view()).unwrap(), operator.vjp(f.view()).unwrap())
        };
        let last = Array3::from_shape_fn((2, 3, N), |(a, b, n)| value(n, a, b));
        let y = operator.apply(last.view()).unwrap();
        for (a, b) in [(0, 0), (1, 2), (0, 1)] {
            let (expected, _) = single(a, b);
            assert_close(&y.slice(s![a, b, ..]).to_owned(), &expected, &name);
        }
        // Reversed memory order, and a view with a stride.
        let wide = Array3::from_shape_fn((2, 3, 2 * N), |(a, b, n)| value(n / 2, a, b));
        let strided = operator.apply(wide.slice(s![.., .., ..;2])).unwrap();
        assert_eq!(strided, y, "{name}");
    }
    for (entry, (name, operator)) in catalogue().zip(operators()) {
        let first = entry.example(order(entry)).unwrap().on::<f64, _>(grid(), &Reference).unwrap();
        let first = first.along(Axis(0)).unwrap();
        let f = Array2::from_shape_fn((N, 4), |(n, a)| value(n, a, 0));
        let transposed = f.t().as_standard_layout().into_owned();
        let expected = operator.apply(transposed.view()).unwrap();
        assert_eq!(first.apply(f.view()).unwrap().t(), expected, "{name}");
        let expected = operator.vjp(transposed.view()).unwrap();
        assert_eq!(first.vjp(f.view()).unwrap().t(), expected, "{name} vjp");
    }
}

#[test]
fn memory_order_of_either_array_does_not_matter() {
    for (axis, shape) in [(0, [N, 2, 3]), (1, [2, N, 3]), (2, [2, 3, N])] {
        let (_, operator) = operators().swap_remove(0);
        let operator = operator.along(Axis(axis)).unwrap();
        let f = Array3::from_shape_fn(shape, |(i, j, k)| ((i * i + 5 * j + 11 * k) as f64).sin());
        let expected = operator.apply(f.view()).unwrap();
        let mut other_order = Array3::zeros((shape[2], shape[1], shape[0])).reversed_axes();
        let other_f = f.t().as_standard_layout().into_owned().reversed_axes();
        assert!(!other_f.is_standard_layout());
        operator.apply_into(f.view(), other_order.view_mut()).unwrap();
        assert_eq!(other_order, expected, "axis {axis}, result reversed");
        operator.apply_into(other_f.view(), other_order.view_mut()).unwrap();
        assert_eq!(other_order, expected, "axis {axis}, both reversed");
        assert_eq!(operator.apply(other_f.view()).unwrap(), expected, "axis {axis}, f reversed");
    }
}

#[test]
fn the_shifted_formula_is_the_standard_one_a_sample_later() {
    let f = Array1::from_shape_fn(N, |n| 2.0 + ((n * n) as f64).sin());
    let mut longer = f.to_vec();
    longer.push(0.0);
    let long_grid = Grid::uniform(N + 1, grid().dt()).unwrap();
    for alpha in [0.0, 0.4, 1.0, 1.6, 2.0, 2.7] {
        let order = Order::new(alpha).unwrap();
        let standard = GrunwaldLetnikov::new(order).on(long_grid, &Reference).unwrap();
        let expected = standard.apply(Array1::from(longer.clone()).view()).unwrap();
        let shifted = GrunwaldLetnikov::shifted(order).on(grid(), &Reference).unwrap();
        let found = shifted.apply(f.view()).unwrap();
        assert_close(&found, &expected.slice(s![1..]).to_owned(), &format!("alpha = {alpha}"));
    }
}

#[test]
fn nan_stays_in_its_own_signal_and_later() {
    for (name, operator) in operators() {
        let mut f = Array2::from_elem((3, N), 1.0);
        f[[1, N - 2]] = f64::NAN;
        let y = operator.apply(f.view()).unwrap();
        assert!(y[[1, N - 2]].is_nan() && y[[1, N - 1]].is_nan(), "{name}");
        for other in [0, 2] {
            assert!(y.row(other).iter().all(|v| v.is_finite()), "{name}");
        }
    }
}

#[test]
fn single_precision_is_the_rounded_double() {
    for entry in catalogue() {
        let operator = entry.example(order(entry)).unwrap();
        let single: Bound<f32> = operator.clone().on(grid(), &Reference).unwrap();
        let double: Bound<f64> = operator.on(grid(), &Reference).unwrap();
        let f: Array1<f32> = grid().points().map(|t| (1.3 * t).sin() as f32).collect();
        let y = single.apply(f.view()).unwrap().mapv(f64::from);
        let exact = double.apply(f.mapv(f64::from).view()).unwrap();
        let name = entry.name();
        let difference = max_abs(&(&y - &exact)) / max_abs(&exact);
        assert!(difference < 1e-5, "{name}: {difference:e}");
        let g = f.mapv(|v| v * v - 0.3);
        let gradient = single.vjp(g.view()).unwrap().mapv(f64::from);
        let exact = double.vjp(g.mapv(f64::from).view()).unwrap();
        let difference = max_abs(&(&gradient - &exact)) / max_abs(&exact);
        assert!(difference < 1e-5, "{name} vjp: {difference:e}");
        let slope = single.vjp_order(f.view(), g.view()).unwrap();
        let wide = (f.mapv(f64::from), g.mapv(f64::from));
        let exact = double.vjp_order(wide.0.view(), wide.1.view()).unwrap();
        assert!((slope - exact).abs() < 1e-4 * exact.abs().max(1.0), "{name}: {slope} {exact}");
    }
}
