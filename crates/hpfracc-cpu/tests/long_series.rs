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
            let expected = both(bind(&Direct, &w, 1).as_ref(), &x);
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

/// Weights that decay, and those of integrals of orders 1, 2 and 4: constant, t, t^3.
fn weights(n: usize) -> [Vec<f64>; 5] {
    [grunwald_letnikov(n), power(n, 0.5), power(n, 0.0), power(n, -1.0), power(n, -3.0)]
}

/// Smooth, random, and late: one impulse in the last samples.
fn signals(n: usize) -> [Vec<f64>; 3] {
    let mut late = vec![0.0; n];
    late[n - 5] = 1.0;
    let mut state = 1_u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 2_f64.powi(52) - 1.0
    };
    let random = (0..n).map(|_| random()).collect();
    [(0..n).map(|k| (k as f64 / n as f64).powi(2)).collect(), random, late]
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// `sum_k w[k] x[i-k]` with the rounding of each product and each sum carried along.
fn exact(w: &[f64], x: &[f64], i: usize) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for (&w, &x) in w[..=i].iter().zip(x[..=i].iter().rev()) {
        let product = w * x;
        let next = sum + product;
        let taken = next - sum;
        rest += w.mul_add(x, -product) + (sum - (next - taken)) + (product - taken);
        sum = next;
    }
    sum + rest
}

/// The worst errors of transform and sums, in units of `eps log2(n) |w|_2 |x|_2`, at some two
/// hundred entries and wherever the result is zero.
fn worst_errors<T: Real>(n: usize, eps: f64) -> [f64; 2] {
    let narrow = |v: Vec<f64>| v.into_iter().map(T::narrow).collect::<Vec<T>>();
    let wide = |v: &[T]| v.iter().map(|v| v.widen()).collect::<Vec<f64>>();
    let mut worst = [0.0_f64; 2];
    for w in weights(n).map(narrow) {
        let maps = [bind::<T>(&Fft::new(), &w, 1), bind::<T>(&Direct, &w, 1)];
        let w = wide(&w);
        for x in signals(n).map(narrow) {
            let found = maps.each_ref().map(|map| both(map.as_ref(), &x));
            let x = wide(&x);
            let reversed: Vec<f64> = x.iter().rev().copied().collect();
            let unit = eps * (n as f64).log2() * norm(&w) * norm(&x);
            for (direction, x) in [x, reversed].iter().enumerate() {
                let silent = x.iter().take_while(|&&x| x == 0.0).count();
                for i in (0..silent).chain((silent..n).step_by(n / 200)).chain([n - 1]) {
                    let expected = if i < silent { 0.0 } else { exact(&w, x, i) };
                    let at = if direction == 0 { i } else { n - 1 - i };
                    for (worst, found) in worst.iter_mut().zip(&found) {
                        *worst = worst.max((found[direction][at].widen() - expected).abs() / unit);
                    }
                }
            }
        }
    }
    worst
}

#[test]
fn errors_stay_below_the_product_of_the_norms() {
    // Entries before a late event, which no sample reaches, are held to the same bound.
    for n in [300, 4096, 4097, 10_007, 1 << 15] {
        let double = worst_errors::<f64>(n, f64::EPSILON);
        let single = worst_errors::<f32>(n, f32::EPSILON.into());
        println!("{n}, transform and sums: f64 {double:.3?}, f32 {single:.3?}");
        assert!(double[0] < 0.4 && single[0] < 0.4, "{n}: {double:?} {single:?}");
    }
}

#[test]
fn the_largest_samples_that_do_not_overflow() {
    let n = 10_000;
    for w in [grunwald_letnikov(n), power(n, 0.0)] {
        let sum: f64 = w.iter().map(|w| w.abs()).sum();
        let top = f64::MAX / (8.0 * n as f64 * sum.max(1.0));
        let x: Vec<f64> = signal(n).iter().map(|x| x / 2.0 * top).collect();
        let [found, expected] =
            [bind(&Fft::new(), &w, 1), bind(&Direct, &w, 1)].map(|map| both(map.as_ref(), &x));
        for (expected, found) in expected.iter().zip(&found) {
            assert!(distance(found, expected) < 1e-12);
        }
    }
    // The result is finite here as well; the transform of the samples is not.
    let (w, x) = (grunwald_letnikov(100_000), vec![1e304; 100_000]);
    let [found, _] = both(bind(&Fft::new(), &w, 1).as_ref(), &x);
    assert!(found.iter().any(|v| !v.is_finite()));
}

#[test]
fn single_precision_transforms_equal_sums() {
    for n in [4097, 1 << 15, 50_021] {
        let narrow = |v: Vec<f64>| v.into_iter().map(f32::narrow).collect::<Vec<f32>>();
        let (w, x) = (narrow(power(n, 0.5)), narrow(signal(n)));
        let wide = |v: &[f32]| v.iter().map(|v| v.widen()).collect::<Vec<f64>>();
        let expected = both(bind(&Direct, &wide(&w), 1).as_ref(), &wide(&x));
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
    let clean = both(bind(&Direct, &w, 1).as_ref(), &x);
    for (at, bad) in [(0, f64::NAN), (7, f64::INFINITY), (130, f64::NAN), (299, f64::INFINITY)] {
        let kept = std::mem::replace(&mut x[at], bad);
        let [forward, backward] = both(bind(&Direct, &w, 1).as_ref(), &x);
        assert!(forward[..at] == clean[0][..at] && backward[at + 1..] == clean[1][at + 1..]);
        assert!(forward[at..].iter().all(|v| !v.is_finite()));
        assert!(backward[..=at].iter().all(|v| !v.is_finite()));
        x[at] = kept;
    }
}
