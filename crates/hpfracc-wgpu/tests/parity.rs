//! Errors of results against sums in double precision, relative to the largest result, at the sizes
//! that the documentation names. Each test prints its rows of the table; on a software device the
//! longest signals are left out unless the rows are recorded.

mod device;

use hpfracc_backend::{Backend, LinearMap, Reference, Shape, Workload};
use hpfracc_testkit::{Figure, is_recorded, record};
use hpfracc_types::Real;
use hpfracc_wgpu::{AdapterKind, Direct, F64, Fft, Gemm, Gpu, Recurrence};
use std::f64::consts::TAU;

/// Double precision, or `None` with a message on a device without it.
fn double(test: &str) -> Option<F64> {
    let gpu = device::gpu(test)?;
    gpu.f64().inspect_err(|error| println!("skipped: {test}: {error}")).ok()
}

const LENS: [usize; 9] = [1, 2, 3, 63, 64, 65, 1000, 4097, 65537];

/// Length of the longest signal.
const LONG: usize = 1_000_000;

const SINGLE: f64 = 4e-6;
const DOUBLE: f64 = 1e-12;

/// Approximate number of results of a long signal that are compared.
const COMPARED: usize = 400;

/// Pairwise summation, whose own rounding error is negligible here.
fn sum(terms: &[f64]) -> f64 {
    if terms.len() <= 16 {
        return terms.iter().sum();
    }
    let (a, b) = terms.split_at(terms.len() / 2);
    sum(a) + sum(b)
}

/// Exact result `n` of one signal, forward or transposed.
type Exact<'a> = dyn Fn(&[f64], usize, bool) -> f64 + 'a;

/// The largest errors, forward and transposed, of a map on a batch of copies of the signal
/// `samples`, the last of which is negated.
fn errors<T: Real>(
    map: &dyn LinearMap<T>,
    samples: fn(usize) -> f64,
    exact: &Exact<'_>,
) -> [f64; 2] {
    let workload = map.workload();
    [false, true].map(|transposed| {
        let lens = [workload.signal_len(), workload.output_len()];
        let [from, to] = if transposed { [lens[1], lens[0]] } else { lens };
        let signal: Vec<T> = (0..from).map(|n| T::narrow(samples(n))).collect();
        let mut x = signal.repeat(workload.batch());
        let last = x.len() - from;
        x[last..].iter_mut().for_each(|x| *x = -*x);
        let mut y = vec![T::NAN; to * workload.batch()];
        if transposed { map.apply_transpose(&x, &mut y) } else { map.apply(&x, &mut y) }.unwrap();
        let x: Vec<f64> = x[last..].iter().map(|x| x.widen()).collect();
        // An odd step, which visits every position in a tile, and the last result.
        let step = (to / COMPARED) | 1;
        let (mut worst, mut scale) = (0.0f64, 0.0f64);
        for n in (0..to).step_by(step).chain([to - 1]) {
            let exact = exact(&x, n, transposed);
            let error = (y[y.len() - to + n].widen() - exact).abs();
            worst = worst.max(if error.is_nan() { f64::INFINITY } else { error });
            scale = scale.max(exact.abs());
        }
        worst / scale
    })
}

/// Checks the errors, forward and transposed, prints them, and returns them as a cell.
fn report<T: Real>(
    backend: &dyn Backend<T>,
    what: &str,
    len: usize,
    errors: [f64; 2],
    allowed: f64,
) -> Figure {
    let [forward, backward] = errors;
    println!("{}, {}, {what}, {len}: {forward:.1e}, {backward:.1e}", backend.name(), T::NAME);
    assert!(forward.max(backward) <= allowed, "{}, {what}, {len}", backend.name());
    Figure::joined(&errors.map(Figure::error), "/")
}

/// Checks a map at those of [`LENS`] and [`LONG`] that are not above `longest`: a row of the record.
fn report_lens<T: Real>(
    backend: &dyn Backend<T>,
    what: &str,
    longest: usize,
    allowed: f64,
    errors: impl Fn(usize) -> [f64; 2],
) {
    let absent = || Figure::error(f64::NAN).with_text("");
    let cell = |len| {
        if len <= longest { report(backend, what, len, errors(len), allowed) } else { absent() }
    };
    let cells: Vec<Figure> = LENS.into_iter().chain([LONG]).map(cell).collect();
    let names: Vec<String> = LENS.into_iter().chain([LONG]).map(|len| len.to_string()).collect();
    let cells: Vec<_> = names.iter().map(String::as_str).zip(cells).collect();
    let map = format!("{}, {}, {what}", backend.name(), T::NAME);
    record("accuracy/shaders", &[("map", &map)], &cells);
}

/// Samples of both signs that do not decay.
fn mixed(n: usize) -> f64 {
    ((n * n % 9973) as f64 * 0.37).cos()
}

/// Equal samples: the rounding errors of their sums have one sign.
fn equal(_: usize) -> f64 {
    0.1
}

fn positive(n: usize) -> f64 {
    mixed(n).abs()
}

/// Weights with the decay of those of a fractional integral.
fn decaying(k: usize) -> f64 {
    ((k + 1) as f64).powf(-0.5)
}

