//! Recurrences against the peak of vector arithmetic, and against the convolution that they
//! replace.

use crate::bench::Bench;
use crate::cell::{floor, label, ratio, reference_time, size, time};
use crate::groups::maps::{self, apply, apply_transpose};
use crate::measure::{Budget, Time, interleaved};
use crate::peak;
use crate::threads::pool;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_cpu::{Fft, ParallelRecurrence, Recurrence};
use hpfracc_types::Real;

/// Multiply-adds for each node and sample: one moves the state, one adds to the sum. An accurate
/// state takes an addition more, because its decay may be close to 1.
const OPERATIONS: usize = 2;

/// Rates over six decades, as of a fractional derivative.
fn kernel<T: Real>(nodes: usize) -> Vec<T> {
    let rate = |k: usize| 10_f64.powf(-6.0 * k as f64 / nodes as f64);
    let rates = (0..nodes).map(rate);
    let coefficients = (0..nodes).map(|k| 0.1 * rate(k));
    std::iter::once(1.0).chain(rates).chain(coefficients).map(T::narrow).collect()
}

fn bind<T: Real>(
    backend: &dyn Backend<T>,
    nodes: usize,
    len: usize,
    batch: usize,
) -> Box<dyn LinearMap<T>> {
    maps::bind(backend, Workload::Recurrence { nodes, len, batch }, &kernel(nodes))
}

/// Signals whose states begin at zero.
fn signals<T: Real>(nodes: usize, len: usize, batch: usize) -> Vec<T> {
    let sample = |n: usize| T::narrow(if n < nodes { 0.0 } else { (0.7 * n as f64).sin() });
    (0..batch).flat_map(|_| (0..nodes + len).map(sample)).collect()
}

/// The peak, and a recurrence forward and transposed.
fn against_peak<T: Real>(budget: Budget, nodes: usize, len: usize, batch: usize) -> [Time; 3] {
    let map = bind::<T>(&Recurrence, nodes, len, batch);
    let x = signals(nodes, len, batch);
    let [mut y, mut back] = [(); 2].map(|()| vec![T::zero(); x.len()]);
    interleaved(
        budget,
        [
            &mut peak::double,
            &mut apply(map.as_ref(), &x, &mut y),
            &mut apply_transpose(map.as_ref(), &x, &mut back),
        ],
    )
}

/// `Recurrence` on one core.
pub(crate) fn one_core(bench: &mut Bench) {
    bench.note(format!(
        "Floor: {OPERATIONS} multiply-adds for each node and sample, started at the rate of the fused products of one \
         core, measured beside."
    ));
    bench.columns(
        "scalar | K | signals x samples | floor | forward | forward / floor | transposed | \
         transposed / floor",
    );
    let nodes = if bench.quick { &[57][..] } else { &[1, 16, 57, 64, 100] };
    let budget = bench.budget;
    for &nodes in nodes {
        for (len, batch) in [(10_000, 1), (10_000, 64), (1, 1), (1, 64)] {
            let mut row = |scalar: &str, lanes: f64, [peak, forward, transposed]: [Time; 3]| {
                let operations = (OPERATIONS * nodes * len * batch) as f64;
                let least = peak::time_of(&peak, operations / lanes);
                bench.row([
                    label(scalar),
                    size(nodes),
                    label(format!("{batch} x {len}")),
                    floor(&least),
                    time(&forward),
                    ratio(&forward, &least),
                    time(&transposed),
                    ratio(&transposed, &least),
                ]);
            };
            row(f64::NAME, 1.0, against_peak::<f64>(budget, nodes, len, batch));
            row(f32::NAME, 2.0, against_peak::<f32>(budget, nodes, len, batch));
        }
    }
}

/// A million samples by their states and by a transform, on one core.
pub(crate) fn against_fft(bench: &mut Bench) {
    let len = if bench.quick { 100_000 } else { 1_000_000 };
    bench
        .note("Beside: the convolution that K states replace, by transforms; N samples, one core.");
    bench.columns("K | N | recurrence | fft | recurrence / fft");
    let workload = Workload::CausalConvolution { len, batch: 1 };
    let convolution = maps::bind(&Fft::new(), workload, &vec![0.5_f64; len]);
    let mut sums = vec![0.0; len];
    for nodes in [40, 57, 64, 80] {
        let map = bind::<f64>(&Recurrence, nodes, len, 1);
        let x = signals(nodes, len, 1);
        let mut y = vec![0.0; x.len()];
        let [recurrence, fft] = interleaved(
            bench.budget,
            [
                &mut apply(map.as_ref(), &x, &mut y),
                &mut apply(convolution.as_ref(), &x[nodes..], &mut sums),
            ],
        );
        bench.row([
            size(nodes),
            size(len),
            time(&recurrence),
            reference_time(&fft),
            ratio(&recurrence, &fft),
        ]);
    }
}

/// A batch on two threads against one.
pub(crate) fn threads(bench: &mut Bench) {
    let nodes = 57;
    bench.note(format!("Beside: half the time of one thread. {nodes} states for each signal."));
    bench.columns(
        "signals x samples | 1 thread | half of it | 2 threads | 2 threads / half | 1 / 2 threads",
    );
    let pool = pool(2);
    for (len, batch) in [(100, 64), (1000, 64), (if bench.quick { 2000 } else { 10_000 }, 1000)] {
        let alone = bind::<f64>(&Recurrence, nodes, len, batch);
        let shared = bind::<f64>(&ParallelRecurrence, nodes, len, batch);
        let x = signals(nodes, len, batch);
        let [mut y, mut z] = [(); 2].map(|()| vec![0.0; x.len()]);
        let [one, two] = interleaved(
            bench.budget,
            [&mut apply(alone.as_ref(), &x, &mut y), &mut || {
                pool.install(apply(shared.as_ref(), &x, &mut z));
            }],
        );
        let half = one.scaled(0.5);
        bench.row([
            label(format!("{batch} x {len}")),
            time(&one),
            reference_time(&half),
            time(&two),
            ratio(&two, &half),
            ratio(&one, &two),
        ]);
    }
}

/// A signal that falls silent: its states fade to subnormal numbers.
pub(crate) fn silence(bench: &mut Bench) {
    bench.note(
        "Beside: the samples of a sound, beside the silence behind an impulse; 57 states, 10000 samples.",
    );
    bench.columns("scalar | sound | silence | silence / sound");
    fn row<T: Real>(bench: &mut Bench) {
        let (nodes, len) = (57, 10_000);
        let map = bind::<T>(&Recurrence, nodes, len, 1);
        let sound: Vec<T> = signals(nodes, len, 1);
        let mut silence = vec![T::zero(); sound.len()];
        silence[nodes] = T::one();
        let mut y = vec![T::zero(); sound.len()];
        let mut z = y.clone();
        let [sound, silence] = interleaved(
            bench.budget,
            [&mut apply(map.as_ref(), &sound, &mut y), &mut apply(map.as_ref(), &silence, &mut z)],
        );
        bench.row([
            label(T::NAME),
            reference_time(&sound),
            time(&silence),
            ratio(&silence, &sound),
        ]);
    }
    row::<f64>(bench);
    row::<f32>(bench);
}
