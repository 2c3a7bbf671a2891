//! Transforms of `hpfracc-transforms` against the FFTs that they are made of.

use crate::bench::Bench;
use crate::cell::{floor, ratio, size, time};
use crate::measure::{Budget, Time, interleaved};
use hpfracc_transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};
use ndarray::Array1;
use num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Applies one FFT to a buffer of its length, without a scratch allocation.
struct InPlace {
    fft: Arc<dyn Fft<f64>>,
    data: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl InPlace {
    fn new(len: usize) -> Self {
        let fft = FftPlanner::new().plan_fft_forward(len);
        let scratch = vec![Complex::default(); fft.get_inplace_scratch_len()];
        Self { fft, data: vec![Complex::default(); len], scratch }
    }

    fn run(&mut self, times: usize) {
        for _ in 0..times {
            self.fft.process_with_scratch(black_box(&mut self.data), &mut self.scratch);
        }
    }
}

/// The quickest FFT of at least this length, among those of small factors that are little longer.
fn quickest(n: usize) -> usize {
    let lens = [2, 3, 9, 15, 27].map(|odd: usize| {
        let mut len = odd;
        while len < n {
            len *= 2;
        }
        len
    });
    let time = |len: usize| {
        let mut fft = InPlace::new(len);
        fft.run(1);
        let rounds = (0..7).map(|_| {
            let start = Instant::now();
            fft.run((1 << 17) / len.min(1 << 17) + 1);
            start.elapsed()
        });
        rounds.min().unwrap_or_default()
    };
    lens.into_iter().min_by_key(|len| time(*len)).unwrap_or(n)
}

fn sizes(quick: bool) -> impl Iterator<Item = usize> {
    [1000, 1024, 10_000, 1 << 14, 100_000, 1 << 17, 1_000_000, 1 << 20]
        .into_iter()
        .filter(move |n| !quick || *n <= 100_000)
}

/// A plan, and the time of making one.
fn planned<P>(budget: Budget, plan: impl Fn() -> P) -> (P, Time) {
    let [time] = interleaved(budget, [&mut || drop(black_box(plan()))]);
    (plan(), time)
}

type Signal = Array1<Complex<f64>>;

fn signal(n: usize) -> Signal {
    (0..n).map(|j| Complex::new(0.25, (j % 7) as f64)).collect()
}

fn forward<'a, T: Transform<f64>>(
    transform: &'a T,
    x: &'a Signal,
    y: &'a mut Signal,
) -> impl FnMut() + use<'a, T> {
    move || transform.apply_into(black_box(x.view()), y.view_mut()).expect("same length")
}

fn transposed<'a, T: Transform<f64>>(
    transform: &'a T,
    y: &'a Signal,
    x: &'a mut Signal,
) -> impl FnMut() + use<'a, T> {
    move || transform.vjp_into(black_box(y.view()), x.view_mut()).expect("same length")
}

/// Sampled fractional Fourier: two FFTs of n and three of at least 2n.
pub(crate) fn sampled(bench: &mut Bench) {
    bench.note("Floor: two rustfft of length N and three of the quickest length from 2 N on.");
    bench.columns(
        "N | plan | FFTs | a = 0.3 | a = 1.3 | adjoint | 0.3 / FFTs | 1.3 / FFTs | adjoint / FFTs",
    );
    for n in sizes(bench.quick) {
        let (mut short, mut long) = (InPlace::new(n), InPlace::new(quickest(2 * n)));
        let (below, plan) = planned(bench.budget.at_most(5), || {
            FractionalFourier::new(n, 0.3).expect("a length and an order in range")
        });
        let above = below.at(1.3).expect("an order in range");
        let x = signal(n);
        let [mut y, mut z, mut back] = [x.clone(), x.clone(), x.clone()];
        let [ffts, below, above, adjoint] = interleaved(
            bench.budget,
            [
                &mut || {
                    short.run(2);
                    long.run(3);
                },
                &mut forward(&below, &x, &mut y),
                &mut forward(&above, &x, &mut z),
                &mut transposed(&above, &x, &mut back),
            ],
        );
        bench.row([
            size(n),
            time(&plan),
            floor(&ffts),
            time(&below),
            time(&above),
            time(&adjoint),
            ratio(&below, &ffts),
            ratio(&above, &ffts),
            ratio(&adjoint, &ffts),
        ]);
    }
}

/// Fractional DFT: two FFTs of at least 2n - 1.
pub(crate) fn chirp_z(bench: &mut Bench) {
    bench.note(
        "Floor: two rustfft of the quickest length from 2 N - 1 on. DFT: one rustfft of length N.",
    );
    bench.columns(
        "N | plan | FFTs | N frequencies | adjoint | forward / FFTs | adjoint / FFTs | \
         forward / DFT",
    );
    for n in sizes(bench.quick) {
        let (mut dft, mut long) = (InPlace::new(n), InPlace::new(quickest(2 * n - 1)));
        let (transform, plan) = planned(bench.budget.at_most(5), || {
            FractionalDft::new(n, 0.0123).expect("a length and a step in range")
        });
        let x = signal(n);
        let [mut y, mut back] = [x.clone(), x.clone()];
        let [ffts, forward, adjoint, dft] = interleaved(
            bench.budget,
            [
                &mut || long.run(2),
                &mut forward(&transform, &x, &mut y),
                &mut transposed(&transform, &x, &mut back),
                &mut || dft.run(1),
            ],
        );
        bench.row([
            size(n),
            time(&plan),
            floor(&ffts),
            time(&forward),
            time(&adjoint),
            ratio(&forward, &ffts),
            ratio(&adjoint, &ffts),
            ratio(&forward, &dft),
        ]);
    }
}

/// Discrete fractional Fourier: reading its n^2/2 eigenvector entries once.
pub(crate) fn discrete(bench: &mut Bench) {
    bench.note("Floor: summing N^2 / 2 numbers, which is how many the eigenvectors have.");
    bench.columns("N | eigenvectors | sum | transform | transform / sum");
    let quick = bench.quick;
    for n in [64, 256, 512, 1024, 2048].into_iter().filter(|n| !quick || *n <= 512) {
        // Eigenvectors of 2048 take seconds.
        let budget = bench.budget.at_most(if n > 1000 { 1 } else { 5 });
        let (transform, plan) =
            planned(budget, || DiscreteFractionalFourier::new(n, 0.3).expect("a length in range"));
        let entries = vec![0.5; n * n / 2];
        let x = signal(n);
        let mut y = x.clone();
        let [sum_of_all, apply] = interleaved(
            bench.budget,
            [
                &mut || {
                    black_box(sum(black_box(&entries)));
                },
                &mut forward(&transform, &x, &mut y),
            ],
        );
        bench.row([
            size(n),
            time(&plan),
            floor(&sum_of_all),
            time(&apply),
            ratio(&apply, &sum_of_all),
        ]);
    }
}

/// A sum in eight parts, so that it waits for memory and not for itself.
fn sum(entries: &[f64]) -> f64 {
    let mut parts = [0.0; 8];
    for block in entries.chunks_exact(8) {
        parts.iter_mut().zip(block).for_each(|(part, x)| *part += x);
    }
    parts.iter().sum()
}
