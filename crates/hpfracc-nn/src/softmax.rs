use crate::error::{product_of, size};
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Each sample's features as weights that sum to 1: `y_i = exp(x_i - m) / sum_j exp(x_j - m)` with the largest
/// feature m, so that nothing overflows.
///
/// A cross entropy of logits needs no such layer before it, and is more accurate without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Sizes", into = "Sizes")]
pub struct Softmax {
    features: usize,
}

/// A layer that is not checked yet.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    features: usize,
}

impl TryFrom<Sizes> for Softmax {
    type Error = NetworkError;

    fn try_from(Sizes { features }: Sizes) -> Result<Self, NetworkError> {
        Self::new(features)
    }
}

impl From<Softmax> for Sizes {
    fn from(Softmax { features }: Softmax) -> Self {
        Self { features }
    }
}

impl Softmax {
    /// Over so many features.
    ///
    /// # Errors
    /// [`NetworkError`] for none, or more than can be counted.
    pub fn new(features: usize) -> Result<Self, NetworkError> {
        size("Softmax", "features", features)?;
        product_of("Softmax", &[features])?;
        Ok(Self { features })
    }
}

impl Shape for Softmax {
    fn inputs(&self) -> usize {
        self.features
    }

    fn outputs(&self) -> usize {
        self.features
    }

    fn blocks(&self) -> Vec<Block> {
        Vec::new()
    }

    fn parameters(&self) -> usize {
        0
    }

    fn kept(&self) -> usize {
        0
    }

    fn scratch(&self) -> usize {
        0
    }
}

impl<T: Scalar> Layer<T> for Softmax {
    fn initialise(&self, _: &Normals, _: u64, _: &mut [T]) {}

    fn forward(&self, _: Pass, _: &[T], x: Rows<'_, T>, _: RowsMut<'_, T>, y: RowsMut<'_, T>) {
        Arch::new().dispatch(Forward { features: self.features, x, y });
    }

    fn vjp(
        &self,
        _: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        _: &mut [T],
        _: RowsMut<'_, T>,
    ) {
        if let Some(xbar) = xbar {
            Arch::new().dispatch(Backward { features: self.features, y: tape.y, ybar, xbar });
        }
    }
}

/// Samples that are worked on together, their sums in registers.
const TOGETHER: usize = 64;

struct Forward<'a, T> {
    features: usize,
    x: Rows<'a, T>,
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
        (at..lanes).for_each(|at| self.samples::<1>(at));
    }
}

impl<T: Scalar> Forward<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let mut most = [T::zero(); W];
        most.copy_from_slice(&self.x[0][at..][..W]);
        for i in 1..self.features {
            for (most, x) in most.iter_mut().zip(&self.x[i][at..][..W]) {
                *most = if *x > *most { *x } else { *most };
            }
        }
        let mut sum = [T::zero(); W];
        for i in 0..self.features {
            let (x, y) = (&self.x[i][at..][..W], &mut self.y[i][at..][..W]);
            for (((y, x), most), sum) in y.iter_mut().zip(x).zip(&most).zip(&mut sum) {
                *y = (*x - *most).exp();
                *sum += *y;
            }
        }
        sum.iter_mut().for_each(|sum| *sum = T::one() / *sum);
        for i in 0..self.features {
            let y = &mut self.y[i][at..][..W];
            y.iter_mut().zip(&sum).for_each(|(y, factor)| *y *= *factor);
        }
    }
}

/// `xbar_i += y_i (ybar_i - sum_j ybar_j y_j)`
struct Backward<'a, T> {
    features: usize,
    y: Rows<'a, T>,
    ybar: RowsMut<'a, T>,
    xbar: RowsMut<'a, T>,
}

impl<T: Scalar> WithSimd for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let lanes = self.y.lanes();
        let mut at = 0;
        while at + TOGETHER <= lanes {
            self.samples::<TOGETHER>(at);
            at += TOGETHER;
        }
        (at..lanes).for_each(|at| self.samples::<1>(at));
    }
}

impl<T: Scalar> Backward<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let mut sum = [T::zero(); W];
        for i in 0..self.features {
            let both = self.y[i][at..][..W].iter().zip(&self.ybar[i][at..][..W]);
            sum.iter_mut().zip(both).for_each(|(sum, (y, ybar))| *sum += *y * *ybar);
        }
        for i in 0..self.features {
            let both = self.y[i][at..][..W].iter().zip(&self.ybar[i][at..][..W]);
            let xbar = &mut self.xbar[i][at..][..W];
            for ((xbar, (y, ybar)), sum) in xbar.iter_mut().zip(both).zip(&sum) {
                *xbar += *y * (*ybar - *sum);
            }
        }
    }
}
