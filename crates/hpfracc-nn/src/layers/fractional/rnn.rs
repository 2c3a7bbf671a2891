use super::tables::{Spec, Tables, WeightKind, with_tables};
use super::{FractionalScheme, LayerOrder, unit_step};
use crate::checks::{checked, positive, sizes_of};
use crate::error::product_of;
use crate::kernels::{multiply, row_sums, split, split_mut};
use crate::{
    Activation, Backward, Block, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar,
    Shape, Sizes,
};
use hpfracc_lanes::causal::DirectSum;
use hpfracc_lanes::product::{Base, Left, Right, outer};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Recurrent layer with power-law memory in place of exponential memory: the fractional difference
/// of each state equals the update of an Elman cell.
///
/// ```text
/// sum_{k<=n} c_k h[n-k] = dt^alpha activation(W x[n] + U h[n-1] + b),   c_k = (-1)^k C(alpha, k)
/// h[n] = -sum_{1<=k<=n} c_k h[n-k] + dt^alpha activation(W x[n] + U h[n-1] + b),   h = 0 before the start
/// ```
///
/// With alpha = 0 it is an Elman cell, with alpha = 1 an explicit Euler step of `h' =
/// activation(..)`; in between, the state k steps ago has the weight `k^(-1-alpha)`, up to a
/// constant.
///
/// Shapes: x has `inputs * length` rows, y has `hidden * length` rows ([`States::All`]) or `hidden`
/// rows ([`States::Last`]), one lane for each sample.
///
/// Parameters: `order`, if it is learned: one, or one for each unit; `input` W (hidden x inputs);
/// `state` U (hidden x hidden); `bias` b (hidden).
///
/// Units: `dt` is the time step; h has the units of time^alpha.
///
/// Cost for each lane and unit: `length^2/2` multiply-adds for the memory, and `length * (inputs +
/// hidden)` for W and U; about twice that backward. Saves the values of the activation, and the
/// states unless they are outputs.
///
/// Source: the explicit Grünwald-Letnikov scheme for `D^alpha h = activation(..)`: Podlubny,
/// Fractional Differential Equations (1999), chapter 8. The cells of Zhao, Huang, Lv, Duan, Qin, Li
/// and Tian, ICML (2020), arXiv:2006.03860, an RNN and an LSTM with weights that decay as powers of
/// time, are related; here there are no gates, and the whole past counts.
///
/// ```
/// use hpfracc_nn::{FractionalRnn, LayerOrder, Shape, States};
///
/// let order = LayerOrder::LearnableEach { lower: 0.0, upper: 1.0, start: 0.5 };
/// let layer = FractionalRnn::new(3, 8, 100, 0.01, order)?.returning(States::Last);
/// assert_eq!((layer.inputs(), layer.outputs()), (300, 8));
/// assert_eq!(layer.parameters(), 8 + 8 * (3 + 8 + 1));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct FractionalRnn {
    inputs: usize,
    hidden: usize,
    length: usize,
    #[serde(default = "unit_step")]
    dt: f64,
    order: LayerOrder,
    #[serde(default)]
    states: States,
    #[serde(default = "default_activation")]
    activation: Activation,
    /// Initial values of the weights; biases start at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

checked!(FractionalRnn);

/// Output of a recurrent layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum States {
    /// The states at all times: a time series.
    #[default]
    All,
    /// The state at the last time: a row for each unit.
    Last,
}

fn default_activation() -> Activation {
    Activation::Tanh
}

const NAME: &str = "FractionalRnn";

impl FractionalRnn {
    /// A layer of `hidden` units for time series of `inputs` channels and `length` times, with the
    /// step `dt`. The activation is tanh, the weights start as Glorot and Bengio propose, all
    /// states are outputs.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for sizes of zero, `dt` not positive, and orders outside 0 to 2.
    pub fn new(
        inputs: usize,
        hidden: usize,
        length: usize,
        dt: f64,
        order: LayerOrder,
    ) -> Result<Self, NetworkError> {
        let (states, activation) = (States::default(), default_activation());
        let weight = Initialiser::default();
        let layer = Self { inputs, hidden, length, dt, order, states, activation, weight };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        let Self { inputs, hidden, length, dt, order, .. } = *self;
        sizes_of(NAME, &[("inputs", inputs), ("hidden", hidden), ("length", length)])?;
        for (rows, columns) in
            [(inputs, length), (hidden, length), (hidden, inputs), (hidden, hidden)]
        {
            product_of(NAME, &[rows, columns])?;
        }
        positive("FractionalRnn: dt", dt)?;
        Ok(order.check(NAME, &(0.0..=2.0))?)
    }

