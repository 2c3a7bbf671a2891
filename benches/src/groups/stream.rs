//! Streams and chunks against transforms of the whole record.

use crate::allocated::resident_kib;
use crate::bench::Bench;
use crate::cell::{bytes, each, label, number, ratio, reference_time, size, time};
use crate::groups::INSIDE;
use crate::measure::interleaved;
use hpfracc_cpu::{Fft, Recurrence};
use hpfracc_operators::{Bound, Caputo, Chunked, GrunwaldLetnikov, Operator, RlIntegral, Stream};
use hpfracc_types::{Grid, Order, Real};
use ndarray::{Array1, Array2, Axis};
use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;

const DT: f64 = 1e-3;

fn order(alpha: f64) -> Order {
    Order::new(alpha).expect(INSIDE)
}

fn record(n: usize) -> Array1<f64> {
    (0..n).map(|j| (j as f64 * DT).sin()).collect()
}

/// A whole record through a stream, and by exponentials at once, against the transforms of the same
/// operator.
pub(crate) fn against_transforms(bench: &mut Bench) {
    bench.note(
        "Beside: the transforms of cpu-fft, which has its weights' spectrum. Tolerance 1e-10, f64, one core. The \
         stream is new each time, its nodes are not: by its blocks, by the operator bound on exponentials, and \
         sample by sample.",
    );
    bench.columns(
        "operator | N | K | cpu-fft | stream | stream / fft | bound | one by one | \
         one by one / fft",
    );
    let operators: [Arc<dyn Operator>; 4] = [
        Arc::new(Caputo::l1(order(0.5)).expect(INSIDE)),
        Arc::new(Caputo::l1(order(0.9)).expect(INSIDE)),
        Arc::new(GrunwaldLetnikov::new(order(1.5))),
        Arc::new(RlIntegral::trapezoid(order(0.5)).expect(INSIDE)),
    ];
    for n in [100_000, 1_000_000].into_iter().take(if bench.quick { 1 } else { 2 }) {
        for operator in &operators {
            let grid = Grid::uniform(n, DT).expect(INSIDE);
            let f = record(n);
            let mut y = [(); 3].map(|()| Array2::zeros((1, n)));
            let [y0, y1, y2] = &mut y;
            let fft: Bound<f64> = operator.clone().on(grid, &Fft::new()).expect(INSIDE);
            let backend = Recurrence;
            let bound: Bound<f64> =
                operator.clone().on_exponentials(grid, 1e-10, &backend).expect(INSIDE);
            let recurrence = operator.recurrence(DT, n as u64, 1e-10).expect(INSIDE);
            let f = f.view().insert_axis(Axis(0));
            let mut whole = || fft.apply_into(black_box(f), y0.view_mut()).expect(INSIDE);
            let mut blocks = || {
                let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &backend).expect(INSIDE);
                stream.push_block(black_box(f), y1.view_mut()).expect(INSIDE);
            };
            let mut at_once = || bound.apply_into(black_box(f), y2.view_mut()).expect(INSIDE);
            let mut one_by_one = || {
                let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &backend).expect(INSIDE);
                for f in black_box(f) {
                    black_box(stream.push(*f).expect(INSIDE));
                }
            };
            let [whole, blocks, at_once, one_by_one] =
                interleaved(bench.budget, [&mut whole, &mut blocks, &mut at_once, &mut one_by_one]);
            let (name, scheme) = operator.name();
            bench.row([
                label(format!("{name} {scheme} {}", operator.order())),
                size(n),
                number(recurrence.rates().len() as f64, 0),
                reference_time(&whole),
                time(&blocks),
                ratio(&blocks, &whole),
                time(&at_once),
                time(&one_by_one),
                ratio(&one_by_one, &whole),
            ]);
        }
    }
}

/// What one sample costs, alone and in blocks, on one channel and on many.
pub(crate) fn push(bench: &mut Bench) {
    bench.note(
        "Caputo L1, alpha = 0.5, prepared for 1e12 samples. Each is the time of one sample of one channel; of a node \
         of it, in blocks.",
    );
    bench.columns("scalar | tolerance | K | push | 64 channels at once | blocks of 1024 | a node");
    for tolerance in [1e-4, 1e-7, 1e-10] {
        push_in::<f64>(bench, tolerance);
        push_in::<f32>(bench, tolerance);
    }
}

