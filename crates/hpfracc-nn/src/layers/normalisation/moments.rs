use crate::checks::{checked, positive, sizes_of};
use crate::error::product_of;
use crate::kernels::{EachSample, Samples, blocks, total};
use crate::{
    Backward, Block, Forward, Layer, NetworkError, ParameterBlock, Scalar, Shape, Sizes, Tape,
};
use hpfracc_lanes::{Rows, RowsMut};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Layer normalisation over the features of each sample, with a learned scale and shift:
///
/// ```text
/// y_i = g_i (x_i - m) / sqrt(v + epsilon) + b_i,   m = mean x,   v = mean (x - m)^2
/// ```
///
/// Shapes: x and y have `features` rows, one lane for each sample.
///
/// Parameters: `scale` g, initially 1, and `shift` b, initially 0 (`features` each).
///
/// Cost for each sample: three passes over the features forward, two backward. Saves mean and
/// reciprocal standard deviation (2 rows).
///
/// Accuracy: m to a rounding of the largest |x_i| (corrected by the mean of the residuals), v to a
/// few roundings. For features whose mean is r standard deviations away from zero, y has errors of
/// about r roundings, as x itself has.
///
/// Source: Ba, Kiros and Hinton, arXiv:1607.06450 (2016).
///
/// ```
/// use hpfracc_nn::{LayerNorm, Shape};
///
/// let layer = LayerNorm::new(10)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (10, 10, 20));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LayerNorm {
    features: usize,
    /// Added to the variance, so that a sample of equal features stays finite.
    #[serde(default = "epsilon")]
    pub epsilon: f64,
}

/// Root-mean-square normalisation: [`LayerNorm`] without mean and shift,
///
/// ```text
/// y_i = g_i x_i / sqrt(mean x^2 + epsilon)
/// ```
///
/// Shapes: x and y have `features` rows, one lane for each sample.
///
/// Parameters: `scale` g, initially 1 (`features`).
///
/// Cost for each sample: two passes over the features forward, two backward. Saves 2 rows.
///
/// Source: Zhang and Sennrich, NeurIPS (2019), arXiv:1910.07467.
///
/// ```
/// use hpfracc_nn::{RmsNorm, Shape};
///
/// let layer = RmsNorm::new(10)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (10, 10, 10));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RmsNorm {
    features: usize,
    /// Added to the mean square, so that a sample of zeros stays finite.
    #[serde(default = "epsilon")]
    pub epsilon: f64,
}

checked!(LayerNorm, RmsNorm);

fn epsilon() -> f64 {
    1e-5
}

/// Both normalisations: with the mean subtracted (`centred`) or not.
#[derive(Clone, Copy)]
struct Normalise {
    features: usize,
    epsilon: f64,
    centred: bool,
}

struct ForwardPass<'a, T> {
    norm: Normalise,
    theta: &'a [T],
    x: Rows<'a, T>,
    /// Mean and reciprocal standard deviation.
    moments: RowsMut<'a, T>,
    y: RowsMut<'a, T>,
}

impl<T: Scalar> Samples for ForwardPass<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let Normalise { features, epsilon, centred } = self.norm;
        let per_feature = T::narrow(1.0 / features as f64);
        let mut mean = [T::zero(); W];
        if centred {
            for block in blocks(features) {
                let mut part = [T::zero(); W];
                for i in block {
                    part.iter_mut().zip(&self.x[i][at..][..W]).for_each(|(part, x)| *part += *x);
                }
                mean.iter_mut().zip(&part).for_each(|(mean, part)| *mean += *part);
            }
            mean.iter_mut().for_each(|mean| *mean *= per_feature);
        }
        let (mut square, mut rest) = ([T::zero(); W], [T::zero(); W]);
        for block in blocks(features) {
            let mut part = [T::zero(); W];
            for i in block {
                let x = &self.x[i][at..][..W];
                for w in 0..W {
                    let e = x[w] - mean[w];
                    part[w] += e * e;
                    rest[w] += e;
                }
            }
            square.iter_mut().zip(&part).for_each(|(square, part)| *square += *part);
        }
        if centred {
            // The mean of the residuals corrects the rounding of the mean.
            for w in 0..W {
                let lost = rest[w] * per_feature;
                mean[w] += lost;
                square[w] -= rest[w] * lost;
            }
        }
        let mut factor = [T::zero(); W];
        for (factor, square) in factor.iter_mut().zip(&square) {
            *factor = T::one() / (*square * per_feature + T::narrow(epsilon)).sqrt();
        }
        self.moments[0][at..][..W].copy_from_slice(&mean);
        self.moments[1][at..][..W].copy_from_slice(&factor);
        for i in 0..features {
            let scale = self.theta[i];
            let shift = if centred { self.theta[features + i] } else { T::zero() };
            let (x, y) = (&self.x[i][at..][..W], &mut self.y[i][at..][..W]);
            for (((y, x), mean), factor) in y.iter_mut().zip(x).zip(&mean).zip(&factor) {
                *y = scale * ((*x - *mean) * *factor) + shift;
            }
        }
    }
}

struct BackwardPass<'a, T> {
    norm: Normalise,
    theta: &'a [T],
    x: Rows<'a, T>,
    moments: Rows<'a, T>,
    ybar: RowsMut<'a, T>,
    xbar: Option<RowsMut<'a, T>>,
    thetabar: &'a mut [T],
}

