//! Scaling of signals and kernels around double-float arithmetic: f64 of any magnitude, NaN and
//! infinity. (Rounding errors are tested in parity.rs.)

mod device;

use hpfracc_backend::{Backend, Workload};
use hpfracc_wgpu::{Direct, Fft, Gemm};

const LEN: usize = 100;

type Case = (Box<dyn Backend<f64>>, Workload);

fn backends(test: &str) -> Option<[Case; 3]> {
    let proof = device::gpu(test)?.double_float().unwrap();
    let convolution = Workload::CausalConvolution { len: LEN, batch: 2 };
    let product = Workload::Dense { rows: 3, cols: LEN, batch: 2 };
    Some([
        (Box::new(Fft::new(&proof)), convolution),
        (Box::new(Direct::new(&proof)), convolution),
        (Box::new(Gemm::new(&proof)), product),
    ])
}

fn results(backend: &dyn Backend<f64>, workload: Workload, kernel: &[f64], x: &[f64]) -> Vec<f64> {
    let mut y = vec![f64::NAN; workload.output_len() * workload.batch()];
    backend.plan(workload).unwrap().bind(kernel).unwrap().apply(x, &mut y).unwrap();
    y
}

fn samples(len: usize) -> Vec<f64> {
    (0..len).map(|n| ((n * n % 997) as f64 * 0.61).cos()).collect()
}

/// Factors that are powers of two, also far outside the range of f32, change the exponent of
/// results only, and the magnitude of one signal has no effect on another.
#[test]
fn signals_and_kernels_have_any_magnitude() {
    let Some(backends) = backends("signals_and_kernels_have_any_magnitude") else { return };
    for (backend, workload) in backends {
        let (kernel, x) = (samples(workload.kernel_len()), samples(2 * LEN));
        let plain = results(backend.as_ref(), workload, &kernel, &x);
        for (of_kernel, of_first) in [(600, -900), (-900, 600), (-700, 1000), (-500, -480)] {
            let kernel: Vec<f64> = kernel.iter().map(|w| w * 2f64.powi(of_kernel)).collect();
            let mut x = x.clone();
            x[..LEN].iter_mut().for_each(|x| *x *= 2f64.powi(of_first));
            let y = results(backend.as_ref(), workload, &kernel, &x);
            let (half, name) = (y.len() / 2, backend.name());
            for (n, (y, plain)) in y.iter().zip(&plain).enumerate() {
                let power = if n < half { of_kernel + of_first } else { of_kernel };
                assert_eq!(*y, plain * 2f64.powi(power), "{name}, {of_kernel}, {of_first}, {n}");
            }
        }
    }
}

#[test]
fn subnormal_samples_are_not_flushed() {
    let Some(backends) = backends("subnormal_samples_are_not_flushed") else { return };
    for (backend, workload) in backends {
        let mut x = vec![0.0; 2 * LEN];
        (x[0], x[LEN]) = (5e-324, f64::MAX);
        let mut kernel = vec![0.0; workload.kernel_len()];
        kernel[0] = 2f64.powi(-30);
        let y = results(backend.as_ref(), workload, &kernel, &x);
        // 48 bits of the largest number.
        let large = y[y.len() / 2] / 2f64.powi(994) - 1.0;
        assert!(large.abs() < 1e-13, "{}: {large:e}", backend.name());
        kernel[0] = 2f64.powi(100);
        let y = results(backend.as_ref(), workload, &kernel, &x[..LEN].repeat(2));
        let small = y[0] / 2f64.powi(-974) - 1.0;
        assert!(small.abs() < 1e-13, "{}: {small:e}", backend.name());
    }
}

#[test]
fn nan_and_infinity_reach_only_dependent_outputs() {
    let Some(backends) = backends("nan_and_infinity_reach") else { return };
    for (backend, workload) in backends {
        let kernel = samples(workload.kernel_len());
        for poison in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut x = samples(2 * LEN);
            let clean = results(backend.as_ref(), workload, &kernel, &x);
            x[40] = poison;
            let y = results(backend.as_ref(), workload, &kernel, &x);
            let half = y.len() / 2;
            assert_eq!(y[half..], clean[half..], "{}", backend.name());
            let reached = if backend.name() == "wgpu-direct-df64" { 40 } else { 0 };
            assert_eq!(y[..reached], clean[..reached], "{}", backend.name());
            assert!(y[reached..half].iter().all(|y| y.is_nan()), "{}", backend.name());
        }
    }
}
