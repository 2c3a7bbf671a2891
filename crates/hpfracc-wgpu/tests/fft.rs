//! `wgpu-fft` in each precision against the loops of the reference and closed forms.

mod device;

use hpfracc_backend::{Backend, BackendError, Kind, Reference, Shape, Workload, conformance};
use hpfracc_types::Real;
use hpfracc_wgpu::{F64, Fft, Gpu};
use std::f64::consts::TAU;

const CLAIMS: [Kind; 3] =
    [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];

fn double(test: &str) -> Option<Fft<F64>> {
    let gpu = device::gpu(test)?;
    match gpu.f64() {
        Ok(double) => Some(Fft::new(&double)),
        Err(error) => {
            println!("skipped: {test}: {error}");
            None
        }
    }
}

#[test]
fn single_precision_conforms() {
    let Some(gpu) = device::gpu("single_precision_conforms") else { return };
    let report = conformance::verify(&Fft::new(&gpu.f32()), &CLAIMS, 4e-6).unwrap();
    println!("f32: {report:?}");
}

#[test]
fn double_precision_conforms() {
    let Some(backend) = double("double_precision_conforms") else { return };
    let report = conformance::verify(&backend, &CLAIMS, 1e-12).unwrap();
    println!("f64: {report:?}");
}

#[test]
fn double_float_conforms() {
    let Some(gpu) = device::gpu("double_float_conforms") else { return };
    let backend = Fft::new(&gpu.double_float().unwrap());
    let report = conformance::verify(&backend, &CLAIMS, 1e-12).unwrap();
    println!("df64: {report:?}");
}

/// A signal without a structure that could hide an error.
fn signal<T: Real>(len: usize) -> Vec<T> {
    (0..len).map(|n| T::narrow(((n * n) as f64 * 0.37).cos())).collect()
}

fn difference<T: Real>(found: &[T], expected: &[T]) -> f64 {
    let scale = expected.iter().fold(0.0, |m: f64, v| m.max(v.widen().abs()));
    let worst = found.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| {
        let d = (a.widen() - b.widen()).abs();
        if d.is_nan() { f64::INFINITY } else { worst.max(d) }
    });
    worst / scale
}

/// Both directions of a map against the loops of the reference.
fn against_reference<T: Real>(
    backend: &dyn Backend<T>,
    workload: Workload,
    kernel: &[T],
    tolerance: f64,
) {
    let map = backend.plan(workload).unwrap().bind(kernel).unwrap();
    let oracle = Backend::<T>::plan(&Reference, workload).unwrap().bind(kernel).unwrap();
    let len = workload.signal_len() * workload.batch();
    let x: Vec<T> = signal(len);
    let (mut y, mut expected) = (vec![T::NAN; len], vec![T::zero(); len]);
    map.apply(&x, &mut y).unwrap();
    oracle.apply(&x, &mut expected).unwrap();
    let forward = difference(&y, &expected);
    map.apply_transpose(&x, &mut y).unwrap();
    oracle.apply_transpose(&x, &mut expected).unwrap();
    let backward = difference(&y, &expected);
    println!("{} {}, {workload}: {forward:.1e}, {backward:.1e}", backend.name(), T::NAME);
    assert!(forward <= tolerance, "{workload}: {forward:e}");
    assert!(backward <= tolerance, "{workload}, transpose: {backward:e}");
}

fn convolutions<T: Real>(backend: &dyn Backend<T>, tolerance: f64) {
    for (len, batch) in [(1000, 70), (4095, 2), (4096, 1), (4097, 2), (10000, 1), (20000, 1)] {
        let kernel: Vec<T> = (0..len).map(|k| T::narrow(((k + 1) as f64).powf(-0.5))).collect();
        let workload = Workload::CausalConvolution { len, batch };
        against_reference(backend, workload, &kernel, tolerance);
    }
}

#[test]
fn causal_convolutions_match_the_reference() {
    let Some(gpu) = device::gpu("causal_convolutions_match_the_reference") else { return };
    convolutions::<f32>(&Fft::new(&gpu.f32()), 4e-6);
    let Some(backend) = double("causal_convolutions_match_the_reference") else { return };
    convolutions::<f64>(&backend, 1e-12);
}

