//! Layers: products with bias and activation, in both precisions.

mod device;

use hpfracc_backend::BackendError;
use hpfracc_types::Real;
use hpfracc_wgpu::{Activation, Affine, Affine64, Double, Gpu};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// `x Phi(x)` within a unit or two in the last place of f64.
fn gelu(x: f64) -> f64 {
    // 1/sqrt(2) and the product with it to twice the digits: erfc changes by 2 z^2 times as much.
    const REST: f64 = -4.833_646_656_726_457e-17;
    let z = -x * FRAC_1_SQRT_2;
    let dz = (-x).mul_add(FRAC_1_SQRT_2, -z) - x * REST;
    0.5 * x * (libm::erfc(z) - FRAC_2_SQRT_PI * (-z * z).exp() * dz)
}

/// Activation, formula in f64, and how many units in the last place the result may be off in f32
/// and in f64.
type Case = (Activation, fn(f64) -> f64, [f64; 2]);

const ACTIVATIONS: [Case; 7] = [
    (Activation::Identity, |x| x, [0.0, 0.0]),
    (Activation::Relu, |x| x.max(0.0), [0.0, 0.0]),
    (Activation::Tanh, f64::tanh, [4.0, 4.0]),
    (Activation::Sigmoid, |x| 1.0 / (1.0 + (-x).exp()), [4.0, 4.0]),
    (Activation::Softplus, |x| x.max(0.0) + (-x.abs()).exp().ln_1p(), [4.0, 4.0]),
    (Activation::Silu, |x| x / (1.0 + (-x).exp()), [4.0, 4.0]),
    (Activation::Gelu, gelu, [6.0, 6.0]),
];

/// A precision that layers have.
trait Precision: Real {
    type Proof;

    const SMALLEST: f64;

    fn proof(gpu: &Gpu) -> Option<Self::Proof>;

    fn forward(
        proof: &Self::Proof,
        weights: &[Self],
        bias: &[Self],
        activation: Activation,
        x: &[Self],
    ) -> Vec<Self>;
}

impl Precision for f32 {
    type Proof = Gpu;

    const SMALLEST: f64 = f32::MIN_POSITIVE as f64;

    fn proof(gpu: &Gpu) -> Option<Gpu> {
        Some(gpu.clone())
    }

    fn forward(gpu: &Gpu, w: &[f32], b: &[f32], activation: Activation, x: &[f32]) -> Vec<f32> {
        let layer = Affine::new(gpu, w.len() / b.len(), w, b, activation).unwrap();
        let mut y = vec![f32::NAN; x.len() / layer.inputs() * layer.outputs()];
        layer.forward(x, &mut y).unwrap();
        y
    }
}

impl Precision for f64 {
    type Proof = Double;

    const SMALLEST: f64 = f64::MIN_POSITIVE;

    fn proof(gpu: &Gpu) -> Option<Double> {
        gpu.double().inspect_err(|error| println!("skipped: layers in f64: {error}")).ok()
    }

    fn forward(
        double: &Double,
        w: &[f64],
        b: &[f64],
        activation: Activation,
        x: &[f64],
    ) -> Vec<f64> {
        let layer = Affine64::new(double, w.len() / b.len(), w, b, activation).unwrap();
        let mut y = vec![f64::NAN; x.len() / layer.inputs() * layer.outputs()];
        layer.forward(x, &mut y).unwrap();
        y
    }
}

/// The layer that passes its inputs on, so that the activation alone is seen.
fn activated<T: Precision>(proof: &T::Proof, activation: Activation, x: &[T]) -> Vec<T> {
    T::forward(proof, &[T::one()], &[T::zero()], activation, x)
}

