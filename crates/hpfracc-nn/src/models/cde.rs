use super::blocks::{ranges, within};
use super::checks::rows;
use super::field::Field;
use super::{ModelError, Orders};
use crate::buffer_pool::BufferPool;
use crate::layer::initialise;
use crate::layers::Network;
use crate::{Block, Layer, ParameterBlock, Pass, Scalar, Shape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use hpfracc_sde::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Neural controlled differential equation: a hidden state z driven by a time series X, and a
/// readout,
///
/// ```text
/// z(0) = encoder(X(0)),   D^alpha z = F(z) dX/dt,   y(t) = readout(z(t))
/// ```
///
/// With the time as a channel of X the equation has a drift. Steps are those of the Euler method,
/// `F(z_n) (X_{n+1} - X_n)`, or of its fractional form: X is linear between its nodes.
///
/// Source: Kidger, Morrill, Foster and Lyons, NeurIPS (2020), arXiv:2005.08926.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CdeParts<L>", into = "CdeParts<L>")]
#[serde(bound(serialize = "L: Clone + Serialize"))]
#[serde(bound(deserialize = "L: Shape + Deserialize<'de>"))]
pub struct NeuralCde<L = Network> {
    parts: CdeParts<L>,
}

/// The networks of a [`NeuralCde`]. Networks of z may have the time as a further input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CdeParts<L = Network> {
    /// From the initial values of the channels to z(0).
    pub encoder: L,
    /// F, from z to the rows `component * channels + channel`.
    pub field: L,
    /// From z to the predictions.
    pub readout: L,
    /// The orders of z.
    #[serde(default)]
    pub orders: Orders,
}

/// Ranges of the parameters of each part.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) encoder: Range<usize>,
    pub(super) field: Range<usize>,
    pub(super) readout: Range<usize>,
    pub(super) orders: Range<usize>,
}

impl<L> From<NeuralCde<L>> for CdeParts<L> {
    fn from(model: NeuralCde<L>) -> Self {
        model.parts
    }
}

impl<L: Shape> TryFrom<CdeParts<L>> for NeuralCde<L> {
    type Error = ModelError;

    fn try_from(parts: CdeParts<L>) -> Result<Self, ModelError> {
        Self::new(parts)
    }
}

impl<L: Shape> NeuralCde<L> {
    /// A model with as many hidden components as the encoder has outputs, and as many channels as
    /// it has inputs.
    ///
    /// # Errors
    /// [`ModelError`] for networks whose sizes do not match, and orders outside their ranges.
    pub fn new(parts: CdeParts<L>) -> Result<Self, ModelError> {
        let (channels, dim) = (parts.encoder.inputs(), parts.encoder.outputs());
        rows("the inputs of the field", parts.field.inputs(), &[dim, dim + 1])?;
        rows("the outputs of the field", parts.field.outputs(), &[dim * channels])?;
        rows("the inputs of the readout", parts.readout.inputs(), &[dim, dim + 1])?;
        parts.orders.check(dim, false)?;
        Ok(Self { parts })
    }

    /// Components of z.
    pub fn dim(&self) -> usize {
        self.parts.encoder.outputs()
    }

    /// Channels of X.
    pub fn channels(&self) -> usize {
        self.parts.encoder.inputs()
    }

    pub(super) fn parts(&self) -> &CdeParts<L> {
        &self.parts
    }

    pub(super) fn places(&self) -> Places {
        let CdeParts { encoder, field, readout, orders } = &self.parts;
        let [encoder, field, readout, orders] = ranges([
            encoder.parameters(),
            field.parameters(),
            readout.parameters(),
            orders.parameters(self.dim()),
        ]);
        Places { encoder, field, readout, orders }
    }

    /// The blocks of parameters with their initial values: those of `encoder`, `field`, `readout`
    /// and `order`.
    pub fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let CdeParts { encoder, field, readout, orders } = &self.parts;
        within("encoder", encoder.parameter_blocks())
            .chain(within("field", field.parameter_blocks()))
            .chain(within("readout", readout.parameter_blocks()))
            .chain(orders.block(self.dim()))
            .collect()
    }

    /// Names and shapes of the blocks of parameters.
    pub fn blocks(&self) -> Vec<Block> {
        self.parameter_blocks().into_iter().map(|parameters| parameters.block).collect()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.places().orders.end
    }

    /// Writes the initial values of the parameters.
    pub fn initialise<T: Scalar>(&self, seed: u64, theta: &mut [T]) {
        initialise(&self.parameter_blocks(), &Normals::new(seed), 0, theta);
    }

    pub(super) fn system<'a, T: Scalar>(
        &'a self,
        theta: &'a [T],
        pass: Pass,
        pool: &'a BufferPool<T>,
    ) -> ControlledSystem<'a, T, L>
    where
        L: Layer<T>,
    {
        let (dim, channels) = (self.dim(), self.channels());
        let field = Field::new(&self.parts.field, dim, &theta[self.places().field], pass);
        ControlledSystem { dim, channels, field, pool }
    }
}

/// The system `dz = F(z) dX`, with the control as the noise.
#[derive(Debug)]
pub(super) struct ControlledSystem<'a, T, L> {
    dim: usize,
    channels: usize,
    field: Field<'a, T, L>,
    pool: &'a BufferPool<T>,
}

impl<'a, T, L> ControlledSystem<'a, T, L> {
    /// F.
    pub(super) fn field(&self) -> &Field<'a, T, L> {
        &self.field
    }
}

impl<T: Scalar, L: Layer<T>> StochasticSystem<T> for ControlledSystem<'_, T, L> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::General { noises: self.channels }
    }

    #[inline(always)]
    fn drift(&self, _: f64, _: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f.as_mut_slice().fill(T::zero());
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        self.pool.with(self.field.rows() * x.lanes(), |rows| {
            let (mut work, _) = self.field.work(rows, x.lanes());
            self.field.write(t, x, &mut work, g.as_mut_slice());
        });
    }
}

impl<T: Scalar, L: Layer<T>> DifferentiableStochasticSystem<T> for ControlledSystem<'_, T, L> {
    fn parameters(&self) -> usize {
        self.field.parameters()
    }

    #[inline(always)]
    fn drift_vjp(&self, _: f64, _: Rows<'_, T>, _: Rows<'_, T>, _: Vjp<'_, T>) {}

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        self.pool.with(self.field.rows() * x.lanes(), |rows| {
            let (mut work, _) = self.field.work(rows, x.lanes());
            self.field.forward(t, x, &mut work);
            work.ybar.copy_from_slice(gbar.as_slice());
            self.field.vjp(x, &mut work, xbar, thetabar);
        });
    }
}
