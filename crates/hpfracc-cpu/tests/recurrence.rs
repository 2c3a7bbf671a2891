//! Long streams: rounding in either precision, and channels on threads.

use hpfracc_backend::{Backend, LinearMap, Reference, Workload};
use hpfracc_cpu::{ParallelRecurrence, Recurrence};
use hpfracc_types::Real;

/// `exp(-p_k)` with p from 8 down to 1e-6, in a geometric series, and coefficients that make their
/// sum like t^(-1/2).
fn kernel<T: Real>(nodes: usize) -> Vec<T> {
    let ratio = (8e6_f64).powf(-1.0 / (nodes as f64 - 1.0));
    let exponents: Vec<f64> = (0..nodes).map(|k| 8.0 * ratio.powi(k as i32)).collect();
    let rates = exponents.iter().map(|p| -(-p).exp_m1());
    let coefficients = exponents.iter().map(|p| -ratio.ln() * p.sqrt() * (-p).exp());
    std::iter::once(1.0).chain(rates).chain(coefficients).map(T::narrow).collect()
}

fn bind<T: Real>(
    backend: &dyn Backend<T>,
    kernel: &[T],
    len: usize,
    batch: usize,
) -> Box<dyn LinearMap<T>> {
    let workload = Workload::Recurrence { nodes: kernel.len() / 2, len, batch };
    backend.plan(workload).and_then(|plan| plan.bind(kernel)).unwrap()
}

/// Numbers without a pattern, in [-1, 1).
fn noise(len: usize) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / 2_f64.powi(52) - 1.0
    };
    (0..len).map(|_| next()).collect()
}

/// The largest error of outputs, relative to the largest output.
fn error<T: Real>(samples: &[f64]) -> f64 {
    let kernel: Vec<T> = kernel(29);
    let widened: Vec<f64> = kernel.iter().map(|w| w.widen()).collect();
    let signal: Vec<T> = [&[0.0; 29], samples].concat().into_iter().map(T::narrow).collect();
    let exact: Vec<f64> = signal.iter().map(|s| s.widen()).collect();
    let (mut found, mut expected) = (signal.clone(), exact.clone());
    bind(&Recurrence, &kernel, samples.len(), 1).apply(&signal, &mut found).unwrap();
    bind(&Reference, &widened, samples.len(), 1).apply(&exact, &mut expected).unwrap();
    let outputs = found.iter().zip(&expected).skip(29);
    let largest = expected[29..].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    outputs.fold(0.0, |m: f64, (a, b)| m.max((a.widen() - b).abs())) / largest
}

/// With the decay rounded instead of the rate, the slowest node would fade a tenth too quickly.
/// What is left is the rounding of states: of equal samples it goes one way.
#[test]
fn a_slow_decay_is_accurate_in_single_precision() {
    let len = 65_536;
    let wave: Vec<f64> = (0..len).map(|n| (0.01 * n as f64).sin()).collect();
    for (name, samples, bound) in
        [("noise", noise(len), 1e-6), ("wave", wave, 1e-6), ("constant", vec![0.7; len], 1e-4)]
    {
        let (single, double) = (error::<f32>(&samples), error::<f64>(&samples));
        println!("{name}: f32 {single:.1e}, f64 {double:.1e}");
        assert!(single < bound && double < 2e-14, "{name}: {single:e} {double:e}");
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let (kernel, len, batch) = (kernel::<f64>(57), 500, 48);
    let x = noise((57 + len) * batch);
    let mut expected = [(); 2].map(|()| vec![f64::NAN; x.len()]);
    let alone = bind(&Recurrence, &kernel, len, batch);
    alone.apply(&x, &mut expected[0]).unwrap();
    alone.apply_transpose(&x, &mut expected[1]).unwrap();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let shared = bind(&ParallelRecurrence, &kernel, len, batch);
        let mut found = [(); 2].map(|()| vec![f64::NAN; x.len()]);
        pool.install(|| {
            shared.apply(&x, &mut found[0]).unwrap();
            shared.apply_transpose(&x, &mut found[1]).unwrap();
        });
        assert!(found == expected, "{threads} threads");
    }
}

/// `<A x, y> = <x, A' y>`.
#[test]
fn the_transpose_is_the_adjoint() {
    let (kernel, len) = (kernel::<f64>(57), 3000);
    let map = bind(&Recurrence, &kernel, len, 1);
    let both = noise(2 * (57 + len));
    let (x, y) = both.split_at(57 + len);
    let (mut ax, mut aty) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    map.apply(x, &mut ax).unwrap();
    map.apply_transpose(y, &mut aty).unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let size = dot(&ax, &ax).sqrt() * dot(y, y).sqrt();
    assert!((dot(&ax, y) - dot(x, &aty)).abs() < 1e-14 * size);
}
