//! Forward passes of layers in f32; the error is the rounding error, against the same layer in f64.
//!
//! The method `tiles` allocates the output in each call, as the other libraries do; `reused` writes
//! to the output of the previous call.

use crate::row::{INSIDE, Measured, relative};
use hpfracc::nn::{
    Activation, Attention, Dense, Forward, Layer, LayerNorm, Mask, Network, Pass, Scalar, Shape,
    Softmax,
};
use hpfracc::noise::Normals;
use hpfracc::sde::{Rows, RowsMut};
use rayon::prelude::*;
use std::hint::black_box;

/// Samples per tile, as in training.
const TILE: usize = 64;

/// Dense layer from 1024 rows to 2048, with exact GELU.
pub(crate) fn linear_gelu(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let network = Network::Dense(Dense::new(1024, 2048, Activation::Gelu));
    layer(&network, &initialised(&network), method, seconds, samples)
}

/// Exact GELU of 1024 rows.
pub(crate) fn gelu(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let x: Vec<f32> = (0..1024 * samples).map(|i| (i as f32 * 0.37).sin()).collect();
    let write = |y: &mut [f32]| {
        let tiles = y.par_chunks_mut(1024 * TILE).zip(x.par_chunks(1024 * TILE));
        tiles.for_each(|(y, x)| {
            for (y, x) in y.chunks_mut(1024).zip(x.chunks(1024)) {
                y.copy_from_slice(x);
                Activation::Gelu.apply(y);
            }
        });
    };
    let (measured, y) = measure(method, seconds, x.len(), write)?;
    let mut exact = widened(&x);
    Activation::Gelu.apply(&mut exact);
    Some(measured.with_error(relative(&widened(&y), &exact)))
}

/// Layer normalisation of 1024 rows.
pub(crate) fn layer_norm(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let network = Network::LayerNorm(LayerNorm::new(1024).expect(INSIDE));
    layer(&network, &initialised(&network), method, seconds, samples)
}

/// Softmax of 1024 rows.
pub(crate) fn softmax(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    layer(&Network::Softmax(Softmax::new(1024).expect(INSIDE)), &[], method, seconds, samples)
}

/// Initial parameters.
fn initialised(network: &Network) -> Vec<f32> {
    let mut theta = vec![0.0; network.parameters()];
    network.initialise(&Normals::new(1), 0, &mut theta);
    theta
}

/// Forward pass of a network on a tile.
fn forward<T: Scalar>(network: &Network, theta: &[T], x: &[T], saved: &mut [T], y: &mut [T])
where
    Network: Layer<T>,
{
    let (x, saved, y) = (Rows::new(x, TILE), RowsMut::new(saved, TILE), RowsMut::new(y, TILE));
    network.forward(Forward { pass: Pass::Evaluate, theta, x, saved, y });
}

fn one_tile<T: Scalar>(network: &Network, theta: &[T], x: &[T]) -> Vec<T>
where
    Network: Layer<T>,
{
    let [mut saved, mut y] =
        [network.saved(), network.outputs()].map(|n| vec![T::zero(); n * TILE]);
    forward(network, theta, x, &mut saved, &mut y);
    y
}

fn layer(
    network: &Network,
    theta: &[f32],
    method: &str,
    seconds: f64,
    samples: usize,
) -> Option<Measured> {
    let [inputs, saved, outputs] =
        [network.inputs(), network.saved(), network.outputs()].map(|n| n * TILE);
    let tile = |tile: usize| (0..inputs).map(|i| ((i + tile) as f32 * 0.37).sin()).collect();
    let x: Vec<Vec<f32>> = (0..samples / TILE).map(tile).collect();
    let write = |y: &mut [f32]| {
        let tiles = y.par_chunks_mut(outputs).zip(&x);
        // Values saved for the backward pass are not used: one buffer per thread.
        let saved = || vec![0f32; saved];
        tiles.for_each_init(saved, |saved, (y, x)| forward(network, theta, x, saved, y));
    };
    let (measured, y) = measure(method, seconds, outputs * x.len(), write)?;
    let [exact_theta, exact_x] = [theta, &x[0]].map(widened);
    let exact = one_tile::<f64>(network, &exact_theta, &exact_x);
    Some(measured.with_error(relative(&widened(&y[..outputs]), &exact)))
}

/// Measures a function that writes `numbers` numbers, to newly allocated memory or, with `reused`,
/// to that of the previous call. Returns the numbers, too.
fn measure(
    method: &str,
    seconds: f64,
    numbers: usize,
    write: impl Fn(&mut [f32]),
) -> Option<(Measured, Vec<f32>)> {
    let mut y = vec![0.0; numbers];
    let measured = match method {
        "tiles" => Measured::of(seconds, || {
            let mut y = vec![0.0; numbers];
            write(&mut y);
            black_box(y);
        }),
        "reused" => Measured::of(seconds, || write(&mut y)),
        _ => return None,
    };
    write(&mut y);
    Some((measured, y))
}

fn widened(x: &[f32]) -> Vec<f64> {
    x.iter().copied().map(f64::from).collect()
}

/// Attention of 8 heads of 64 features over a sequence of this length, without mask and projections.
pub(crate) fn attention(method: &str, seconds: f64, length: usize) -> Option<Measured> {
    let inputs = [0.37, 0.53, 0.71].map(|step| -> Vec<f32> {
        (0..8 * 64 * length).map(|i| (i as f32 * step).sin()).collect()
    });
    let measured = match method {
        "tiles" => Measured::of(seconds, || {
            let mut heads = Heads::new(length);
            heads.write(&inputs);
            black_box(heads.out);
        }),
        "reused" => {
            let mut heads = Heads::new(length);
            Measured::of(seconds, || heads.write(&inputs))
        }
        _ => return None,
    };
    let (mut heads, mut exact) = (Heads::new(length), Heads::new(length));
    heads.write(&inputs);
    exact.write(&inputs.each_ref().map(|x| widened(x)));
    Some(measured.with_error(relative(&widened(&heads.out), &exact.out)))
}

/// Attention layer with its output and scratch.
struct Heads<T: Scalar> {
    layer: Attention<'static, T>,
    out: Vec<T>,
    log_sums: Vec<T>,
    work: Vec<T>,
}

impl<T: Scalar> Heads<T> {
    fn new(length: usize) -> Self {
        let layer = Attention { heads: 8, features: 64, length, mask: Mask::none() };
        let numbers = |numbers: usize| vec![T::zero(); numbers];
        let work = numbers(layer.forward_work());
        Self { layer, out: numbers(8 * 64 * length), log_sums: numbers(8 * length), work }
    }

    fn write(&mut self, [q, k, v]: &[Vec<T>; 3]) {
        let Self { layer, out, log_sums, work } = self;
        layer.forward([q, k, v], out, log_sums, work).expect(INSIDE);
    }
}