impl<T: Scalar> Samples for BackwardPass<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let Normalise { features, centred, .. } = self.norm;
        let (mut mean, mut factor) = ([T::zero(); W], [T::zero(); W]);
        mean.copy_from_slice(&self.moments[0][at..][..W]);
        factor.copy_from_slice(&self.moments[1][at..][..W]);
        let normalised = |x: &[T]| {
            let mut n = [T::zero(); W];
            for (((n, x), mean), factor) in n.iter_mut().zip(x).zip(&mean).zip(&factor) {
                *n = (*x - *mean) * *factor;
            }
            n
        };
        // Sums over the features of the cotangent of n, and of its products with n.
        let (mut first, mut second) = ([T::zero(); W], [T::zero(); W]);
        for i in 0..features {
            let n = normalised(&self.x[i][at..][..W]);
            let ybar = &mut self.ybar[i][at..][..W];
            let mut products = [T::zero(); W];
            for ((product, ybar), n) in products.iter_mut().zip(&*ybar).zip(&n) {
                *product = *ybar * *n;
            }
            self.thetabar[i] += total::<16, _, _>(&products, |x| x);
            if centred {
                self.thetabar[features + i] += total::<16, _, _>(ybar, |x| x);
            }
            let scale = self.theta[i];
            for ((second, product), ybar) in second.iter_mut().zip(&products).zip(&mut *ybar) {
                *second += scale * *product;
                *ybar *= scale;
            }
            if centred {
                first.iter_mut().zip(&*ybar).for_each(|(first, ybar)| *first += *ybar);
            }
        }
        let per_feature = T::narrow(1.0 / features as f64);
        let Some(xbar) = &mut self.xbar else { return };
        for i in 0..features {
            let n = normalised(&self.x[i][at..][..W]);
            let (xbar, ybar) = (&mut xbar[i][at..][..W], &self.ybar[i][at..][..W]);
            for w in 0..W {
                let means = (first[w] + n[w] * second[w]) * per_feature;
                xbar[w] += factor[w] * (ybar[w] - means);
            }
        }
    }
}

/// Implements [`Layer`] by [`Normalise`].
macro_rules! layer {
    ($layer:ident, centred: $centred:literal, parameters: $per_feature:literal) => {
        impl $layer {
            /// Normalisation over `features` features, with epsilon = 1e-5.
            ///
            /// # Errors
            /// [`NetworkError`] if `features` is 0 or not addressable.
            pub fn new(features: usize) -> Result<Self, NetworkError> {
                let layer = Self { features, epsilon: epsilon() };
                layer.check().map(|()| layer)
            }

            fn check(&self) -> Result<(), NetworkError> {
                sizes_of(stringify!($layer), &[("features", self.features)])?;
                positive(concat!(stringify!($layer), ": epsilon"), self.epsilon)?;
                product_of(stringify!($layer), &[self.features, 2]).map(|_| ())
            }

            fn normalise(&self) -> Normalise {
                let Self { features, epsilon } = *self;
                Normalise { features, epsilon, centred: $centred }
            }
        }

        impl Shape for $layer {
            fn sizes(&self) -> Sizes {
                let features = self.features;
                let parameters = features * $per_feature;
                Sizes { inputs: features, outputs: features, parameters, saved: 2, scratch: 0 }
            }

            fn parameter_blocks(&self) -> Vec<ParameterBlock> {
                let blocks = [("scale", 1.0), ("shift", 0.0)];
                let blocks =
                    blocks.map(|(name, value)| Block::new(name, &[self.features]).filled(value));
                blocks.into_iter().take($per_feature).collect()
            }
        }

        impl<T: Scalar> Layer<T> for $layer {
            fn forward(&self, Forward { theta, x, saved: moments, y, .. }: Forward<'_, T>) {
                let (norm, lanes) = (self.normalise(), x.lanes());
                let forward = ForwardPass { norm, theta, x, moments, y };
                Arch::new().dispatch(EachSample(forward, lanes));
            }

            fn vjp(&self, Backward { theta, tape, ybar, xbar, thetabar, .. }: Backward<'_, T>) {
                let (norm, Tape { x, saved: moments, .. }) = (self.normalise(), tape);
                let backward = BackwardPass { norm, theta, x, moments, ybar, xbar, thetabar };
                Arch::new().dispatch(EachSample(backward, x.lanes()));
            }
        }
    };
}

layer!(LayerNorm, centred: true, parameters: 2);
layer!(RmsNorm, centred: false, parameters: 1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pass;

    /// Features far from zero against double precision, for lane counts around those of the
    /// kernels.
    #[test]
    fn offsets() {
        let (features, offset) = (768, 1e3);
        for lanes in [1, 15, 16, 63, 64, 81] {
            let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
            let x: Vec<f32> = (0..features * lanes).map(|i| (offset + number(i)) as f32).collect();
            let layer = LayerNorm::new(features).unwrap();
            let theta: Vec<f32> = (0..2 * features).map(|i| f32::from(i < features)).collect();
            let (mut moments, mut y) = (vec![f32::NAN; 2 * lanes], vec![f32::NAN; x.len()]);
            let (own, out) = (RowsMut::new(&mut moments, lanes), RowsMut::new(&mut y, lanes));
            let (pass, theta, x0) = (Pass::Evaluate, &theta, Rows::new(&x, lanes));
            layer.forward(Forward { pass, theta, x: x0, saved: own, y: out });
            for lane in 0..lanes {
                let of = |rows: &[f32]| -> Vec<f64> {
                    rows.iter().skip(lane).step_by(lanes).map(|x| f64::from(*x)).collect()
                };
                let (x, y) = (of(&x), of(&y));
                let mean = x.iter().sum::<f64>() / features as f64;
                let square = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / features as f64;
                let deviation = (square + layer.epsilon).sqrt();
                for (x, y) in x.iter().zip(&y) {
                    let error = (y - (x - mean) / deviation).abs();
                    assert!(error < 1e-4, "{lanes} {lane}: {error:e}");
                }
            }
        }
    }
}
