//! Shaders against what their device can do at most, measured in turn with them.
//!
//! `call` is a whole call, samples to the device and results back; `device` is the device alone, by
//! its own clock.

use crate::bench::Bench;
use crate::cell::seconds as show;
use crate::measure::Budget;
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::{
    AdapterKind, Direct, Direct64, Double, Fft, Fft64, Floors, Gemm, Gemm64, Gpu, GpuError,
};
use std::time::Instant;

const WORKS: &str = "the device does what it is asked";

/// The device of this run.
struct Bench {
    gpu: Gpu,
    double: Option<Double>,
    floors: Floors,
    software: bool,
}

/// The least times of a map over the rounds, and the best of its floor beside it.
struct Found {
    call: f64,
    device: Option<f64>,
    floor: f64,
}

/// Sizes are for a GPU; a software adapter gets one in so many signals.
const SOFTWARE_PART: usize = 256;

impl Bench {
    /// `None` without an adapter, which is said.
    fn open() -> Option<Self> {
        let gpu = match Gpu::new() {
            Ok(gpu) => gpu,
            Err(error) => {
                println!("Not measured: {error}.");
                return None;
            }
        };
        let software = gpu.kind() == AdapterKind::Software;
        println!("Device: {}.", gpu.name());
        if software {
            println!("A software adapter: figures are for correctness only.");
        }
        let floors = Floors::new(&gpu, if software { 32 << 20 } else { 256 << 20 });
        let (double, floors) = (gpu.double().ok(), floors.expect(WORKS));
        Some(Self { gpu, double, floors, software })
    }

    fn rounds(&self, budget: Budget) -> usize {
        if self.software { 3 } else { budget.rounds }
    }

    fn batch(&self, signals: usize) -> usize {
        if self.software { signals.div_ceil(SOFTWARE_PART) } else { signals }
    }

    /// Floor, whole call and device time in turn.
    fn measure<T: Real>(
        &mut self,
        rounds: usize,
        backend: &dyn Backend<T>,
        workload: Workload,
        transposed: bool,
        floor: fn(&mut Floors) -> Result<f64, GpuError>,
    ) -> Found {
        let map = bind(backend, workload);
        let [mut from, mut to] = [workload.signal_len(), workload.output_len()];
        if transposed {
            (from, to) = (to, from);
        }
        let x = vec![T::narrow(0.25); from * workload.batch()];
        let mut y = vec![T::zero(); to * workload.batch()];
        let mut run = || match transposed {
            false => map.apply(&x, &mut y).expect(WORKS),
            true => map.apply_transpose(&x, &mut y).expect(WORKS),
        };
        run();
        floor(&mut self.floors).expect(WORKS);
        let mut found = Found { call: f64::INFINITY, device: None, floor: 0.0 };
        for _ in 0..rounds {
            found.floor = floor(&mut self.floors).expect(WORKS).max(found.floor);
            let start = Instant::now();
            run();
            found.call = start.elapsed().as_secs_f64().min(found.call);
            let Ok(meter) = self.gpu.meter() else { continue };
            run();
            let seconds = meter.device_seconds();
            found.device = Some(found.device.map_or(seconds, |least: f64| least.min(seconds)));
        }
        found
    }
}

fn bind<T: Real>(backend: &dyn Backend<T>, workload: Workload) -> Box<dyn LinearMap<T>> {
    let symbol = matches!(workload, Workload::SpectralMultiplier { .. });
    let value = |k: usize| if symbol && k % 2 == 1 { T::zero() } else { T::narrow(0.5) };
    let kernel: Vec<T> = (0..workload.kernel_len()).map(value).collect();
    backend.plan(workload).and_then(|plan| plan.bind(&kernel)).expect(WORKS)
}

/// Samples, results and weights, each once.
fn bytes<T>(workload: Workload) -> f64 {
    let samples = (workload.signal_len() + workload.output_len()) * workload.batch();
    (size_of::<T>() * (samples + workload.kernel_len())) as f64
}

fn show_device(found: &Found) -> String {
    found.device.map_or_else(|| "-".to_owned(), show)
}

/// So much work per second of the device, as part of the floor.
fn part(work: f64, found: &Found) -> String {
    let part = |seconds: f64| format!("{:.1} %", 100.0 * work / seconds / found.floor);
    found.device.map_or_else(|| "-".to_owned(), part)
}

/// What the device can do at most.
pub(crate) fn device(bench: &mut Bench) {
    let budget = bench.budget;
    let start = Instant::now();
    let Some(mut bench) = Bench::open() else { return };
    println!("Opened, with the self-test of f64, in {}.\n", show(start.elapsed().as_secs_f64()));
    let mut best = [0.0_f64; 6];
    for _ in 0..bench.rounds(budget) {
        let floors = &mut bench.floors;
        let found = [
            1.0 / floors.empty_submit().expect(WORKS),
            floors.copy().expect(WORKS),
            floors.upload().expect(WORKS),
            floors.download().expect(WORKS),
            floors.products().expect(WORKS),
            floors.double_products().expect(WORKS).unwrap_or(0.0),
        ];
        for (best, found) in best.iter_mut().zip(found) {
            *best = best.max(found);
        }
    }
    let [submits, copy, upload, download, single, double] = best;
    println!("| floor | measured |");
    println!("|---|--:|");
    println!("| empty submit and wait | {} |", show(1.0 / submits));
    println!("| copy on the device, read and written | {:.1} GB/s |", copy * 1e-9);
    println!("| upload | {:.1} GB/s |", upload * 1e-9);
    println!("| download | {:.1} GB/s |", download * 1e-9);
    println!("| fused products, f32 | {:.1} 10^9/s |", single * 1e-9);
    println!("| fused products, f64 | {:.1} 10^9/s |", double * 1e-9);
}

