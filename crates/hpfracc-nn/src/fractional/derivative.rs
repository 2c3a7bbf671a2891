use super::tables::{Of, Spec, Tables, with_tables};
use super::{FractionalScheme, LayerOrder, positive_step, unit_step};
use crate::error::{product_of, size};
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::causal::Target;
use hpfracc_sde::noise::{Normals, Rows, RowsMut};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// The fractional derivative or integral of each channel of a series along time:
///
/// ```text
/// y_c(t_n) = (D^alpha x_c)(t_n),   n = 0 .. length-1
/// ```
///
/// Parameters: `order`, if it is learned, for the layer or for each channel. The gradient in it is exact:
/// `<ybar, dD/dalpha x>`, with the derivatives of the weights.
///
/// The weights are computed at each pass, which takes some nanoseconds for each time; they stay in buffers
/// of the thread, which grow once. Short series are summed, length^2/2 products for each lane and channel;
/// from some 64 times on (256 where there are few lanes) Fourier transforms along time take over, of two
/// groups of lanes at once. Their rounding is relative to the largest sample of a lane and the largest
/// weight, and what is not finite in a sample then reaches all times of its own lane and one other.
///
/// For orders that stay, any operator on any backend can be a layer: [`OperatorLayer`](crate::OperatorLayer).
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
#[serde(try_from = "Unchecked")]
pub struct FractionalDerivative {
    channels: usize,
    length: usize,
    dt: f64,
    scheme: FractionalScheme,
    order: LayerOrder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    channels: usize,
    length: usize,
    #[serde(default = "unit_step")]
    dt: f64,
    #[serde(default)]
    scheme: FractionalScheme,
    order: LayerOrder,
}

impl TryFrom<Unchecked> for FractionalDerivative {
    type Error = NetworkError;

    fn try_from(unchecked: Unchecked) -> Result<Self, NetworkError> {
        let Unchecked { channels, length, dt, scheme, order } = unchecked;
        Self::new(channels, length, dt, scheme, order)
    }
}

const NAME: &str = "FractionalDerivative";

impl FractionalDerivative {
    /// Of series of so many channels and steps of length `dt`.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for no channel, no step, `dt` not positive, or orders outside the range
    /// of the scheme.
    pub fn new(
        channels: usize,
        length: usize,
        dt: f64,
        scheme: FractionalScheme,
        order: LayerOrder,
    ) -> Result<Self, NetworkError> {
        size(NAME, "channels", channels)?;
        size(NAME, "length", length)?;
        product_of(NAME, &[channels, length])?;
        positive_step(NAME, dt)?;
        order.check(NAME, &scheme.range())?;
        Ok(Self { channels, length, dt, scheme, order })
    }

    /// Series side by side.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Times of a series.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Makes the table of a channel, unless it is that of the channel before.
    fn table<T: Scalar>(&self, tables: &mut Tables<T>, theta: &[T], channel: usize, of: Of) {
        if channel == 0 || matches!(self.order, LayerOrder::LearnableEach { .. }) {
            let alpha = self.order.at(theta, channel).alpha;
            let Self { scheme, dt, length: taps, .. } = *self;
            tables.set(Spec { scheme, alpha, dt, taps }, of);
        }
    }
}

impl Shape for FractionalDerivative {
    fn inputs(&self) -> usize {
        self.channels * self.length
    }

    fn outputs(&self) -> usize {
        self.channels * self.length
    }

    fn blocks(&self) -> Vec<Block> {
        self.order.block(&[self.channels]).into_iter().collect()
    }

    fn parameters(&self) -> usize {
        self.order.parameters(self.channels)
    }

    fn kept(&self) -> usize {
        0
    }

    fn scratch(&self) -> usize {
        0
    }
}

impl<T: Scalar> Layer<T> for FractionalDerivative {
    fn initialise(&self, _: &Normals, _: u64, theta: &mut [T]) {
        self.order.initialise(theta);
    }

    fn forward(
        &self,
        _: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        _: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let (arch, lanes, length) = (Arch::new(), x.lanes(), self.length);
        let series = x.as_slice().chunks_exact(length * lanes);
        let results = y.as_mut_slice().chunks_exact_mut(length * lanes);
        with_tables(|tables| {
            for (channel, (x, y)) in series.zip(results).enumerate() {
                self.table(tables, theta, channel, Of::Values);
                y.fill(T::zero());
                tables.sum(arch, x, lanes, Target::Add(y));
            }
        });
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        _: RowsMut<'_, T>,
    ) {
        let (arch, lanes, length) = (Arch::new(), tape.x.lanes(), self.length);
        let ybar = ybar.as_rows();
        let results = || ybar.as_slice().chunks_exact(length * lanes).enumerate();
        with_tables(|tables| {
            if let Some(mut xbar) = xbar {
                let series = xbar.as_mut_slice().chunks_exact_mut(length * lanes);
                for ((channel, ybar), xbar) in results().zip(series) {
                    self.table(tables, theta, channel, Of::Values);
                    tables.sum_back(arch, ybar, lanes, xbar);
                }
            }
            let series = tape.x.as_slice().chunks_exact(length * lanes);
            for ((channel, ybar), x) in results().zip(series) {
                let order = self.order.at(theta, channel);
                if order.is_learned() {
                    self.table(tables, theta, channel, Of::Slopes);
                    let mut alphabar = T::zero();
                    tables.sum(arch, x, lanes, Target::InnerProduct(ybar, &mut alphabar));
                    order.pull_back(alphabar.widen(), thetabar);
                }
            }
        });
    }
}
