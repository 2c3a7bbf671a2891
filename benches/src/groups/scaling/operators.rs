//! A derivative by its kernels, from a thousand samples to ten millions.

use super::{Curve, exponents, measured, sizes};
use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, each, label, size, time};
use crate::fit::Theory;
use crate::groups::INSIDE;
use hpfracc_backend::Backend;
use hpfracc_cpu::{Direct, Fft, Recurrence};
use hpfracc_operators::{Bound, Caputo, Operator, Stream};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use std::hint::black_box;

const TOLERANCE: f64 = 1e-10;
const DT: f64 = 1e-3;
const BLOCK: usize = 1000;

/// Ten millions, where a million takes no second.
const LONGEST: usize = 10_000_000;

/// One way of computing the derivative.
struct Way<M> {
    name: &'static str,
    /// More samples would take seconds.
    most: usize,
    /// What is made before the samples are known.
    make: fn(usize) -> M,
    apply: fn(&M, ArrayView1<'_, f64>),
    /// Of making, of applying, of the memory of both.
    theory: [Theory; 3],
}

/// Caputo's derivative by direct sums, transforms, exponentials, and as a stream.
pub(crate) fn operators(bench: &mut Bench) {
    bench.note(
        "Caputo L1, alpha = 0.5, f64, one core; exponentials within 1e-10, a stream in blocks of 1000 samples. \
         Made: weights or nodes, plan and binding, before the samples are known. Memory: the most that making and \
         applying hold at once, the result of all samples included (of a stream, of a block), the record not.",
    );
    bench.columns("kernel | N | made | applied | a sample | memory");
    let sums = Way {
        name: "direct sums",
        most: 300_000,
        make: |n| on(n, &Direct),
        apply,
        theory: [Theory::LINEAR, Theory::QUADRATIC, Theory::LINEAR],
    };
    let transforms = Way {
        name: "transforms",
        most: LONGEST,
        make: |n| on(n, &Fft::new()),
        apply,
        theory: [Theory::N_LOG, Theory::N_LOG, Theory::LINEAR],
    };
    let exponentials = Way {
        name: "exponentials",
        most: LONGEST,
        make: |n| l1().on_exponentials(grid(n), TOLERANCE, &Recurrence).expect(INSIDE),
        apply,
        theory: [Theory::LOG, Theory::N_LOG, Theory::LINEAR],
    };
    let stream = Way {
        name: "stream",
        most: LONGEST,
        make: |n| l1().recurrence(DT, n as u64, TOLERANCE).expect(INSIDE),
        apply: push,
        theory: [Theory::LOG, Theory::N_LOG, Theory::LOG],
    };
    let mut curves = Vec::from(rows(bench, &sums));
    curves.extend(rows(bench, &transforms));
    curves.extend(rows(bench, &exponentials));
    curves.extend(rows(bench, &stream));
    exponents(bench, &curves);
}

fn l1() -> Caputo {
    Caputo::l1(Order::new(0.5).expect(INSIDE)).expect(INSIDE)
}

fn grid(n: usize) -> Grid {
    Grid::uniform(n, DT).expect(INSIDE)
}

fn on(n: usize, backend: &(impl Backend<f64> + Clone + 'static)) -> Bound<f64> {
    l1().on(grid(n), backend).expect(INSIDE)
}

fn apply(bound: &Bound<f64>, f: ArrayView1<'_, f64>) {
    black_box(bound.apply(black_box(f)).expect(INSIDE));
}

fn push(recurrence: &hpfracc_operators::Recurrence, f: ArrayView1<'_, f64>) {
    let mut stream: Stream<f64> = Stream::new(recurrence, 1, &Recurrence).expect(INSIDE);
    let mut results = Array2::zeros((1, BLOCK));
    for block in f.insert_axis(Axis(0)).axis_chunks_iter(Axis(1), BLOCK) {
        stream.push_block(black_box(block), results.view_mut()).expect(INSIDE);
        black_box(&results);
    }
}

fn rows<M>(bench: &mut Bench, way: &Way<M>) -> [Curve; 3] {
    let quantities = ["time to make", "time to apply", "memory"];
    let mut curves: [Curve; 3] =
        std::array::from_fn(|i| Curve::new(way.name, quantities[i], way.theory[i]));
    let longest = if bench.quick { way.most.min(100_000) } else { way.most };
    for n in sizes(1000, longest) {
        let f: Array1<f64> = (0..n).map(|j| (j as f64 * DT).sin()).collect();
        let made = (way.make)(n);
        let (make, _) = measured(bench.budget, &mut || drop(black_box((way.make)(n))));
        let (apply, _) = measured(bench.budget, &mut || (way.apply)(&made, f.view()));
        let held = peak_bytes(|| {
            let made = (way.make)(n);
            (way.apply)(&made, f.view());
            made
        });
        for (curve, value) in curves.iter_mut().zip([make.least, apply.least, held]) {
            curve.push(n, value);
        }
        let sample = each(&apply, n as f64);
        bench.row([label(way.name), size(n), time(&make), time(&apply), sample, bytes(held)]);
    }
    curves
}
