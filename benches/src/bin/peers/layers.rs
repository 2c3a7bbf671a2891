//! Layers forward in f32; the error is that of rounding, against the same layer in f64.

use crate::row::{INSIDE, Measured, relative};
use hpfracc::nn::{
    Activation, Attention, Dense, Layer, LayerNorm, Mask, Network, Pass, Scalar, Shape, Softmax,
};
use hpfracc::solvers::noise::{Normals, Rows, RowsMut};
use rayon::prelude::*;

/// Samples of a tile, as training has them.
const TILE: usize = 64;

/// From 1024 rows to 2048, with exact GELU.
pub(crate) fn linear_gelu(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let network = Network::Dense(Dense::new(1024, 2048, Activation::Gelu));
    (method == "tiles").then(|| layer(&network, seconds, samples))
}

/// Over 1024 rows.
pub(crate) fn layer_norm(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let network = Network::LayerNorm(LayerNorm::new(1024).expect(INSIDE));
    (method == "tiles").then(|| layer(&network, seconds, samples))
}

/// Over 1024 rows.
pub(crate) fn softmax(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    let network = Network::Softmax(Softmax::new(1024).expect(INSIDE));
    (method == "tiles").then(|| layer(&network, seconds, samples))
}

/// A network on a tile.
struct Tile<T> {
    x: Vec<T>,
    kept: Vec<T>,
    y: Vec<T>,
}

impl<T: Scalar> Tile<T> {
    fn new(network: &Network, x: Vec<f32>) -> Self {
        let rows = |rows: usize| vec![T::zero(); rows * TILE];
        let x = x.into_iter().map(|x| T::narrow(x.into())).collect();
        Self { x, kept: rows(network.kept()), y: rows(network.outputs()) }
    }

    fn forward(&mut self, network: &Network, theta: &[T]) {
        let (x, kept) = (Rows::new(&self.x, TILE), RowsMut::new(&mut self.kept, TILE));
        network.forward(Pass::Evaluate, theta, x, kept, RowsMut::new(&mut self.y, TILE));
    }
}

fn layer(network: &Network, seconds: f64, samples: usize) -> Measured {
    let mut theta = vec![0f32; network.parameters()];
    network.initialise(&Normals::new(1), 0, &mut theta);
    let input = |tile: usize| -> Vec<f32> {
        (0..network.inputs() * TILE).map(|i| ((i + tile) as f32 * 0.37).sin()).collect()
    };
    let mut tiles: Vec<Tile<f32>> =
        (0..samples / TILE).map(|tile| Tile::new(network, input(tile))).collect();
    let measured = Measured::of(seconds, || {
        tiles.par_iter_mut().for_each(|tile| tile.forward(network, &theta));
    });
    let theta: Vec<f64> = theta.into_iter().map(f64::from).collect();
    let mut exact = Tile::<f64>::new(network, input(0));
    exact.forward(network, &theta);
    measured.with_error(relative(&widened(&tiles[0].y), &exact.y))
}

fn widened(x: &[f32]) -> Vec<f64> {
    x.iter().copied().map(f64::from).collect()
}

/// 8 heads of 64 features over a sequence of this length, no mask, without projections.
pub(crate) fn attention(method: &str, seconds: f64, length: usize) -> Option<Measured> {
    let numbers = 8 * 64 * length;
    let inputs = [0.37, 0.53, 0.71]
        .map(|step| -> Vec<f32> { (0..numbers).map(|i| (i as f32 * step).sin()).collect() });
    let [q, k, v] = &inputs;
    let mut out = vec![0f32; numbers];
    let layer = Attention { heads: 8, features: 64, length, mask: Mask::none() };
    let (mut log_sums, mut work) = (vec![0f32; 8 * length], vec![0f32; layer.forward_work()]);
    let measured = Measured::of(seconds, || {
        layer.forward([q, k, v], &mut out, &mut log_sums, &mut work).expect(INSIDE);
    });
    let [q, k, v] = inputs.each_ref().map(|x| widened(x));
    let layer = Attention { heads: 8, features: 64, length, mask: Mask::none() };
    let (mut exact, mut log_sums) = (vec![0.0; numbers], vec![0.0; 8 * length]);
    let mut work = vec![0.0; layer.forward_work()];
    layer.forward([&q, &k, &v], &mut exact, &mut log_sums, &mut work).expect(INSIDE);
    (method == "tiles").then(|| measured.with_error(relative(&widened(&out), &exact)))
}
