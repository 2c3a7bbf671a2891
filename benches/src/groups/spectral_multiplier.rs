//! Spectral multipliers against the transform pair that they are made of.

use crate::bench::Bench;
use crate::cell::{floor, ratio, size, time};
use crate::floor::transform_pair;
use crate::groups::maps::{apply, bind};
use crate::measure::interleaved;
use hpfracc_backend::{Shape, Workload};
use hpfracc_cpu::Fft;

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
        let map = bind(&Fft::new(), workload, &symbol);
        let (x, mut y) = (vec![0.25; n], vec![0.0; n]);
        let mut multiplier = apply(map.as_ref(), &x, &mut y);
        let [pair, multiplier] =
            interleaved(bench.budget, [&mut transform_pair(n), &mut multiplier]);
        bench.row([size(n), floor(&pair), time(&multiplier), ratio(&multiplier, &pair)]);
    }
}
