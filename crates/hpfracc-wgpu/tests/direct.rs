//! The direct convolution against the reference.

mod device;
mod sizes;

use hpfracc_backend::conformance::verify;
use hpfracc_backend::{Backend, Kind, LinearMap, Reference, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::Direct;

#[test]
fn conforms() {
    let Some(gpu) = device::gpu("direct conforms") else { return };
    let worst = verify::<f32>(&Direct::new(&gpu.f32()), &[Kind::CausalConvolution], 4e-6).unwrap();
    println!("direct, f32: {worst:?}");
    if let Ok(double) = gpu.f64() {
        let worst =
            verify::<f64>(&Direct::new(&double), &[Kind::CausalConvolution], 1e-12).unwrap();
        println!("direct, f64: {worst:?}");
    } else {
        println!("skipped: direct conforms, f64: no double precision");
    }
    let backend = Direct::new(&gpu.double_float().unwrap());
    let worst = verify::<f64>(&backend, &[Kind::CausalConvolution], 1e-12).unwrap();
    println!("direct, df64: {worst:?}");
}

/// Sizes around those of the tiles, three shapes of tile in each precision, and a second chunk.
const SIZES: [(usize, usize); 16] = [
    (1, 130),
    (2, 3),
    (3, 4),
    (63, 130),
    (64, 5),
    (65, 33),
    (127, 2),
    (128, 64),
    (129, 31),
    (1000, 1),
    (1000, 3),
    (1000, 70),
    (2049, 64),
    (4097, 1),
    (4097, 6),
    (16500, 1),
];

fn map<T: Real>(
    backend: &dyn Backend<T>,
    (len, batch): (usize, usize),
    kernel: &[f64],
) -> Box<dyn LinearMap<T>> {
    let kernel: Vec<T> = kernel.iter().map(|&w| T::narrow(w)).collect();
    backend.plan(Workload::CausalConvolution { len, batch }).unwrap().bind(&kernel).unwrap()
}

fn worst_error<T: Real>(
    backend: &dyn Backend<T>,
    size: (usize, usize),
    kernel: &[f64],
    x: &[f64],
) -> f64 {
    let x: Vec<T> = x.iter().map(|&x| T::narrow(x)).collect();
    let (tested, reference) = (map(backend, size, kernel), map::<T>(&Reference, size, kernel));
    let [mut y, mut expected] = [(); 2].map(|()| vec![T::NAN; x.len()]);
    let mut worst: f64 = 0.0;
    for transposed in [false, true] {
        for (map, y) in [(&tested, &mut y), (&reference, &mut expected)] {
            y.fill(T::NAN);
            if transposed { map.apply_transpose(&x, y) } else { map.apply(&x, y) }.unwrap();
        }
        let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.widen().abs()));
        for (y, expected) in y.iter().zip(&expected) {
            let error = (y.widen() - expected.widen()).abs() / scale;
            assert!(!error.is_nan(), "{size:?}, transposed {transposed}: {y}");
            worst = worst.max(error);
        }
    }
    worst
}

fn grunwald_letnikov(len: usize) -> Vec<f64> {
    let mut w = vec![1.0; len];
    for k in 1..len {
        w[k] = w[k - 1] * (1.0 - 1.5 / k as f64);
    }
    w
}

fn samples(len: usize) -> Vec<f64> {
    (0..len).map(|n| ((n * n % 9973) as f64 * 0.37).cos()).collect()
}

#[test]
fn equals_the_reference() {
    let Some(gpu) = device::gpu("direct equals the reference") else { return };
    let single = Direct::new(&gpu.f32());
    let data = |(len, batch)| (grunwald_letnikov(len), samples(len * batch));
    sizes::check("direct, half derivative, f32", &SIZES, 1e-6, |size| {
        let (kernel, x) = data(size);
        worst_error::<f32>(&single, size, &kernel, &x)
    });
    let Some(double) = sizes::double(&gpu, "direct equals the reference") else { return };
    let double = Direct::new(&double);
    sizes::check("direct, half derivative, f64", &SIZES, 1e-13, |size| {
        let (kernel, x) = data(size);
        worst_error::<f64>(&double, size, &kernel, &x)
    });
}

/// The rounding error of an uncompensated sum would grow with the square root of its length.
#[test]
fn long_sums_are_compensated() {
    let Some(gpu) = device::gpu("direct: long sums") else { return };
    for size @ (len, batch) in [(16500, 1), (4097, 5), (4097, 64)] {
        let x: Vec<f64> = samples(len * batch).iter().map(|x| x.abs()).collect();
        let error = worst_error::<f32>(&Direct::new(&gpu.f32()), size, &vec![1.0; len], &x);
        println!("direct, running sum, {size:?}: {error:e}");
        assert!(error < 1.5e-6, "{size:?}: {error:e}");
    }
}

/// NaN and infinity reach exactly the outputs that depend on the sample, at every position in a
/// tile.
#[test]
fn nan_reaches_only_dependent_outputs() {
    let Some(gpu) = device::gpu("direct: NaN") else { return };
    for size @ (len, batch) in [(300, 1), (300, 5), (150, 65)] {
        let map = map::<f32>(&Direct::new(&gpu.f32()), size, &grunwald_letnikov(len));
        for (at, poison) in [
            (0, f32::NAN),
            (7, f32::INFINITY),
            (8, f32::NAN),
            (133, f32::NAN),
            (len - 1, f32::INFINITY),
        ] {
            let mut x = vec![1.0f32; len * batch];
            let signal = batch / 2;
            x[signal * len + at] = poison;
            let mut y = vec![0.0; x.len()];
            for transposed in [false, true] {
                if transposed { map.apply_transpose(&x, &mut y) } else { map.apply(&x, &mut y) }
                    .unwrap();
                for (i, y) in y.iter().enumerate() {
                    let n = i % len;
                    let depends = i / len == signal && if transposed { n <= at } else { n >= at };
                    assert_eq!(!y.is_finite(), depends, "{size:?}, {at}, {transposed}, {n}: {y}");
                }
            }
        }
    }
}

#[test]
fn other_workloads_are_rejected() {
    let Some(gpu) = device::gpu("direct: other_workloads_are_rejected") else { return };
    let dense = Workload::Dense { rows: 2, cols: 2, batch: 1 };
    assert!(Direct::new(&gpu.f32()).plan(dense).is_err());
    let too_long = Workload::CausalConvolution { len: 1 << 32, batch: 1 };
    let error = Direct::new(&gpu.f32()).plan(too_long).err().unwrap();
    assert!(error.to_string().contains("wgpu-direct"), "{error}");
}
