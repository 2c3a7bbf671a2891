use super::tables::{Of, Spec, Tables, with_tables};
use super::{FractionalScheme, LayerOrder};
use crate::error::{product_of, size};
use crate::kernels::row_sums;
use crate::{Activation, Block, Initialiser, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::causal::{DirectSum, PADDING};
use hpfracc_sde::noise::{Normals, Rows, RowsMut};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// A causal convolution in time whose kernels are fractional differences, cut off, times gains:
///
/// ```text
/// y_o[n] = activation(b_o + sum_i g_oi sum_{k < taps} w_k(alpha_oi) x_i[n-k]),   x = 0 before the start
/// w_k(alpha) = (-1)^k C(alpha, k) ~ k^(-1-alpha)/Gamma(-alpha)
/// ```
///
/// A kernel of any length has two parameters: 0 < alpha < 1 looks at changes, -1 < alpha < 0 at averages
/// with a long memory, alpha = 0 at the sample itself, 1 at the difference.
///
/// Parameters: `order`, if it is learned, one or outputs by inputs; `gain` (outputs by inputs); `bias`.
///
/// Fractional differences as filters: Hosking, Biometrika 68 (1981) 165, DOI 10.1093/biomet/68.1.165; a
/// fixed number of lags is the principle of short memory, Podlubny, Fractional Differential Equations
/// (1999), section 7.3. Kernels by fractional derivatives of learned order, there of a Gaussian: Zamora,
/// Vargas, Rhodes, Nachman and Sundararajan, Convolutional filter approximation using fractional calculus,
/// ICCV Workshops (2021). The layer is ours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FractionalConv1d {
    inputs: usize,
    outputs: usize,
    length: usize,
    taps: usize,
    order: LayerOrder,
    activation: Activation,
    gain: Initialiser,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    inputs: usize,
    outputs: usize,
    length: usize,
    taps: usize,
    order: LayerOrder,
    #[serde(default)]
    activation: Activation,
    #[serde(default)]
    gain: Initialiser,
}

impl TryFrom<Unchecked> for FractionalConv1d {
    type Error = NetworkError;

    fn try_from(unchecked: Unchecked) -> Result<Self, NetworkError> {
        let Unchecked { inputs, outputs, length, taps, order, activation, gain } = unchecked;
        let layer = Self::new(inputs, outputs, length, taps, order)?;
        Ok(Self { activation, gain, ..layer })
    }
}

const NAME: &str = "FractionalConv1d";

impl FractionalConv1d {
    /// From so many channels to so many, over series of a length, with kernels of so many lags. Without
    /// activation, with gains after Glorot and Bengio; biases start at zero.
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
        let sizes = [("inputs", inputs), ("outputs", outputs), ("length", length), ("taps", taps)];
        sizes.into_iter().try_for_each(|(what, number)| size(NAME, what, number))?;
        let table = taps.saturating_add(2 * PADDING);
        for sizes in [&[inputs, length][..], &[outputs, length], &[inputs, outputs, table]] {
            product_of(NAME, sizes)?;
        }
        order.check(NAME, &FractionalScheme::GrunwaldLetnikov.range())?;
        let (activation, gain) = (Activation::Identity, Initialiser::default());
        Ok(Self { inputs, outputs, length, taps, order, activation, gain })
    }

    /// The same with an activation.
    #[must_use]
    pub fn activated(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// The same with gains that start in another way.
    #[must_use]
    pub fn starting(self, gain: Initialiser) -> Self {
        Self { gain, ..self }
    }

    fn kernels(&self) -> usize {
        self.inputs * self.outputs
    }

    fn orders(&self) -> usize {
        self.order.parameters(self.kernels())
    }

    /// The kernel of a pair, output by input.
    fn spec<T: Scalar>(&self, theta: &[T], pair: usize) -> Spec {
        let alpha = self.order.at(theta, pair).alpha;
        Spec { scheme: FractionalScheme::GrunwaldLetnikov, alpha, dt: 1.0, taps: self.taps }
    }

    /// All kernels with their gains, in order.
    fn tables<T: Scalar>(&self, tables: &mut Tables<T>, theta: &[T]) {
        let gains = &theta[self.orders()..];
        tables.clear();
        for (pair, gain) in gains[..self.kernels()].iter().enumerate() {
            tables.append(self.spec(theta, pair), Of::Values, gain.widen());
        }
    }
}

impl Shape for FractionalConv1d {
    fn inputs(&self) -> usize {
        self.inputs * self.length
    }

    fn outputs(&self) -> usize {
        self.outputs * self.length
    }

    fn blocks(&self) -> Vec<Block> {
        let shape = [self.outputs, self.inputs];
        let own = [Block::new("gain", &shape), Block::new("bias", &[self.outputs])];
        self.order.block(&shape).into_iter().chain(own).collect()
    }

    fn parameters(&self) -> usize {
        self.orders() + self.kernels() + self.outputs
    }

    fn kept(&self) -> usize {
        if self.activation.slope_from_value() { 0 } else { self.outputs * self.length }
    }

    fn scratch(&self) -> usize {
        0
    }
}

impl<T: Scalar> Layer<T> for FractionalConv1d {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        let (order, rest) = theta.split_at_mut(self.orders());
        let (gain, bias) = rest.split_at_mut(self.kernels());
        self.order.initialise(order);
        self.gain.fill(normals, first + order.len() as u64, (self.inputs, self.outputs), gain);
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
        let Tape { x, kept, y } = tape;
        let (arch, lanes, length, taps) = (Arch::new(), x.lanes(), self.length, self.taps);
        let ybar = ybar.as_mut_slice();
        self.activation.pull_back(arch, y.as_slice(), kept.as_slice(), ybar);
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
                tables.set(spec, Of::Values);
                *gainbar += tables.meeting(0, taps, x, lanes).inner_product(arch, ybar);
                let order = self.order.at(theta, pair);
                if order.is_learned() {
                    tables.set(spec, Of::Slopes);
                    let alphabar = tables.meeting(0, taps, x, lanes).inner_product(arch, ybar);
                    order.pull_back((*gain * alphabar).widen(), orderbar);
                }
            }
        });
    }
}
