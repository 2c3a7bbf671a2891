//! Shaders against what their device can do at most, measured in turn with them.
//!
//! A call is a whole one, samples to the device and results back; the device's own time is by its
//! clock.

mod ensembles;

use crate::bench::Bench;
use crate::cell::{Cell, floor, label, nothing, number, rate, ratio, time};
use crate::groups::nn::neural_energy_score;
use crate::groups::selector::{Contender, cases, compare};
use crate::measure::Time;
use hpfracc::nn::{Batch, Objective, Supervised, Targets, Transformer};
use hpfracc::{Machine, Settings};
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::{
    AdapterKind, DevicePeaks, Direct, F64, Fft, Gemm, Gpu, GpuError, GpuSdeFit, GpuSupervised,
    adapters,
};
use ndarray::Array2;
use std::time::{Duration, Instant};

pub(crate) use ensembles::ensembles;

const WORKS: &str = "the device does what it is asked";

/// The device of this run.
struct Device<'a> {
    bench: &'a mut Bench,
    gpu: Gpu,
    double: Option<F64>,
    peaks: DevicePeaks,
    software: bool,
    /// How long it took to find it, with the self-test of double precision.
    opening: Time,
}

/// Times of a map, and of what its floor counts: a byte, a product, a submission.
struct Found {
    call: Time,
    device: Option<Time>,
    unit: Time,
}

/// Sizes are for a GPU; a software adapter gets one in so many signals.
const SOFTWARE_PART: usize = 256;

impl<'a> Device<'a> {
    /// `None` without an adapter, which is said.
    fn open(bench: &'a mut Bench) -> Option<Self> {
        let start = Instant::now();
        let gpu = match Gpu::new() {
            Ok(gpu) => gpu,
            Err(error) => {
                bench.note(format!("Not measured: {error}."));
                return None;
            }
        };
        let double = gpu.f64().ok();
        let opening = Time::of(vec![start.elapsed().as_secs_f64()]);
        let software = gpu.kind() == AdapterKind::Software;
        let only =
            if software { " A software adapter: figures are for correctness only." } else { "" };
        bench.note(format!("Device: {}.{only}", gpu.name()));
        let peaks = DevicePeaks::new(&gpu, if software { 32 << 20 } else { 256 << 20 });
        Some(Self { bench, gpu, double, peaks: peaks.expect(WORKS), software, opening })
    }

    fn rounds(&self) -> usize {
        if self.software { 3 } else { self.bench.budget.rounds }
    }

    fn batch(&self, signals: usize) -> usize {
        if self.software { signals.div_ceil(SOFTWARE_PART) } else { signals }
    }

