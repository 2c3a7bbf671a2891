//! Maps of f64 rounded to f32 on a device, with differences taken before the rounding.

mod device;

use hpfracc_backend::{Backend, Kind, Rounded, Workload, conformance};
use hpfracc_wgpu::{Fft, Gpu};

#[test]
fn mixed_precision_conforms() {
    let Some(gpu) = device::gpu("mixed_precision_conforms") else { return };
    let backend = Rounded::new(Fft::new(&gpu.f32()));
    assert_eq!(backend.name(), "wgpu-fft-rounded-to-f32");
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier];
    let report = conformance::verify::<f64>(&backend, &claims, 4e-6).unwrap();
    println!("{report:?}");
}

/// Errors of the L1 derivative of t, relative to the largest entry: with differences in f64, and
/// with samples rounded first. In exact arithmetic the scheme has no error: the differences are h,
/// and the weights sum to t^(1-alpha).
fn errors(gpu: &Gpu, alpha: f64, n: usize) -> [f64; 2] {
    let h = 1.0 / (n - 1) as f64;
    let power = |k: usize| (k as f64).powf(1.0 - alpha);
    // The difference of two powers without cancellation: b^p expm1(p log1p(1/b)).
    let step = |k: usize| {
        let grown = ((1.0 - alpha) * (1.0 / k as f64).ln_1p()).exp_m1();
        if k == 0 { 1.0 } else { power(k) * grown }
    };
    let weights: Vec<f64> = (0..n).map(step).collect();
    // A straight line with an offset, which affects the rounding of samples and not the derivative.
    let f: Vec<f64> = (0..n).map(|i| 1.1 + i as f64 * h).collect();
    let exact: Vec<f64> = (0..n).map(|i| h * power(i)).collect();
    let workload = Workload::CausalConvolution { len: n, batch: 1 };

    let mut s = vec![0.0; n];
    (1..n).for_each(|i| s[i] = f[i] - f[i - 1]);
    let mut y = vec![f64::NAN; n];
    let mixed = Rounded::new(Fft::new(&gpu.f32())).plan(workload).unwrap().bind(&weights).unwrap();
    mixed.apply(&s, &mut y).unwrap();

    let mut s = vec![0.0_f32; n];
    (1..n).for_each(|i| s[i] = f[i] as f32 - f[i - 1] as f32);
    let mut y_single = vec![f32::NAN; n];
    let weights: Vec<f32> = weights.iter().map(|&w| w as f32).collect();
    let single = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&weights).unwrap();
    single.apply(&s, &mut y_single).unwrap();

    let error = |computed: &mut dyn Iterator<Item = f64>| {
        let differences = computed.zip(&exact).map(|(y, exact)| (y - exact).abs());
        differences.fold(0.0, f64::max) / exact[n - 1]
    };
    [error(&mut y.into_iter()), error(&mut y_single.into_iter().map(f64::from))]
}

#[test]
fn l1_derivatives_have_the_accuracy_of_single_precision() {
    let Some(gpu) = device::gpu("l1_derivatives_have_the_accuracy") else { return };
    for alpha in [0.1, 0.5, 0.9] {
        for n in [4096, 65_537, 1_000_000] {
            let [mixed, rounded_first] = errors(&gpu, alpha, n);
            println!("alpha {alpha}, N {n}: {mixed:.1e}, rounded first {rounded_first:.1e}");
            assert!(mixed <= 5e-7, "alpha = {alpha}, N = {n}: {mixed:e}");
        }
    }
}