fn convolution<T: Real>(
    backend: &dyn Backend<T>,
    (len, batch): (usize, usize),
    weights: fn(usize) -> f64,
    samples: fn(usize) -> f64,
) -> [f64; 2] {
    let kernel: Vec<T> = (0..len).map(|k| T::narrow(weights(k))).collect();
    let map = backend.plan(Workload::CausalConvolution { len, batch }).unwrap();
    let map = map.bind(&kernel).unwrap();
    let w: Vec<f64> = kernel.iter().map(|w| w.widen()).collect();
    errors(map.as_ref(), samples, &|x, n, transposed| {
        let terms: Vec<f64> = if transposed {
            x[n..].iter().zip(&w).map(|(x, w)| w * x).collect()
        } else {
            x[..=n].iter().rev().zip(&w).map(|(x, w)| w * x).collect()
        };
        sum(&terms)
    })
}

/// `rows` sums of `cols` terms, and in the transpose `cols` sums of `rows` terms.
fn product<T: Real>(
    backend: &dyn Backend<T>,
    [rows, cols]: [usize; 2],
    batch: usize,
    weights: fn(usize) -> f64,
    samples: fn(usize) -> f64,
) -> [f64; 2] {
    let kernel: Vec<T> = (0..rows * cols).map(|k| T::narrow(weights(k))).collect();
    let map = backend.plan(Workload::Dense { rows, cols, batch }).unwrap().bind(&kernel).unwrap();
    let w: Vec<f64> = kernel.iter().map(|w| w.widen()).collect();
    errors(map.as_ref(), samples, &|x, n, transposed| {
        let terms: Vec<f64> = if transposed {
            (0..rows).map(|m| w[m * cols + n] * x[m]).collect()
        } else {
            w[n * cols..][..cols].iter().zip(x).map(|(w, x)| w * x).collect()
        };
        sum(&terms)
    })
}

/// A sum of three periodic shifts.
fn multiplier<T: Real>(backend: &dyn Backend<T>, len: usize) -> [f64; 2] {
    let shifts = [(1 % len, 1.0), ((3 * len / 4 + 2) % len, -0.5), (len / 2, 0.25)];
    let mut symbol = Vec::new();
    for k in 0..=len / 2 {
        let turn = |p: usize| TAU * ((k * p % len) as f64 / len as f64);
        let re = shifts.iter().map(|&(p, c)| c * turn(p).cos()).sum();
        let im: f64 = shifts.iter().map(|&(p, c)| -c * turn(p).sin()).sum();
        // The symbol is real at frequencies that are their own mirror images.
        let im = if k == 0 || 2 * k == len { 0.0 } else { im };
        symbol.extend([T::narrow(re), T::narrow(im)]);
    }
    let workload = Workload::SpectralMultiplier { shape: Shape::line(len), batch: 2 };
    let map = backend.plan(workload).unwrap().bind(&symbol).unwrap();
    errors(map.as_ref(), mixed, &|x, n, transposed| {
        let place = |p| if transposed { (n + p) % len } else { (n + len - p) % len };
        shifts.iter().map(|&(p, c)| c * x[place(p)]).sum()
    })
}

/// Convolutions and multipliers by transforms.
fn fft<T: Real>(backend: &dyn Backend<T>, longest: usize, allowed: f64) {
    report_lens(backend, "convolution", longest, allowed, |len| {
        let batch = if len == LONG { 1 } else { 2 };
        convolution(backend, (len, batch), decaying, mixed)
    });
    report_lens(backend, "multiplier", longest, allowed, |len| multiplier(backend, len));
}

fn direct<T: Real>(backend: &dyn Backend<T>, longest: usize, len_of_sums: usize, allowed: f64) {
    let len_of_sums = len_of_sums.min(longest);
    report_lens(backend, "convolution", longest, allowed, |len| {
        convolution(backend, (len, 1), decaying, mixed)
    });
    for (what, samples) in
        [("equal terms", equal as fn(usize) -> f64), ("terms of one sign", positive)]
    {
        let found = convolution(backend, (len_of_sums, 1), |_| 1.0, samples);
        report(backend, what, len_of_sums, found, allowed);
    }
}

fn gemm<T: Real>(backend: &dyn Backend<T>, longest: usize, len_of_sums: usize, allowed: f64) {
    report_lens(backend, "product", longest, allowed, |len| {
        product(backend, [3, len], 2, mixed, mixed)
    });
    for (what, samples) in
        [("equal terms", equal as fn(usize) -> f64), ("terms of one sign", positive)]
    {
        for len in [20_000, len_of_sums].map(|len: usize| len.min(longest)) {
            for shape in [[1, len], [len, 1]] {
                let found = product(backend, shape, 1, |_| 1.0, samples);
                report(backend, what, len, found, allowed);
            }
        }
    }
}

