use super::FractionalDerivative;
use crate::error::{positive, product_of};
use crate::{
    Activation, Block, Dense, Initialiser, Layer, NetworkError, Pass, Scalar, Shape, Tape,
};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use serde::{Deserialize, Serialize};

/// A dense layer over the channels at each time, of the fractional derivative in time:
///
/// ```text
/// y(t) = activation(W (D^alpha x)(t) + b)
/// ```
///
/// With one order for all channels it makes no difference which of W and D acts first.
///
/// Parameters: those of the derivative, then `weight` (outputs by channels) and `bias`.
///
/// The formula is ours. It is the right-hand side of a fractional equation with the derivative on the
/// other side; layers of a similar name in the literature put fractional powers into the gradient instead.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FractionalDense {
    /// What comes first.
    pub derivative: FractionalDerivative,
    /// Channels of y.
    pub outputs: usize,
    /// What is applied to the sums.
    pub activation: Activation,
    /// How the weights start; the bias starts at zero.
    pub weight: Initialiser,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    derivative: FractionalDerivative,
    #[serde(deserialize_with = "positive")]
    outputs: usize,
    #[serde(default)]
    activation: Activation,
    #[serde(default)]
    weight: Initialiser,
}

impl TryFrom<Unchecked> for FractionalDense {
    type Error = NetworkError;

    fn try_from(unchecked: Unchecked) -> Result<Self, NetworkError> {
        let Unchecked { derivative, outputs, activation, weight } = unchecked;
        let layer = Self { derivative, outputs, activation, weight };
        layer.dense().check()?;
        product_of("FractionalDense", &[outputs, derivative.length()])?;
        Ok(layer)
    }
}

impl FractionalDense {
    /// A layer with weights after Glorot and Bengio.
    pub fn new(derivative: FractionalDerivative, outputs: usize, activation: Activation) -> Self {
        Self { derivative, outputs, activation, weight: Initialiser::default() }
    }

    /// What acts at each time: on rows of all times and lanes side by side.
    fn dense(&self) -> Dense {
        let Self { outputs, activation, weight, .. } = *self;
        Dense { inputs: self.derivative.channels(), outputs, activation, weight }
    }
}

impl Shape for FractionalDense {
    fn inputs(&self) -> usize {
        self.derivative.inputs()
    }

    fn outputs(&self) -> usize {
        self.outputs * self.derivative.length()
    }

    fn blocks(&self) -> Vec<Block> {
        self.derivative.blocks().into_iter().chain(self.dense().blocks()).collect()
    }

    fn parameters(&self) -> usize {
        self.derivative.parameters() + self.dense().parameters()
    }

    /// The derivative, and what the dense layer keeps.
    fn kept(&self) -> usize {
        self.inputs() + self.dense().kept() * self.derivative.length()
    }

    fn scratch(&self) -> usize {
        self.inputs()
    }
}

impl<T: Scalar> Layer<T> for FractionalDense {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        let (order, rest) = theta.split_at_mut(self.derivative.parameters());
        self.derivative.initialise(normals, first, order);
        self.dense().initialise(normals, first + order.len() as u64, rest);
    }

    fn forward(
        &self,
        pass: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let lanes = x.lanes();
        let times = self.derivative.length() * lanes;
        let (order, rest) = theta.split_at(self.derivative.parameters());
        let (derivative, own) = kept.as_mut_slice().split_at_mut(self.inputs() * lanes);
        let none = RowsMut::new(&mut [], lanes);
        self.derivative.forward(pass, order, x, none, RowsMut::new(derivative, lanes));
        let (own, y) = (RowsMut::new(own, times), RowsMut::new(y.as_mut_slice(), times));
        self.dense().forward(pass, rest, Rows::new(derivative, times), own, y);
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        mut ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        mut scratch: RowsMut<'_, T>,
    ) {
        let lanes = tape.x.lanes();
        let times = self.derivative.length() * lanes;
        let (order, rest) = theta.split_at(self.derivative.parameters());
        let (orderbar, restbar) = thetabar.split_at_mut(order.len());
        let (derivative, own) = tape.kept.as_slice().split_at(self.inputs() * lanes);
        let dense = Tape {
            x: Rows::new(derivative, times),
            kept: Rows::new(own, times),
            y: Rows::new(tape.y.as_slice(), times),
        };
        let wanted = xbar.is_some() || !order.is_empty();
        let back = scratch.as_mut_slice();
        back.fill(T::zero());
        let own = wanted.then(|| RowsMut::new(&mut *back, times));
        let (ybar, none) = (RowsMut::new(ybar.as_mut_slice(), times), RowsMut::new(&mut [], times));
        self.dense().vjp(rest, dense, ybar, own, restbar, none);
        if wanted {
            let tape = Tape { kept: Rows::new(&[], lanes), ..tape };
            let (back, none) = (RowsMut::new(back, lanes), RowsMut::new(&mut [], lanes));
            self.derivative.vjp(order, tape, back, xbar, orderbar, none);
        }
    }
}
