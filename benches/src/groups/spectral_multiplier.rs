//! Spectral multipliers against the transform pair that they are made of.

use crate::bench::Bench;
use crate::cell::{floor, ratio, size, time};
use crate::floor::transform_pair;
use crate::measure::interleaved;
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_cpu::Fft;
use std::hint::black_box;

/// `Fft` on lines against one forward and one inverse real transform of the same length.
pub(crate) fn line(bench: &mut Bench) {
    bench.note("Floor: one forward and one inverse realfft of the same length.");
    bench.columns("N | pair | multiplier | multiplier / pair");
    let quick = bench.quick;
    for n in [1 << 10, 1 << 12, 10_000, 1 << 14, 1 << 16, 100_000, 1 << 18, 1 << 20]
        .into_iter()
        .filter(|n: &usize| !quick || n.is_power_of_two())
    {
        let workload = Workload::SpectralMultiplier { shape: Shape::line(n), batch: 1 };
        let symbol: Vec<f64> =
            (0..workload.kernel_len()).map(|i| ((1 - i % 2) * (i / 2)) as f64).collect();
        let map: Box<dyn LinearMap<f64>> = Fft::new()
            .plan(workload)
            .and_then(|plan| plan.bind(&symbol))
            .expect("a real symbol is Hermitian");
        let (x, mut y) = (vec![0.25; n], vec![0.0; n]);
        let mut apply = || {
            map.apply(black_box(&x), &mut y).expect("the slices have the workload's lengths");
            black_box(&y[0]);
        };
        let [pair, multiplier] = interleaved(bench.budget, [&mut transform_pair(n), &mut apply]);
        bench.row([size(n), floor(&pair), time(&multiplier), ratio(&multiplier, &pair)]);
    }
}
