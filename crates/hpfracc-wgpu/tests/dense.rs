//! Dense products and layers against the reference.

mod device;

use hpfracc_backend::conformance::verify;
use hpfracc_backend::{Backend, BackendError, Kind, Reference, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::{Activation, Affine, Gemm, Gemm64, GemmDf64, Gpu};

#[test]
fn conforms() {
    let Some(gpu) = device::gpu("dense conforms") else { return };
    let worst = verify::<f32>(&Gemm::new(&gpu), &[Kind::Dense], 4e-6).unwrap();
    println!("dense, f32: {worst:?}");
    if let Ok(double) = gpu.double() {
        let worst = verify::<f64>(&Gemm64::new(&double), &[Kind::Dense], 1e-12).unwrap();
        println!("dense, f64: {worst:?}");
    } else {
        println!("skipped: dense conforms, f64: no double precision");
    }
    let double_float = gpu.double_float().unwrap();
    let worst = verify::<f64>(&GemmDf64::new(&double_float), &[Kind::Dense], 1e-12).unwrap();
    println!("dense, df64: {worst:?}");
}

/// Rows, columns, batch: each shape of tile, full and with ragged edges, and both directions.
const SIZES: [(usize, usize, usize); 14] = [
    (1, 1, 130),
    (2, 3, 3),
    (3, 2, 130),
    (63, 64, 1),
    (64, 65, 130),
    (65, 63, 3),
    (65, 1000, 130),
    (257, 130, 16),
    (129, 66, 17),
    (130, 127, 65),
    (1000, 65, 1),
    (4097, 3, 130),
    (5, 4097, 3),
    (128, 128, 128),
];

fn samples(len: usize, shift: f64) -> Vec<f64> {
    (0..len).map(|n| ((n * n % 9973) as f64 * 0.37 + shift).cos()).collect()
}

fn worst_error<T: Real>(
    backend: &dyn Backend<T>,
    (rows, cols, batch): (usize, usize, usize),
) -> f64 {
    let workload = Workload::Dense { rows, cols, batch };
    let narrow = |values: Vec<f64>| values.into_iter().map(T::narrow).collect::<Vec<T>>();
    let kernel = narrow(samples(rows * cols, 0.0));
    let [ours, reference] =
        [backend, &Reference].map(|b| b.plan(workload).unwrap().bind(&kernel).unwrap());
    let mut worst: f64 = 0.0;
    for (from, to, transposed) in [(cols, rows, false), (rows, cols, true)] {
        let x = narrow(samples(from * batch, 1.0));
        let [y, expected] = [&ours, &reference].map(|map| {
            let mut y = vec![T::NAN; to * batch];
            if transposed { map.apply_transpose(&x, &mut y) } else { map.apply(&x, &mut y) }
                .unwrap();
            y
        });
        let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.widen().abs()));
        for (y, expected) in y.iter().zip(&expected) {
            let error = (y.widen() - expected.widen()).abs() / scale;
            assert!(!error.is_nan(), "{workload}, transposed {transposed}: {y}");
            worst = worst.max(error);
        }
    }
    worst
}

#[test]
fn equals_the_reference() {
    let Some(gpu) = device::gpu("dense equals the reference") else { return };
    let double = gpu.double().ok().map(|double| Gemm64::new(&double));
    if double.is_none() {
        println!("skipped: dense equals the reference, f64: no double precision");
    }
    let mut worst = [0.0f64; 2];
    for size in SIZES {
        let error = worst_error::<f32>(&Gemm::new(&gpu), size);
        assert!(error < 2e-6, "{size:?}: {error:e}");
        worst[0] = worst[0].max(error);
        if let Some(double) = &double {
            let error = worst_error::<f64>(double, size);
            assert!(error < 4e-15, "{size:?}, f64: {error:e}");
            worst[1] = worst[1].max(error);
        }
    }
    println!("dense: f32 {:e}, f64 {:e}", worst[0], worst[1]);
}

