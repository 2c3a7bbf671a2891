//! Batches split across several devices, one of which is lost during the calls.

mod device;

use hpfracc_backend::{Backend, Kind, LinearMap, Split, Workload, conformance};
use hpfracc_wgpu::{Fft, Gpu};
use std::sync::Barrier;

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
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier];
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
