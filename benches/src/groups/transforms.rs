//! Transforms of `hpfracc-transforms` against the FFTs that they are made of.

use crate::bench::Bench;
use crate::cell::seconds as show;
use crate::measure::interleaved;
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

fn signal(n: usize) -> Array1<Complex<f64>> {
    (0..n).map(|j| Complex::new(0.25, (j % 7) as f64)).collect()
}

/// Sampled fractional Fourier: two FFTs of n and three of at least 2n.
pub(crate) fn sampled(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!("Floor: two rustfft of length n and three of the quickest length from 2n on.\n");
    println!(
        "| n | plan | FFTs | a = 0.3 | a = 1.3 | adjoint | 0.3 / FFTs | 1.3 / FFTs | adjoint / FFTs |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for n in sizes(quick) {
        let (mut short, mut long) = (InPlace::new(n), InPlace::new(quickest(2 * n)));
        let start = Instant::now();
        let below = FractionalFourier::new(n, 0.3).expect("a length and an order in range");
        let plan = start.elapsed().as_secs_f64();
        let above = below.at(1.3).expect("an order in range");
        let x = signal(n);
        let [mut y, mut z, mut back] = [x.clone(), x.clone(), x.clone()];
        let times = interleaved(
            budget,
            [
                &mut || {
                    short.run(2);
                    long.run(3);
                },
                &mut || below.apply_into(black_box(x.view()), y.view_mut()).expect("same length"),
                &mut || above.apply_into(black_box(x.view()), z.view_mut()).expect("same length"),
                &mut || above.vjp_into(black_box(x.view()), back.view_mut()).expect("same length"),
            ],
        );
        let [floor, below, above, adjoint] = times.map(|time| time.least);
        println!(
            "| {n} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |",
            show(plan),
            show(floor),
            show(below),
            show(above),
            show(adjoint),
            below / floor,
            above / floor,
            adjoint / floor
        );
    }
}

/// Fractional DFT: two FFTs of at least 2n - 1.
pub(crate) fn chirp_z(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!("Floor: two rustfft of the quickest length from 2n - 1 on. DFT: one of length n.\n");
    println!("| n | plan | FFTs | n frequencies | adjoint | / FFTs | adjoint / FFTs | / DFT |");
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for n in sizes(quick) {
        let (mut dft, mut long) = (InPlace::new(n), InPlace::new(quickest(2 * n - 1)));
        let start = Instant::now();
        let transform = FractionalDft::new(n, 0.0123).expect("a length and a step in range");
        let plan = start.elapsed().as_secs_f64();
        let x = signal(n);
        let [mut y, mut back] = [x.clone(), x.clone()];
        let times = interleaved(
            budget,
            [
                &mut || long.run(2),
                &mut || {
                    transform.apply_into(black_box(x.view()), y.view_mut()).expect("same length");
                },
                &mut || {
                    transform.vjp_into(black_box(x.view()), back.view_mut()).expect("same length");
                },
                &mut || dft.run(1),
            ],
        );
        let [floor, forward, adjoint, dft] = times.map(|time| time.least);
        println!(
            "| {n} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
            show(plan),
            show(floor),
            show(forward),
            show(adjoint),
            forward / floor,
            adjoint / floor,
            forward / dft
        );
    }
}

/// Discrete fractional Fourier: reading its n^2/2 eigenvector entries once.
pub(crate) fn discrete(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    println!("Floor: summing n^2/2 numbers, which is how many the eigenvectors have.\n");
    println!("| n | eigenvectors | sum | transform | transform / sum |");
    println!("|--:|--:|--:|--:|--:|");
    for n in [64, 256, 512, 1024, 2048].into_iter().filter(|n| !quick || *n <= 512) {
        let start = Instant::now();
        let transform = DiscreteFractionalFourier::new(n, 0.3).expect("a length in range");
        let plan = start.elapsed().as_secs_f64();
        let entries = vec![0.5; n * n / 2];
        let x = signal(n);
        let mut y = x.clone();
        let times = interleaved(
            budget,
            [
                &mut || {
                    black_box(sum(black_box(&entries)));
                },
                &mut || {
                    transform.apply_into(black_box(x.view()), y.view_mut()).expect("same length");
                },
            ],
        );
        let [floor, apply] = times.map(|time| time.least);
        println!(
            "| {n} | {} | {} | {} | {:.2} |",
            show(plan),
            show(floor),
            show(apply),
            apply / floor
        );
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
