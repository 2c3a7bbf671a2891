//! Operators in f64 on a backend that computes in f32: the differences that schemes take of the
//! samples come before the rounding, and single precision costs its own error only.

use hpfracc::backend::Rounded;
use hpfracc::cpu::Fft;
use hpfracc::ndarray::Array1;
use hpfracc::prelude::*;
use hpfracc_testkit::{record_error, relative_max_error};

/// Of the largest entry of the result.
const WITHIN: f64 = 5e-7;

const LENGTHS: [usize; 3] = [4096, 65_537, 1_000_000];

fn grid(n: usize) -> Grid {
    Grid::uniform(n, 1.0 / (n - 1) as f64).unwrap()
}

fn record(grid: Grid) -> Array1<f64> {
    grid.points().map(|t| (3.0 * t).sin() + t * t).collect()
}

fn difference(found: &Array1<f64>, exact: &Array1<f64>) -> f64 {
    relative_max_error(found.as_slice().unwrap(), exact.as_slice().unwrap())
}

/// Against double precision throughout, and what is left of it when the samples are rounded first.
fn check<O: Operator + Clone + 'static>(make: impl Fn(Order) -> O, alphas: &[f64]) {
    for (&alpha, n) in alphas.iter().flat_map(|alpha| LENGTHS.map(|n| (alpha, n))) {
        let (operator, grid) = (make(Order::new(alpha).unwrap()), grid(n));
        let (name, scheme) = operator.name();
        let f = record(grid);
        let double = operator.clone().on::<f64, _>(grid, &Fft::new()).unwrap();
        let exact = double.apply(f.view()).unwrap();
        let mixed = operator.clone().on::<f64, _>(grid, &Rounded::new(Fft::new())).unwrap();
        let error = difference(&mixed.apply(f.view()).unwrap(), &exact);
        let ybar: Array1<f64> = grid.points().map(|t| (5.0 * t).cos()).collect();
        let gradients = [&mixed, &double].map(|bound| bound.vjp(ybar.view()).unwrap());
        let back = difference(&gradients[0], &gradients[1]);
        let single = operator.on::<f32, _>(grid, &Fft::new()).unwrap();
        let single = single.apply(f.mapv(|v| v as f32).view()).unwrap().mapv(f64::from);
        let rounded_first = difference(&single, &exact);
        println!("{name} {scheme} {alpha} {n}, samples rounded first {rounded_first:.1e}:");
        let what = "derivatives of f64 samples by f32 sums (`Rounded`), 4096 to 1e6 samples";
        record_error(what, error, WITHIN);
        record_error(&format!("{what}, transposed"), back, WITHIN);
        assert!(error <= WITHIN, "{name} {scheme}, alpha = {alpha}, N = {n}: {error:e}");
        assert!(back <= WITHIN, "{name} {scheme}, transposed, {alpha}, N = {n}: {back:e}");
        let lost = alpha >= 0.5 && n > 4096 && scheme != "shifted";
        assert!(!lost || rounded_first > 1e-5, "rounding first costs {rounded_first:e} only");
    }
}

#[test]
fn caputo_derivatives_lose_single_precision_only() {
    check(|alpha| Caputo::l1(alpha).unwrap(), &[0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]);
    check(|alpha| Caputo::l2_midpoint(alpha).unwrap(), &[1.01, 1.1, 1.3, 1.5, 1.7, 1.9, 1.99]);
    check(|alpha| Caputo::bdf(alpha, 2).unwrap(), &[0.1, 0.5, 0.9, 1.0, 1.1, 1.5, 1.9]);
    check(|alpha| Caputo::bdf(alpha, 4).unwrap(), &[0.5, 1.5]);
}

#[test]
fn riemann_liouville_derivatives_lose_single_precision_only() {
    check(GrunwaldLetnikov::new, &[0.1, 0.5, 0.9, 1.0, 1.1, 1.5, 1.9]);
    check(GrunwaldLetnikov::shifted, &[0.5, 1.5, 1.9]);
    check(|alpha| GrunwaldLetnikov::bdf(alpha, 3).unwrap(), &[0.5, 1.5]);
    check(|alpha| RiemannLiouville::bdf(alpha, 3).unwrap(), &[0.5, 1.5]);
}
