//! Whole operators: new weights, their transform, the record, against the pair of transforms.

use crate::bench::Bench;
use crate::cell::seconds as show;
use crate::groups::causal_convolution::{smooth, transform_pair};
use crate::measure::interleaved;
use hpfracc_cpu::Fft;
use hpfracc_operators::{Caputo, Operator};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Axis};
use std::hint::black_box;

const INSIDE: &str = "orders inside the range and lengths of the grid";

/// A Caputo L1 derivative from the definition to the result: weights, plan, spectrum, record.
pub(crate) fn whole_call(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!(
        "Floor: one forward and one inverse realfft of the padded length, the next 5-smooth or the"
    );
    println!("next power of two, whichever is less, plans cached.");
    println!("A whole call makes new weights and their spectrum; a bound one only applies.\n");
    println!("| n | pair | weights | bound | bound / pair | whole call | whole / pair |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let l1 = Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().take(if quick { 3 } else { 4 }) {
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
        let mut weights = || {
            black_box(l1.weights(grid).expect(INSIDE));
        };
        let [pair, power, weights, apply, whole] = interleaved(
            budget,
            [
                &mut transform_pair(smooth(2 * n - 1)),
                &mut transform_pair((2 * n - 1).next_power_of_two()),
                &mut weights,
                &mut apply,
                &mut whole,
            ],
        );
        let floor = pair.least.min(power.least);
        println!(
            "| {n} | {} | {} | {} | {:.2} | {} | {:.2} |",
            show(floor),
            show(weights.least),
            show(apply.least),
            apply.least / floor,
            show(whole.least),
            whole.least / floor
        );
    }
}

/// Signals along the rows and along the columns of a square array.
pub(crate) fn axes(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let n = if quick { 512 } else { 2048 };
    println!("Floor: the same signals along the last axis, which needs no copy. {n} x {n}, f64.\n");
    println!("| last axis | first axis | ratio |");
    println!("|--:|--:|--:|");
    let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
    let l1 = Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE);
    let fft = Fft::new();
    let rows = l1.on::<f64, _>(grid, &fft).expect(INSIDE);
    let columns = l1.on::<f64, _>(grid, &fft).expect(INSIDE).along(Axis(0)).expect(INSIDE);
    let f = Array2::from_elem((n, n), 0.5);
    let (mut y, mut z) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
    let [rows, columns] = interleaved(
        budget,
        [&mut || rows.apply_into(f.view(), y.view_mut()).expect(INSIDE), &mut || {
            columns.apply_into(f.view(), z.view_mut()).expect(INSIDE);
        }],
    );
    let ratio = columns.least / rows.least;
    println!("| {} | {} | {ratio:.2} |", show(rows.least), show(columns.least));
}