    /// This layer with another activation.
    #[must_use]
    pub fn activated(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// This layer with another output.
    #[must_use]
    pub fn returning(self, states: States) -> Self {
        Self { states, ..self }
    }

    /// Rows of the states of all units and times.
    fn all(&self) -> usize {
        self.hidden * self.length
    }

    fn spec<T: Scalar>(&self, theta: &[T], unit: usize) -> Spec {
        let alpha = self.order.at(theta, unit).alpha;
        let scheme = FractionalScheme::GrunwaldLetnikov;
        Spec { scheme, alpha, dt: 1.0, taps: self.length }
    }

    /// Computes a table for each unit, the weights -c_k of the past with 0 at lag 0, and the
    /// factors `dt^alpha`.
    fn memory<T: Scalar>(&self, tables: &mut Tables<T>, theta: &[T], kind: WeightKind) {
        tables.clear();
        for unit in 0..self.hidden {
            tables.append(self.spec(theta, unit), kind, -1.0);
            tables.last_mut(self.length)[0] = T::zero();
        }
        let step = |unit| T::narrow(self.dt.powf(self.order.at(theta, unit).alpha));
        let [steps, stepsbar] = &mut tables.factors;
        steps.clear();
        steps.extend((0..self.hidden).map(step));
        stepsbar.clear();
        stepsbar.resize(self.hidden, T::zero());
    }

    /// Lengths of the blocks of parameters: order, input, state, bias.
    fn parts(&self) -> [usize; 4] {
        let Self { inputs, hidden, .. } = *self;
        [self.order.parameters(hidden), hidden * inputs, hidden * hidden, hidden]
    }

    /// Saved rows: values of the activation by time and unit, slopes that do not follow from them,
    /// the inputs and states of one time, and all states unless they are outputs.
    fn saved_parts(&self) -> [usize; 5] {
        let all = self.all();
        [all, self.activation.slopes(all), self.inputs, self.hidden, self.hidden_states()]
    }

    /// Rows of scratch: for one time the inputs and their cotangents, the states, the cotangents of
    /// states and of the activation; cotangents of all states unless they are outputs.
    fn scratch_parts(&self) -> [usize; 6] {
        let Self { inputs, hidden, .. } = *self;
        [inputs, inputs, hidden, hidden, hidden, self.hidden_states()]
    }

    /// Rows of the states of all units and times, unless they are outputs.
    fn hidden_states(&self) -> usize {
        if self.states == States::All { 0 } else { self.all() }
    }
}

/// Times of a block, whose sums over all earlier blocks are computed together.
const BLOCK: usize = 8;

/// Copies the rows of one time of all series to consecutive rows.
fn gather<T: Copy>(series: &[T], (time, length, lanes): (usize, usize, usize), rows: &mut [T]) {
    for (row, series) in rows.chunks_exact_mut(lanes).zip(series.chunks_exact(length * lanes)) {
        row.copy_from_slice(&series[time * lanes..][..lanes]);
    }
}

/// Adds consecutive rows to the rows of one time.
fn scatter<T: Scalar>(rows: &[T], (time, length, lanes): (usize, usize, usize), series: &mut [T]) {
    for (row, series) in rows.chunks_exact(lanes).zip(series.chunks_exact_mut(length * lanes)) {
        add_scaled(T::one(), row, &mut series[time * lanes..][..lanes]);
    }
}

fn add_scaled<T: Scalar>(factor: T, x: &[T], y: &mut [T]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * *x);
}

