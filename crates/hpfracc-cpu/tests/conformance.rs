//! Every backend, in both precisions, against the loops of the reference.

use hpfracc_backend::conformance::{verify, verify_streaming};
use hpfracc_backend::{Backend, Kind};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};

fn check<B: Backend<f64> + Backend<f32>>(backend: B, claims: &[Kind], f64s: f64, f32s: f64) {
    let double = verify::<f64>(&backend, claims, f64s).unwrap();
    let single = verify::<f32>(&backend, claims, f32s).unwrap();
    println!(
        "{}: f64 {:.1e}, f32 {:.1e}",
        Backend::<f64>::name(&backend),
        double.worst,
        single.worst
    );
    assert!(double.maps > 0 && single.maps > 0);
}

const TRANSFORMED: [Kind; 3] =
    [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];

#[test]
fn direct() {
    check(Direct, &[Kind::CausalConvolution], 1e-13, 4e-6);
}

#[test]
fn fft() {
    check(Fft::new(), &TRANSFORMED, 1e-13, 4e-6);
}

#[test]
fn parallel_fft() {
    check(ParallelFft::new(), &TRANSFORMED, 1e-13, 4e-6);
}

#[test]
fn gemm() {
    check(Gemm, &[Kind::Dense], 1e-13, 4e-6);
}

#[test]
fn recurrence() {
    check(Recurrence, &[Kind::Recurrence], 1e-13, 4e-6);
    verify_streaming::<f64>(&Recurrence).unwrap();
    verify_streaming::<f32>(&Recurrence).unwrap();
}

#[test]
fn parallel_recurrence() {
    check(ParallelRecurrence, &[Kind::Recurrence], 1e-13, 4e-6);
    verify_streaming::<f64>(&ParallelRecurrence).unwrap();
    verify_streaming::<f32>(&ParallelRecurrence).unwrap();
}
