//! Whole operators: new weights, their transform, the record, against the pair of transforms.

use crate::bench::Bench;
use crate::cell::{floor, ratio, reference_time, size, time};
use crate::floor::padded_pairs;
use crate::groups::INSIDE;
use crate::measure::interleaved;
use hpfracc_cpu::Fft;
use hpfracc_operators::{Caputo, Operator};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Axis};
use std::hint::black_box;

/// A Caputo L1 derivative from the definition to the result: weights, plan, spectrum, record.
pub(crate) fn whole_call(bench: &mut Bench) {
    bench.note(
        "Floor: one forward and one inverse realfft of the padded length, the next 5-smooth or the next power of \
         two, whichever is less, plans cached. A whole call makes new weights and their spectrum; a bound one only \
         applies. The time to the first result is that of a whole call with a new backend, whose roots of unity are not \
         cached yet.",
    );
    bench.columns(
        "N | pair | weights | bound | bound / pair | whole call | whole / pair | first result | first / pair",
    );
    let l1 = Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().take(if bench.quick { 3 } else { 4 }) {
        let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
        let fft = Fft::new();
        let f: Array1<f64> = grid.points().map(f64::sin).collect();
        let bound = l1.on(grid, &fft).expect(INSIDE);
        let mut y = Array1::zeros(n);
        let mut apply = || bound.apply_into(black_box(f.view()), y.view_mut()).expect(INSIDE);
        let mut whole = || {
            let operator = l1.on(grid, &fft).expect(INSIDE);
            black_box(operator.apply(black_box(f.view())).expect(INSIDE));
        };
        let mut first = || {
            let operator = l1.on(grid, &Fft::new()).expect(INSIDE);
            black_box(operator.apply(black_box(f.view())).expect(INSIDE));
        };
        let mut weights = || {
            black_box(l1.weights(grid).expect(INSIDE));
        };
        let [mut pair, mut power] = padded_pairs(n);
        let [pair, power, weights, apply, whole, first] = interleaved(
            bench.budget,
            [&mut pair, &mut power, &mut weights, &mut apply, &mut whole, &mut first],
        );
        let best = pair.or(&power);
        bench.row([
            size(n),
            floor(best),
            time(&weights),
            time(&apply),
            ratio(&apply, best),
            time(&whole),
            ratio(&whole, best),
            time(&first),
            ratio(&first, best),
        ]);
    }
}

/// Signals along the rows and along the columns of a square array.
pub(crate) fn axes(bench: &mut Bench) {
    let n = if bench.quick { 512 } else { 2048 };
    bench.note(
        "Beside: the same signals along the last axis, which needs no copy. N signals of N samples, f64.",
    );
    bench.columns("N | last axis | first axis | first / last");
    let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
    let l1 = Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    let fft = Fft::new();
    let rows = l1.on::<f64, _>(grid, &fft).expect(INSIDE);
    let columns = l1.on::<f64, _>(grid, &fft).expect(INSIDE).along(Axis(0)).expect(INSIDE);
    let f = Array2::from_elem((n, n), 0.5);
    let (mut y, mut z) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
    let [rows, columns] = interleaved(
        bench.budget,
        [&mut || rows.apply_into(f.view(), y.view_mut()).expect(INSIDE), &mut || {
            columns.apply_into(f.view(), z.view_mut()).expect(INSIDE);
        }],
    );
    bench.row([size(n), reference_time(&rows), time(&columns), ratio(&columns, &rows)]);
}
