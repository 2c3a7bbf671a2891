//! Convolution along a time series.

mod phases;

use crate::checks::{in_range, sizes_of};
use crate::error::product_of;
use crate::kernels::row_sums;
use crate::{
    Activation, Backward, Block, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar,
    Shape, Sizes,
};
use hpfracc_lanes::product::{Base, Left, outer, product};
use phases::Phases;
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Convolution along time series of several channels with a fused bias and activation. As usual for
/// networks it is a correlation: the kernel is not reversed.
///
/// ```text
/// y_o(t) = activation(b_o + sum_c sum_k w_ock x_c(t stride + k dilation - front)),   x = 0 outside the series
/// ```
///
/// Shapes: rows of x are `channels` by `length`, those of y [`filters`](Conv1dConfig::filters) by
/// [`length_out`](Self::length_out), the time counting fastest in both.
///
/// Parameters: `weight` w (filters by channels by kernel), then `bias`.
///
/// Cost: one product of filters by channels times kernel with channels times kernel by `length_out`
/// times lanes for the forward pass, two for the backward pass.
///
/// Method: no matrix of shifted copies is made. x is saved with its zeros, the times of each
/// remainder modulo the stride behind one another, so that every tap's series is one slice, and the
/// products read those.
///
/// ```
/// use hpfracc_nn::{Conv1d, Conv1dConfig, Padding, Shape};
///
/// let config = Conv1dConfig { dilation: 2, padding: Padding::Causal, ..Conv1dConfig::new(3, 100, 8, 5) };
/// let layer = Conv1d::new(config)?;
/// assert_eq!((layer.inputs(), layer.outputs()), (3 * 100, 8 * 100));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Conv1dConfig", into = "Conv1dConfig")]
pub struct Conv1d {
    config: Conv1dConfig,
    phases: Phases,
}

/// Configuration of a [`Conv1d`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conv1dConfig {
    /// Channels of x.
    pub channels: usize,
    /// Times of x.
    pub length: usize,
    /// Channels of y.
    pub filters: usize,
    /// Taps of each filter.
    pub kernel: usize,
    /// Distance in x between neighbouring times of y.
    #[serde(default = "one")]
    pub stride: usize,
    /// Distance in x between neighbouring taps.
    #[serde(default = "one")]
    pub dilation: usize,
    /// Padding with zeros.
    #[serde(default)]
    pub padding: Padding,
    /// Activation of the sums.
    #[serde(default)]
    pub activation: Activation,
    /// Initial values of the weights; the bias starts at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

/// Zero padding of a time series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Padding {
    /// This number of zeros at either end.
    Zeros(usize),
    /// Zeros in front only, as many as the first tap reaches back: y depends on no later x.
    Causal,
    /// Zeros such that y has `length / stride` times, rounded up; an odd one goes to the end.
    Same,
}

impl Default for Padding {
    fn default() -> Self {
        Self::Zeros(0)
    }
}

fn one() -> usize {
    1
}

impl Conv1dConfig {
    /// Stride and dilation 1, no padding, no activation.
    pub fn new(channels: usize, length: usize, filters: usize, kernel: usize) -> Self {
        Self {
            channels,
            length,
            filters,
            kernel,
            stride: 1,
            dilation: 1,
            padding: Padding::default(),
            activation: Activation::Identity,
            weight: Initialiser::default(),
        }
    }

    /// Weights of each filter.
    fn taps(&self) -> usize {
        self.channels * self.kernel
    }

    fn weights(&self) -> usize {
        self.filters * self.taps()
    }
}

const NAME: &str = "Conv1d";

impl TryFrom<Conv1dConfig> for Conv1d {
    type Error = NetworkError;

    fn try_from(config: Conv1dConfig) -> Result<Self, NetworkError> {
        Self::new(config)
    }
}

impl From<Conv1d> for Conv1dConfig {
    fn from(layer: Conv1d) -> Self {
        layer.config
    }
}

