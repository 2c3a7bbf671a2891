use super::activation::silu;
use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::kernels::{multiply, row_sums, vectorised};
use crate::{
    Backward, Block, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar, Shape,
    Sizes,
};
use hpfracc_lanes::product::{Base, Left, Right, outer};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Gated linear unit with a SiLU gate (SwiGLU), elementwise:
///
/// ```text
/// y = (W x + b) silu(V x + c),   silu(z) = z / (1 + exp(-z))
/// ```
///
/// The source multiplies the result by a further matrix without bias: that is a
/// [`Dense`](crate::Dense) layer after this one.
///
/// Shapes: x has `inputs` rows, y has `outputs` rows, one lane for each sample.
///
/// Parameters: `weight` W and `gate` V (outputs x inputs each), then `bias` b and `gate_bias` c
/// (outputs each).
///
/// Cost for each sample: `2 * inputs * outputs` multiply-adds forward, twice that backward; both
/// products are computed as one, with W above V. Saves `2 * outputs` rows.
///
/// Source: Shazeer, arXiv:2002.05202 (2020), equation 6.
///
/// ```
/// use hpfracc_nn::{Shape, SwiGlu};
///
/// let layer = SwiGlu::new(3, 2)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (3, 2, 2 * (3 * 2 + 2)));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SwiGlu {
    inputs: usize,
    outputs: usize,
    /// Initial values of the weights; biases start at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

checked!(SwiGlu);

const NAME: &str = "SwiGlu";

impl SwiGlu {
    /// A layer whose weights start as Glorot and Bengio propose; both biases start at zero.
    ///
    /// # Errors
    /// [`NetworkError`] if `inputs` or `outputs` is 0.
    pub fn new(inputs: usize, outputs: usize) -> Result<Self, NetworkError> {
        let layer = Self { inputs, outputs, weight: Initialiser::default() };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        sizes_of(NAME, &[("inputs", self.inputs), ("outputs", self.outputs)])?;
        product_of(NAME, &[2, self.outputs, self.inputs.saturating_add(1)]).map(|_| ())
    }

    /// Elements of both matrices.
    fn weights(&self) -> usize {
        2 * self.outputs * self.inputs
    }
}

impl Shape for SwiGlu {
    fn sizes(&self) -> Sizes {
        let Self { inputs, outputs, .. } = *self;
        let parameters = self.weights() + 2 * outputs;
        // Saved: W x + b and V x + c.
        Sizes { inputs, outputs, parameters, saved: 2 * outputs, scratch: 2 * outputs }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let Self { inputs, outputs, weight } = *self;
        vec![
            Block::new("weight", &[outputs, inputs]).drawn(weight, (inputs, outputs)),
            Block::new("gate", &[outputs, inputs]).drawn(weight, (inputs, outputs)),
            Block::new("bias", &[outputs]).filled(0.0),
            Block::new("gate_bias", &[outputs]).filled(0.0),
        ]
    }
}

impl<T: Scalar> Layer<T> for SwiGlu {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let (arch, lanes) = (Arch::new(), x.lanes());
        let (matrices, biases) = theta.split_at(self.weights());
        let left = Left::new(matrices, 2 * self.outputs, self.inputs);
        let x = (x.as_slice(), lanes);
        multiply(arch, left, x, Base::Rows(biases), saved.as_mut_slice());
        let (values, gates) = saved.as_mut_slice().split_at(self.outputs * lanes);
        gate(values, gates, y.as_mut_slice());
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { theta, tape, mut ybar, xbar, thetabar, mut scratch } = run;
        let (arch, lanes) = (Arch::new(), tape.x.lanes());
        let Self { inputs, outputs, .. } = *self;
        let (values, gates) = tape.saved.as_slice().split_at(outputs * lanes);
        let both = scratch.as_mut_slice();
        gate_vjp([values, gates, ybar.as_mut_slice()], both.split_at_mut(outputs * lanes));
        let (matricesbar, biasesbar) = thetabar.split_at_mut(self.weights());
        outer(arch, both, Right::new(tape.x.as_slice(), lanes), matricesbar);
        row_sums(arch, both, lanes, biasesbar);
        if let Some(mut xbar) = xbar {
            let left = Left::transposed(&theta[..self.weights()], inputs, 2 * outputs);
            multiply(arch, left, (both, lanes), Base::Present, xbar.as_mut_slice());
        }
    }
}

vectorised! {
    /// `y = values silu(gates)`
    fn gate<'a, T>(values: &'a [T], gates: &'a [T], y: &'a mut [T]) {
        for ((y, value), gate) in y.iter_mut().zip(values).zip(gates) {
            *y = *value * silu(*gate).0;
        }
    }
}

vectorised! {
    /// Transpose of [`gate`]: writes the cotangents of values and gates.
    fn gate_vjp<'a, T>(inputs: [&'a [T]; 3], bars: (&'a mut [T], &'a mut [T])) {
        let [values, gates, ybar] = inputs;
        let inputs = values.iter().zip(gates).zip(ybar);
        for (((value, gate), ybar), (valuebar, gatebar)) in inputs.zip(bars.0.iter_mut().zip(bars.1)) {
            let (silu, slope) = silu(*gate);
            *valuebar = *ybar * silu;
            *gatebar = *ybar * *value * slope;
        }
    }
}
