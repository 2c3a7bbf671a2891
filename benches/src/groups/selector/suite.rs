//! The workloads, and what each backend takes for them on this machine.

use crate::measure::Budget;
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Shape, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft};
use hpfracc_selector::{Direction, Scalar};
use hpfracc_types::Real;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// One line of the suite: a workload, how it is computed and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) workload: Workload,
    pub(super) scalar: Scalar,
    pub(super) direction: Direction,
    /// Applications of one bound map: as many as let 2^22 samples through.
    pub(super) applications: usize,
    /// Whether predictions are tested on it.
    pub(super) held_out: bool,
}

pub(super) const NAMES: [&str; 4] = ["cpu-direct", "cpu-fft", "cpu-parallel-fft", "cpu-gemm"];

const LENS: [usize; 31] = [
    16, 24, 50, 100, 128, 200, 256, 300, 350, 400, 512, 700, 1000, 1024, 2048, 3000, 4096, 5000,
    8192, 10_007, 16_384, 32_768, 50_000, 65_536, 100_000, 131_072, 262_144, 500_009, 1_048_576,
    2_097_152, 4_194_304,
];

const BATCHES: [usize; 7] = [1, 4, 16, 64, 256, 1024, 4096];

/// Samples that go through each workload.
const SAMPLES: usize = 1 << 22;

/// Most samples in one batch of several signals: this much is computed many times.
const BATCHED: usize = 1 << 20;

/// Causal convolutions of all lengths and batches, multipliers on lines and images, dense products.
pub(crate) fn cases(quick: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |workload: Workload, held_out: bool| {
        let samples = workload.signal_len() * workload.batch();
        if samples > if workload.batch() == 1 { SAMPLES } else { BATCHED } {
            return;
        }
        let flip = cases.len() / 2 % 2 == 0;
        let (one, other) = if flip {
            (Direction::Forward, Direction::Transpose)
        } else {
            (Direction::Transpose, Direction::Forward)
        };
        for (scalar, direction) in [(Scalar::F64, one), (Scalar::F32, other)] {
            let applications = SAMPLES / samples;
            cases.push(Case { workload, scalar, direction, applications, held_out });
        }
    };
    for (index, len) in LENS.into_iter().enumerate() {
        for batch in BATCHES {
            add(Workload::CausalConvolution { len, batch }, index % 3 == 1);
        }
    }
    for (index, n) in LENS.into_iter().enumerate().skip(1).step_by(3) {
        for batch in [1, 64] {
            let shape = Shape::line(n);
            add(Workload::SpectralMultiplier { shape, batch }, index % 2 == 0);
        }
    }
    for (index, n) in [16, 60, 256, 1000].into_iter().enumerate() {
        let shape = Shape::new(&[n, n]).expect("two axes are allowed");
        add(Workload::SpectralMultiplier { shape, batch: 1 }, index == 1);
    }
    for (index, n) in [8, 32, 64, 100, 256, 512].into_iter().enumerate() {
        for batch in [1, 32, 256] {
            add(Workload::Dense { rows: n, cols: n, batch }, index == 3);
        }
    }
    cases.into_iter().enumerate().filter(|(i, _)| !quick || i % 5 == 0).map(|(_, c)| c).collect()
}

/// Seconds that one backend takes: all readings, in the order in which they were taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Readings {
    pub(super) plan: Vec<f64>,
    pub(super) bind: Vec<f64>,
    pub(super) apply: Vec<f64>,
    /// Not run, but extrapolated: it would have taken more than twenty times the best.
    pub(super) extrapolated: bool,
}

impl Readings {
    /// Drops the slower half: another process had the core. What stays still has some noise.
    fn settle(&mut self) {
        for readings in [&mut self.plan, &mut self.bind, &mut self.apply] {
            let mut sorted = readings.clone();
            sorted.sort_by(f64::total_cmp);
            let highest = sorted[sorted.len() / 2];
            readings.retain(|&seconds| seconds <= highest);
        }
    }
}

pub(super) fn mean(readings: &[f64]) -> f64 {
    readings.iter().sum::<f64>() / readings.len() as f64
}

/// Times of a case by backend, in the order of [`NAMES`]; `None` without an algorithm.
pub(super) type Times = [Option<Readings>; 4];

pub(super) fn measure(case: &Case, budget: Budget) -> Times {
    match case.scalar {
        Scalar::F32 => measure_in::<f32>(case, budget),
        Scalar::F64 => measure_in::<f64>(case, budget),
    }
}

