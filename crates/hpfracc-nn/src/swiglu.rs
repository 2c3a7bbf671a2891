use crate::activation::silu;
use crate::error::{product_of, size};
use crate::kernels::row_sums;
use crate::{Block, Initialiser, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::product::{Base, Left, Right, outer, product};
use hpfracc_sde::noise::{Normals, Rows, RowsMut};
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// A dense layer times a gate: `y = (W x + b) silu(V x + c)`, element by element.
///
/// Both products are one, with W above V. What the source has behind it, a matrix without bias, is a
/// [`Dense`](crate::Dense) layer after this one.
///
/// Parameters: `weight` W and `gate` V (outputs by inputs each), then `bias` b and `gate_bias` c.
///
/// Source: Shazeer, arXiv:2002.05202 (2020), equation 6.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Sizes", into = "Sizes")]
pub struct SwiGlu {
    sizes: Sizes,
}

/// A layer that is not checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    inputs: usize,
    outputs: usize,
    #[serde(default)]
    weight: Initialiser,
}

impl TryFrom<Sizes> for SwiGlu {
    type Error = NetworkError;

    fn try_from(sizes: Sizes) -> Result<Self, NetworkError> {
        size(NAME, "inputs", sizes.inputs)?;
        size(NAME, "outputs", sizes.outputs)?;
        product_of(NAME, &[2, sizes.outputs, sizes.inputs.saturating_add(1)])?;
        Ok(Self { sizes })
    }
}

impl From<SwiGlu> for Sizes {
    fn from(layer: SwiGlu) -> Self {
        layer.sizes
    }
}

const NAME: &str = "SwiGlu";

impl SwiGlu {
    /// A layer with weights after Glorot and Bengio; both biases start at zero.
    ///
    /// # Errors
    /// [`NetworkError`] for no inputs or no outputs.
    pub fn new(inputs: usize, outputs: usize) -> Result<Self, NetworkError> {
        Sizes { inputs, outputs, weight: Initialiser::default() }.try_into()
    }

    /// The same layer whose weights start in another way.
    #[must_use]
    pub fn starting(self, weight: Initialiser) -> Self {
        Self { sizes: Sizes { weight, ..self.sizes } }
    }

    /// Elements of both matrices.
    fn weights(&self) -> usize {
        2 * self.sizes.outputs * self.sizes.inputs
    }
}

impl Shape for SwiGlu {
    fn inputs(&self) -> usize {
        self.sizes.inputs
    }

    fn outputs(&self) -> usize {
        self.sizes.outputs
    }

    fn blocks(&self) -> Vec<Block> {
        let Sizes { inputs, outputs, .. } = self.sizes;
        vec![
            Block::new("weight", &[outputs, inputs]),
            Block::new("gate", &[outputs, inputs]),
            Block::new("bias", &[outputs]),
            Block::new("gate_bias", &[outputs]),
        ]
    }

    fn parameters(&self) -> usize {
        self.weights() + 2 * self.sizes.outputs
    }

    /// W x + b and V x + c.
    fn kept(&self) -> usize {
        2 * self.sizes.outputs
    }

    fn scratch(&self) -> usize {
        2 * self.sizes.outputs
    }
}

impl<T: Scalar> Layer<T> for SwiGlu {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        let Sizes { inputs, outputs, weight } = self.sizes;
        let (matrices, biases) = theta.split_at_mut(self.weights());
        let (values, gates) = matrices.split_at_mut(outputs * inputs);
        weight.fill(normals, first, (inputs, outputs), values);
        weight.fill(normals, first + values.len() as u64, (inputs, outputs), gates);
        biases.fill(T::zero());
    }

    fn forward(
        &self,
        _: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let (arch, lanes) = (Arch::new(), x.lanes());
        let (matrices, biases) = theta.split_at(self.weights());
        let left = Left::new(matrices, 2 * self.sizes.outputs, self.sizes.inputs);
        let right = Right::new(x.as_slice(), lanes);
        product(arch, left, right, Base::Rows(biases), kept.as_mut_slice(), lanes);
        let (values, gates) = kept.as_mut_slice().split_at(self.sizes.outputs * lanes);
        arch.dispatch(Gated { values, gates, y: y.as_mut_slice() });
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
        let (arch, lanes) = (Arch::new(), tape.x.lanes());
        let Sizes { inputs, outputs, .. } = self.sizes;
        let (values, gates) = tape.kept.as_slice().split_at(outputs * lanes);
        let both = scratch.as_mut_slice();
        let (valuesbar, gatesbar) = both.split_at_mut(outputs * lanes);
        arch.dispatch(Ungated { values, gates, ybar: ybar.as_mut_slice(), valuesbar, gatesbar });
        let (matricesbar, biasesbar) = thetabar.split_at_mut(self.weights());
        outer(arch, both, Right::new(tape.x.as_slice(), lanes), matricesbar);
        row_sums(arch, both, lanes, biasesbar);
        if let Some(mut xbar) = xbar {
            let left = Left::transposed(&theta[..self.weights()], inputs, 2 * outputs);
            let right = Right::new(both, lanes);
            product(arch, left, right, Base::Present, xbar.as_mut_slice(), lanes);
        }
    }
}

/// `y = values silu(gates)`
struct Gated<'a, T> {
    values: &'a [T],
    gates: &'a [T],
    y: &'a mut [T],
}

impl<T: Scalar> WithSimd for Gated<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for ((y, value), gate) in self.y.iter_mut().zip(self.values).zip(self.gates) {
            *y = *value * silu(*gate).0;
        }
    }
}

struct Ungated<'a, T> {
    values: &'a [T],
    gates: &'a [T],
    ybar: &'a [T],
    valuesbar: &'a mut [T],
    gatesbar: &'a mut [T],
}

impl<T: Scalar> WithSimd for Ungated<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let given = self.values.iter().zip(self.gates).zip(self.ybar);
        let wanted = self.valuesbar.iter_mut().zip(self.gatesbar);
        for (((value, gate), ybar), (valuebar, gatebar)) in given.zip(wanted) {
            let (silu, slope) = silu(*gate);
            *valuebar = *ybar * silu;
            *gatebar = *ybar * *value * slope;
        }
    }
}