impl Conv1d {
    /// A layer with this configuration.
    ///
    /// # Errors
    /// [`NetworkError`] for sizes of zero, or a padded series shorter than the reach of the taps.
    pub fn new(config: Conv1dConfig) -> Result<Self, NetworkError> {
        let Conv1dConfig { channels, length, filters, kernel, stride, dilation, .. } = config;
        sizes_of(NAME, &[("channels", channels), ("length", length), ("filters", filters)])?;
        sizes_of(NAME, &[("kernel", kernel), ("stride", stride), ("dilation", dilation)])?;
        let reach = product_of(NAME, &[kernel - 1, dilation])?;
        let (front, back) = match config.padding {
            Padding::Zeros(zeros) => (zeros, zeros),
            Padding::Causal => (reach, 0),
            Padding::Same => {
                let last = (length.div_ceil(stride) - 1) * stride;
                let zeros = last.saturating_add(1).saturating_add(reach).saturating_sub(length);
                (zeros / 2, zeros - zeros / 2)
            }
        };
        let padded = length.saturating_add(product_of(NAME, &[front.max(back), 2])?);
        product_of(NAME, &[channels, padded])?;
        let padded = length + front + back;
        // The padded copy: see `Phases`.
        product_of(NAME, &[channels, stride, padded.div_ceil(stride)])?;
        in_range(padded > reach, "Conv1d: length", length, "as long as the taps reach")?;
        let length_out = (padded - reach - 1) / stride + 1;
        product_of(NAME, &[filters, length_out])?;
        product_of(NAME, &[filters, channels, kernel])?;
        Ok(Self { config, phases: Phases { config, front, padded, length_out } })
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Conv1dConfig {
        &self.config
    }

    /// Zeros in front of the series.
    #[must_use]
    pub fn front(&self) -> usize {
        self.phases.front
    }

    /// Times of y.
    pub fn length_out(&self) -> usize {
        self.phases.length_out
    }
}

impl Shape for Conv1d {
    fn sizes(&self) -> Sizes {
        let Conv1dConfig { channels, length, filters, activation, .. } = self.config;
        let (outputs, padded) = (filters * self.phases.length_out, self.phases.rows());
        Sizes {
            inputs: channels * length,
            outputs,
            parameters: self.config.weights() + filters,
            // The padded x, unless x can be read in place, and slopes that do not follow from y.
            saved: padded + activation.slopes(outputs),
            // The cotangent of the padded x.
            scratch: padded,
        }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let Conv1dConfig { channels, filters, kernel, weight, .. } = self.config;
        let fans = (self.config.taps(), filters * kernel);
        vec![
            Block::new("weight", &[filters, channels, kernel]).drawn(weight, fans),
            Block::new("bias", &[filters]).filled(0.0),
        ]
    }
}

impl<T: Scalar> Layer<T> for Conv1d {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let (arch, lanes) = (Arch::new(), x.lanes());
        let (weights, bias) = theta.split_at(self.config.weights());
        let (padded, slopes) = saved.as_mut_slice().split_at_mut(self.phases.rows() * lanes);
        self.phases.spread(x, padded);
        let left = Left::new(weights, self.config.filters, self.config.taps());
        let right = self.phases.right(x.as_slice(), padded, lanes);
        let y = y.as_mut_slice();
        product(arch, left, right, Base::Rows(bias), y, right.columns);
        self.config.activation.apply_with_slopes(y, slopes);
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { theta, tape, mut ybar, xbar, thetabar, mut scratch } = run;
        let (arch, lanes) = (Arch::new(), tape.x.lanes());
        let Conv1dConfig { channels, filters, kernel, activation, .. } = self.config;
        let (padded, slopes) = tape.saved.as_slice().split_at(self.phases.rows() * lanes);
        let ybar = ybar.as_mut_slice();
        activation.pull_back(tape.y.as_slice(), slopes, ybar);
        let (weightsbar, biasbar) = thetabar.split_at_mut(self.config.weights());
        let right = self.phases.right(tape.x.as_slice(), padded, lanes);
        outer(arch, ybar, right, weightsbar);
        row_sums(arch, ybar, right.columns, biasbar);
        let Some(mut xbar) = xbar else { return };
        let copy = self.phases.rows() > 0;
        let spread = if copy { scratch.as_mut_slice() } else { xbar.as_mut_slice() };
        if copy {
            spread.fill(T::zero());
        }
        for tap in 0..kernel {
            // The weights of the tap as a matrix, channels x filters.
            let left = Left {
                values: &theta[tap..self.config.weights()],
                rows: channels,
                inner: filters,
                down: kernel,
                along: channels * kernel,
            };
            let ybar = right.matrix(ybar);
            product(arch, left, ybar, Base::Present, &mut spread[right.start(tap)..], right.group);
        }
        if copy {
            self.phases.gather(scratch.as_mut_slice(), xbar);
        }
    }
}