/// The representative of k modulo n closest to zero.
fn frequency(k: usize, n: usize) -> f64 {
    if 2 * k <= n { k as f64 } else { k as f64 - n as f64 }
}

/// A sum of shifts, `y[n] = sum_p c[p] x[n-p]` on the torus: it has a closed form in samples and in
/// frequencies.
struct Shifts<'a> {
    lens: &'a [usize],
    terms: Vec<(Vec<usize>, f64)>,
}

impl<'a> Shifts<'a> {
    /// Short, long and medium shifts, different along each axis.
    fn new(lens: &'a [usize]) -> Self {
        let shift = |far: usize, seed: usize| {
            lens.iter().enumerate().map(|(a, &n)| (n * far / 4 + seed * (a + 1)) % n).collect()
        };
        Self { lens, terms: vec![(shift(0, 1), 1.0), (shift(3, 1), -0.5), (shift(2, 5), 0.25)] }
    }

    fn index(&self, mut position: usize, lens: &[usize]) -> Vec<usize> {
        let mut index = vec![0; lens.len()];
        for (i, n) in index.iter_mut().zip(lens).rev() {
            *i = position % n;
            position /= n;
        }
        index
    }

    fn symbol<T: Real>(&self, shape: Shape) -> Vec<T> {
        let half = shape.half_spectrum();
        let mut symbol = Vec::new();
        for position in 0..half.len().unwrap() {
            let k = self.index(position, half.lens());
            let (mut re, mut im) = (0.0, 0.0);
            for (shift, c) in &self.terms {
                // Integer fractions of a circle, so that mirror images are exact.
                let circle: usize = self.lens.iter().product();
                let turns = k.iter().zip(shift).zip(self.lens);
                let turns = turns.map(|((k, p), &n)| k * p % n * (circle / n)).sum::<usize>();
                let angle = TAU * (frequency(turns % circle, circle) / circle as f64);
                re += c * angle.cos();
                im -= c * angle.sin();
            }
            symbol.extend([T::narrow(re), T::narrow(im)]);
        }
        symbol
    }

    fn apply<T: Real>(&self, x: &[T], transposed: bool) -> Vec<T> {
        let len: usize = self.lens.iter().product();
        let mut y = Vec::with_capacity(x.len());
        for x in x.chunks(len) {
            for position in 0..len {
                let index = self.index(position, self.lens);
                let terms = self.terms.iter().map(|(shift, c)| {
                    let moved = index
                        .iter()
                        .zip(shift)
                        .zip(self.lens)
                        .map(|((&i, &p), &n)| (i + if transposed { p } else { n - p }) % n);
                    c * x[moved.zip(self.lens).fold(0, |at, (i, n)| at * n + i)].widen()
                });
                y.push(T::narrow(terms.sum()));
            }
        }
        y
    }
}

/// The largest difference of a map of shifts from its closed form, forward and transposed.
fn shifts<T: Real>(backend: &dyn Backend<T>, lens: &[usize], batch: usize, tolerance: f64) {
    let (shape, map) = (Shape::new(lens).unwrap(), Shifts::new(lens));
    let workload = Workload::SpectralMultiplier { shape, batch };
    let bound = backend.plan(workload).unwrap().bind(&map.symbol::<T>(shape)).unwrap();
    let x: Vec<T> = signal(workload.signal_len() * batch);
    let mut y = vec![T::NAN; x.len()];
    bound.apply(&x, &mut y).unwrap();
    let forward = difference(&y, &map.apply(&x, false));
    bound.apply_transpose(&x, &mut y).unwrap();
    let backward = difference(&y, &map.apply(&x, true));
    println!("{} {}, {workload}: {forward:.1e}, {backward:.1e}", backend.name(), T::NAME);
    assert!(forward <= tolerance, "{workload}: {forward:e}");
    assert!(backward <= tolerance, "{workload}, transpose: {backward:e}");
}