fn equal_their_formulas<T: Precision>(proof: &T::Proof, precision: usize, far: f64) {
    let mut x: Vec<f64> = (-12000..=12000).map(|i| f64::from(i) * 0.0025).collect();
    x.extend((-2000..=2000).map(|i| f64::from(i) * far / 2000.0));
    x.extend((-60..=0).flat_map(|e| [2f64.powi(e), -1.1 * 2f64.powi(e)]));
    let x: Vec<T> = x.into_iter().map(T::narrow).collect();
    for (activation, formula, allowed) in ACTIVATIONS {
        let y = activated(proof, activation, &x);
        let (mut worst, mut at) = (0.0, 0.0);
        for (x, y) in x.iter().zip(&y) {
            let (x, y) = (x.widen(), y.widen());
            let exact = formula(x);
            let scale = match activation {
                // In f32, x^2/2 is rounded before the exponential.
                Activation::Gelu if x < 0.0 && precision == 0 => exact.abs() * (1.0 + 0.5 * x * x),
                _ => exact.abs(),
            };
            // What is smaller than the smallest normal number may be zero.
            let units = ((y - exact).abs() - T::SMALLEST) / scale / T::EPSILON.widen();
            assert!(!y.is_nan(), "{activation:?} at {x}");
            if units > worst {
                (worst, at) = (units, x);
            }
        }
        println!("{activation:?}, {}: {worst:.2} units, at {at}", T::NAME);
        assert!(worst <= allowed[precision], "{activation:?} at {at}: {worst} units");
    }
}

#[test]
fn activations_equal_their_formulas() {
    let Some(gpu) = device::gpu("activations equal their formulas") else { return };
    equal_their_formulas::<f32>(&gpu, 0, 30.0);
    if let Some(double) = f64::proof(&gpu) {
        equal_their_formulas::<f64>(&double, 1, 700.0);
    }
}

fn have_their_limits<T: Precision>(proof: &T::Proof) {
    for (activation, _, _) in ACTIVATIONS {
        let large = 10.0 * -T::SMALLEST.ln();
        let x = [f64::NAN, large, -large, f64::INFINITY, 0.0].map(T::narrow);
        let y: Vec<f64> = activated(proof, activation, &x).iter().map(|y| y.widen()).collect();
        assert!(y[0].is_nan(), "{activation:?}: {y:?}");
        let large = x[1].widen();
        let (above, below, endless) = match activation {
            Activation::Tanh => (1.0, -1.0, 1.0),
            Activation::Sigmoid => (1.0, 0.0, 1.0),
            Activation::Identity => (large, -large, f64::INFINITY),
            _ => (large, 0.0, f64::INFINITY),
        };
        assert_eq!(y[1..4], [above, below, endless], "{activation:?}, {}", T::NAME);
        let origin = match activation {
            Activation::Sigmoid => 0.5,
            Activation::Softplus => 2f64.ln(),
            _ => 0.0,
        };
        assert!((y[4] - origin).abs() <= T::EPSILON.widen(), "{activation:?}: {}", y[4]);
    }
}

#[test]
fn activations_have_their_limits() {
    let Some(gpu) = device::gpu("activations have their limits") else { return };
    have_their_limits::<f32>(&gpu);
    if let Some(double) = f64::proof(&gpu) {
        have_their_limits::<f64>(&double);
    }
}

fn samples<T: Real>(len: usize, shift: f64) -> Vec<T> {
    (0..len).map(|n| T::narrow(((n * n % 9973) as f64 * 0.37 + shift).cos())).collect()
}

fn add_their_bias<T: Precision>(proof: &T::Proof, tolerance: f64) {
    for (inputs, outputs, batch) in [(3, 5, 2), (70, 130, 130), (65, 7, 70)] {
        let (w, b): (Vec<T>, Vec<T>) = (samples(inputs * outputs, 0.0), samples(outputs, 2.0));
        let x: Vec<T> = samples(inputs * batch, 1.0);
        for (i, y) in T::forward(proof, &w, &b, Activation::Tanh, &x).iter().enumerate() {
            let (m, n) = (i / outputs, i % outputs);
            let row = w[n * inputs..][..inputs].iter().zip(&x[m * inputs..]);
            let sum: f64 = row.map(|(w, x)| w.widen() * x.widen()).sum();
            let error = (y.widen() - (sum + b[n].widen()).tanh()).abs();
            assert!(error < tolerance, "{inputs}, {m}, {n}: {error:e}");
        }
    }
}

#[test]
fn layers_add_their_bias_before_the_activation() {
    let Some(gpu) = device::gpu("layers add their bias") else { return };
    add_their_bias::<f32>(&gpu, 3e-6);
    if let Some(double) = f64::proof(&gpu) {
        add_their_bias::<f64>(&double, 1e-14);
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
