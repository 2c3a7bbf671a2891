//! Causal sums by layout, around the lengths at which one takes over from another
//! (`hpfracc_lanes::causal::thresholds`).

use crate::bench::Bench;
use crate::cell::{label, ratio, size, time};
use crate::measure::interleaved;
use hpfracc_lanes::causal::{
    BlockedSeries, DirectSeries, DirectSum, FourierScalar, Online, OnlineSeries, PADDING,
    SeriesConvolution, Signal, Spectrum, Target,
};
use hpfracc_lanes::pulp::Arch;
use std::hint::black_box;

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 + 1.0).powf(-0.5)).collect()
}

fn values<T: FourierScalar>(n: usize) -> Vec<T> {
    (0..n).map(|i| T::narrow((i % 101) as f64 / 50.0 - 1.0)).collect()
}

fn direct<'a, T>(tables: &'a [T], x: &'a [T], lanes: usize, fused: bool) -> DirectSum<'a, T> {
    let length = x.len() / lanes;
    DirectSum {
        tables,
        stride: 0,
        taps: length,
        x,
        series: 1,
        length,
        lanes,
        times: (0, length),
        first: None,
        fused,
    }
}

fn padded<T: FourierScalar>(weights: &[f64]) -> Vec<T> {
    let zeros = std::iter::repeat_n(T::zero(), PADDING);
    zeros.clone().chain(weights.iter().map(|w| T::narrow(*w))).chain(zeros).collect()
}

/// Known rows of lanes: direct sums and spectra, the spectrum of the weights included, as in a layer with
/// a learned order.
pub(crate) fn rows(bench: &mut Bench) {
    bench.note(
        "y[n] = sum_k w[k] x[n-k] over rows of lanes in f32; spectra are made anew each time.",
    );
    bench.columns("lanes | N | direct | spectrum | direct / spectrum");
    let arch = Arch::new();
    for lanes in [1, 16, 64] {
        for n in [32, 64, 128, 256, 512] {
            let (w, x) = (weights(n), values::<f32>(n * lanes));
            let tables = padded::<f32>(&w);
            let (mut y, mut z) = (x.clone(), x.clone());
            let mut spectrum = Spectrum::default();
            let mut by_sums = || {
                direct(&tables, &x, lanes, true).convolve(arch, 0..n, &mut y);
                black_box(&y);
            };
            let mut by_transforms = || {
                spectrum.set(&w);
                let signal = Signal { x: &x, lanes, first: None };
                spectrum.sum(arch, signal, false, Target::Add(&mut z));
                black_box(&z);
            };
            let [sums, transforms] = interleaved(bench.budget, [&mut by_sums, &mut by_transforms]);
            let lanes = label(lanes.to_string());
            bench.row([lanes, size(n), time(&sums), time(&transforms), ratio(&sums, &transforms)]);
        }
    }
}

/// Panels of 16 paths: direct sums and real transforms of each path, as in the hybrid scheme.
pub(crate) fn panels(bench: &mut Bench) {
    bench.note("y[n] = sum_k w[k] u[n-k] over a panel of 16 paths in f32, without fused products.");
    bench.columns("N | direct | transforms | direct / transforms");
    let arch = Arch::new();
    for n in [125, 250, 500, 1000, 2000] {
        let (w, x) = (weights(n), values::<f32>(n * 16));
        let tables = padded::<f32>(&w);
        let (mut y, mut paths) = (x.clone(), x.clone());
        let convolution = SeriesConvolution::<f32>::new(&w);
        let mut buffers = convolution.buffers();
        let mut by_sums = || {
            direct(&tables, &x, 16, false).convolve(arch, 0..n, &mut y);
            black_box(&y);
        };
        let mut by_transforms = || {
            paths.copy_from_slice(&x);
            for path in paths.chunks_exact_mut(n) {
                convolution.convolve(path, &mut buffers);
            }
            black_box(&paths);
        };
        let [sums, transforms] = interleaved(bench.budget, [&mut by_sums, &mut by_transforms]);
        bench.row([size(n), time(&sums), time(&transforms), ratio(&sums, &transforms)]);
    }
}

/// Online sums of one series and of a tile of paths: direct and in blocks.
pub(crate) fn online(bench: &mut Bench) {
    bench.note(
        "s[n] = sum_m w[m] f[n-m], one sample at a time: one series in f64, and 64 paths in f32.",
    );
    bench.columns(
        "N | series, direct | series, blocked | direct / blocked | paths, direct | \
         paths, blocked | paths: direct / blocked",
    );
    for n in [125, 250, 500, 1000, 2000, 4000] {
        let (w, f) = (weights(n + 1), values::<f64>(n));
        let mut direct = || {
            let mut sums = DirectSeries::new(&[&w], vec![0], 1, n);
            let total = f.iter().fold(0.0, |total, f| {
                sums.push(&[*f]);
                total + sums.sum(0, 0)
            });
            black_box(total);
        };
        let mut blocked = || {
            let mut sums = BlockedSeries::new(&[&w], vec![0], 1, n);
            let total = f.iter().fold(0.0, |total, f| {
                sums.push(&[*f]);
                total + sums.sum(0, 0)
            });
            black_box(total);
        };
        let rows = values::<f32>(n * 64);
        let (all, in_blocks) = (Online::<f32>::direct(&w[1..n]), Online::blocked(&w[1..n]));
        let paths_direct = || black_box(run(&all, &rows));
        let paths_blocked = || black_box(run(&in_blocks, &rows));
        let [direct, blocked, paths_direct, paths_blocked] = interleaved(
            bench.budget,
            [&mut direct, &mut blocked, &mut || _ = paths_direct(), &mut || _ = paths_blocked()],
        );
        bench.row([
            size(n),
            time(&direct),
            time(&blocked),
            ratio(&direct, &blocked),
            time(&paths_direct),
            time(&paths_blocked),
            ratio(&paths_direct, &paths_blocked),
        ]);
    }
}

/// Steps of a tile of 64 paths, compiled for the instruction set of the machine.
fn run(sum: &Online<f32>, rows: &[f32]) -> f32 {
    struct Steps<'a>(&'a Online<f32>, &'a [f32]);
    impl hpfracc_lanes::pulp::WithSimd for Steps<'_> {
        type Output = f32;
        #[inline(always)]
        fn with_simd<S: hpfracc_lanes::pulp::Simd>(self, _: S) -> f32 {
            let (mut past, mut y) = (self.0.start(64), [0.0; 64]);
            for u in self.1.chunks_exact(64) {
                self.0.step(&mut past, u, &mut y);
            }
            y[0]
        }
    }
    Arch::new().dispatch(Steps(sum, rows))
}