/// Powers of two, primes, the longest axes, axes of length one in between, and arrays that fill
/// their buffers to the last byte with fewer lines than a workgroup has.
const SHAPES: [(&[usize], usize); 19] = [
    (&[4095], 3),
    (&[4096], 2),
    (&[4097], 2),
    (&[10_000], 1),
    (&[65_537], 1),
    (&[1 << 17], 1),
    (&[64, 100], 2),
    (&[100, 64], 3),
    (&[101, 103], 1),
    (&[1024, 8], 1),
    (&[16, 4], 1),
    (&[3, 4096], 2),
    (&[2048, 5], 1),
    (&[7, 2047], 1),
    (&[1, 300, 1, 33], 2),
    (&[20, 17, 31], 2),
    (&[64, 16, 32], 1),
    (&[16, 1, 24], 1),
    (&[9, 16, 7, 10], 2),
];

#[test]
fn shifts_match_their_closed_form() {
    let Some(gpu) = device::gpu("shifts_match_their_closed_form") else { return };
    for (lens, batch) in SHAPES {
        shifts::<f32>(&Fft::new(&gpu.f32()), lens, batch, 4e-6);
    }
}

#[test]
fn shifts_match_their_closed_form_in_double_precision() {
    let Some(backend) = double("shifts_match_their_closed_form_in_double_precision") else {
        return;
    };
    for (lens, batch) in SHAPES {
        // Transforms that fit a workgroup of every device with double precision.
        let fits = |&n: &usize| n <= if n.is_power_of_two() { 2048 } else { 1024 };
        if lens.len() == 1 || lens.iter().all(fits) {
            shifts::<f64>(&backend, lens, batch, 1e-12);
        }
    }
}

fn line(n: usize) -> Workload {
    Workload::SpectralMultiplier { shape: Shape::line(n), batch: 1 }
}

/// `(i k)^alpha` multiplies a harmonic by `k^alpha` and shifts its phase by `alpha pi / 2`.
#[test]
fn fractional_derivatives_of_harmonics() {
    let Some(backend) = double("fractional_derivatives_of_harmonics") else { return };
    let (alpha, quarter) = (0.7, TAU / 4.0);
    for n in [1000, 4096, 65_537] {
        let symbol: Vec<f64> = (0..=n / 2)
            .flat_map(|k| {
                let size = (k as f64 / n as f64).powf(alpha);
                let im = if 2 * k == n { 0.0 } else { size * (alpha * quarter).sin() };
                [size * (alpha * quarter).cos(), im]
            })
            .collect();
        let map = backend.plan(line(n)).unwrap().bind(&symbol).unwrap();
        for k in [n / 100, n / 3] {
            let angle = |j: usize| TAU * ((j * k % n) as f64 / n as f64);
            let x: Vec<f64> = (0..n).map(|j| angle(j).cos()).collect();
            let size = (k as f64 / n as f64).powf(alpha);
            let expected = (0..n).map(|j| size * (angle(j) + alpha * quarter).cos());
            let mut y = vec![f64::NAN; n];
            map.apply(&x, &mut y).unwrap();
            let error = difference(&y, &expected.collect::<Vec<_>>());
            println!("f64, derivative of harmonic {k} of {n}: {error:.1e}");
            assert!(error <= 1e-12, "{n} {k}: {error:e}");
        }
    }
}

#[test]
fn a_nan_stays_in_its_signal() {
    let Some(gpu) = device::gpu("a_nan_stays_in_its_signal") else { return };
    for (lens, batch) in [(&[4096][..], 3), (&[5000], 3), (&[12, 50], 5), (&[6, 5, 8], 3)] {
        let shape = Shape::new(lens).unwrap();
        let workload = Workload::SpectralMultiplier { shape, batch };
        let len = workload.signal_len();
        let symbol = Shifts::new(lens).symbol::<f32>(shape);
        let map = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&symbol).unwrap();
        let mut x: Vec<f32> = signal(len * batch);
        let (mut clean, mut y) = (vec![f32::NAN; len * batch], vec![0.0; len * batch]);
        map.apply(&x, &mut clean).unwrap();
        x[len + len / 2] = f32::NAN;
        map.apply(&x, &mut y).unwrap();
        for (b, (y, clean)) in y.chunks(len).zip(clean.chunks(len)).enumerate() {
            if b == 1 {
                assert!(y.iter().all(|v| v.is_nan()), "{workload}");
            } else {
                assert!(y == clean, "{workload}: the NaN reached signal {b}");
            }
        }
    }
}

