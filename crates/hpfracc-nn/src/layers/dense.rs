use super::Activation;
use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::kernels::{multiply, row_sums};
use crate::{
    Backward, Block, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar, Shape,
    Sizes, Tape,
};
use hpfracc_lanes::product::{Base, Left, Right, outer};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Dense (fully connected, affine) layer with a fused bias and activation:
///
/// ```text
/// y = activation(W x + b)
/// ```
///
/// Shapes: x has `inputs` rows, y has `outputs` rows, one lane for each sample.
///
/// Parameters: `weight` W (outputs x inputs), then `bias` b (outputs).
///
/// Cost for each sample: `inputs * outputs` multiply-adds forward, twice that backward. Saves the
/// slopes of the activation (`outputs` rows) where [`Activation::slope_from_value`] is false, else
/// nothing.
///
/// Source: Rumelhart, Hinton and Williams, Nature 323 (1986) 533, DOI 10.1038/323533a0.
///
/// ```
/// use hpfracc_nn::{Activation, Dense, Shape};
///
/// let layer = Dense::new(3, 2, Activation::Tanh);
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (3, 2, 2 * 3 + 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Dense {
    /// Rows of x.
    pub inputs: usize,
    /// Rows of y.
    pub outputs: usize,
    /// Activation of the sums.
    #[serde(default)]
    pub activation: Activation,
    /// Initial values of the weights; the bias starts at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

checked!(Dense);

impl Dense {
    /// A layer whose weights start as Glorot and Bengio propose.
    pub fn new(inputs: usize, outputs: usize, activation: Activation) -> Self {
        Self { inputs, outputs, activation, weight: Initialiser::default() }
    }

    /// Checks that there are rows, and that the number of parameters is addressable.
    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        sizes_of("Dense", &[("inputs", self.inputs), ("outputs", self.outputs)])?;
        product_of("Dense", &[self.outputs, self.inputs.saturating_add(1)]).map(|_| ())
    }
}

impl Shape for Dense {
    #[inline]
    fn sizes(&self) -> Sizes {
        let Self { inputs, outputs, activation, .. } = *self;
        let parameters = inputs.saturating_add(1).saturating_mul(outputs);
        Sizes { inputs, outputs, parameters, saved: activation.slopes(outputs), scratch: 0 }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let Self { inputs, outputs, weight, .. } = *self;
        vec![
            Block::new("weight", &[outputs, inputs]).drawn(weight, (inputs, outputs)),
            Block::new("bias", &[outputs]).filled(0.0),
        ]
    }
}

impl<T: Scalar> Layer<T> for Dense {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let arch = Arch::new();
        let (weight, bias) = theta.split_at(self.outputs * self.inputs);
        let left = Left::new(weight, self.outputs, self.inputs);
        let x = (x.as_slice(), x.lanes());
        multiply(arch, left, x, Base::Rows(bias), y.as_mut_slice());
        self.activation.apply_with_slopes(y.as_mut_slice(), saved.as_mut_slice());
    }

    fn vjp(&self, Backward { theta, tape, mut ybar, xbar, thetabar, .. }: Backward<'_, T>) {
        let arch = Arch::new();
        let Tape { x, saved, y } = tape;
        let lanes = x.lanes();
        let ybar = ybar.as_mut_slice();
        self.activation.pull_back(y.as_slice(), saved.as_slice(), ybar);
        let weights = self.outputs * self.inputs;
        let (weightbar, biasbar) = thetabar.split_at_mut(weights);
        outer(arch, ybar, Right::new(x.as_slice(), lanes), weightbar);
        row_sums(arch, ybar, lanes, biasbar);
        if let Some(mut xbar) = xbar {
            let left = Left::transposed(&theta[..weights], self.inputs, self.outputs);
            multiply(arch, left, (ybar, lanes), Base::Present, xbar.as_mut_slice());
        }
    }
}
