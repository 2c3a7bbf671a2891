//! Layers in both precisions: activations against their formulas, bias, lengths, pooled buffers.

use super::{Activation, Elementary, plan};
use crate::device::tests::gpu;
use crate::{BufferPoolStats, F64, Gpu, Precision};
use hpfracc_backend::{BackendError, LinearMap};
use hpfracc_types::Real;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// `x Phi(x)` within a unit or two in the last place of f64.
fn gelu(x: f64) -> f64 {
    // 1/sqrt(2) and the product with it in twice the digits: erfc has the condition number 2 z^2.
    const LOW: f64 = -4.833_646_656_726_457e-17;
    let z = -x * FRAC_1_SQRT_2;
    let dz = (-x).mul_add(FRAC_1_SQRT_2, -z) - x * LOW;
    0.5 * x * (libm::erfc(z) - FRAC_2_SQRT_PI * (-z * z).exp() * dz)
}

/// Activation, formula in f64, and permitted units in the last place in f32 and in f64.
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

/// Double precision, or `None` with a message on a device without it.
fn double(gpu: &Gpu) -> Option<F64> {
    gpu.f64().inspect_err(|error| println!("skipped: layers in f64: {error}")).ok()
}

fn bind<P: Elementary>(
    precision: &P,
    weights: &[P::Host],
    bias: &[P::Host],
    activation: Activation,
    batch: usize,
) -> Box<dyn LinearMap<P::Host>> {
    let inputs = weights.len() / bias.len();
    plan(precision, (inputs, batch), bias, activation).unwrap().bind(weights).unwrap()
}

fn forward<P: Elementary>(
    precision: &P,
    weights: &[P::Host],
    bias: &[P::Host],
    activation: Activation,
    x: &[P::Host],
) -> Vec<P::Host> {
    let batch = x.len() / (weights.len() / bias.len());
    let mut y = vec![P::Host::NAN; batch * bias.len()];
    bind(precision, weights, bias, activation, batch).apply(x, &mut y).unwrap();
    y
}

/// The activation alone: a layer with weight one and bias zero.
fn activated<P: Elementary>(precision: &P, activation: Activation, x: &[P::Host]) -> Vec<P::Host> {
    forward(precision, &[P::Host::narrow(1.0)], &[P::Host::narrow(0.0)], activation, x)
}

/// Smallest normal number.
fn smallest<P: Precision>() -> f64 {
    if P::BYTES == 4 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE }
}

fn check_formulas<P: Elementary>(precision: &P, column: usize, far: f64) {
    let mut x: Vec<f64> = (-12000..=12000).map(|i| f64::from(i) * 0.0025).collect();
    x.extend((-2000..=2000).map(|i| f64::from(i) * far / 2000.0));
    x.extend((-60..=0).flat_map(|e| [2f64.powi(e), -1.1 * 2f64.powi(e)]));
    let x: Vec<P::Host> = x.into_iter().map(P::Host::narrow).collect();
    for (activation, formula, allowed) in ACTIVATIONS {
        let y = activated(precision, activation, &x);
        let (mut worst, mut at) = (0.0, 0.0);
        for (x, y) in x.iter().zip(&y) {
            let (x, y) = (x.widen(), y.widen());
            let exact = formula(x);
            let scale = match activation {
                // In f32, x^2/2 is rounded before the exponential.
                Activation::Gelu if x < 0.0 && column == 0 => exact.abs() * (1.0 + 0.5 * x * x),
                _ => exact.abs(),
            };
            // Results below the smallest normal number may be zero.
            let error = (y - exact).abs() - smallest::<P>();
            let units = error / scale / P::Host::EPSILON.widen();
            assert!(!y.is_nan(), "{activation:?} at {x}");
            if units > worst {
                (worst, at) = (units, x);
            }
        }
        println!("{activation:?}, {}: {worst:.2} units, at {at}", P::Host::NAME);
        assert!(worst <= allowed[column], "{activation:?} at {at}: {worst} units");
    }
}

#[test]
fn activations_equal_their_formulas() {
    let Some(gpu) = gpu("activations_equal_their_formulas") else { return };
    check_formulas(&gpu.f32(), 0, 30.0);
    if let Some(double) = double(&gpu) {
        check_formulas(&double, 1, 700.0);
    }
}