#[test]
fn unsupported_sizes_are_rejected_by_plan() {
    let Some(gpu) = device::gpu("unsupported_sizes_are_rejected") else { return };
    for lens in [&[5, 8192][..], &[8192, 5], &[4095, 2]] {
        let shape = Shape::new(lens).unwrap();
        let planned = Fft::new(&gpu.f32()).plan(Workload::SpectralMultiplier { shape, batch: 1 });
        assert!(matches!(planned, Err(BackendError::Unsupported { .. })), "{shape}");
    }
    let longest = Workload::CausalConvolution { len: (1 << 24) + 1, batch: 1 };
    assert!(matches!(Fft::new(&gpu.f32()).plan(longest), Err(BackendError::Unsupported { .. })));
}

/// A device with the limits that WebGPU guarantees, and bindings of at most 256 KiB.
fn modest(gpu: &Gpu) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let adapter = adapters.into_iter().find(|a| a.get_info().name == gpu.name()).unwrap();
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 18, ..Default::default() };
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    Gpu::from_device(device, queue)
}

#[test]
fn a_modest_device_splits_batches_and_has_shorter_transforms() {
    let Some(gpu) = device::gpu("a_modest_device") else { return };
    let modest = Fft::new(&modest(&gpu).f32());
    // Batches beyond a binding, in signals and in scratch; four steps for 4096 samples, which other
    // devices transform in one pass.
    for (lens, batch) in [(&[1000][..], 70), (&[4096], 9), (&[10_000], 5), (&[40, 60], 30)] {
        shifts::<f32>(&modest, lens, batch, 4e-6);
    }
    let shape = Shape::new(&[4, 4096]).unwrap();
    let too_long = modest.plan(Workload::SpectralMultiplier { shape, batch: 1 });
    assert!(matches!(too_long, Err(BackendError::Unsupported { .. })));
    // The scratch of one signal has 65536 complex numbers.
    let error = modest.plan(line(40_000)).err().expect("the plan is rejected");
    assert!(matches!(error, BackendError::Memory { limit: 262_144, .. }), "{error}");
}

#[test]
fn plan_bytes_estimates_the_memory_of_the_map() {
    for (lens, batch) in [(&[3000][..], 4), (&[20_000], 3), (&[100, 60], 5)] {
        let Some(gpu) = device::gpu("plan_bytes_estimates_the_memory") else { return };
        let shape = Shape::new(lens).unwrap();
        let workload = Workload::SpectralMultiplier { shape, batch };
        let plan = Fft::new(&gpu.f32()).plan(workload).unwrap();
        let map = plan.bind(&Shifts::new(lens).symbol::<f32>(shape)).unwrap();
        let x: Vec<f32> = signal(workload.signal_len() * batch);
        let mut y = x.clone();
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&x, &mut y).unwrap();
        let (estimated, used) = (plan.bytes() as u64, gpu.buffer_pool_stats().high_water);
        println!("{workload}: estimated {estimated}, used {used} bytes");
        // The pool also has the staging buffers of the tables, which a limit would free.
        assert!(
            estimated < 2 * used && used < 2 * estimated,
            "{workload}: estimated {estimated}, used {used} bytes"
        );
    }
}

#[test]
fn threads_share_a_map() {
    let Some(gpu) = device::gpu("threads_share_a_map") else { return };
    // In the first case signals and scratch have the same size class.
    for lens in [&[100, 60][..], &[5000]] {
        let shape = Shape::new(lens).unwrap();
        let workload = Workload::SpectralMultiplier { shape, batch: 1 };
        let symbol = Shifts::new(lens).symbol::<f32>(shape);
        let map = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&symbol).unwrap();
        let inputs: Vec<Vec<f32>> = (1..5)
            .map(|thread| {
                signal::<f32>(workload.signal_len()).iter().map(|v| v * thread as f32).collect()
            })
            .collect();
        let result = |x: &[f32]| {
            let mut y = vec![f32::NAN; x.len()];
            map.apply(x, &mut y).unwrap();
            y
        };
        let alone: Vec<Vec<f32>> = inputs.iter().map(|x| result(x)).collect();
        std::thread::scope(|scope| {
            for (x, alone) in inputs.iter().zip(&alone) {
                let result = &result;
                scope.spawn(move || {
                    for _ in 0..50 {
                        assert!(result(x) == *alone, "another thread's call changed the result");
                    }
                });
            }
        });
    }
}
