//! Trigonometric multipliers of planes and boxes: against sums over modes, on any number of threads.

use hpfracc_backend::{Backend, LinearMap, RealTransform, Reference, TransformAxes, Workload};
use hpfracc_cpu::{Fft, ParallelFft};
use hpfracc_types::Real;

fn workload(axes: &[(usize, RealTransform)], batch: usize) -> Workload {
    Workload::TrigonometricMultiplier { axes: TransformAxes::new(axes).unwrap(), batch }
}

fn numbers<T: Real>(len: usize) -> Vec<T> {
    (0..len).map(|i| T::narrow(((i * i % 7919) as f64 * 0.37).cos())).collect()
}

fn bind<T: Real>(backend: &dyn Backend<T>, workload: Workload) -> Box<dyn LinearMap<T>> {
    backend.plan(workload).unwrap().bind(&numbers(workload.kernel_len())).unwrap()
}

fn applied<T: Real>(map: &dyn LinearMap<T>) -> Vec<T> {
    let x: Vec<T> = numbers(map.workload().signal_len() * map.workload().batch());
    let mut y = vec![T::NAN; x.len()];
    map.apply(&x, &mut y).unwrap();
    y
}

/// Each pair of transforms, with odd and even lengths, one block and several of them.
#[test]
fn planes_match_the_sums() {
    for first in RealTransform::ALL {
        for second in RealTransform::ALL {
            for (rows, columns) in [(6, 33), (35, 4), (16, 16)] {
                let workload = workload(&[(rows, first), (columns, second)], 1);
                let found = applied::<f64>(&*bind(&Fft::new(), workload));
                let expected = applied::<f64>(&*bind(&Reference, workload));
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-13, "{workload}: {found} {expected}");
                }
            }
        }
    }
}

/// One mode of a large plane is multiplied by its multiplier.
#[test]
fn modes_are_eigenvectors() {
    let axes = [(300, RealTransform::Dst2), (257, RealTransform::Dct4)];
    let workload = workload(&axes, 1);
    let map = bind::<f64>(&ParallelFft::new(), workload);
    let multipliers: Vec<f64> = numbers(workload.kernel_len());
    for (k, l) in [(0, 0), (17, 200), (299, 256), (150, 3)] {
        let value = |i: usize| axes[0].1.entry(300, i / 257, k) * axes[1].1.entry(257, i % 257, l);
        let mode: Vec<f64> = (0..300 * 257).map(value).collect();
        let mut y = vec![0.0; mode.len()];
        map.apply(&mode, &mut y).unwrap();
        for (y, mode) in y.iter().zip(&mode) {
            assert!((y - multipliers[k * 257 + l] * mode).abs() < 1e-15, "{k} {l}");
        }
    }
}

/// Fields that threads divide, and batches of them.
#[test]
fn threads_change_no_bit() {
    let [dct2, dst2, dct4, dst4, hartley] = RealTransform::ALL;
    let cases = [
        workload(&[(130, dst2), (131, dct2)], 1),
        workload(&[(130, dct4), (131, hartley)], 9),
        workload(&[(24, dst4), (31, dst2), (33, dct2)], 1),
        workload(&[(40_000, dct2)], 3),
    ];
    for workload in cases {
        let expected = applied::<f32>(&*bind(&Fft::new(), workload));
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| applied::<f32>(&*bind(&ParallelFft::new(), workload)));
            assert!(found == expected, "{workload}, {threads} threads");
        }
    }
}
