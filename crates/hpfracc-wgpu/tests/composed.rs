//! Backends composed of others on a device: `Rounded`, f64 in f32 with differences taken before the
//! rounding, and `Split`, a batch across several devices, one of which is lost during the calls.

mod device;

use hpfracc_backend::{Backend, Kind, LinearMap, Rounded, Split, Workload, conformance};
use hpfracc_wgpu::{Fft, Gpu};
use std::sync::Barrier;

#[test]
fn mixed_precision_conforms() {
    let Some(gpu) = device::gpu("mixed_precision_conforms") else { return };
    let backend = Rounded::new(Fft::new(&gpu.f32()));
    assert_eq!(backend.name(), "wgpu-fft-rounded-to-f32");
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
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

const WORKLOAD: Workload = Workload::CausalConvolution { len: 500, batch: 40 };

/// Two devices on the same adapter.
fn two(test: &str) -> Option<[Gpu; 2]> {
    Some([device::gpu(test)?, device::gpu(test)?])
}

fn signals() -> Vec<f32> {
    (0..500 * 40).map(|i| (0.37 * (i % 977) as f32).sin()).collect()
}

fn kernel() -> Vec<f32> {
    (0..500).map(|k| (1.0 + k as f32).powf(-0.5)).collect()
}

fn applied(map: &dyn LinearMap<f32>, x: &[f32]) -> Vec<f32> {
    let mut y = vec![f32::NAN; x.len()];
    map.apply(x, &mut y).unwrap();
    y
}

#[test]
fn two_devices_conform() {
    let Some([a, b]) = two("two_devices_conform") else { return };
    let both = Split::new(Fft::new(&a.f32())).and(Fft::new(&b.f32()));
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
    let report = conformance::verify::<f32>(&both, &claims, 4e-6).unwrap();
    println!("{}: {report:?}", Backend::name(&both));
}

#[test]
fn when_a_device_is_lost_the_other_continues() {
    let Some([a, b]) = two("when_a_device_is_lost") else { return };
    let alone = Fft::new(&a.f32()).plan(WORKLOAD).unwrap().bind(&kernel()).unwrap();
    let x = signals();
    let expected = applied(alone.as_ref(), &x);
    let both = Split::new(Fft::new(&a.f32())).and(Fft::new(&b.f32()));
    let map = both.plan(WORKLOAD).unwrap().bind(&kernel()).unwrap();
    assert_eq!(applied(map.as_ref(), &x), expected);
    assert!(both.shares(WORKLOAD).iter().all(|share| share.signals == 20));

    let running = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            running.wait();
            b.device().destroy();
        });
        running.wait();
        // Until the loss is detected, and once more.
        for _ in 0..200 {
            assert_eq!(applied(map.as_ref(), &x), expected);
            if both.shares(WORKLOAD)[1].left_out.is_some() {
                break;
            }
        }
        assert_eq!(applied(map.as_ref(), &x), expected);
    });
    let shares = both.shares(WORKLOAD);
    assert_eq!((shares[0].signals, shares[1].signals), (40, 0));
    assert!(shares[1].left_out.as_ref().is_some_and(|reason| reason.contains("lost")));

    a.device().destroy();
    let mut y = vec![0.0; x.len()];
    let error = map.apply(&x, &mut y).unwrap_err();
    assert!(error.to_string().contains("wgpu-fft+wgpu-fft"), "{error}");
}
