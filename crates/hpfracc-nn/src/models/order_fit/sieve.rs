//! The sieve: a drift that is linear in few coefficients.

use crate::layers::{Dense, Network, Sequential};
use crate::{Activation, NetworkError};
use hpfracc_sde::noise::{Normals, Purpose, Stream};
use ndarray::ArrayView2;

/// Coefficients at most, of all components together.
const COEFFICIENTS: usize = 64;
/// Gain of the features that are linear but for 3 parts in a thousand of the data's deviation.
const LINEAR: f64 = 0.1;

/// Functions `tanh(w . x + b)` of the inputs of a drift: nearly linear ones of each input, and
/// sigmoids of random directions, each centred at a point of the data. With these, and a constant,
/// a drift is linear in its coefficients.
///
/// Source of the features: Huang, Zhu and Siew, Neurocomputing 70 (2006) 489,
/// DOI 10.1016/j.neucom.2005.12.126.
pub(super) struct Sieve {
    inputs: usize,
    outputs: usize,
    /// The weights by feature and input.
    weights: Vec<f64>,
    biases: Vec<f64>,
}

impl Sieve {
    /// Features for points, by number and input, and at least 10 observations for each coefficient
    /// of an output; none if there are fewer.
    pub(super) fn new(
        points: ArrayView2<'_, f64>,
        outputs: usize,
        observations: usize,
    ) -> Option<Self> {
        let (count, inputs) = points.dim();
        let most = (COEFFICIENTS / outputs).min(observations / 10);
        let linear = inputs + 1;
        let sigmoids = (5 * inputs).min(most.checked_sub(linear)?);
        let (means, scales) = moments(points);
        let (normals, stream) = (Normals::new(0), Stream::new(Purpose::Parameters, 1)?);
        let mut sieve = Self { inputs, outputs, weights: Vec::new(), biases: Vec::new() };
        for i in 0..inputs {
            let row = (0..inputs).map(|j| if i == j { LINEAR / scales[j] } else { 0.0 });
            sieve.weights.extend(row);
            sieve.biases.push(-LINEAR * means[i] / scales[i]);
        }
        for k in 0..sigmoids {
            let direction: Vec<f64> =
                (0..inputs).map(|j| normals.at(stream, k as u64, j as u32)).collect();
            let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            let row: Vec<f64> =
                direction.iter().zip(&scales).map(|(x, scale)| x / (norm * scale)).collect();
            let centre = points.row((2 * k + 1) * count / (2 * sigmoids));
            sieve.biases.push(-row.iter().zip(centre).map(|(w, x)| w * x).sum::<f64>());
            sieve.weights.extend(row);
        }
        Some(sieve)
    }

    /// Number of features without the constant.
    pub(super) fn features(&self) -> usize {
        self.biases.len()
    }

    /// Coefficients of an output: those of the features, and the constant.
    pub(super) fn per_output(&self) -> usize {
        self.features() + 1
    }

    /// The features at a point, and 1.
    pub(super) fn at(&self, x: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
        let rows = self.weights.chunks_exact(self.inputs).zip(&self.biases);
        let features = rows.map(|(row, b)| {
            (b + row.iter().zip(x.clone()).map(|(w, x)| w * x).sum::<f64>()).tanh()
        });
        features.chain([1.0]).collect()
    }

    /// The drift as a network.
    pub(super) fn network(&self) -> Result<Network, NetworkError> {
        let features = self.features();
        Ok(Network::Sequential(Sequential::new(vec![
            Network::Dense(Dense::new(self.inputs, features, Activation::Tanh)),
            Network::Dense(Dense::new(features, self.outputs, Activation::Identity)),
        ])?))
    }

    /// Parameters of the network for coefficients by output.
    pub(super) fn parameters(&self, coefficients: &[f64]) -> Vec<f64> {
        let outputs = coefficients.chunks_exact(self.per_output());
        let weights = outputs.clone().flat_map(|output| &output[..self.features()]);
        let constants = outputs.map(|output| &output[self.features()]);
        self.weights.iter().chain(&self.biases).chain(weights).chain(constants).copied().collect()
    }
}

/// Means and standard deviations of columns; 1 for a constant column.
fn moments(points: ArrayView2<'_, f64>) -> (Vec<f64>, Vec<f64>) {
    let n = points.nrows() as f64;
    points
        .columns()
        .into_iter()
        .map(|column| {
            let mean = column.sum() / n;
            let deviation = (column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
            (mean, if deviation > 1e-12 * mean.abs().max(1e-300) { deviation } else { 1.0 })
        })
        .unzip()
}
