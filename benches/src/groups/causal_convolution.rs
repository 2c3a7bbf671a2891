//! Causal convolutions: transforms against the transform pair that they are made of, sums against
//! the peak of fused products, threads against one.

use crate::bench::Bench;
use crate::cell::{floor, label, percent, ratio, reference_time, size, time};
use crate::floor::padded_pairs;
use crate::groups::maps::{self, apply};
use crate::measure::{Budget, Time, interleaved};
use crate::peak;
use crate::threads::pool;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_cpu::{Direct, Fft, ParallelFft};
use std::hint::black_box;

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((k + 1) as f64).powf(-0.5)).collect()
}

fn signal(n: usize) -> Vec<f64> {
    (0..n).map(|k| (0.7 * k as f64).sin()).collect()
}

fn bind(backend: &dyn Backend<f64>, len: usize, batch: usize) -> Box<dyn LinearMap<f64>> {
    maps::bind(backend, Workload::CausalConvolution { len, batch }, &weights(len))
}

/// `Fft` against a real transform pair of the padded length, at least 2 N - 1: the better of the
/// next 5-smooth length and the next power of two.
pub(crate) fn fft(bench: &mut Bench) {
    bench.note(
        "Floor: one forward and one inverse realfft of the padded length, of the next 5-smooth length or the next \
         power of two, whichever is less, in double precision: f32 / pair is a convolution in single over it. Binding plans, \
         makes the weights' spectrum and frees it.",
    );
    bench.columns("N | pair, 5-smooth | pair, 2^k | fft | fft / pair | f32 / pair | bind / pair");
    let all =
        [1 << 12, 5000, 1 << 13, 10_007, 1 << 14, 1 << 15, 1 << 16, 100_000, 1 << 17, 1 << 18];
    let long = [500_009, 1 << 19, 1_000_000, 1 << 20];
    for n in all.into_iter().chain(long.into_iter().skip(if bench.quick { 3 } else { 0 })) {
        let backend = Fft::new();
        let map = bind(&backend, n, 1);
        let (x, mut y) = (signal(n), vec![0.0; n]);
        let (w, workload) = (weights(n), Workload::CausalConvolution { len: n, batch: 1 });
        let single = maps::bind(&backend, workload, &vec![0.5_f32; n]);
        let (x_single, mut y_single) = (vec![0.25_f32; n], vec![0.0; n]);
        let [mut pair, mut power] = padded_pairs(n);
        let [pair, power, fft, half, rebind] = interleaved(
            bench.budget,
            [
                &mut pair,
                &mut power,
                &mut apply(map.as_ref(), &x, &mut y),
                &mut apply(single.as_ref(), &x_single, &mut y_single),
                &mut || drop(black_box(maps::bind(&backend, workload, &w))),
            ],
        );
        let best = pair.or(&power);
        bench.row([
            size(n),
            floor(&pair),
            floor(&power),
            time(&fft),
            ratio(&fft, best),
            ratio(&half, best),
            ratio(&rebind, best),
        ]);
    }
}

fn direct_against_fft(budget: Budget, n: usize) -> [Time; 3] {
    let (x, mut y, mut z) = (signal(n), vec![0.0; n], vec![0.0; n]);
    let (direct, fft) = (bind(&Direct, n, 1), bind(&Fft::new(), n, 1));
    interleaved(
        budget,
        [
            &mut peak::double,
            &mut apply(direct.as_ref(), &x, &mut y),
            &mut apply(fft.as_ref(), &x, &mut z),
        ],
    )
}

/// `Direct` against the peak of fused products and against `Fft`, and where they cross.
pub(crate) fn direct(bench: &mut Bench) {
    bench.note("Floor: N (N + 1) / 2 fused products at the peak of one core, measured beside.");
    bench.columns("N | direct | part of peak | fft | direct / fft");
    let mut crossover = None;
    let lens: [usize; 21] = [
        16, 24, 32, 40, 48, 56, 64, 100, 128, 200, 256, 300, 320, 350, 384, 400, 450, 512, 700,
        1024, 2048,
    ];
    let quick = bench.quick;
    for n in lens.into_iter().filter(|n| !quick || n.is_power_of_two() || *n < 60 || *n == 350) {
        let [peak, direct, fft] = direct_against_fft(bench.budget, n);
        let products = (n * (n + 1) / 2) as f64;
        let part = products / direct.least / peak::rate(&peak, peak::DOUBLE);
        bench.row([size(n), time(&direct), percent(part), time(&fft), ratio(&direct, &fft)]);
        let ahead = direct.least <= fft.least;
        match crossover {
            None if !ahead => crossover = Some(n),
            Some(_) if ahead => crossover = None,
            _ => {}
        }
    }
    bench.note(match crossover {
        Some(n) => format!("Crossover: the transform is ahead from N = {n} of these on."),
        None => "Crossover: beyond these lengths.".to_owned(),
    });
}

/// A batch and one long series on two threads against one, and against `Fft`.
pub(crate) fn threads(bench: &mut Bench) {
    bench.note("Beside: half the time of one thread.");
    bench.columns(
        "signals x N | fft | 1 thread | half of it | 2 threads | 2 threads / half | \
         1 / 2 threads | fft / 2 threads",
    );
    let pools = [1, 2].map(pool);
    let quick = bench.quick;
    let sizes = [(4096, 4096), (1, 1 << 16), (1, 1 << 18), (1, 1 << 20)];
    for (batch, n) in
        sizes.into_iter().map(|(b, n)| if quick && b > 1 { (1024, n) } else { (b, n) })
    {
        let (serial, parallel) = (bind(&Fft::new(), n, batch), bind(&ParallelFft::new(), n, batch));
        let x = signal(n * batch);
        let mut y = [(); 3].map(|()| vec![0.0; n * batch]);
        let [a, b, c] = &mut y;
        let on = |pool: &rayon::ThreadPool, y: &mut [f64]| {
            pool.install(|| parallel.apply(black_box(&x), y)).expect("lengths are right");
        };
        let [alone, one, two] = interleaved(
            bench.budget,
            [&mut apply(serial.as_ref(), &x, a), &mut || on(&pools[0], b), &mut || {
                on(&pools[1], c);
            }],
        );
        let half = one.scaled(0.5);
        bench.row([
            label(format!("{batch} x {n}")),
            time(&alone),
            time(&one),
            reference_time(&half),
            time(&two),
            ratio(&two, &half),
            ratio(&one, &two),
            ratio(&alone, &two),
        ]);
    }
}
