use super::order::OrderValue;
use super::tables::{Spec, Tables, WeightKind, with_tables};
use super::{FractionalScheme, LayerOrder};
use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::kernels::row_sums;
use crate::{
    Activation, Backward, Block, Conv1dConfig, Forward, Initialiser, Layer, NetworkError, Padding,
    ParameterBlock, Scalar, Shape, Sizes, Tape,
};
use hpfracc_lanes::causal::{DirectSum, PADDING};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Causal convolution in time whose kernels are truncated fractional differences times gains:
///
/// ```text
/// y_o[n] = activation(b_o + sum_i g_oi sum_{k < taps} w_k(alpha_oi) x_i[n-k]),   x = 0 before the start
/// w_k(alpha) = (-1)^k C(alpha, k) ~ k^(-1-alpha)/Gamma(-alpha)
/// ```
///
/// A kernel of any length has two parameters: 0 < alpha < 1 responds to changes, -1 < alpha < 0
/// averages with a long memory, alpha = 0 copies the sample, alpha = 1 takes the difference.
///
/// Shapes: x has `inputs * length` rows, y has `outputs * length` rows, one lane for each sample.
///
/// Parameters: `order`, if it is learned: one, or outputs x inputs; `gain` g (outputs x inputs);
/// `bias` b (outputs).
///
/// Cost for each sample: `inputs * outputs * taps * length` multiply-adds forward, about three
/// times that backward with learned orders. Saves the slopes of the activation where they do not
/// follow from y.
///
/// Source: fractional differences as filters: Hosking, Biometrika 68 (1981) 165,
/// DOI 10.1093/biomet/68.1.165; the fixed number of lags is the short-memory principle, Podlubny, Fractional
/// Differential Equations (1999), section 7.3. Kernels by fractional derivatives of learned order, there of
/// a Gaussian: Zamora, Vargas, Rhodes, Nachman and Sundararajan, Convolutional filter approximation using
/// fractional calculus, ICCV Workshops (2021). The layer is defined here.
///
/// ```
/// use hpfracc_nn::{FractionalConv1d, LayerOrder, Shape};
///
/// let order = LayerOrder::Learnable { lower: -0.9, upper: 0.9, start: 0.3 };
/// let layer = FractionalConv1d::new(3, 2, 100, 16, order)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (300, 200, 1 + 2 * 3 + 2));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct FractionalConv1d {
    inputs: usize,
    outputs: usize,
    length: usize,
    pub(super) taps: usize,
    order: LayerOrder,
    #[serde(default)]
    activation: Activation,
    /// Initial values of the gains; biases start at zero.
    #[serde(default)]
    pub gain: Initialiser,
}

checked!(FractionalConv1d);

const NAME: &str = "FractionalConv1d";

impl FractionalConv1d {
    /// A layer from `inputs` to `outputs` channels of `length` times, with kernels of `taps` lags.
    /// No activation; gains start as Glorot and Bengio propose, biases at zero.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for sizes of zero and orders outside -20 to 20.
    pub fn new(
        inputs: usize,
        outputs: usize,
        length: usize,
        taps: usize,
        order: LayerOrder,
    ) -> Result<Self, NetworkError> {
        let (activation, gain) = (Activation::Identity, Initialiser::default());
        let layer = Self { inputs, outputs, length, taps, order, activation, gain };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        let Self { inputs, outputs, length, taps, order, .. } = *self;
        let sizes = [("inputs", inputs), ("outputs", outputs), ("length", length), ("taps", taps)];
        sizes_of(NAME, &sizes)?;
        let table = taps.saturating_add(2 * PADDING);
        for sizes in [&[inputs, length][..], &[outputs, length], &[inputs, outputs, table]] {
            product_of(NAME, sizes)?;
        }
        Ok(order.check(NAME, &FractionalScheme::GrunwaldLetnikov.range())?)
    }