impl Shape for FractionalRnn {
    fn sizes(&self) -> Sizes {
        Sizes {
            inputs: self.inputs * self.length,
            outputs: if self.states == States::All { self.all() } else { self.hidden },
            parameters: self.parts().iter().sum(),
            saved: self.saved_parts().iter().sum(),
            scratch: self.scratch_parts().iter().sum(),
        }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let Self { inputs, hidden, weight, .. } = *self;
        let own = [
            Block::new("input", &[hidden, inputs]).drawn(weight, (inputs, hidden)),
            Block::new("state", &[hidden, hidden]).drawn(weight, (hidden, hidden)),
            Block::new("bias", &[hidden]).filled(0.0),
        ];
        self.order.block(&[hidden]).into_iter().chain(own).collect()
    }
}

impl<T: Scalar> Layer<T> for FractionalRnn {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let (arch, lanes, length) = (Arch::new(), x.lanes(), self.length);
        let [values, slopes, x_now, before, saved_states] =
            split_mut(saved.as_mut_slice(), self.saved_parts().map(|rows| rows * lanes));
        let states = match self.states {
            States::All => y.as_mut_slice(),
            States::Last => &mut *saved_states,
        };
        states.fill(T::zero());
        let [order, input, state, bias] = split(theta, self.parts());
        with_tables(|tables| {
            self.memory(tables, order, WeightKind::Values);
            for time in 0..length {
                if time % BLOCK == 0 {
                    self.recall(tables, time, lanes, states);
                }
                let place = (time, length, lanes);
                let rows = time * self.hidden * lanes..(time + 1) * self.hidden * lanes;
                let value = &mut values[rows.clone()];
                gather(x.as_slice(), place, x_now);
                let left = Left::new(input, self.hidden, self.inputs);
                multiply(arch, left, (x_now, lanes), Base::Rows(bias), value);
                if time > 0 {
                    gather(states, (time - 1, length, lanes), before);
                    let left = Left::new(state, self.hidden, self.hidden);
                    multiply(arch, left, (before, lanes), Base::Present, value);
                }
                let slope = if slopes.is_empty() { &mut [] } else { &mut slopes[rows] };
                self.activation.apply_with_slopes(value, slope);
                let units = states.chunks_exact_mut(length * lanes).zip(value.chunks_exact(lanes));
                for (unit, (states, value)) in units.enumerate() {
                    let (now, ahead) = states[time * lanes..].split_at_mut(lanes);
                    add_scaled(tables.factors[0][unit], value, now);
                    let weights = &tables.table(unit, length)[1..];
                    let left_of_block = BLOCK - 1 - time % BLOCK;
                    for (row, w) in ahead.chunks_exact_mut(lanes).take(left_of_block).zip(weights) {
                        add_scaled(*w, now, row);
                    }
                }
            }
        });
        if self.states == States::Last {
            gather(saved_states, (length - 1, length, lanes), y.as_mut_slice());
        }
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { theta, tape, mut ybar, mut xbar, thetabar, mut scratch } = run;
        let Self { inputs, hidden, length, .. } = *self;
        let (arch, lanes) = (Arch::new(), tape.x.lanes());
        let [values, slopes, _, _, saved_states] =
            split(tape.saved.as_slice(), self.saved_parts().map(|rows| rows * lanes));
        let states = match self.states {
            States::All => tape.y.as_slice(),
            States::Last => saved_states,
        };
        let [x_now, x_back, before, back, zbar, statesbar] =
            split_mut(scratch.as_mut_slice(), self.scratch_parts().map(|rows| rows * lanes));
        let statesbar = match self.states {
            States::All => ybar.as_mut_slice(),
            States::Last => {
                statesbar.fill(T::zero());
                scatter(ybar.as_mut_slice(), (length - 1, length, lanes), statesbar);
                statesbar
            }
        };
        let [order, input, state, _] = split(theta, self.parts());
        let [orderbar, inputbar, statebar, biasbar] = split_mut(thetabar, self.parts());
        with_tables(|tables| {
            self.memory(tables, order, WeightKind::Values);
            for time in (0..length).rev() {
                if time % BLOCK == BLOCK - 1 || time == length - 1 {
                    self.recall_vjp(tables, time / BLOCK * BLOCK, lanes, statesbar);
                }
                let place = (time, length, lanes);
                let rows = time * hidden * lanes..(time + 1) * hidden * lanes;
                gather(statesbar, place, zbar);
                let units = statesbar.chunks_exact_mut(length * lanes);
                let units = units
                    .zip(zbar.chunks_exact_mut(lanes))
                    .zip(values[rows.clone()].chunks_exact(lanes));
                for (unit, ((statesbar, zbar), value)) in units.enumerate() {
                    let weights = &tables.table(unit, length)[1..];
                    let (past, _) = statesbar.split_at_mut(time * lanes);
                    let past = past.chunks_exact_mut(lanes).rev().take(time % BLOCK);
                    for (row, w) in past.zip(weights) {
                        add_scaled(*w, zbar, row);
                    }
                    let [steps, stepsbar] = &mut tables.factors;
                    let (step, stepbar) = (steps[unit], &mut stepsbar[unit..=unit]);
                    outer(arch, zbar, Right::new(value, lanes), stepbar);
                    zbar.iter_mut().for_each(|zbar| *zbar *= step);
                }
                let slope = if slopes.is_empty() { &[] } else { &slopes[rows.clone()] };
                self.activation.pull_back(&values[rows], slope, zbar);
                gather(tape.x.as_slice(), place, x_now);
                outer(arch, zbar, Right::new(x_now, lanes), inputbar);
                row_sums(arch, zbar, lanes, biasbar);
                if let Some(xbar) = &mut xbar {
                    x_back.fill(T::zero());
                    let left = Left::transposed(input, inputs, hidden);
                    multiply(arch, left, (zbar, lanes), Base::Present, x_back);
                    scatter(x_back, place, xbar.as_mut_slice());
                }
                if time > 0 {
                    gather(states, (time - 1, length, lanes), before);
                    outer(arch, zbar, Right::new(before, lanes), statebar);
                    back.fill(T::zero());
                    let left = Left::transposed(state, hidden, hidden);
                    multiply(arch, left, (zbar, lanes), Base::Present, back);
                    scatter(back, (time - 1, length, lanes), statesbar);
                }
            }
            if order.is_empty() {
                return;
            }
            let ln_h = T::narrow(self.dt.ln());
            let [steps, stepsbar] = &tables.factors;
            for (unit, (step, stepbar)) in steps.iter().zip(stepsbar).enumerate() {
                // d dt^alpha = dt^alpha ln dt
                self.order.at(order, unit).pull_back((*step * *stepbar * ln_h).widen(), orderbar);
            }
            self.memory(tables, order, WeightKind::Slopes);
            let series = statesbar.chunks_exact(length * lanes);
            let series = series.zip(states.chunks_exact(length * lanes));
            for (unit, (statesbar, states)) in series.enumerate() {
                let alphabar =
                    tables.meeting(unit, length, states, lanes).inner_product(arch, statesbar);
                self.order.at(order, unit).pull_back(alphabar.widen(), orderbar);
            }
        });
    }
}

