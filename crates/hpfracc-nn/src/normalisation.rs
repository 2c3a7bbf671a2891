use crate::error::{positive_number, product_of, size};
use crate::kernels::total;
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Each sample's features with their mean taken away and divided by their deviation, then scaled and
/// shifted feature by feature:
///
/// ```text
/// y_i = g_i (x_i - m) / sqrt(v + epsilon) + b_i,   m = mean x,   v = mean (x - m)^2
/// ```
///
/// Parameters: `scale`, from 1, and `shift`, from 0.
///
/// Accuracy: m to a rounding of the largest |x_i| (it is corrected by the mean of what it leaves), v to
/// some roundings: of features with an offset from zero of r deviations, y has errors of about r roundings,
/// as x itself has.
///
/// Source: Ba, Kiros and Hinton, arXiv:1607.06450 (2016).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct LayerNorm {
    features: usize,
    /// What keeps a sample of equal features finite.
    pub epsilon: f64,
}

/// As [`LayerNorm`] without mean and shift: `y_i = g_i x_i / sqrt(mean x^2 + epsilon)`.
///
/// Parameters: `scale`, from 1.
///
/// Source: Zhang and Sennrich, NeurIPS (2019), arXiv:1910.07467.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct RmsNorm {
    features: usize,
    /// What keeps a sample of zeros finite.
    pub epsilon: f64,
}

/// A layer that is not checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    features: usize,
    #[serde(default = "epsilon", deserialize_with = "positive_number")]
    epsilon: f64,
}

fn epsilon() -> f64 {
    1e-5
}

/// What the two have in common: the mean is taken away or not.
#[derive(Clone, Copy)]
struct Normalise {
    features: usize,
    epsilon: f64,
    centred: bool,
}

/// Samples that are worked on together, their sums in registers.
const TOGETHER: usize = 64;

/// The same of what is left, before samples go one by one: a register or two.
const FEW: usize = 16;

struct Forward<'a, T> {
    norm: Normalise,
    theta: &'a [T],
    x: Rows<'a, T>,
    /// Mean and reciprocal deviation.
    kept: RowsMut<'a, T>,
    y: RowsMut<'a, T>,
}

impl<T: Scalar> WithSimd for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let lanes = self.x.lanes();
        let mut at = 0;
        while at + TOGETHER <= lanes {
            self.samples::<TOGETHER>(at);
            at += TOGETHER;
        }
        while at + FEW <= lanes {
            self.samples::<FEW>(at);
            at += FEW;
        }
        (at..lanes).for_each(|at| self.samples::<1>(at));
    }
}

impl<T: Scalar> Forward<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let Normalise { features, epsilon, centred } = self.norm;
        let per_feature = T::narrow(1.0 / features as f64);
        let mut mean = [T::zero(); W];
        if centred {
            for i in 0..features {
                for (mean, x) in mean.iter_mut().zip(&self.x[i][at..][..W]) {
                    *mean += *x;
                }
            }
            mean.iter_mut().for_each(|mean| *mean *= per_feature);
        }
        let (mut square, mut rest) = ([T::zero(); W], [T::zero(); W]);
        for i in 0..features {
            let x = &self.x[i][at..][..W];
            for w in 0..W {
                let e = x[w] - mean[w];
                square[w] += e * e;
                rest[w] += e;
            }
        }
        if centred {
            // What the sum has lost of the mean is the mean of what is left.
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
        self.kept[0][at..][..W].copy_from_slice(&mean);
        self.kept[1][at..][..W].copy_from_slice(&factor);
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

struct Backward<'a, T> {
    norm: Normalise,
    theta: &'a [T],
    x: Rows<'a, T>,
    kept: Rows<'a, T>,
    ybar: RowsMut<'a, T>,
    xbar: Option<RowsMut<'a, T>>,
    thetabar: &'a mut [T],
}

impl<T: Scalar> WithSimd for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let lanes = self.x.lanes();
        let mut at = 0;
        while at + TOGETHER <= lanes {
            self.samples::<TOGETHER>(at);
            at += TOGETHER;
        }
        while at + FEW <= lanes {
            self.samples::<FEW>(at);
            at += FEW;
        }
        (at..lanes).for_each(|at| self.samples::<1>(at));
    }
}