/// A short call against an empty one.
pub(crate) fn overhead(bench: &mut Bench) {
    let budget = bench.budget;
    let Some(mut bench) = Bench::open() else { return };
    println!("Floor: handing over an empty list of commands and waiting for its end.\n");
    println!("| kernel, 1024 samples | empty | call | device | call / empty |");
    println!("|---|--:|--:|--:|--:|");
    let workload = Workload::CausalConvolution { len: 1024, batch: 1 };
    let (direct, fft) = (Direct::new(&bench.gpu), Fft::new(&bench.gpu));
    let kernels: [&dyn Backend<f32>; 2] = [&direct, &fft];
    for kernel in kernels {
        let submits = |floors: &mut Floors| floors.empty_submit().map(|seconds| 1.0 / seconds);
        let found = bench.measure(20 * budget.rounds, kernel, workload, false, submits);
        println!(
            "| {} | {} | {} | {} | {:.2} |",
            kernel.name(),
            show(1.0 / found.floor),
            show(found.call),
            show_device(&found),
            found.call * found.floor,
        );
    }
}

/// Transforms against a copy of the same bytes on the device.
pub(crate) fn transforms(bench: &mut Bench) {
    let budget = bench.budget;
    let Some(mut bench) = Bench::open() else { return };
    println!("Floor: samples, results and weights at the rate of a large copy on the device.\n");
    println!("| workload | kernel | call | device | part of copy |");
    println!("|---|---|--:|--:|--:|");
    let (batch, long) = (bench.batch(4096), if bench.software { 1 << 15 } else { 1 << 20 });
    let workloads = [
        Workload::CausalConvolution { len: 1024, batch: 4 * batch },
        Workload::CausalConvolution { len: 4096, batch },
        Workload::CausalConvolution { len: long, batch: 1 },
        Workload::SpectralMultiplier { shape: Shape::line(4096), batch },
        Workload::SpectralMultiplier { shape: Shape::line(3000), batch },
    ];
    let single = Fft::new(&bench.gpu);
    let double = bench.double.as_ref().map(Fft64::new);
    for workload in workloads {
        copy_row::<f32>(&mut bench, budget, &single, workload);
        if let Some(double) = &double {
            copy_row::<f64>(&mut bench, budget, double, workload);
        }
    }
}

fn copy_row<T: Real>(
    bench: &mut Bench,
    budget: Budget,
    backend: &dyn Backend<T>,
    workload: Workload,
) {
    let found = bench.measure(bench.rounds(budget), backend, workload, false, Floors::copy);
    println!(
        "| {workload} | {} | {} | {} | {} |",
        backend.name(),
        show(found.call),
        show_device(&found),
        part(bytes::<T>(workload), &found)
    );
}

/// Direct sums and dense products against the peak of fused products.
pub(crate) fn products(bench: &mut Bench) {
    let budget = bench.budget;
    let Some(mut bench) = Bench::open() else { return };
    println!("Floor: as many fused products, from registers.\n");
    println!("| workload | kernel | call | device | part of peak |");
    println!("|---|---|--:|--:|--:|");
    let (batch, side) = (bench.batch(4096), if bench.software { 128 } else { 2048 });
    let direct = Workload::CausalConvolution { len: 4096, batch };
    let dense = Workload::Dense { rows: side, cols: side, batch: side };
    let gpu = bench.gpu.clone();
    product_rows::<f32>(&mut bench, budget, &Direct::new(&gpu), direct, Floors::products);
    product_rows::<f32>(&mut bench, budget, &Gemm::new(&gpu), dense, Floors::products);
    let peak = |floors: &mut Floors| floors.double_products().map(Option::unwrap_or_default);
    if let Some(double) = bench.double.clone() {
        product_rows::<f64>(&mut bench, budget, &Direct64::new(&double), direct, peak);
        product_rows::<f64>(&mut bench, budget, &Gemm64::new(&double), dense, peak);
    }
}

fn product_rows<T: Real>(
    bench: &mut Bench,
    budget: Budget,
    backend: &dyn Backend<T>,
    workload: Workload,
    peak: fn(&mut Floors) -> Result<f64, GpuError>,
) {
    let of_one = match workload {
        Workload::CausalConvolution { len, .. } => len * (len + 1) / 2,
        _ => workload.kernel_len(),
    };
    let products = (of_one * workload.batch()) as f64;
    for (transposed, mark) in [(false, ""), (true, ", transposed")] {
        let rounds = bench.rounds(budget);
        let found = bench.measure(rounds, backend, workload, transposed, peak);
        println!(
            "| {workload}{mark} | {} | {} | {} | {} |",
            backend.name(),
            show(found.call),
            show_device(&found),
            part(products, &found)
        );
    }
}