/// Rounding of a sum in one go would grow with the root of its length.
#[test]
fn long_sums_are_taken_in_chunks() {
    let Some(gpu) = device::gpu("dense: long sums") else { return };
    let cols = 10000;
    let x: Vec<f32> = samples(cols, 1.0).iter().map(|x| x.abs() as f32).collect();
    let exact: f64 = x.iter().map(|&x| f64::from(x)).sum();
    for batch in [1, 17] {
        let workload = Workload::Dense { rows: 3, cols, batch };
        let map = Gemm::new(&gpu).plan(workload).unwrap().bind(&vec![1.0; 3 * cols]).unwrap();
        let mut y = vec![0.0; 3 * batch];
        map.apply(&x.repeat(batch), &mut y).unwrap();
        let error = y.iter().fold(0.0, |e: f64, y| e.max((f64::from(*y) / exact - 1.0).abs()));
        println!("dense, {cols} terms of one sign: {error:e}");
        assert!(error < 5e-7, "{error:e}");
    }
}

/// erfc in f64 by Laplace's continued fraction, or the series of erf near the origin.
fn erfc(z: f64) -> f64 {
    if z < 0.0 {
        return 2.0 - erfc(-z);
    }
    let root_pi = std::f64::consts::PI.sqrt();
    if z < 2.0 {
        let (mut term, mut sum) = (z, z);
        for n in 1..60 {
            term *= -z * z / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        return 1.0 - 2.0 * sum / root_pi;
    }
    let fraction = (1..200).rev().fold(0.0, |f, k| 0.5 * f64::from(k) / (z + f));
    (-z * z).exp() / (root_pi * (z + fraction))
}

/// Name, formula in f64, and how many units in the last place of f32 the result may be off.
type Case = (Activation, fn(f64) -> f64, f64);

const ACTIVATIONS: [Case; 7] = [
    (Activation::Identity, |x| x, 0.0),
    (Activation::Relu, |x| x.max(0.0), 0.0),
    (Activation::Tanh, f64::tanh, 4.0),
    (Activation::Sigmoid, |x| 1.0 / (1.0 + (-x).exp()), 4.0),
    (Activation::Softplus, |x| x.max(0.0) + (-x.abs()).exp().ln_1p(), 4.0),
    (Activation::Silu, |x| x / (1.0 + (-x).exp()), 4.0),
    (Activation::Gelu, |x| 0.5 * x * erfc(-x / 2f64.sqrt()), 6.0),
];

/// The layer that passes its inputs on, so that the activation alone is seen.
fn pass_on(gpu: &Gpu, activation: Activation) -> Affine {
    Affine::new(gpu, 1, &[1.0], &[0.0], activation).unwrap()
}

#[test]
fn activations_equal_their_formulas() {
    let Some(gpu) = device::gpu("dense: activations") else { return };
    let mut x: Vec<f32> = (-12000..=12000).map(|i| i as f32 * 0.0025).collect();
    x.extend((-30..=0).flat_map(|e| [2f32.powi(e), -1.1 * 2f32.powi(e)]));
    for (activation, formula, allowed) in ACTIVATIONS {
        let mut y = vec![f32::NAN; x.len()];
        pass_on(&gpu, activation).forward(&x, &mut y).unwrap();
        let (mut worst, mut at) = (0.0, 0.0);
        for (&x, &y) in x.iter().zip(&y) {
            let exact = formula(f64::from(x));
            let scale = match activation {
                // x^2/2 is rounded before the exponential.
                Activation::Gelu if x < 0.0 => exact.abs() * (1.0 + f64::from(0.5 * x * x)),
                _ => exact.abs(),
            };
            // What is smaller than the smallest normal number may be zero.
            let error = (f64::from(y) - exact).abs() - f64::from(f32::MIN_POSITIVE);
            let ulps = error / scale / f64::from(f32::EPSILON);
            assert!(!y.is_nan(), "{activation:?} at {x}");
            if ulps > worst {
                (worst, at) = (ulps, x);
            }
        }
        println!("{activation:?}: {worst:.2} ulp, at {at}");
        assert!(worst <= allowed, "{activation:?} at {at}: {worst} ulp");
    }
}

#[test]
fn activations_have_their_limits() {
    let Some(gpu) = device::gpu("dense: limits of activations") else { return };
    for (activation, _, _) in ACTIVATIONS {
        let x = [f32::NAN, 200.0, -200.0, f32::INFINITY];
        let mut y = [0.0; 4];
        pass_on(&gpu, activation).forward(&x, &mut y).unwrap();
        assert!(y[0].is_nan(), "{activation:?}: {y:?}");
        let (above, below, endless) = match activation {
            Activation::Tanh => (1.0, -1.0, 1.0),
            Activation::Sigmoid => (1.0, 0.0, 1.0),
            Activation::Identity => (200.0, -200.0, f32::INFINITY),
            _ => (200.0, 0.0, f32::INFINITY),
        };
        assert_eq!(y[1..], [above, below, endless], "{activation:?}");
    }
}

#[test]
fn layers_add_their_bias_before_the_activation() {
    let Some(gpu) = device::gpu("dense: layers") else { return };
    for (inputs, outputs, batch) in [(3, 5, 2), (70, 130, 130), (65, 7, 70)] {
        let narrow = |v: Vec<f64>| v.into_iter().map(|v| v as f32).collect::<Vec<f32>>();
        let (w, b) = (narrow(samples(inputs * outputs, 0.0)), narrow(samples(outputs, 2.0)));
        let x = narrow(samples(inputs * batch, 1.0));
        let layer = Affine::new(&gpu, inputs, &w, &b, Activation::Tanh).unwrap();
        let mut y = vec![f32::NAN; outputs * batch];
        layer.forward(&x, &mut y).unwrap();
        for (i, y) in y.iter().enumerate() {
            let (m, n) = (i / outputs, i % outputs);
            let row = w[n * inputs..][..inputs].iter().zip(&x[m * inputs..]);
            let sum: f64 = row.map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
            let exact = (sum + f64::from(b[n])).tanh();
            assert!((f64::from(*y) - exact).abs() < 3e-6, "{inputs}, {m}, {n}: {y} {exact}");
        }
    }
}

#[test]
fn refuses_matrices_that_no_binding_shows() {
    let Some(gpu) = device::gpu("dense: large matrices") else { return };
    for (rows, cols) in [(1 << 20, 1 << 20), (1 << 28, 1)] {
        let workload = Workload::Dense { rows, cols, batch: 1 };
        let refused = matches!(Gemm::new(&gpu).plan(workload), Err(BackendError::Memory { .. }));
        assert!(refused, "{workload}");
    }
}

#[test]
fn layers_refuse_wrong_lengths() {
    let Some(gpu) = device::gpu("dense: wrong lengths") else { return };
    let new = |inputs, weights: &[f32], bias: &[f32]| {
        Affine::new(&gpu, inputs, weights, bias, Activation::Relu)
    };
    assert!(matches!(new(2, &[1.0; 5], &[0.0; 3]), Err(BackendError::Length { .. })));
    assert!(matches!(new(0, &[], &[0.0]), Err(BackendError::Size { .. })));
    let layer = new(2, &[1.0; 6], &[0.0; 3]).unwrap();
    let mut y = [7.0; 3];
    for x in [&[1.0f32; 3][..], &[1.0; 4], &[]] {
        assert!(matches!(layer.forward(x, &mut y), Err(BackendError::Length { .. })));
    }
    assert_eq!(y, [7.0; 3]);
    layer.forward(&[1.0, 2.0], &mut y).unwrap();
    assert_eq!(y, [3.0; 3]);
    layer.forward(&[], &mut []).unwrap();
}
