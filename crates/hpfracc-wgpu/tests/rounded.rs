//! Maps of f64 computed in f32 on a device: differences taken before the rounding.

mod device;

use hpfracc_backend::{Backend, Kind, Rounded, Workload, conformance};
use hpfracc_wgpu::{Fft, Gpu};

#[test]
fn mixed_precision_conforms() {
    let Some(gpu) = device::gpu("mixed_precision_conforms") else { return };
    let backend = Rounded::new(Fft::new(&gpu));
    assert_eq!(backend.name(), "wgpu-fft-rounded-to-f32");
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier];
    let report = conformance::verify::<f64>(&backend, &claims, 4e-6).unwrap();
    println!("{report:?}");
}

/// D^alpha of t by L1 is exact: its differences are h, its weights sum to t^(1-alpha).
///
/// Also the error when samples are rounded first. Relative to the largest entry.
fn errors(gpu: &Gpu, alpha: f64, n: usize) -> [f64; 2] {
    let h = 1.0 / (n - 1) as f64;
    let power = |k: usize| (k as f64).powf(1.0 - alpha);
    // The difference of two powers without cancellation: b^p expm1(p log1p(1/b)).
    let step = |k: usize| {
        let grown = ((1.0 - alpha) * (1.0 / k as f64).ln_1p()).exp_m1();
        if k == 0 { 1.0 } else { power(k) * grown }
    };
    let weights: Vec<f64> = (0..n).map(step).collect();
    // A straight line with an offset, which the rounding of samples feels and the derivative does not.
    let f: Vec<f64> = (0..n).map(|i| 1.1 + i as f64 * h).collect();
    let exact: Vec<f64> = (0..n).map(|i| h * power(i)).collect();
    let workload = Workload::CausalConvolution { len: n, batch: 1 };

    let mut s = vec![0.0; n];
    (1..n).for_each(|i| s[i] = f[i] - f[i - 1]);
    let mut y = vec![f64::NAN; n];
    let mixed = Rounded::new(Fft::new(gpu)).plan(workload).unwrap().bind(&weights).unwrap();
    mixed.apply(&s, &mut y).unwrap();

    let mut s = vec![0.0_f32; n];
    (1..n).for_each(|i| s[i] = f[i] as f32 - f[i - 1] as f32);
    let mut y_single = vec![f32::NAN; n];
    let weights: Vec<f32> = weights.iter().map(|&w| w as f32).collect();
    let single = Fft::new(gpu).plan(workload).unwrap().bind(&weights).unwrap();
    single.apply(&s, &mut y_single).unwrap();

    let of = |found: &mut dyn Iterator<Item = f64>| {
        let differences = found.zip(&exact).map(|(found, exact)| (found - exact).abs());
        differences.fold(0.0, f64::max) / exact[n - 1]
    };
    [of(&mut y.into_iter()), of(&mut y_single.into_iter().map(f64::from))]
}

#[test]
fn l1_derivatives_lose_single_precision_only() {
    let Some(gpu) = device::gpu("l1_derivatives_lose_single_precision_only") else { return };
    for alpha in [0.1, 0.5, 0.9] {
        for n in [4096, 65_537, 1_000_000] {
            let [mixed, rounded_first] = errors(&gpu, alpha, n);
            println!("alpha {alpha}, N {n}: {mixed:.1e}, rounded first {rounded_first:.1e}");
            assert!(mixed <= 5e-7, "alpha = {alpha}, N = {n}: {mixed:e}");
        }
    }
}
