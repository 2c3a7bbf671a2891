use super::FractionalDerivative;
use crate::checks::checked;
use crate::error::product_of;
use crate::{
    Activation, Backward, Dense, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar,
    Shape, Sizes, Tape,
};
use hpfracc_lanes::{Rows, RowsMut};
use serde::{Deserialize, Serialize};

/// Dense layer over the channels at each time, applied to the fractional derivative in time:
///
/// ```text
/// y(t) = activation(W (D^alpha x)(t) + b)
/// ```
///
/// With one order for all channels, W and D commute.
///
/// Shapes: x has `channels * length` rows, y has `outputs * length` rows, one lane for each sample.
///
/// Parameters: those of the derivative, then `weight` (outputs x channels) and `bias` (outputs).
///
/// Cost: that of [`FractionalDerivative`], and of a [`Dense`] layer for each time. Saves the
/// derivative and the rows of the dense layer.
///
/// Source: defined here; the formula is the right-hand side of a fractional equation with the
/// derivative moved to the other side. Layers with a similar name in the literature use fractional
/// powers in the gradient instead.
///
/// ```
/// use hpfracc_nn::{Activation, FractionalDense, FractionalDerivative, FractionalScheme, LayerOrder, Shape};
///
/// let order = LayerOrder::Fixed(0.5);
/// let derivative = FractionalDerivative::new(3, 100, 0.01, FractionalScheme::CaputoL1, order)?;
/// let layer = FractionalDense::new(derivative, 2, Activation::Tanh);
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (300, 200, 2 * 3 + 2));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct FractionalDense {
    /// The derivative, applied first.
    pub derivative: FractionalDerivative,
    /// Channels of y.
    pub outputs: usize,
    /// Activation of the sums.
    #[serde(default)]
    pub activation: Activation,
    /// Initial values of the weights; the bias starts at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

checked!(FractionalDense);

impl FractionalDense {
    /// A layer whose weights start as Glorot and Bengio propose.
    pub fn new(derivative: FractionalDerivative, outputs: usize, activation: Activation) -> Self {
        Self { derivative, outputs, activation, weight: Initialiser::default() }
    }

    fn check(&self) -> Result<(), NetworkError> {
        self.dense().check()?;
        product_of("FractionalDense", &[self.outputs, self.derivative.length]).map(|_| ())
    }

    /// The dense layer of each time: it acts on rows of all times and lanes.
    #[must_use]
    pub fn dense(&self) -> Dense {
        let Self { outputs, activation, weight, .. } = *self;
        Dense { inputs: self.derivative.channels, outputs, activation, weight }
    }
}

impl Shape for FractionalDense {
    fn sizes(&self) -> Sizes {
        let (derivative, dense) = (self.derivative.sizes(), self.dense().sizes());
        let length = self.derivative.length;
        Sizes {
            inputs: derivative.inputs,
            outputs: self.outputs * length,
            parameters: derivative.parameters + dense.parameters,
            // The derivative, and the saved rows of the dense layer.
            saved: derivative.inputs + dense.saved * length,
            scratch: derivative.inputs,
        }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let derivative = self.derivative.parameter_blocks().into_iter();
        derivative.chain(self.dense().parameter_blocks()).collect()
    }
}

impl<T: Scalar> Layer<T> for FractionalDense {
    fn forward(&self, Forward { pass, theta, x, mut saved, mut y }: Forward<'_, T>) {
        let lanes = x.lanes();
        let times = self.derivative.length * lanes;
        let (order, rest) = theta.split_at(self.derivative.parameters());
        let (derivative, own) = saved.as_mut_slice().split_at_mut(self.inputs() * lanes);
        let (saved, out) = (RowsMut::new(&mut [], lanes), RowsMut::new(derivative, lanes));
        self.derivative.forward(Forward { pass, theta: order, x, saved, y: out });
        let (saved, y) = (RowsMut::new(own, times), RowsMut::new(y.as_mut_slice(), times));
        let x = Rows::new(derivative, times);
        self.dense().forward(Forward { pass, theta: rest, x, saved, y });
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { theta, tape, mut ybar, xbar, thetabar, mut scratch } = run;
        let lanes = tape.x.lanes();
        let times = self.derivative.length * lanes;
        let (order, rest) = theta.split_at(self.derivative.parameters());
        let (orderbar, restbar) = thetabar.split_at_mut(order.len());
        let (derivative, own) = tape.saved.as_slice().split_at(self.inputs() * lanes);
        let dense = Tape {
            x: Rows::new(derivative, times),
            saved: Rows::new(own, times),
            y: Rows::new(tape.y.as_slice(), times),
        };
        let propagate = xbar.is_some() || !order.is_empty();
        let back = scratch.as_mut_slice();
        back.fill(T::zero());
        self.dense().vjp(Backward {
            theta: rest,
            tape: dense,
            ybar: RowsMut::new(ybar.as_mut_slice(), times),
            xbar: propagate.then(|| RowsMut::new(&mut *back, times)),
            thetabar: restbar,
            scratch: RowsMut::new(&mut [], times),
        });
        if propagate {
            self.derivative.vjp(Backward {
                theta: order,
                tape: Tape { saved: Rows::new(&[], lanes), ..tape },
                ybar: RowsMut::new(back, lanes),
                xbar,
                thetabar: orderbar,
                scratch: RowsMut::new(&mut [], lanes),
            });
        }
    }
}
