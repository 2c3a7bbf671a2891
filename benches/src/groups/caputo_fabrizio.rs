//! Caputo and Fabrizio's derivative against a copy of the record.

use crate::bench::Bench;
use crate::cell::seconds as show;
use crate::measure::interleaved;
use hpfracc_backend::Reference;
use hpfracc_operators::{CaputoFabrizio, Operator};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::hint::black_box;

const INSIDE: &str = "orders inside the range and lengths of the grid";

/// Forward and transposed, on one core.
pub(crate) fn against_a_copy(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!(
        "Floor: a copy of the record, f64, one core. The derivative reads and writes as much.\n"
    );
    println!("| n | copy | ns each | derivative | / copy | transpose | / copy |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let half = CaputoFabrizio::derivative(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    for n in [1_000, 30_000, 1_000_000, 10_000_000].into_iter().take(if quick { 3 } else { 4 }) {
        let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
        let bound = half.on::<f64, _>(grid, &Reference).expect(INSIDE);
        let f: Array1<f64> = grid.points().map(f64::sin).collect();
        let [mut copied, mut y, mut fbar] = [(); 3].map(|()| Array1::<f64>::zeros(n));
        let [copy, forward, transposed] = interleaved(
            budget,
            [
                &mut || black_box(&mut copied).assign(black_box(&f)),
                &mut || bound.apply_into(black_box(f.view()), y.view_mut()).expect(INSIDE),
                &mut || bound.vjp_into(black_box(f.view()), fbar.view_mut()).expect(INSIDE),
            ],
        );
        println!(
            "| {n} | {} | {:.2} | {} | {:.2} | {} | {:.2} |",
            show(copy.least),
            copy.least / n as f64 * 1e9,
            show(forward.least),
            forward.least / copy.least,
            show(transposed.least),
            transposed.least / copy.least,
        );
    }
}