/// The largest errors, forward and transposed, of a recurrence with rates from 1 down to 1e-5.
fn recurrence_errors<T: Real>(
    backend: &dyn Backend<T>,
    [nodes, len, batch]: [usize; 3],
) -> [f64; 2] {
    let rate = |k: usize| 10_f64.powf(-5.0 * k as f64 / nodes as f64);
    let rates = (0..nodes).map(rate);
    let coefficients = (0..nodes).map(|k| rate(k).sqrt());
    let kernel: Vec<T> =
        std::iter::once(1.0).chain(rates).chain(coefficients).map(T::narrow).collect();
    let x: Vec<T> = (0..(nodes + len) * batch).map(|n| T::narrow(mixed(n))).collect();
    let workload = Workload::Recurrence { nodes, len, batch };
    let map = backend.plan(workload).unwrap().bind(&kernel).unwrap();
    let widened = |values: &[T]| values.iter().map(|x| x.widen()).collect::<Vec<f64>>();
    let exact = Backend::<f64>::plan(&Reference, workload).unwrap();
    let exact = exact.bind(&widened(&kernel)).unwrap();
    [false, true].map(|transposed| {
        let (mut y, mut expected) = (vec![T::NAN; x.len()], vec![f64::NAN; x.len()]);
        let (from, to) = (widened(&x), &mut expected);
        if transposed {
            map.apply_transpose(&x, &mut y).and(exact.apply_transpose(&from, to)).unwrap();
        } else {
            map.apply(&x, &mut y).and(exact.apply(&from, to)).unwrap();
        }
        let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        let errors = y.iter().zip(&expected).map(|(y, exact)| (y.widen() - exact).abs());
        errors.fold(0.0, |m, e| if e.is_nan() { f64::INFINITY } else { e.max(m) }) / scale
    })
}

/// Recurrences by length, and with more than one group of nodes and one workgroup of signals.
fn recurrence<T: Real>(backend: &dyn Backend<T>, longest: usize, allowed: f64) {
    let errors = |len| recurrence_errors(backend, [29, len, 1]);
    report_lens(backend, "recurrence of 29 nodes", longest, allowed, errors);
    for size in [[35, 17_000, 2], [3, 100, 130]] {
        let found = recurrence_errors(backend, size);
        report(backend, &format!("recurrence {size:?}"), size[1], found, allowed);
    }
}

/// Longest signal of maps by transforms and of products. Compiled shaders of a software device take
/// minutes for a million samples.
fn longest(gpu: &Gpu) -> usize {
    if gpu.kind() != AdapterKind::Software || is_recorded() { LONG } else { 4097 }
}

/// Longest signal of direct sums, as many as samples, and of recurrences, whose steps are one after
/// the other.
fn longest_direct(gpu: &Gpu) -> usize {
    let most = if gpu.kind() == AdapterKind::Software { 65_537 } else { LONG };
    longest(gpu).min(most)
}

#[test]
fn fft_in_single_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    fft::<f32>(&Fft::new(&gpu.f32()), longest(&gpu), SINGLE);
}

#[test]
fn fft_in_double_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    let Some(double) = double("parity") else { return };
    fft::<f64>(&Fft::new(&double), longest(&gpu), DOUBLE);
}

#[test]
fn fft_in_double_float() {
    let Some(gpu) = device::gpu("parity") else { return };
    fft::<f64>(&Fft::new(&gpu.double_float().unwrap()), longest(&gpu), DOUBLE);
}

#[test]
fn direct_in_single_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    direct::<f32>(&Direct::new(&gpu.f32()), longest_direct(&gpu), 65537, SINGLE);
}

#[test]
fn direct_in_double_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    let Some(double) = double("parity") else { return };
    direct::<f64>(&Direct::new(&double), longest_direct(&gpu), 65537, DOUBLE);
}

#[test]
fn direct_in_double_float() {
    let Some(gpu) = device::gpu("parity") else { return };
    direct::<f64>(&Direct::new(&gpu.double_float().unwrap()), longest_direct(&gpu), 4097, DOUBLE);
}

#[test]
fn products_in_single_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    gemm::<f32>(&Gemm::new(&gpu.f32()), longest(&gpu), 1_000_000, SINGLE);
}

#[test]
fn products_in_double_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    let Some(double) = double("parity") else { return };
    gemm::<f64>(&Gemm::new(&double), longest(&gpu), 1_000_000, DOUBLE);
}

#[test]
fn products_in_double_float() {
    let Some(gpu) = device::gpu("parity") else { return };
    gemm::<f64>(&Gemm::new(&gpu.double_float().unwrap()), longest(&gpu), 65_537, DOUBLE);
}

#[test]
fn recurrences_in_single_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    // States remember 1e5 samples and as many roundings.
    recurrence::<f32>(&Recurrence::new(&gpu.f32()), longest_direct(&gpu), 1e-4);
}

#[test]
fn recurrences_in_double_precision() {
    let Some(gpu) = device::gpu("parity") else { return };
    let Some(double) = double("parity") else { return };
    recurrence::<f64>(&Recurrence::new(&double), longest_direct(&gpu), DOUBLE);
}

#[test]
fn recurrences_in_double_float() {
    let Some(gpu) = device::gpu("parity") else { return };
    let backend = Recurrence::new(&gpu.double_float().unwrap());
    recurrence::<f64>(&backend, longest_direct(&gpu), 1e-11);
}
