//! Recurrences: the conformance suite, and streams cut into blocks.

mod device;

use hpfracc_backend::conformance::{verify, verify_streaming};
use hpfracc_backend::{Backend, BackendError, Kind, Workload};
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
