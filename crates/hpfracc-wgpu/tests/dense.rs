//! Dense products against the reference.

mod device;
mod sizes;

use hpfracc_backend::conformance::verify;
use hpfracc_backend::{Backend, BackendError, Kind, Reference, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::Gemm;

#[test]
fn conforms() {
    let Some(gpu) = device::gpu("dense conforms") else { return };
    let worst = verify::<f32>(&Gemm::new(&gpu.f32()), &[Kind::Dense], 4e-6).unwrap();
    println!("dense, f32: {worst:?}");
    if let Ok(double) = gpu.f64() {
        let worst = verify::<f64>(&Gemm::new(&double), &[Kind::Dense], 1e-12).unwrap();
        println!("dense, f64: {worst:?}");
    } else {
        println!("skipped: dense conforms, f64: no double precision");
    }
    let double_float = gpu.double_float().unwrap();
    let worst = verify::<f64>(&Gemm::new(&double_float), &[Kind::Dense], 1e-12).unwrap();
    println!("dense, df64: {worst:?}");
}

/// Rows, columns, batch: each shape of tile, full and with partial edges, in both directions.
const SIZES: [(usize, usize, usize); 14] = [
    (1, 1, 130),
    (2, 3, 3),
    (3, 2, 130),
    (63, 64, 1),
    (64, 65, 130),
    (65, 63, 3),
    (65, 1000, 130),
    (257, 130, 16),
    (129, 66, 17),
    (130, 127, 65),
    (1000, 65, 1),
    (4097, 3, 130),
    (5, 4097, 3),
    (128, 128, 128),
];

fn samples(len: usize, shift: f64) -> Vec<f64> {
    (0..len).map(|n| ((n * n % 9973) as f64 * 0.37 + shift).cos()).collect()
}

fn worst_error<T: Real>(
    backend: &dyn Backend<T>,
    (rows, cols, batch): (usize, usize, usize),
) -> f64 {
    let workload = Workload::Dense { rows, cols, batch };
    let narrow = |values: Vec<f64>| values.into_iter().map(T::narrow).collect::<Vec<T>>();
    let kernel = narrow(samples(rows * cols, 0.0));
    let [tested, reference] =
        [backend, &Reference].map(|b| b.plan(workload).unwrap().bind(&kernel).unwrap());
    let mut worst: f64 = 0.0;
    for (from, to, transposed) in [(cols, rows, false), (rows, cols, true)] {
        let x = narrow(samples(from * batch, 1.0));
        let [y, expected] = [&tested, &reference].map(|map| {
            let mut y = vec![T::NAN; to * batch];
            if transposed { map.apply_transpose(&x, &mut y) } else { map.apply(&x, &mut y) }
                .unwrap();
            y
        });
        let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.widen().abs()));
        for (y, expected) in y.iter().zip(&expected) {
            let error = (y.widen() - expected.widen()).abs() / scale;
            assert!(!error.is_nan(), "{workload}, transposed {transposed}: {y}");
            worst = worst.max(error);
        }
    }
    worst
}

#[test]
fn equals_the_reference() {
    let Some(gpu) = device::gpu("dense equals the reference") else { return };
    let single = Gemm::new(&gpu.f32());
    sizes::check("dense, f32", &SIZES, 2e-6, |size| worst_error::<f32>(&single, size));
    let Some(double) = sizes::double(&gpu, "dense equals the reference") else { return };
    let double = Gemm::new(&double);
    sizes::check("dense, f64", &SIZES, 4e-15, |size| worst_error::<f64>(&double, size));
}

/// Sums of 128 of these terms are nearly exact; the rounding errors of the totals have one sign and
/// amount to 1.5e-6 without compensation, as measured with `carry` disabled.
#[test]
fn long_sums_are_compensated() {
    let Some(gpu) = device::gpu("dense: long_sums_are_compensated") else { return };
    let (cols, term) = (20_000, 1.489_467_5f32);
    for batch in [1, 17] {
        let workload = Workload::Dense { rows: 3, cols, batch };
        let map = Gemm::new(&gpu.f32()).plan(workload).unwrap().bind(&vec![1.0; 3 * cols]).unwrap();
        let mut y = vec![0.0; 3 * batch];
        map.apply(&vec![term; cols * batch], &mut y).unwrap();
        let exact = f64::from(term) * cols as f64;
        let error = y.iter().fold(0.0, |e: f64, y| e.max((f64::from(*y) / exact - 1.0).abs()));
        println!("dense, {cols} equal terms, {batch} signals: {error:e}");
        assert!(error < 3e-7, "{error:e}");
    }
}

#[test]
fn matrices_larger_than_a_binding_are_rejected() {
    let Some(gpu) = device::gpu("dense: large matrices") else { return };
    for (rows, cols) in [(1 << 20, 1 << 20), (1 << 28, 1)] {
        let workload = Workload::Dense { rows, cols, batch: 1 };
        let planned = Gemm::new(&gpu.f32()).plan(workload);
        assert!(matches!(planned, Err(BackendError::Memory { .. })), "{workload}");
    }
}