    /// This layer with an activation.
    #[must_use]
    pub fn activated(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// The same sums with kernels of weights, those that [`ComputedWeights`](crate::ComputedWeights) computes.
    #[must_use]
    pub fn convolution(&self) -> Conv1dConfig {
        let Self { inputs, outputs, length, taps, activation, .. } = *self;
        let config = Conv1dConfig::new(inputs, length, outputs, taps);
        Conv1dConfig { padding: Padding::Causal, activation, ..config }
    }

    pub(super) fn kernels(&self) -> usize {
        self.inputs * self.outputs
    }

    pub(super) fn orders(&self) -> usize {
        self.order.parameters(self.kernels())
    }

    /// The kernel of a pair, output by input.
    pub(super) fn spec<T: Scalar>(&self, theta: &[T], pair: usize) -> Spec {
        let alpha = self.order_of(theta, pair).alpha;
        Spec { scheme: FractionalScheme::GrunwaldLetnikov, alpha, dt: 1.0, taps: self.taps }
    }

    pub(super) fn order_of<T: Scalar>(&self, theta: &[T], pair: usize) -> OrderValue {
        self.order.at(theta, pair)
    }

    /// Computes all kernels times their gains, in order.
    fn tables<T: Scalar>(&self, tables: &mut Tables<T>, theta: &[T]) {
        let gains = &theta[self.orders()..];
        tables.clear();
        for (pair, gain) in gains[..self.kernels()].iter().enumerate() {
            tables.append(self.spec(theta, pair), WeightKind::Values, gain.widen());
        }
    }
}

impl Shape for FractionalConv1d {
    fn sizes(&self) -> Sizes {
        let outputs = self.outputs * self.length;
        Sizes {
            inputs: self.inputs * self.length,
            outputs,
            parameters: self.orders() + self.kernels() + self.outputs,
            saved: self.activation.slopes(outputs),
            scratch: 0,
        }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let shape = [self.outputs, self.inputs];
        let own = [
            Block::new("gain", &shape).drawn(self.gain, (self.inputs, self.outputs)),
            Block::new("bias", &[self.outputs]).filled(0.0),
        ];
        self.order.block(&shape).into_iter().chain(own).collect()
    }
}

impl<T: Scalar> Layer<T> for FractionalConv1d {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let (arch, lanes, length) = (Arch::new(), x.lanes(), self.length);
        let bias = &theta[self.orders() + self.kernels()..];
        with_tables(|tables| {
            self.tables(tables, theta);
            let results = y.as_mut_slice().chunks_exact_mut(length * lanes);
            for ((output, y), bias) in results.enumerate().zip(bias) {
                y.fill(*bias);
                let table = output * self.inputs;
                let own = tables.meeting(table, self.taps, x.as_slice(), lanes);
                let times = (0, length);
                let causal = DirectSum { series: self.inputs, length, times, ..own };
                causal.convolve(arch, 0..length, y);
            }
        });
        self.activation.apply_with_slopes(y.as_mut_slice(), saved.as_mut_slice());
    }

    fn vjp(&self, Backward { theta, tape, mut ybar, xbar, thetabar, .. }: Backward<'_, T>) {
        let Tape { x, saved, y } = tape;
        let (arch, lanes, length, taps) = (Arch::new(), x.lanes(), self.length, self.taps);
        let ybar = ybar.as_mut_slice();
        self.activation.pull_back(y.as_slice(), saved.as_slice(), ybar);
        let ybar = &*ybar;
        let gains = &theta[self.orders()..][..self.kernels()];
        let (orderbar, rest) = thetabar.split_at_mut(self.orders());
        let (gainbar, biasbar) = rest.split_at_mut(self.kernels());
        row_sums(arch, ybar, length * lanes, biasbar);
        let rows = length * lanes;
        with_tables(|tables| {
            if let Some(mut xbar) = xbar {
                self.tables(tables, theta);
                let series = xbar.as_mut_slice().chunks_exact_mut(rows);
                for (input, xbar) in series.enumerate() {
                    let own = tables.meeting(input, taps, ybar, lanes);
                    let stride = self.inputs * (taps + 2 * PADDING);
                    let (series, times) = (self.outputs, (0, length));
                    let causal = DirectSum { stride, series, length, times, ..own };
                    causal.correlate(arch, 0..length, xbar);
                }
            }
            for (pair, (gain, gainbar)) in gains.iter().zip(gainbar).enumerate() {
                let ybar = &ybar[pair / self.inputs * rows..][..rows];
                let x = &x.as_slice()[pair % self.inputs * rows..][..rows];
                let spec = self.spec(theta, pair);
                tables.set(spec, WeightKind::Values);
                *gainbar += tables.meeting(0, taps, x, lanes).inner_product(arch, ybar);
                let order = self.order_of(theta, pair);
                if order.is_learned() {
                    tables.set(spec, WeightKind::Slopes);
                    let alphabar = tables.meeting(0, taps, x, lanes).inner_product(arch, ybar);
                    order.pull_back((*gain * alphabar).widen(), orderbar);
                }
            }
        });
    }
}
