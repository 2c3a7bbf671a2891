//! Recurrences against the reference, and streams cut into blocks.

mod device;

use hpfracc_backend::conformance::{verify, verify_streaming};
use hpfracc_backend::{Backend, BackendError, Kind, Reference, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::Recurrence;

const KIND: [Kind; 1] = [Kind::Recurrence];

#[test]
fn conforms() {
    let Some(gpu) = device::gpu("recurrence conforms") else { return };
    let worst = verify::<f32>(&Recurrence::new(&gpu.f32()), &KIND, 4e-6).unwrap();
    println!("recurrence, f32: {worst:?}");
    if let Ok(double) = gpu.f64() {
        let worst = verify::<f64>(&Recurrence::new(&double), &KIND, 1e-12).unwrap();
        println!("recurrence, f64: {worst:?}");
    } else {
        println!("skipped: recurrence conforms, f64: no double precision");
    }
    let double_float = gpu.double_float().unwrap();
    let worst = verify::<f64>(&Recurrence::new(&double_float), &KIND, 1e-12).unwrap();
    println!("recurrence, df64: {worst:?}");
}

#[test]
fn cuts_change_no_bit() {
    let Some(gpu) = device::gpu("recurrence: cuts_change_no_bit") else { return };
    verify_streaming::<f32>(&Recurrence::new(&gpu.f32())).unwrap();
    if let Ok(double) = gpu.f64() {
        verify_streaming::<f64>(&Recurrence::new(&double)).unwrap();
    } else {
        println!("skipped: recurrence: cuts_change_no_bit, f64: no double precision");
    }
}

/// The largest errors, forward and transposed, with rates from 1 down to 1e-5.
fn errors<T: Real>(backend: &dyn Backend<T>, [nodes, len, batch]: [usize; 3]) -> [f64; 2] {
    let rate = |k: usize| 10_f64.powf(-5.0 * k as f64 / nodes as f64);
    let rates = (0..nodes).map(rate);
    let coefficients = (0..nodes).map(|k| rate(k).sqrt());
    let kernel: Vec<T> =
        std::iter::once(1.0).chain(rates).chain(coefficients).map(T::narrow).collect();
    let workload = Workload::Recurrence { nodes, len, batch };
    let bind = |backend: &dyn Backend<T>| backend.plan(workload).unwrap().bind(&kernel).unwrap();
    let maps = [bind(backend), bind(&Reference)];
    let noise = |n: usize| T::narrow(((n * n % 9973) as f64 * 0.37).cos());
    let x: Vec<T> = (0..(nodes + len) * batch).map(noise).collect();
    [false, true].map(|transposed| {
        let [found, expected] = maps.each_ref().map(|map| {
            let mut y = vec![T::NAN; x.len()];
            if transposed { map.apply_transpose(&x, &mut y) } else { map.apply(&x, &mut y) }
                .unwrap();
            y
        });
        let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.widen().abs()));
        let error = found.iter().zip(&expected).fold(0.0, |worst: f64, (found, expected)| {
            let error = (found.widen() - expected.widen()).abs();
            worst.max(if error.is_nan() { f64::INFINITY } else { error })
        });
        error / scale
    })
}

/// More than one span of samples, one group of nodes and one workgroup of signals.
#[test]
fn long_streams_equal_the_reference() {
    let Some(gpu) = device::gpu("recurrence: long streams") else { return };
    let sizes = [[29, 65_536, 1], [35, 17_000, 2], [3, 100, 130]];
    for size in sizes {
        let single = errors(&Recurrence::new(&gpu.f32()), size);
        println!("{size:?}, f32: {single:?}");
        assert!(single.iter().all(|&error| error < 1e-5), "{size:?}: {single:?}");
        if let Ok(double) = gpu.f64() {
            let double = errors(&Recurrence::new(&double), size);
            println!("{size:?}, f64: {double:?}");
            assert!(double.iter().all(|&error| error < 1e-14), "{size:?}: {double:?}");
        }
    }
    let double_float = gpu.double_float().unwrap();
    let pairs = errors(&Recurrence::new(&double_float), [18, 17_000, 1]);
    println!("df64: {pairs:?}");
    assert!(pairs.iter().all(|&error| error < 1e-11), "{pairs:?}");
}

#[test]
fn unsupported_workloads_and_kernels_are_rejected() {
    let Some(gpu) = device::gpu("recurrence: unsupported_workloads") else { return };
    let huge = Workload::Recurrence { nodes: 4, len: 1 << 40, batch: 1 };
    let planned = Recurrence::new(&gpu.f32()).plan(huge);
    assert!(matches!(planned, Err(BackendError::Memory { .. })));
    let dense = Workload::Dense { rows: 2, cols: 2, batch: 1 };
    let planned = Recurrence::new(&gpu.f32()).plan(dense);
    assert!(matches!(planned, Err(BackendError::Unsupported { .. })));
    let backend = Recurrence::new(&gpu.double_float().unwrap());
    let plan = backend.plan(Workload::Recurrence { nodes: 1, len: 2, batch: 1 }).unwrap();
    let bound = plan.bind(&[1.0, 0.5, 1e39]).map(drop);
    assert!(matches!(bound, Err(BackendError::Unsupported { .. })));
    // With a kernel in range, signals may have any magnitude.
    let map = plan.bind(&[1.0, 0.5, 1e38]).unwrap();
    let mut y = [0.0; 3];
    map.apply(&[1e-200, 1e-200, 0.0], &mut y).unwrap();
    let exact = [0.75e-200, 1e-162, 1.5e-162];
    assert!(y.iter().zip(exact).all(|(y, exact)| (y / exact - 1.0).abs() < 1e-12), "{y:?}");
}
