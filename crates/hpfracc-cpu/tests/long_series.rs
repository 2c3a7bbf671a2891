//! Long series with the weights of fractional operators: transforms against plain sums.

use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_cpu::{Direct, Fft, ParallelFft};
use hpfracc_types::Real;

/// Grünwald-Letnikov weights of order 1/2: (-1)^k binomial(1/2, k).
fn grunwald_letnikov(n: usize) -> Vec<f64> {
    let mut w = vec![1.0];
    for k in 1..n {
        w.push(w[k - 1] * (1.0 - 1.5 / k as f64));
    }
    w
}

/// (k + 1)^-alpha: decays slowly, as the weights of an integral do.
fn power(n: usize, alpha: f64) -> Vec<f64> {
    (0..n).map(|k| ((k + 1) as f64).powf(-alpha)).collect()
}

/// Oscillates, grows, and is not symmetric in time.
fn signal(n: usize) -> Vec<f64> {
    (0..n).map(|k| (0.37 * k as f64).sin() + (k as f64 / n as f64).powi(2)).collect()
}

fn bind<T: Real>(backend: &dyn Backend<T>, w: &[T], batch: usize) -> Box<dyn LinearMap<T>> {
    let workload = Workload::CausalConvolution { len: w.len(), batch };
    backend.plan(workload).and_then(|plan| plan.bind(w)).unwrap()
}

/// Forward and transposed results.
fn both<T: Real>(map: &dyn LinearMap<T>, signal: &[T]) -> [Vec<T>; 2] {
    let mut results = [(); 2].map(|()| vec![T::NAN; signal.len()]);
    map.apply(signal, &mut results[0]).unwrap();
    map.apply_transpose(signal, &mut results[1]).unwrap();
    results
}

fn largest<T: Real>(values: &[T]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.widen().abs()))
}

fn distance<T: Real>(a: &[T], b: &[T]) -> f64 {
    let worst = a.iter().zip(b).fold(0.0, |m: f64, (a, b)| {
        let d = (a.widen() - b.widen()).abs();
        assert!(!d.is_nan());
        m.max(d)
    });
    worst / largest(b)
}

/// Lengths around the changes between one transform and 64, 256 and 1024 rows, and odd ones.
const LENS: [usize; 8] = [4096, 4097, 10_007, 1 << 14, (1 << 15) - 1, 1 << 15, 50_021, 1 << 17];

#[test]
fn transforms_equal_sums() {
    for n in LENS {
        for w in [grunwald_letnikov(n), power(n, 0.5), power(n, 0.1)] {
            let x = signal(n);
            let expected = both(bind(&Direct::new(), &w, 1).as_ref(), &x);
            let found = both(bind(&Fft::new(), &w, 1).as_ref(), &x);
            for (expected, found) in expected.iter().zip(&found) {
                assert!(distance(found, expected) < 1e-13, "{n}");
                // The first entries alone are as right, measured against the same norm.
                let start = distance(&found[..64], &expected[..64]) * largest(&expected[..64]);
                assert!(start < 1e-13 * largest(expected), "{n}: {start:e}");
            }
        }
    }
}

#[test]
fn single_precision_transforms_equal_sums() {
    for n in [4097, 1 << 15, 50_021] {
        let narrow = |v: Vec<f64>| v.into_iter().map(f32::narrow).collect::<Vec<f32>>();
        let (w, x) = (narrow(power(n, 0.5)), narrow(signal(n)));
        let wide = |v: &[f32]| v.iter().map(|v| v.widen()).collect::<Vec<f64>>();
        let expected = both(bind(&Direct::new(), &wide(&w), 1).as_ref(), &wide(&x));
        let found = both(bind(&Fft::new(), &w, 1).as_ref(), &x);
        for (expected, found) in expected.iter().zip(&found) {
            assert!(distance(&wide(found), expected) < 1e-6, "{n}");
        }
    }
}

#[test]
fn beyond_two_million_samples() {
    // Too long for sums: a constant series under constant weights counts, forward and backward.
    let n = 0x20_0000 + 12_345;
    let [forward, backward] = both(bind(&Fft::new(), &vec![1.0; n], 1).as_ref(), &vec![1.0; n]);
    for k in [0, 1, 2, 1000, n / 2, n - 2, n - 1] {
        let expected = (k + 1) as f64;
        assert!((forward[k] - expected).abs() < 1e-13 * n as f64, "{k}: {}", forward[k]);
        assert!((backward[n - 1 - k] - expected).abs() < 1e-13 * n as f64, "{k}");
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for (n, batch) in [(100, 7), (5000, 1), (5000, 3), (50_021, 1), (1 << 16, 2), (1 << 16, 9)] {
        let (w, x) = (power(n, 0.5), signal(n * batch));
        let expected = both(bind(&Fft::new(), &w, batch).as_ref(), &x);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| both(bind(&ParallelFft::new(), &w, batch).as_ref(), &x));
            assert!(found == expected, "{batch} x {n} on {threads} threads");
        }
    }
}

#[test]
fn a_nan_reaches_only_what_depends_on_it() {
    let n = 300;
    let (w, mut x) = (power(n, 0.5), signal(n));
    let clean = both(bind(&Direct::new(), &w, 1).as_ref(), &x);
    for (at, bad) in [(0, f64::NAN), (7, f64::INFINITY), (130, f64::NAN), (299, f64::INFINITY)] {
        let kept = std::mem::replace(&mut x[at], bad);
        let [forward, backward] = both(bind(&Direct::new(), &w, 1).as_ref(), &x);
        assert!(forward[..at] == clean[0][..at] && backward[at + 1..] == clean[1][at + 1..]);
        assert!(forward[at..].iter().all(|v| !v.is_finite()));
        assert!(backward[..=at].iter().all(|v| !v.is_finite()));
        x[at] = kept;
    }
}
