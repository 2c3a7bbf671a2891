//! `D^1/2 t^2` at N nodes of [0, 1]; a call computes the weights, their transform and the result.

use crate::row::{INSIDE, Measured, relative};
use hpfracc_cpu::Fft;
use hpfracc_operators::{Caputo, Operator};
use hpfracc_special::gamma;
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::hint::black_box;

pub(crate) fn run(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let grid = Grid::uniform(n, 1.0 / (n - 1) as f64).expect(INSIDE);
    let f: Array1<f64> = grid.points().map(|t| t * t).collect();
    let (l1, fft) = (Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE), Fft::new());
    let whole = || l1.on(grid, &fft).expect(INSIDE).apply(black_box(f.view())).expect(INSIDE);
    let measured = match method {
        "l1" => Measured::of(seconds, || {
            black_box(whole());
        }),
        // The operator is bound once and applied in each call.
        "bound" => {
            let (bound, mut y) = (l1.on(grid, &fft).expect(INSIDE), Array1::zeros(n));
            Measured::of(seconds, || {
                bound.apply_into(black_box(f.view()), y.view_mut()).expect(INSIDE);
            })
        }
        _ => return None,
    };
    let exact: Vec<f64> = grid.points().map(|t: f64| 2.0 / gamma(2.5) * t.powf(1.5)).collect();
    // Some libraries do not compute the first node.
    Some(measured.with_error(relative(&whole().to_vec()[1..], &exact[1..])))
}
