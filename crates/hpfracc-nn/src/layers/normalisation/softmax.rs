use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::kernels::{EachSample, Samples, blocks};
use crate::{Backward, Forward, Layer, NetworkError, ParameterBlock, Scalar, Shape, Sizes};
use hpfracc_lanes::{Rows, RowsMut};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Softmax over the features of each sample: positive numbers that sum to 1,
///
/// ```text
/// y_i = exp(x_i - m) / sum_j exp(x_j - m),   m = max_j x_j
/// ```
///
/// The shift by the maximum avoids overflow. A cross entropy of logits needs no softmax before it,
/// and is more accurate without.
///
/// Shapes: x and y have `features` rows, one lane for each sample. No parameters.
///
/// Cost for each sample: `features` exponentials forward, `2 * features` multiply-adds backward.
/// Saves nothing: the backward pass reads y.
///
/// Source: Bridle, NATO ASI Series 68 (1990) 227, DOI 10.1007/978-3-642-76153-9_28.
///
/// ```
/// use hpfracc_nn::{Shape, Softmax};
///
/// let layer = Softmax::new(10)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (10, 10, 0));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Softmax {
    features: usize,
}

checked!(Softmax);

impl Softmax {
    /// A softmax over this number of features.
    ///
    /// # Errors
    /// [`NetworkError`] if `features` is 0 or not addressable.
    pub fn new(features: usize) -> Result<Self, NetworkError> {
        let layer = Self { features };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        sizes_of("Softmax", &[("features", self.features)])?;
        product_of("Softmax", &[self.features]).map(|_| ())
    }
}

impl Shape for Softmax {
    fn sizes(&self) -> Sizes {
        Sizes { inputs: self.features, outputs: self.features, ..Sizes::default() }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        Vec::new()
    }
}

impl<T: Scalar> Layer<T> for Softmax {
    fn forward(&self, Forward { x, y, .. }: Forward<'_, T>) {
        let lanes = x.lanes();
        Arch::new().dispatch(EachSample(ForwardPass { features: self.features, x, y }, lanes));
    }

    fn vjp(&self, Backward { tape, ybar, xbar, .. }: Backward<'_, T>) {
        if let Some(xbar) = xbar {
            let features = self.features;
            let backward = BackwardPass { features, y: tape.y, ybar, xbar };
            Arch::new().dispatch(EachSample(backward, tape.x.lanes()));
        }
    }
}

struct ForwardPass<'a, T> {
    features: usize,
    x: Rows<'a, T>,
    y: RowsMut<'a, T>,
}

impl<T: Scalar> Samples for ForwardPass<'_, T> {
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
        for block in blocks(self.features) {
            let mut part = [T::zero(); W];
            for i in block {
                let (x, y) = (&self.x[i][at..][..W], &mut self.y[i][at..][..W]);
                for (((y, x), most), part) in y.iter_mut().zip(x).zip(&most).zip(&mut part) {
                    *y = (*x - *most).exp();
                    *part += *y;
                }
            }
            sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += *part);
        }
        sum.iter_mut().for_each(|sum| *sum = T::one() / *sum);
        for i in 0..self.features {
            let y = &mut self.y[i][at..][..W];
            y.iter_mut().zip(&sum).for_each(|(y, factor)| *y *= *factor);
        }
    }
}

/// `xbar_i += y_i (ybar_i - sum_j ybar_j y_j)`
struct BackwardPass<'a, T> {
    features: usize,
    y: Rows<'a, T>,
    ybar: RowsMut<'a, T>,
    xbar: RowsMut<'a, T>,
}

impl<T: Scalar> Samples for BackwardPass<'_, T> {
    #[inline(always)]
    fn samples<const W: usize>(&mut self, at: usize) {
        let mut sum = [T::zero(); W];
        for block in blocks(self.features) {
            let mut part = [T::zero(); W];
            for i in block {
                let both = self.y[i][at..][..W].iter().zip(&self.ybar[i][at..][..W]);
                part.iter_mut().zip(both).for_each(|(part, (y, ybar))| *part += *y * *ybar);
            }
            sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += *part);
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
