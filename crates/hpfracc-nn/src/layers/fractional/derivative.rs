use super::order::OrderValue;
use super::tables::{Spec, Tables, WeightKind, with_tables};
use super::{FractionalScheme, LayerOrder, unit_step};
use crate::checks::{checked, positive, sizes_of};
use crate::error::product_of;
use crate::{Backward, Forward, Layer, NetworkError, ParameterBlock, Scalar, Shape, Sizes};
use hpfracc_lanes::causal::Target;
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Fractional derivative or integral of each channel of a time series:
///
/// ```text
/// y_c(t_n) = (D^alpha x_c)(t_n),   n = 0 .. length-1
/// ```
///
/// Shapes: x and y have `channels * length` rows, one lane for each sample.
///
/// Parameters: `order`, if it is learned: one, or one for each channel. Its gradient is exact,
/// `<ybar, dD/dalpha x>` with the derivatives of the weights.
///
/// Units: `dt` is the time step; y has the units of x divided by time^alpha.
///
/// Cost for each lane and channel: `length^2/2` multiply-adds for short series, O(length log
/// length) by Fourier transforms along time above a threshold of 64 to 256 times, two groups of
/// lanes at once. The weights are recomputed at each pass, a few nanoseconds for each time, in
/// buffers of the thread, which grow once. Saves nothing. The rounding of the transforms is
/// relative to the largest sample of a lane and the largest weight, and a non-finite sample then
/// spreads to all times of its own lane and of one other.
///
/// Source: the schemes of [`FractionalScheme`]; Podlubny, Fractional Differential Equations (1999),
/// sections 2.2 and 7.
///
/// For fixed orders any operator on any backend can be a layer:
/// [`OperatorLayer`](crate::OperatorLayer).
///
/// ```
/// use hpfracc_nn::{FractionalDerivative, FractionalScheme, LayerOrder, Shape};
///
/// let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.5 };
/// let layer = FractionalDerivative::new(3, 100, 0.01, FractionalScheme::CaputoL1, order)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (300, 300, 1));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct FractionalDerivative {
    pub(super) channels: usize,
    pub(super) length: usize,
    #[serde(default = "unit_step")]
    dt: f64,
    #[serde(default)]
    scheme: FractionalScheme,
    order: LayerOrder,
}

checked!(FractionalDerivative);

const NAME: &str = "FractionalDerivative";

impl FractionalDerivative {
    /// A layer for time series with this number of channels and times, and the step `dt`.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for no channel, no step, `dt` not positive, or orders outside
    /// the range of the scheme.
    pub fn new(
        channels: usize,
        length: usize,
        dt: f64,
        scheme: FractionalScheme,
        order: LayerOrder,
    ) -> Result<Self, NetworkError> {
        let layer = Self { channels, length, dt, scheme, order };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        let Self { channels, length, dt, scheme, order } = *self;
        sizes_of(NAME, &[("channels", channels), ("length", length)])?;
        product_of(NAME, &[channels, length])?;
        positive("FractionalDerivative: dt", dt)?;
        Ok(order.check(NAME, &scheme.range())?)
    }

    /// Computes the weights of a channel, unless they are those of the channel before.
    fn table<T: Scalar>(
        &self,
        tables: &mut Tables<T>,
        theta: &[T],
        channel: usize,
        kind: WeightKind,
    ) {
        if channel < self.tables() {
            tables.set(self.spec(theta, channel), kind);
        }
    }

    /// Channels.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Times of a series.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// True if the weights act on differences from the first sample, false if on samples.
    #[must_use]
    pub fn counts_from_first(&self) -> bool {
        self.scheme.counts_from_first()
    }

    /// Number of tables of weights: one for each channel if each has an order of its own, else one.
    #[must_use]
    pub fn tables(&self) -> usize {
        if matches!(self.order, LayerOrder::LearnableEach { .. }) { self.channels } else { 1 }
    }

    pub(super) fn spec<T: Scalar>(&self, theta: &[T], table: usize) -> Spec {
        let Self { scheme, dt, length: taps, .. } = *self;
        Spec { scheme, alpha: self.order_of(theta, table).alpha, dt, taps }
    }

    pub(super) fn order_of<T: Scalar>(&self, theta: &[T], table: usize) -> OrderValue {
        self.order.at(theta, table)
    }
}

impl Shape for FractionalDerivative {
    fn sizes(&self) -> Sizes {
        let (rows, parameters) =
            (self.channels * self.length, self.order.parameters(self.channels));
        Sizes { inputs: rows, outputs: rows, parameters, ..Sizes::default() }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.order.block(&[self.channels]).into_iter().collect()
    }
}

impl<T: Scalar> Layer<T> for FractionalDerivative {
    fn forward(&self, Forward { theta, x, mut y, .. }: Forward<'_, T>) {
        let (arch, lanes, length) = (Arch::new(), x.lanes(), self.length);
        let series = x.as_slice().chunks_exact(length * lanes);
        let results = y.as_mut_slice().chunks_exact_mut(length * lanes);
        with_tables(|tables| {
            for (channel, (x, y)) in series.zip(results).enumerate() {
                self.table(tables, theta, channel, WeightKind::Values);
                y.fill(T::zero());
                tables.sum(arch, x, lanes, Target::Add(y));
            }
        });
    }

    fn vjp(&self, Backward { theta, tape, ybar, xbar, thetabar, .. }: Backward<'_, T>) {
        let (arch, lanes, length) = (Arch::new(), tape.x.lanes(), self.length);
        let ybar = ybar.as_rows();
        let results = || ybar.as_slice().chunks_exact(length * lanes).enumerate();
        with_tables(|tables| {
            if let Some(mut xbar) = xbar {
                let series = xbar.as_mut_slice().chunks_exact_mut(length * lanes);
                for ((channel, ybar), xbar) in results().zip(series) {
                    self.table(tables, theta, channel, WeightKind::Values);
                    tables.sum_back(arch, ybar, lanes, xbar);
                }
            }
            let series = tape.x.as_slice().chunks_exact(length * lanes);
            for ((channel, ybar), x) in results().zip(series) {
                let order = self.order.at(theta, channel);
                if order.is_learned() {
                    self.table(tables, theta, channel, WeightKind::Slopes);
                    let mut alphabar = T::zero();
                    tables.sum(arch, x, lanes, Target::InnerProduct(ybar, &mut alphabar));
                    order.pull_back(alphabar.widen(), thetabar);
                }
            }
        });
    }
}
