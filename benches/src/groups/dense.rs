//! Dense products against the peak of fused products.

use crate::bench::Bench;
use crate::cell::seconds as show;
use crate::measure::interleaved;
use crate::peak;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_cpu::Gemm;
use std::hint::black_box;

/// `Gemm`, forward and transposed, against the peak of one core.
pub(crate) fn gemm(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!("Floor: rows x cols x batch fused products at the peak of one core.\n");
    println!("| rows x cols, batch | forward | part of peak | transposed | part of peak |");
    println!("|--:|--:|--:|--:|--:|");
    let sizes = [(64, 64, 1), (64, 64, 32), (64, 64, 256), (512, 512, 64), (1024, 512, 2048)];
    for (rows, cols, batch) in sizes.into_iter().take(if quick { 4 } else { 5 }) {
        let workload = Workload::Dense { rows, cols, batch };
        let map: Box<dyn LinearMap<f64>> = Gemm::new()
            .plan(workload)
            .and_then(|plan| plan.bind(&vec![0.5; rows * cols]))
            .expect("dense products are planned");
        let (x, mut y) = (vec![0.25; cols * batch], vec![0.0; rows * batch]);
        let (y_in, mut x_out) = (vec![0.25; rows * batch], vec![0.0; cols * batch]);
        let expect = "the slices have the workload's lengths";
        let [peak, forward, transposed] = interleaved(
            budget,
            [
                &mut peak::double,
                &mut || map.apply(black_box(&x), &mut y).expect(expect),
                &mut || map.apply_transpose(black_box(&y_in), &mut x_out).expect(expect),
            ],
        );
        let part = |seconds: f64| {
            100.0 * (rows * cols * batch) as f64 / seconds / peak::rate(&peak, peak::DOUBLE)
        };
        println!(
            "| {rows} x {cols}, {batch} | {} | {:.0} % | {} | {:.0} % |",
            show(forward.least),
            part(forward.least),
            show(transposed.least),
            part(transposed.least)
        );
    }
}