    /// Floor, whole call and device time in turn; the floor is asked for units a second.
    fn measure<T: Real>(
        &mut self,
        rounds: usize,
        backend: &dyn Backend<T>,
        workload: Workload,
        transposed: bool,
        a_second: fn(&mut DevicePeaks) -> Result<f64, GpuError>,
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
        a_second(&mut self.peaks).expect(WORKS);
        let [mut unit, mut call, mut device] = [(); 3].map(|()| Vec::new());
        for _ in 0..rounds {
            unit.push(1.0 / a_second(&mut self.peaks).expect(WORKS));
            let start = Instant::now();
            run();
            call.push(start.elapsed().as_secs_f64());
            let Ok(meter) = self.gpu.meter() else { continue };
            run();
            device.push(meter.device_seconds());
        }
        let device = (device.len() == rounds).then(|| Time::of(device));
        Found { call: Time::of(call), device, unit: Time::of(unit) }
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

impl Found {
    /// Floor of this number of units, whole call, device alone, and ratio of the device to the
    /// floor.
    fn cells(&self, units: f64) -> [Cell; 4] {
        let least = self.unit.scaled(units);
        let device = self.device.as_ref();
        [
            floor(&least),
            time(&self.call),
            device.map_or_else(nothing, time),
            device.map_or_else(nothing, |device| ratio(device, &least)),
        ]
    }
}

/// The adapters, best first, and what the best can do at most.
pub(crate) fn device(bench: &mut Bench) {
    bench.columns(
        "adapter | kind | interface | driver | memory, GB | f64 | f16 | subgroups | clock",
    );
    for adapter in adapters() {
        let has = |feature| label(if feature { "yes" } else { "no" });
        bench.row([
            label(&adapter.name),
            label(adapter.kind),
            label(&adapter.interface),
            label(&adapter.driver),
            adapter.memory_bytes.map_or_else(nothing, |bytes| number(bytes as f64 / 1e9, 1)),
            has(adapter.f64),
            has(adapter.f16),
            has(adapter.subgroups),
            has(adapter.timestamps),
        ]);
    }
    let Some(mut device) = Device::open(bench) else { return };
    let (mut readings, mut double) = ([(); 5].map(|()| Vec::new()), Vec::new());
    for _ in 0..device.rounds() {
        let peaks = &mut device.peaks;
        let units = [
            peaks.submission_latency().expect(WORKS),
            1.0 / peaks.copy_bandwidth().expect(WORKS),
            1.0 / peaks.upload_bandwidth().expect(WORKS),
            1.0 / peaks.download_bandwidth().expect(WORKS),
            1.0 / peaks.f32_fma_rate().expect(WORKS),
        ];
        double.extend(peaks.f64_fma_rate().expect(WORKS).map(f64::recip));
        readings.iter_mut().zip(units).for_each(|(readings, unit)| readings.push(unit));
    }
    let [submit, copy, upload, download, single] = readings.map(Time::of);
    let opening = time(&device.opening);
    bench.columns("what | time");
    bench.row([label("opening, with the self-test of f64"), opening]);
    bench.row([label("empty submit and wait"), floor(&submit)]);
    bench.note("At most:");
    bench.columns("what | a second");
    bench.row([label("bytes copied on the device, read and written"), rate(1.0, &copy)]);
    bench.row([label("bytes uploaded"), rate(1.0, &upload)]);
    bench.row([label("bytes downloaded"), rate(1.0, &download)]);
    bench.row([label("fused products, f32"), rate(1.0, &single)]);
    let double = if double.is_empty() { nothing() } else { rate(1.0, &Time::of(double)) };
    bench.row([label("fused products, f64"), double]);
}

/// A short call against an empty one.
pub(crate) fn overhead(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(
        "Floor: handing over an empty list of commands and waiting for its end. 1024 samples.",
    );
    device.bench.columns("kernel | empty | call | device | device / empty | call / empty");
    let workload = Workload::CausalConvolution { len: 1024, batch: 1 };
    let (direct, fft) = (Direct::new(&device.gpu.f32()), Fft::new(&device.gpu.f32()));
    let kernels: [&dyn Backend<f32>; 2] = [&direct, &fft];
    for kernel in kernels {
        let submits = |peaks: &mut DevicePeaks| peaks.submission_latency().map(f64::recip);
        let rounds = 20 * device.bench.budget.rounds;
        let found = device.measure(rounds, kernel, workload, false, submits);
        let [empty, call, alone, of_empty] = found.cells(1.0);
        let whole = ratio(&found.call, &found.unit);
        device.bench.row([label(kernel.name()), empty, call, alone, of_empty, whole]);
    }
}

/// Transforms against a copy of the same bytes on the device.
pub(crate) fn transforms(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(
        "Floor: samples, results and weights at the rate of a large copy on the device. A call takes samples to the \
         device and results back.",
    );
    device.bench.columns("workload | kernel | copy | call | device | device / copy");
    let (batch, long) = (device.batch(4096), if device.software { 1 << 15 } else { 1 << 20 });
    let workloads = [
        Workload::CausalConvolution { len: 1024, batch: 4 * batch },
        Workload::CausalConvolution { len: 4096, batch },
        Workload::CausalConvolution { len: long, batch: 1 },
        Workload::SpectralMultiplier { shape: Shape::line(4096), batch },
        Workload::SpectralMultiplier { shape: Shape::line(3000), batch },
    ];
    let single = Fft::new(&device.gpu.f32());
    let double = device.double.as_ref().map(Fft::new);
    for workload in workloads {
        copy_row::<f32>(&mut device, &single, workload);
        if let Some(double) = &double {
            copy_row::<f64>(&mut device, double, workload);
        }
    }
}

fn copy_row<T: Real>(device: &mut Device<'_>, backend: &dyn Backend<T>, workload: Workload) {
    let found =
        device.measure(device.rounds(), backend, workload, false, DevicePeaks::copy_bandwidth);
    let [copy, call, alone, of_copy] = found.cells(bytes::<T>(workload));
    device.bench.row([label(workload), label(backend.name()), copy, call, alone, of_copy]);
}

/// Direct sums and dense products against the peak of fused products.
pub(crate) fn products(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(
        "Floor: as many fused products, from registers. A call takes samples to the device and results back.",
    );
    device.bench.columns("workload | kernel | peak | call | device | device / peak");
    let (batch, side) = (device.batch(4096), if device.software { 128 } else { 2048 });
    let direct = Workload::CausalConvolution { len: 4096, batch };
    let dense = Workload::Dense { rows: side, cols: side, batch: side };
    let single = device.gpu.f32();
    product_rows::<f32>(&mut device, &Direct::new(&single), direct, DevicePeaks::f32_fma_rate);
    product_rows::<f32>(&mut device, &Gemm::new(&single), dense, DevicePeaks::f32_fma_rate);
    let peak = |peaks: &mut DevicePeaks| peaks.f64_fma_rate().map(Option::unwrap_or_default);
    if let Some(double) = device.double.clone() {
        product_rows::<f64>(&mut device, &Direct::new(&double), direct, peak);
        product_rows::<f64>(&mut device, &Gemm::new(&double), dense, peak);
    }
}

fn product_rows<T: Real>(
    device: &mut Device<'_>,
    backend: &dyn Backend<T>,
    workload: Workload,
    peak: fn(&mut DevicePeaks) -> Result<f64, GpuError>,
) {
    let of_one = match workload {
        Workload::CausalConvolution { len, .. } => len * (len + 1) / 2,
        _ => workload.kernel_len(),
    };
    let products = (of_one * workload.batch()) as f64;
    for (transposed, mark) in [(false, ""), (true, ", transposed")] {
        let rounds = device.rounds();
        let found = device.measure(rounds, backend, workload, transposed, peak);
        let [peak, call, alone, of_peak] = found.cells(products);
        let name = label(format!("{workload}{mark}"));
        device.bench.row([name, label(backend.name()), peak, call, alone, of_peak]);
    }
}

/// Training steps of networks: gradient of a batch on the device and on the CPU.
pub(crate) fn networks(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(
        "Loss and gradient of a batch of texts by a causal decoder, from parameters on the host to the gradient there. Floor: \
         the fused products of its dense layers, three times each, from registers.",
    );
    device.bench.columns("parameters | texts of 64 | peak | GPU | GPU / peak | CPU | CPU / GPU");
    let large = Transformer { hidden: 1376, ..Transformer::new(512, 8, 6, 64) };
    let sizes = match device.software {
        true => [(Transformer::new(32, 2, 1, 64), 4), (Transformer::new(64, 4, 1, 64), 4)],
        false => [(Transformer::new(128, 4, 4, 64), 64), (large, 64)],
    };
    for (transformer, texts) in sizes {
        let network = transformer.causal().classes(13).expect(WORKS);
        let character = |i: usize, j: usize| (i * i + 3 * i * j + 5 * j * j) % 13;
        let inputs = Array2::from_shape_fn((texts, 64), |(i, j)| character(i, j) as f32);
        let next = Array2::from_shape_fn((texts, 64), |(i, j)| character(i, j + 1));
        let new = || {
            let targets = Targets::ClassSeries(next.clone());
            let objective = Supervised::new(network.clone(), inputs.clone(), targets);
            objective.and_then(|objective| objective.in_tiles_of(4)).expect(WORKS)
        };
        let (on_cpu, on_gpu) = (new(), GpuSupervised::new(&device.gpu, new(), texts).expect(WORKS));
        let mut theta = vec![0.0; on_cpu.parameters()];
        on_cpu.initialise(1, &mut theta);
        let (batch, mut gradient) = ((0..texts).collect::<Vec<_>>(), vec![0.0; theta.len()]);
        let [mut unit, mut gpu, mut cpu] = [(); 3].map(|()| Vec::new());
        let objectives: [&dyn Objective<f32>; 2] = [&on_gpu, &on_cpu];
        for _ in 0..device.rounds() {
            unit.push(1.0 / device.peaks.f32_fma_rate().expect(WORKS));
            for (objective, times) in objectives.iter().zip([&mut gpu, &mut cpu]) {
                let start = Instant::now();
                objective.gradient(&theta, Batch::new(&batch, 0), &mut gradient).expect(WORKS);
                times.push(start.elapsed().as_secs_f64());
            }
        }
        let products = 3.0 * (theta.len() * 64 * texts) as f64;
        let least = Time::of(unit).scaled(products);
        let (gpu, cpu) = (Time::of(gpu), Time::of(cpu));
        device.bench.row([
            label(theta.len()),
            label(texts),
            floor(&least),
            time(&gpu),
            ratio(&gpu, &least),
            time(&cpu),
            ratio(&cpu, &gpu),
        ]);
    }
}

/// Training steps of neural stochastic equations, and their solves: on the device and on the CPU.
pub(crate) fn neural_sde(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(
        "Loss alone (solve of all paths, energy score of 8 paths) and gradient of a batch, state 4, drift 4-64-64-4 and diagonal \
         diffusion 4-64-4 with tanh, 100 steps. Peak: the fused products of the networks in the solve, from registers.",
    );
    device.bench.columns(
        "paths | peak | GPU: loss | GPU / peak | path steps a second | GPU: gradient | CPU: gradient | CPU / GPU: loss | \
         CPU / GPU: gradient",
    );
    let batches: &[usize] = if device.software { &[8, 32] } else { &[32, 512, 8192] };
    for &batch in batches {
        let new = || neural_energy_score(batch);
        let (on_cpu, on_gpu) = (new(), GpuSdeFit::new(&device.gpu, new(), batch).expect(WORKS));
        let mut theta = vec![0.0; on_cpu.parameters()];
        on_cpu.initialise(1, &mut theta);
        let (samples, mut gradient) = ((0..batch).collect::<Vec<_>>(), vec![0.0; theta.len()]);
        let [mut unit, mut cpu, mut gpu, mut loss_of_cpu, mut loss_of_gpu] =
            [(); 5].map(|()| Vec::new());
        let objectives: [&dyn Objective<f32>; 2] = [&on_gpu, &on_cpu];
        let mut all = [[&mut loss_of_gpu, &mut gpu], [&mut loss_of_cpu, &mut cpu]];
        for _ in 0..device.rounds() {
            unit.push(1.0 / device.peaks.f32_fma_rate().expect(WORKS));
            for (objective, [losses, gradients]) in objectives.iter().zip(&mut all) {
                let of_batch = Batch::new(&samples, 0);
                let start = Instant::now();
                objective.loss(&theta, of_batch).expect(WORKS);
                losses.push(start.elapsed().as_secs_f64());
                let start = Instant::now();
                objective.gradient(&theta, of_batch, &mut gradient).expect(WORKS);
                gradients.push(start.elapsed().as_secs_f64());
            }
        }
        let path_steps = (on_cpu.paths() * batch * on_cpu.solving().steps) as f64;
        let least = Time::of(unit).scaled(path_steps * theta.len() as f64);
        let [loss_of_gpu, gpu, loss_of_cpu, cpu] =
            [loss_of_gpu, gpu, loss_of_cpu, cpu].map(Time::of);
        device.bench.row([
            label(on_cpu.paths() * batch),
            floor(&least),
            time(&loss_of_gpu),
            ratio(&loss_of_gpu, &least),
            rate(path_steps, &loss_of_gpu),
            time(&gpu),
            time(&cpu),
            ratio(&loss_of_cpu, &loss_of_gpu),
            ratio(&cpu, &gpu),
        ]);
    }
}

/// A machine with the backends on the GPU from a cold start, in real runs.
pub(crate) fn choice(bench: &mut Bench) {
    let Some(Device { bench, software, .. }) = Device::open(bench) else { return };
    let mut cases = cases(true);
    if software {
        cases.retain(|case| case.workload.signal_len() * case.workload.batch() <= 1 << 14);
    }
    bench.note(format!(
        "{} cases of `selector/regret`, computed: wall time of plan, binding and all applications, by a machine that \
         starts without timings and opens its devices, and by each backend, already open, in turn. Hindsight: for each \
         case the backend with the least total.",
        cases.len(),
    ));
    let mut settings = Settings::default();
    settings.gpus_from = Duration::ZERO;
    let machine = Machine::with(&settings).expect("the settings are in order");
    let names = [
        "cpu-direct",
        "cpu-fft",
        "cpu-parallel-fft",
        "cpu-gemm",
        "wgpu-fft",
        "wgpu-direct",
        "wgpu-gemm",
    ];
    let only = |name: &str| Contender::new(name, Machine::only(name).expect("the name is known"));
    let backends = names.map(only);
    for backend in &backends {
        // Opens the device. What a backend cannot plan is no matter.
        let short = Workload::CausalConvolution { len: 16, batch: 1 };
        let _ = (backend.single.plan(short), backend.double.plan(short));
    }
    compare(bench, &cases, &[Contender::new("machine", machine)], &backends);
}
