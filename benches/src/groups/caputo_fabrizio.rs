//! Caputo and Fabrizio's derivative against a copy of the record.

use crate::bench::Bench;
use crate::cell::{each, floor, ratio, size, time};
use crate::groups::INSIDE;
use crate::measure::interleaved;
use hpfracc_backend::Reference;
use hpfracc_operators::{CaputoFabrizio, Operator};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::hint::black_box;

/// Forward and transposed, on one core.
pub(crate) fn against_a_copy(bench: &mut Bench) {
    bench.note(
        "Floor: a copy of the record, f64, one core. The derivative reads and writes as much.",
    );
    bench.columns(
        "N | copy | derivative | a sample | derivative / copy | transpose | transpose / copy",
    );
    let half = CaputoFabrizio::derivative(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    for n in
        [1_000, 30_000, 1_000_000, 10_000_000].into_iter().take(if bench.quick { 3 } else { 4 })
    {
        let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
        let bound = half.on::<f64, _>(grid, &Reference).expect(INSIDE);
        let f: Array1<f64> = grid.points().map(f64::sin).collect();
        let [mut copied, mut y, mut fbar] = [(); 3].map(|()| Array1::<f64>::zeros(n));
        let [copy, forward, transposed] = interleaved(
            bench.budget,
            [
                &mut || black_box(&mut copied).assign(black_box(&f)),
                &mut || bound.apply_into(black_box(f.view()), y.view_mut()).expect(INSIDE),
                &mut || bound.vjp_into(black_box(f.view()), fbar.view_mut()).expect(INSIDE),
            ],
        );
        bench.row([
            size(n),
            floor(&copy),
            time(&forward),
            each(&forward, n as f64),
            ratio(&forward, &copy),
            time(&transposed),
            ratio(&transposed, &copy),
        ]);
    }
}