impl<T: Scalar> Backward<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let Normalise { features, centred, .. } = self.norm;
        let (mut mean, mut factor) = ([T::zero(); W], [T::zero(); W]);
        mean.copy_from_slice(&self.kept[0][at..][..W]);
        factor.copy_from_slice(&self.kept[1][at..][..W]);
        let normalised = |x: &[T]| {
            let mut n = [T::zero(); W];
            for (((n, x), mean), factor) in n.iter_mut().zip(x).zip(&mean).zip(&factor) {
                *n = (*x - *mean) * *factor;
            }
            n
        };
        // Means over the features of what comes back to n, and of its products with n.
        let (mut first, mut second) = ([T::zero(); W], [T::zero(); W]);
        for i in 0..features {
            let n = normalised(&self.x[i][at..][..W]);
            let ybar = &mut self.ybar[i][at..][..W];
            let mut products = [T::zero(); W];
            for ((product, ybar), n) in products.iter_mut().zip(&*ybar).zip(&n) {
                *product = *ybar * *n;
            }
            self.thetabar[i] += total(&products);
            if centred {
                self.thetabar[features + i] += total(ybar);
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

/// Implements [`Layer`] for a layer that is a [`Normalise`].
macro_rules! layer {
    ($layer:ident, centred: $centred:literal, parameters: $per_feature:literal) => {
        impl $layer {
            /// Over so many features, with epsilon = 1e-5.
            ///
            /// # Errors
            /// [`NetworkError`] for none, or more than can be counted.
            pub fn new(features: usize) -> Result<Self, NetworkError> {
                size(stringify!($layer), "features", features)?;
                product_of(stringify!($layer), &[features, 2])?;
                Ok(Self { features, epsilon: epsilon() })
            }

            fn normalise(&self) -> Normalise {
                let Self { features, epsilon } = *self;
                Normalise { features, epsilon, centred: $centred }
            }
        }

        impl TryFrom<Unchecked> for $layer {
            type Error = NetworkError;

            fn try_from(Unchecked { features, epsilon }: Unchecked) -> Result<Self, NetworkError> {
                Ok(Self { epsilon, ..Self::new(features)? })
            }
        }

        impl Shape for $layer {
            fn inputs(&self) -> usize {
                self.features
            }

            fn outputs(&self) -> usize {
                self.features
            }

            fn blocks(&self) -> Vec<Block> {
                let blocks = ["scale", "shift"].map(|name| Block::new(name, &[self.features]));
                blocks.into_iter().take($per_feature).collect()
            }

            fn parameters(&self) -> usize {
                self.features * $per_feature
            }

            fn kept(&self) -> usize {
                2
            }

            fn scratch(&self) -> usize {
                0
            }
        }

        impl<T: Scalar> Layer<T> for $layer {
            fn initialise(&self, _: &Normals, _: u64, theta: &mut [T]) {
                let (scale, shift) = theta.split_at_mut(self.features);
                scale.fill(T::one());
                shift.fill(T::zero());
            }

            fn forward(
                &self,
                _: Pass,
                theta: &[T],
                x: Rows<'_, T>,
                kept: RowsMut<'_, T>,
                y: RowsMut<'_, T>,
            ) {
                let norm = self.normalise();
                Arch::new().dispatch(Forward { norm, theta, x, kept, y });
            }

            fn vjp(
                &self,
                theta: &[T],
                tape: Tape<'_, T>,
                ybar: RowsMut<'_, T>,
                xbar: Option<RowsMut<'_, T>>,
                thetabar: &mut [T],
                _: RowsMut<'_, T>,
            ) {
                let (norm, Tape { x, kept, .. }) = (self.normalise(), tape);
                Arch::new().dispatch(Backward { norm, theta, x, kept, ybar, xbar, thetabar });
            }
        }
    };
}

layer!(LayerNorm, centred: true, parameters: 2);
layer!(RmsNorm, centred: false, parameters: 1);

#[cfg(test)]
mod tests {
    use super::*;

    /// Features far from zero against double precision, on numbers of lanes about those of the kernels.
    #[test]
    fn offsets() {
        let (features, offset) = (768, 1e3);
        for lanes in [1, 15, 16, 63, 64, 81] {
            let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
            let x: Vec<f32> = (0..features * lanes).map(|i| (offset + number(i)) as f32).collect();
            let layer = LayerNorm::new(features).unwrap();
            let theta: Vec<f32> = (0..2 * features).map(|i| f32::from(i < features)).collect();
            let (mut kept, mut y) = (vec![f32::NAN; 2 * lanes], vec![f32::NAN; x.len()]);
            let (own, out) = (RowsMut::new(&mut kept, lanes), RowsMut::new(&mut y, lanes));
            layer.forward(Pass::Evaluate, &theta, Rows::new(&x, lanes), own, out);
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
