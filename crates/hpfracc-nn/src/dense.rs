use crate::error::{positive, product_of};
use crate::kernels::row_sums;
use crate::{Activation, Block, Initialiser, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::product::{Base, Left, Right, outer, product};
use hpfracc_sde::noise::{Normals, Rows, RowsMut};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// `y = activation(W x + b)`
///
/// Parameters: `weight` (outputs by inputs), then `bias`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Dense {
    /// Rows of x.
    pub inputs: usize,
    /// Rows of y.
    pub outputs: usize,
    /// What is applied to the sums.
    pub activation: Activation,
    /// How the weights start; the bias starts at zero.
    pub weight: Initialiser,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    #[serde(deserialize_with = "positive")]
    inputs: usize,
    #[serde(deserialize_with = "positive")]
    outputs: usize,
    #[serde(default)]
    activation: Activation,
    #[serde(default)]
    weight: Initialiser,
}

impl TryFrom<Unchecked> for Dense {
    type Error = NetworkError;

    fn try_from(unchecked: Unchecked) -> Result<Self, NetworkError> {
        let Unchecked { inputs, outputs, activation, weight } = unchecked;
        let layer = Self { inputs, outputs, activation, weight };
        layer.check()?;
        Ok(layer)
    }
}

impl Dense {
    /// A layer with weights after Glorot and Bengio.
    pub fn new(inputs: usize, outputs: usize, activation: Activation) -> Self {
        Self { inputs, outputs, activation, weight: Initialiser::default() }
    }

    /// The same layer whose weights start in another way.
    #[must_use]
    pub fn starting(self, weight: Initialiser) -> Self {
        Self { weight, ..self }
    }

    /// Whether its parameters can be counted.
    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        product_of("Dense", &[self.outputs, self.inputs.saturating_add(1)]).map(|_| ())
    }
}

impl Shape for Dense {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn blocks(&self) -> Vec<Block> {
        vec![
            Block::new("weight", &[self.outputs, self.inputs]),
            Block::new("bias", &[self.outputs]),
        ]
    }

    fn parameters(&self) -> usize {
        self.inputs.saturating_add(1).saturating_mul(self.outputs)
    }

    fn kept(&self) -> usize {
        if self.activation.slope_from_value() { 0 } else { self.outputs }
    }

    fn scratch(&self) -> usize {
        0
    }
}

impl<T: Scalar> Layer<T> for Dense {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        let (weight, bias) = theta.split_at_mut(self.outputs * self.inputs);
        self.weight.fill(normals, first, (self.inputs, self.outputs), weight);
        bias.fill(T::zero());
    }

    fn forward(
        &self,
        _: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let arch = Arch::new();
        let (weight, bias) = theta.split_at(self.outputs * self.inputs);
        let left = Left::new(weight, self.outputs, self.inputs);
        let right = Right::new(x.as_slice(), x.lanes());
        product(arch, left, right, Base::Rows(bias), y.as_mut_slice(), x.lanes());
        self.activation.apply_and_keep(arch, y.as_mut_slice(), kept.as_mut_slice());
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        mut ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        _: RowsMut<'_, T>,
    ) {
        let arch = Arch::new();
        let Tape { x, kept, y } = tape;
        let lanes = x.lanes();
        let ybar = ybar.as_mut_slice();
        self.activation.pull_back(arch, y.as_slice(), kept.as_slice(), ybar);
        let weights = self.outputs * self.inputs;
        let (weightbar, biasbar) = thetabar.split_at_mut(weights);
        outer(arch, ybar, Right::new(x.as_slice(), lanes), weightbar);
        row_sums(arch, ybar, lanes, biasbar);
        if let Some(mut xbar) = xbar {
            let left = Left::transposed(&theta[..weights], self.inputs, self.outputs);
            let right = Right::new(ybar, lanes);
            product(arch, left, right, Base::Present, xbar.as_mut_slice(), lanes);
        }
    }
}