fn check_limits<P: Elementary>(precision: &P) {
    for (activation, _, _) in ACTIVATIONS {
        let large = 10.0 * -smallest::<P>().ln();
        let x = [f64::NAN, large, -large, f64::INFINITY, 0.0].map(P::Host::narrow);
        let y: Vec<f64> = activated(precision, activation, &x).iter().map(|y| y.widen()).collect();
        assert!(y[0].is_nan(), "{activation:?}: {y:?}");
        let large = x[1].widen();
        let (above, below, at_infinity) = match activation {
            Activation::Tanh => (1.0, -1.0, 1.0),
            Activation::Sigmoid => (1.0, 0.0, 1.0),
            Activation::Identity => (large, -large, f64::INFINITY),
            _ => (large, 0.0, f64::INFINITY),
        };
        assert_eq!(y[1..4], [above, below, at_infinity], "{activation:?}, {}", P::Host::NAME);
        let origin = match activation {
            Activation::Sigmoid => 0.5,
            Activation::Softplus => 2f64.ln(),
            _ => 0.0,
        };
        assert!((y[4] - origin).abs() <= P::Host::EPSILON.widen(), "{activation:?}: {}", y[4]);
    }
}

#[test]
fn activations_have_their_limits() {
    let Some(gpu) = gpu("activations_have_their_limits") else { return };
    check_limits(&gpu.f32());
    if let Some(double) = double(&gpu) {
        check_limits(&double);
    }
}

fn samples<T: Real>(len: usize, shift: f64) -> Vec<T> {
    (0..len).map(|n| T::narrow(((n * n % 9973) as f64 * 0.37 + shift).cos())).collect()
}

fn check_bias<P: Elementary>(precision: &P, tolerance: f64) {
    for (inputs, outputs, batch) in [(3, 5, 2), (70, 130, 130), (65, 7, 70)] {
        let (w, b): (Vec<P::Host>, Vec<P::Host>) =
            (samples(inputs * outputs, 0.0), samples(outputs, 2.0));
        let x: Vec<P::Host> = samples(inputs * batch, 1.0);
        for (i, y) in forward(precision, &w, &b, Activation::Tanh, &x).iter().enumerate() {
            let (m, n) = (i / outputs, i % outputs);
            let row = w[n * inputs..][..inputs].iter().zip(&x[m * inputs..]);
            let sum: f64 = row.map(|(w, x)| w.widen() * x.widen()).sum();
            let error = (y.widen() - (sum + b[n].widen()).tanh()).abs();
            assert!(error < tolerance, "{inputs}, {m}, {n}: {error:e}");
        }
    }
}

#[test]
fn the_bias_is_added_before_the_activation() {
    let Some(gpu) = gpu("the_bias_is_added_before_the_activation") else { return };
    check_bias(&gpu.f32(), 3e-6);
    if let Some(double) = double(&gpu) {
        check_bias(&double, 1e-14);
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let Some(gpu) = gpu("affine: wrong_lengths_are_errors") else { return };
    let plan = |inputs, bias: &[f32]| plan(&gpu.f32(), (inputs, 1), bias, Activation::Relu);
    let short = plan(2, &[0.0; 3]).unwrap().bind(&[1.0; 5]).map(drop);
    assert!(matches!(short, Err(BackendError::Length { .. })));
    assert!(matches!(plan(0, &[0.0]), Err(BackendError::Size { .. })));
    let layer = plan(2, &[0.0; 3]).unwrap().bind(&[1.0; 6]).unwrap();
    let mut y = [7.0; 3];
    for x in [&[1.0f32; 3][..], &[1.0; 4], &[]] {
        assert!(matches!(layer.apply(x, &mut y), Err(BackendError::Length { .. })));
    }
    assert_eq!(y, [7.0; 3]);
    layer.apply(&[1.0, 2.0], &mut y).unwrap();
    assert_eq!(y, [3.0; 3]);
}

#[test]
fn layers_can_be_awaited() {
    let Some(gpu) = gpu("layers_can_be_awaited") else { return };
    let layer = bind(&gpu.f32(), &[1.0, 2.0], &[0.5], Activation::Identity, 2);
    let mut y = [0.0; 2];
    pollster::block_on(layer.apply_async(&[1.0, 1.0, 2.0, -1.0], &mut y)).unwrap();
    assert_eq!(y, [3.5, 0.5]);
}

#[test]
fn a_repeated_call_creates_nothing() {
    let Some(gpu) = gpu("affine: a_repeated_call_creates_nothing") else { return };
    // Small and large batches have different tiles.
    let layers = [3, 30]
        .map(|batch| (bind(&gpu.f32(), &[0.5; 35], &[0.1; 5], Activation::Tanh, batch), batch));
    let round = || {
        for (layer, batch) in &layers {
            layer.apply(&vec![0.5; 7 * batch], &mut vec![0.0; 5 * batch]).unwrap();
        }
        BufferPoolStats { hits: 0, ..gpu.buffer_pool_stats() }
    };
    let created = round();
    assert_eq!([round(), round()], [created; 2]);
}
