//! 16 paths of fractional Brownian motion, H = 0.3, in N steps, by circulant embedding
//! (Davies-Harte). As in the other libraries, the eigenvalues are computed before the calls.

use crate::row::{INSIDE, Measured};
use hpfracc_sde::noise::{FractionalBrownian, Gaussian, Tile};
use rayon::prelude::*;

const HURST: f64 = 0.3;
const PATHS: usize = 16;

pub(crate) fn run<T: Gaussian + Into<f64>>(
    method: &str,
    seconds: f64,
    steps: usize,
) -> Option<Measured> {
    let noise = FractionalBrownian::<T>::new(3, &[HURST]).expect(INSIDE);
    let (mut increments, mut first_path) = (Vec::new(), 0);
    let measured = Measured::of(seconds, || {
        increments = vec![T::zero(); PATHS * steps];
        increments.par_chunks_mut(steps).enumerate().for_each(|(path, increments)| {
            let tile = Tile {
                first_path: first_path + path as u64,
                lanes: 1,
                steps,
                h: 1.0 / steps as f64,
            };
            noise.fill_paths(tile, increments).expect(INSIDE);
        });
        // New paths in each call.
        first_path += PATHS as u64;
    });
    let widened: Vec<f64> = increments.iter().map(|x| (*x).into()).collect();
    (method == "davies-harte").then(|| measured.with_error(error(&widened, steps)))
}

/// Larger error of two moments of the increments over unit steps: the mean square, exactly 1, and
/// the mean product of neighbours, exactly (2^2H - 2)/2.
fn error(increments: &[f64], steps: usize) -> f64 {
    let unit = (steps as f64).powf(2.0 * HURST);
    let squares: f64 = increments.iter().map(|x| x * x).sum::<f64>() / increments.len() as f64;
    let paths = increments.chunks(steps);
    let products: f64 = paths.flat_map(|path| path.windows(2)).map(|pair| pair[0] * pair[1]).sum();
    let products = products / (increments.len() - increments.len() / steps) as f64;
    let neighbours = (2f64.powf(2.0 * HURST) - 2.0) / 2.0;
    (squares * unit - 1.0).abs().max((products * unit - neighbours).abs())
}