impl FractionalRnn {
    /// Adds the memory of all earlier states to the states of the block that begins at `first`.
    fn recall<T: Scalar>(&self, tables: &Tables<T>, first: usize, lanes: usize, states: &mut [T]) {
        let last = self.length.min(first + BLOCK);
        for (unit, states) in states.chunks_exact_mut(self.length * lanes).enumerate() {
            let (past, block) = states.split_at_mut(first * lanes);
            if first > 0 {
                let memory = tables.meeting(unit, self.length, past, lanes);
                memory.convolve(Arch::new(), first..last, block);
            }
        }
    }

    /// Adds the memory's transpose of all later cotangents to the cotangents of a block.
    fn recall_vjp<T: Scalar>(
        &self,
        tables: &Tables<T>,
        first: usize,
        lanes: usize,
        bars: &mut [T],
    ) {
        let last = self.length.min(first + BLOCK);
        for (unit, bars) in bars.chunks_exact_mut(self.length * lanes).enumerate() {
            let (block, later) = bars.split_at_mut(last * lanes);
            if last < self.length {
                let memory = tables.meeting(unit, self.length, later, lanes);
                let memory = DirectSum { times: (last, self.length), ..memory };
                memory.correlate(Arch::new(), first..last, &mut block[first * lanes..]);
            }
        }
    }
}
