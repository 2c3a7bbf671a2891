//! Trigonometric multipliers on a device: products of large fields with their modes, sizes that are
//! refused, and the memory of a map.

mod device;

use hpfracc_backend::{Backend, BackendError, RealTransform, TransformAxes, Workload};
use hpfracc_testkit::is_recorded;
use hpfracc_types::Real;
use hpfracc_wgpu::{AdapterKind, Fft, Gpu};

const SINGLE: f64 = 4e-6;
const DOUBLE: f64 = 1e-12;

fn workload(axes: &[(usize, RealTransform)], batch: usize) -> Workload {
    Workload::TrigonometricMultiplier { axes: TransformAxes::new(axes).unwrap(), batch }
}

/// A mode of a field, the product of modes of its axes, by its number along each.
fn mode(axes: &[(usize, RealTransform)], number: &[usize]) -> Vec<f64> {
    axes.iter().zip(number).fold(vec![1.0], |field, (&(n, transform), &k)| {
        let along: Vec<f64> = (0..n).map(|j| transform.entry(n, j, k)).collect();
        field.iter().flat_map(|value| along.iter().map(move |along| value * along)).collect()
    })
}

/// The largest error of a map on a sum of three modes, relative to the largest result. The second
/// signal is the first one negated.
fn error<T: Real>(backend: &dyn Backend<T>, axes: &[(usize, RealTransform)]) -> f64 {
    let workload = workload(axes, 2);
    let len = workload.signal_len();
    let multiplier = |k: usize| 0.25 + ((k * k % 7919) as f64 * 0.37).cos();
    let kernel: Vec<T> = (0..len).map(|k| T::narrow(multiplier(k))).collect();
    let map = backend.plan(workload).unwrap().bind(&kernel).unwrap();
    let (mut x, mut expected) = (vec![0.0; len], vec![0.0; len]);
    for (amplitude, part) in [(1.0, [0, 1, 8]), (-2.0, [3, 5, 8]), (0.5, [7, 8, 8])] {
        // An eighth of the modes along the first axis, and so on; the last mode is 8/8.
        let number: Vec<usize> =
            axes.iter().zip(part).map(|((n, _), eighths)| (n - 1) * eighths / 8).collect();
        let position = axes.iter().zip(&number).fold(0, |at, ((n, _), k)| at * n + k);
        for ((x, y), v) in x.iter_mut().zip(&mut expected).zip(mode(axes, &number)) {
            *x += amplitude * v;
            *y += amplitude * kernel[position].widen() * v;
        }
    }
    let signals: Vec<T> = x.iter().copied().chain(x.iter().map(|x| -x)).map(T::narrow).collect();
    let mut y = vec![T::NAN; 2 * len];
    map.apply(&signals, &mut y).unwrap();
    let (first, second) = y.split_at(len);
    assert!(first.iter().zip(second).all(|(a, b)| *a == -*b), "{workload}: signals differ");
    let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    let errors = first.iter().zip(&expected).map(|(y, exact)| (y.widen() - exact).abs());
    errors.fold(0.0, |m: f64, e| if e.is_nan() { f64::INFINITY } else { m.max(e) }) / scale
}

/// Powers of two and other lengths, the longest lines, and boxes.
fn sizes() -> Vec<Vec<(usize, RealTransform)>> {
    let [dct2, dst2, dct4, dst4, hartley] = RealTransform::ALL;
    vec![
        vec![(1000, dst2)],
        vec![(1024, dct2)],
        vec![(2048, dst4)],
        vec![(32, dst2), (128, dct2)],
        vec![(100, hartley), (32, dct4)],
        vec![(10, dct2), (32, hartley), (7, dst2)],
    ]
}

/// Planes beyond the caches of a software device.
fn large() -> Vec<Vec<(usize, RealTransform)>> {
    let [dct2, dst2, _, _, hartley] = RealTransform::ALL;
    vec![
        vec![(512, dst2), (512, dst2)],
        vec![(1024, dst2), (1000, hartley)],
        vec![(64, dct2), (2048, dct2)],
    ]
}