fn push_in<T: Real>(bench: &mut Bench, tolerance: f64) {
    let l1 = Caputo::l1(order(0.5)).expect(INSIDE);
    // Long enough to be measured in any budget.
    let recurrence = l1.recurrence(DT, 1_000_000_000_000, tolerance).expect(INSIDE);
    let backend = Recurrence;
    let stream =
        |channels| -> Stream<T> { Stream::new(&recurrence, channels, &backend).expect(INSIDE) };
    let (mut one, mut many, mut blocks) = (stream(1), stream(64), stream(1));
    let samples: Vec<T> = record(64).iter().map(|f| T::narrow(*f)).collect();
    let mut results = samples.clone();
    let block = Array2::from_shape_fn((1, 1024), |(_, j)| T::narrow((j as f64 * 0.1).sin()));
    let mut block_results = block.clone();
    let mut at = 0;
    let mut push = || {
        at = (at + 1) % 64;
        black_box(one.push(samples[at]).expect(INSIDE));
    };
    let mut push_many = || many.push_into(black_box(&samples), &mut results).expect(INSIDE);
    let mut push_blocks =
        || blocks.push_block(black_box(block.view()), block_results.view_mut()).expect(INSIDE);
    let [one, many, blocks] =
        interleaved(bench.budget, [&mut push, &mut push_many, &mut push_blocks]);
    let nodes = recurrence.rates().len() as f64;
    bench.row([
        label(T::NAME),
        label(format!("{tolerance:e}")),
        number(nodes, 0),
        time(&one),
        each(&many, 64.0),
        each(&blocks, 1024.0),
        each(&blocks, 1024.0 * nodes),
    ]);
}

/// A record in chunks against one whole call.
pub(crate) fn chunks(bench: &mut Bench) {
    let n = if bench.quick { 100_000 } else { 1_000_000 };
    bench.note(
        "Beside: the whole record at once. Caputo L1, alpha = 0.5, f64, cpu-fft. Both with weights and their spectra.",
    );
    bench.columns("chunk | N | whole | chunked | chunked / whole | a sample");
    let l1 = Caputo::l1(order(0.5)).expect(INSIDE);
    let fft = Fft::new();
    let f = record(n);
    for chunk in [100, 1000, 10_000, 100_000] {
        let mut whole = || {
            let bound: Bound<f64> = l1.on(Grid::uniform(n, DT).expect(INSIDE), &fft).expect(INSIDE);
            black_box(bound.apply(f.view()).expect(INSIDE));
        };
        let mut in_chunks = || {
            let mut chunked: Chunked<f64> = Chunked::new(&l1, DT, n, chunk, &fft).expect(INSIDE);
            for f in f.axis_chunks_iter(Axis(0), chunk) {
                black_box(chunked.push(f).expect(INSIDE));
            }
        };
        let [whole, in_chunks] = interleaved(bench.budget.at_most(9), [&mut whole, &mut in_chunks]);
        bench.row([
            size(chunk),
            size(n),
            reference_time(&whole),
            time(&in_chunks),
            ratio(&in_chunks, &whole),
            each(&in_chunks, n as f64),
        ]);
    }
}

/// Numbers of samples at which the resident set is read.
const READ_AT: [u64; 3] = [1_000_000, 10_000_000, 100_000_000];

/// The resident set of a process that only runs a stream.
pub(crate) fn memory(bench: &mut Bench) {
    let last = READ_AT[if bench.quick { 1 } else { 2 }];
    bench.note(
        "Caputo L1, alpha = 0.5, tolerance 1e-10, f64, in blocks of 1000 samples, in a process of its own.",
    );
    bench.columns("N | resident set | more than at 1e6");
    let mut first = None;
    for (pushed, kib) in readings(last) {
        let first = *first.get_or_insert(kib);
        let [resident, more] = [kib, kib - first].map(|kib| bytes(1024.0 * kib));
        bench.row([size(pushed), resident, more]);
    }
    if first.is_none() {
        bench.note("Not measured: this system has no /proc/self/status.");
    }
}

/// Samples pushed and KiB resident, from a process that runs [`memory_alone`].
fn readings(last: u64) -> Vec<(usize, f64)> {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg("--stream-memory").arg(last.to_string()).output();
    let output = output.expect("this program starts again");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let pair = |line: &str| {
        let (pushed, kib) = line.split_once(' ')?;
        Some((pushed.parse().ok()?, kib.parse().ok()?))
    };
    String::from_utf8_lossy(&output.stdout).lines().filter_map(pair).collect()
}

/// Runs a stream of `last` samples and prints its resident set on the way.
pub(crate) fn memory_alone(last: u64) {
    let l1 = Caputo::l1(order(0.5)).expect(INSIDE);
    let recurrence = l1.recurrence(DT, last, 1e-10).expect(INSIDE);
    let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &Recurrence).expect(INSIDE);
    let (mut samples, mut results) = (Array2::zeros((1, 1000)), Array2::zeros((1, 1000)));
    while stream.pushed() < last {
        let start = stream.pushed();
        samples.iter_mut().zip(start..).for_each(|(f, n)| *f = (n as f64 * DT).sin());
        stream.push_block(samples.view(), results.view_mut()).expect(INSIDE);
        black_box(&results);
        if READ_AT.contains(&stream.pushed())
            && let Some(kib) = resident_kib()
        {
            println!("{} {kib}", stream.pushed());
        }
    }
}