/// A new backend, which has planned nothing yet.
fn backend<T: Real>(index: usize) -> Arc<dyn Backend<T>> {
    match index {
        0 => Arc::new(Direct),
        1 => Arc::new(Fft::new()),
        2 => Arc::new(ParallelFft::new()),
        _ => Arc::new(Gemm),
    }
}

/// Products of a direct sum that a core makes in a second, at most, and how much slower than the
/// best a backend may be and still be run.
pub(super) const PRODUCTS_PER_SECOND: f64 = 6e10;
pub(super) const FAR_BEHIND: f64 = 20.0;

/// Kernel with the decay of a fractional integral's; of a multiplier, a real one.
pub(super) fn kernel<T: Real>(workload: Workload) -> Vec<T> {
    let value = |i: usize| match workload {
        Workload::SpectralMultiplier { .. } => ((i + 1) % 2) as f64 * 0.5,
        _ => 1.0 / (1.0 + i as f64),
    };
    (0..workload.kernel_len()).map(|i| T::narrow(value(i))).collect()
}

pub(super) fn signal<T: Real>(len: usize) -> Vec<T> {
    (0..len).map(|i| T::narrow((0.7 * i as f64).sin())).collect()
}

fn measure_in<T: Real>(case: &Case, budget: Budget) -> Times {
    let workload = case.workload;
    let (x, y) = (workload.signal_len(), workload.output_len());
    let batch = workload.batch();
    let kernel = kernel::<T>(workload);
    let (from_len, to_len) = match case.direction {
        Direction::Forward => (x * batch, y * batch),
        Direction::Transpose => (y * batch, x * batch),
    };
    let (from, mut to) = (signal::<T>(from_len), vec![T::zero(); to_len]);
    let mut run = |map: &dyn LinearMap<T>, repeats: usize| {
        let start = Instant::now();
        for _ in 0..repeats {
            let done = match case.direction {
                Direction::Forward => map.apply(black_box(&from), &mut to),
                Direction::Transpose => map.apply_transpose(black_box(&from), &mut to),
            };
            done.expect("the slices have the workload's lengths");
        }
        start.elapsed().as_secs_f64() / repeats as f64
    };
    let mut times: Times = Default::default();
    let mut maps: Vec<(usize, Box<dyn LinearMap<T>>, usize)> = Vec::new();
    let mut best = f64::INFINITY;
    // Transforms first: they tell whether sums are worth running.
    for index in [1, 2, 3, 0] {
        let Ok((mut readings, map)) = prepare::<T>(index, workload, &kernel, budget.rounds) else {
            continue;
        };
        let products = match workload {
            Workload::CausalConvolution { len, batch } => (len * (len + 1) / 2 * batch) as f64,
            _ => 0.0,
        };
        let least = products / PRODUCTS_PER_SECOND * if size_of::<T>() == 4 { 0.5 } else { 1.0 };
        if index == 0 && least > FAR_BEHIND * best {
            readings.apply = vec![2.0 * least];
            readings.extrapolated = true;
        } else {
            run(map.as_ref(), 1);
            let once = run(map.as_ref(), 1);
            best = best.min(once);
            let repeats = (budget.slice.as_secs_f64() / once.max(1e-9)).ceil().clamp(1.0, 1e6);
            maps.push((index, map, repeats as usize));
        }
        times[index] = Some(readings);
    }
    for _ in 0..budget.rounds {
        for (index, map, repeats) in &maps {
            let seconds = run(map.as_ref(), *repeats);
            times[*index].as_mut().into_iter().for_each(|t| t.apply.push(seconds));
        }
    }
    times.iter_mut().flatten().for_each(Readings::settle);
    times
}

type Prepared<T> = (Readings, Box<dyn LinearMap<T>>);

/// Plans and binds, each time from nothing.
fn prepare<T: Real>(
    index: usize,
    workload: Workload,
    kernel: &[T],
    rounds: usize,
) -> Result<Prepared<T>, BackendError> {
    let mut readings = Readings::default();
    let begun = Instant::now();
    loop {
        let backend = backend::<T>(index);
        let start = Instant::now();
        let plan: Arc<dyn Plan<T>> = backend.plan(workload)?;
        readings.plan.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let map = plan.bind(kernel)?;
        readings.bind.push(start.elapsed().as_secs_f64());
        if readings.plan.len() >= rounds || begun.elapsed().as_secs_f64() > 0.1 {
            return Ok((readings, map));
        }
    }
}