fn check<T: Real>(backend: &dyn Backend<T>, gpu: &Gpu, allowed: f64) {
    let name = backend.name();
    let is_software = gpu.kind() == AdapterKind::Software && !is_recorded();
    let large = if is_software { Vec::new() } else { large() };
    for axes in sizes().into_iter().chain(large) {
        let found = error(backend, &axes);
        println!("{name}, {}, {axes:?}: {found:.1e}", T::NAME);
        assert!(found <= allowed, "{name}, {axes:?}: {found:e}");
    }
}

#[test]
fn modes_in_single_precision() {
    let Some(gpu) = device::gpu("modes_in_single_precision") else { return };
    check::<f32>(&Fft::new(&gpu.f32()), &gpu, SINGLE);
}

#[test]
fn modes_in_double_precision() {
    let Some(gpu) = device::gpu("modes_in_double_precision") else { return };
    match gpu.f64() {
        Ok(double) => check::<f64>(&Fft::new(&double), &gpu, DOUBLE),
        Err(error) => println!("skipped: {error}"),
    }
}

#[test]
fn modes_in_double_float() {
    let Some(gpu) = device::gpu("modes_in_double_float") else { return };
    check::<f64>(&Fft::new(&gpu.double_float().unwrap()), &gpu, DOUBLE);
}

#[test]
fn a_nan_stays_in_its_signal() {
    let Some(gpu) = device::gpu("a_nan_stays_in_its_signal") else { return };
    for axes in &sizes()[3..5] {
        let workload = workload(axes, 3);
        let len = workload.signal_len();
        let map = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&vec![1.0; len]).unwrap();
        let mut x: Vec<f32> = (0..3 * len).map(|i| (i as f32 * 0.37).sin()).collect();
        let (mut clean, mut y) = (vec![f32::NAN; 3 * len], vec![0.0; 3 * len]);
        map.apply(&x, &mut clean).unwrap();
        x[len + len / 2] = f32::NAN;
        map.apply(&x, &mut y).unwrap();
        assert!(y[..len] == clean[..len] && y[2 * len..] == clean[2 * len..], "{workload}");
        assert!(y[len..2 * len].iter().all(|y| y.is_nan()), "{workload}");
    }
}

#[test]
fn axes_longer_than_a_workgroup_are_refused() {
    let Some(gpu) = device::gpu("axes_longer_than_a_workgroup") else { return };
    let long = RealTransform::Dst2;
    for axes in [&[(8192, long)][..], &[(4095, long)], &[(5, long), (8192, long)]] {
        let planned = Fft::new(&gpu.f32()).plan(workload(axes, 1));
        let reason = planned.err().map(|error| (error.to_string(), error));
        let Some((text, BackendError::Unsupported { .. })) = reason else {
            panic!("{axes:?} is planned")
        };
        assert!(text.contains("an axis is longer than the transform of a workgroup"), "{text}");
    }
}

/// The result holds the coefficients: there is no scratch.
#[test]
fn plan_bytes_estimates_the_memory_of_the_map() {
    for axes in [[(256, RealTransform::Dst2); 2], [(200, RealTransform::Dct2); 2]] {
        let Some(gpu): Option<Gpu> = device::gpu("plan_bytes_estimates") else { return };
        let workload = workload(&axes, 2);
        let plan = Fft::new(&gpu.f32()).plan(workload).unwrap();
        let map = plan.bind(&vec![1.0; workload.kernel_len()]).unwrap();
        let x = vec![0.5; 2 * workload.signal_len()];
        let mut y = x.clone();
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&x, &mut y).unwrap();
        let (estimated, used) = (plan.bytes() as u64, gpu.buffer_pool_stats().high_water);
        println!("{workload}: estimated {estimated}, used {used} bytes");
        assert!(estimated < 2 * used && used < 2 * estimated, "{estimated} {used}");
    }
}
