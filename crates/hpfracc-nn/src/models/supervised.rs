use super::checks::{admit, not_finite};
use super::shards::{Shard, reduce, sum_over};
use crate::buffer_pool::{BufferPool, alone};
use crate::checks::same_size;
use crate::error::stored;
use crate::kernels::split_mut;
use crate::layer::finite;
use crate::{
    Backward, Batch, Cotangent, Forward, Layer, Loss, LossResult, Objective, Observations,
    ParameterBlock, Pass, Scalar, Tape, TrainingError,
};
use hpfracc_lanes::{CompactVec, Rows, RowsMut, Storage};
use ndarray::Array2;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Supervised learning: a network fitted to targets for given inputs.
///
/// A batch is divided into tiles of a fixed number of samples, distributed over the threads of the
/// current rayon pool. Saved rows live for one tile. Tiles form a fixed number of shards, whose
/// gradients are summed in order: the same bits on any number of threads. No memory is allocated
/// after the first batches.
///
/// Ranks of a batch compute consecutive shards each, with the same bits on any number of ranks;
/// more than 16 gain nothing. The sum of the gradients passes from rank to rank, in parts that
/// follow each other: for P parameters of b bytes each rank sends at most 2 P b bytes for a
/// gradient, and some hundred bytes of losses. A rank stores a gradient for each of its shards.
///
/// Stochastic layers draw for the position of a sample in its batch.
///
/// ```
/// use hpfracc_nn::{Activation, Batch, Loss, Network, Objective, Supervised, Targets};
/// use ndarray::Array2;
///
/// let x = Array2::from_shape_fn((100, 1), |(i, _)| i as f64 / 50.0 - 1.0);
/// let y = x.mapv(|x: f64| x * x);
/// let network = Network::perceptron(&[1, 8, 1], Activation::Tanh)?;
/// let objective = Supervised::new(network, x, Targets::Values(y, Loss::MeanSquare))?;
///
/// let (mut theta, samples) = (vec![0.0; objective.parameters()], (0..100).collect::<Vec<_>>());
/// let mut gradient = theta.clone();
/// objective.initialise(1, &mut theta);
/// let before = objective.gradient(&theta, Batch::new(&samples, 0), &mut gradient)?;
/// theta.iter_mut().zip(&gradient).for_each(|(w, g)| *w -= 0.1 * g);
/// assert!(objective.loss(&theta, Batch::new(&samples, 1))? < before);
/// # Ok::<(), hpfracc_nn::TrainingError>(())
/// ```
#[derive(Debug)]
pub struct Supervised<T, L> {
    network: L,
    /// Features, sample by sample.
    inputs: CompactVec<T>,
    samples: usize,
    targets: Targets<T>,
    lanes: usize,
    /// Gradients of the shards of this rank, but for the first shard of one process, which
    /// accumulates in the result.
    gradients: Mutex<Vec<Vec<T>>>,
    memory: BufferPool<T>,
    /// Format of the activations.
    activations: Storage,
    /// Compact tapes that no thread uses at present.
    tapes: Mutex<Vec<CompactVec<T>>>,
}

/// Targets of the samples.
#[derive(Debug, Clone, PartialEq)]
pub enum Targets<T> {
    /// Numbers, samples x outputs, and the loss of a prediction.
    Values(Array2<T>, Loss),
    /// Class labels from 0; outputs are logits, the loss is the cross entropy.
    Classes(Vec<usize>),
    /// Class labels at each time, samples x times; outputs have a channel of logits for each class,
    /// the loss is the mean of the cross entropies over the times.
    ClassSeries(Array2<usize>),
}

/// Default samples of a tile: enough to fill registers, few enough to stay in caches.
const LANES: usize = 64;

/// Largest number of concurrent parts of a batch.
const SHARDS: usize = 16;

impl<T: Scalar, L: Layer<T>> Supervised<T, L> {
    /// A network with its data: inputs are samples x features.
    ///
    /// # Errors
    /// [`TrainingError::Size`] if inputs and targets do not match the network or each other, or
    /// there are no samples; [`TrainingError::Loss`] for settings of a loss outside their ranges,
    /// or a class without an output of the network.
    pub fn new(network: L, inputs: Array2<T>, targets: Targets<T>) -> Result<Self, TrainingError> {
        let samples = inputs.nrows();
        same_size("the inputs' samples", samples.min(1), 1)?;
        same_size("the inputs' features", inputs.ncols(), network.inputs())?;
        let targets = targets.checked(samples, network.outputs())?;
        let mut held = CompactVec::new(Storage::Full, inputs.len());
        held.write(0, inputs.as_standard_layout().as_slice().unwrap_or_default());
        Ok(Self {
            network,
            inputs: held,
            samples,
            targets,
            lanes: LANES,
            gradients: Mutex::default(),
            memory: BufferPool::default(),
            activations: Storage::Full,
            tapes: Mutex::default(),
        })
    }

    /// This objective with inputs stored, and used, in this format.
    ///
    /// # Errors
    /// [`TrainingError::Storage`] for an input that is too large for it.
    pub fn with_inputs_in(mut self, storage: Storage) -> Result<Self, TrainingError> {
        let mut held = CompactVec::new(storage, self.inputs.len());
        let mut sample = vec![T::zero(); self.network.inputs()];
        for at in (0..held.len()).step_by(sample.len()) {
            self.inputs.read(at, &mut sample);
            held.write(at, &sample);
        }
        stored("the inputs", &held)?;
        self.inputs = held;
        Ok(self)
    }

    /// This objective with activations stored in this format (mixed precision): the rows that
    /// layers save for the backward pass and the values between layers, layer by layer. Losses are
    /// the same to the bit; gradients have a relative error of the order of the format's rounding.
    /// Cotangents, which live from one layer to the next only, and gradients have full precision.
    ///
    /// A thread stores 16 bits for each number of a tile, and works on one layer at a time in full
    /// precision: memory falls towards a half in `f32`, a quarter in `f64`, with the number of
    /// layers. A network of few large layers may need more. An activation too large for the format is
    /// [`TrainingError::Storage`].
    #[must_use]
    pub fn with_activations_in(self, storage: Storage) -> Self {
        Self { activations: storage, ..self }
    }

    /// Format of the stored activations.
    #[must_use]
    pub fn activations(&self) -> Storage {
        self.activations
    }

    /// Bytes of work memory of a step on each thread, for a batch of at least a tile: inputs,
    /// activations, outputs and cotangents of a tile.
    pub fn bytes_per_thread(&self) -> usize {
        let tape = self.tape() * self.activations.bytes::<T>();
        (tape + self.rows().iter().sum::<usize>() * size_of::<T>()) * self.lanes
    }

    /// This objective in tiles of `lanes` samples; the default is 64. Rounding depends on the
    /// tiles.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for none.
    pub fn in_tiles_of(self, lanes: usize) -> Result<Self, TrainingError> {
        same_size("a tile", lanes.min(1), 1)?;
        Ok(Self { lanes, ..self })
    }

    /// The network.
    pub fn network(&self) -> &L {
        &self.network
    }

    /// The targets.
    pub fn targets(&self) -> &Targets<T> {
        &self.targets
    }

    /// Checks the arguments of [`evaluate`](Objective::evaluate).
    ///
    /// # Errors
    /// [`TrainingError::Size`] for slices of other lengths, an empty batch, or indices of samples that
    /// do not exist.
    pub fn admit(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: Option<&[T]>,
    ) -> Result<(), TrainingError> {
        Ok(admit(self, theta, batch, thetabar)?)
    }

    /// Writes features `first`, `first + 1`, ... of a sample's inputs.
    ///
    /// # Panics
    /// Panics for a sample or features that do not exist.
    pub fn read_inputs(&self, sample: usize, first: usize, features: &mut [T]) {
        self.inputs.read(sample * self.network.inputs() + first, features);
    }

    /// The mean loss of a batch in this mode, and in training its gradient.
    fn run(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        pass: Pass,
        thetabar: &mut [T],
    ) -> Result<f64, TrainingError> {
        let (lanes, parameters) = (self.lanes.min(batch.samples.len()), thetabar.len());
        self.memory.reserve(self.rows().iter().sum::<usize>() * lanes);
        let tiles = batch.samples.len().div_ceil(self.lanes);
        let per_shard = tiles.div_ceil(SHARDS) * self.lanes;
        let count = batch.samples.len().div_ceil(per_shard);
        let (own_shards, several) = (batch.ranks.share(count), batch.ranks.several().is_some());
        let (first, total) =
            if several { (None, thetabar) } else { (Some(thetabar), Default::default()) };
        // A concurrent evaluation on another thread uses its own memory.
        let (mut own, mut new) = (self.gradients.try_lock(), Vec::new());
        let gradients = own.as_deref_mut().unwrap_or(&mut new);
        let buffers = own_shards.len() - usize::from(first.is_some());
        gradients.resize_with(gradients.len().max(buffers), Vec::new);
        gradients.iter_mut().for_each(|gradient| gradient.resize(parameters, T::zero()));
        let parts = first.into_iter().chain(gradients.iter_mut().map(Vec::as_mut_slice));
        let mut shards: [Shard<'_, T>; SHARDS] = Default::default();
        shards.iter_mut().zip(parts).for_each(|(shard, gradient)| shard.gradient = gradient);
        let shards = &mut shards[..own_shards.len()];
        let work = |(i, shard): (usize, &mut Shard<'_, T>)| {
            shard.gradient.fill(T::zero());
            let first = (own_shards.start + i) * per_shard;
            let samples = &batch.samples[first..(first + per_shard).min(batch.samples.len())];
            samples.chunks(self.lanes).enumerate().try_for_each(|(tile, samples)| {
                self.tile(theta, batch, pass, (first + tile * self.lanes, samples), shard)
            })
        };
        let computed = if alone() {
            shards.iter_mut().enumerate().try_for_each(work)
        } else {
            shards.par_iter_mut().enumerate().try_for_each(work)
        };
        let loss = if several {
            batch.ranks.all_ok(computed)?;
            sum_over(batch.ranks, own_shards.start, shards, total)?
        } else {
            computed?;
            reduce(shards);
            shards.iter().map(|shard| shard.loss).sum::<f64>()
        };
        Ok(loss / batch.samples.len() as f64)
    }

    /// Adds a tile's loss and gradient to a shard.
    fn tile(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        pass: Pass,
        (first, samples): (usize, &[usize]),
        shard: &mut Shard<'_, T>,
    ) -> Result<(), TrainingError> {
        self.forward(theta, pass.starting_at(first), samples, |rows, tape| {
            let [x, saved, y, ybar, target, losses, scratch] = rows;
            let (lanes, times) = (samples.len(), self.targets.times());
            let scale = T::narrow(batch.scale / (batch.samples.len() * times) as f64);
            let cotangent = Cotangent::new(scale, &mut *ybar, lanes * times);
            let cotangent = (pass != Pass::Evaluate).then_some(cotangent);
            self.targets.evaluate(samples, Rows::new(y, lanes), target, losses, cotangent)?;
            shard.loss += losses.iter().map(|loss| loss.widen()).sum::<f64>() / times as f64;
            if pass == Pass::Evaluate {
                return Ok(());
            }
            let [x, y] = [x, y].map(|rows| Rows::new(rows, lanes));
            let [ybar, scratch] = [ybar, scratch].map(|rows| RowsMut::new(rows, lanes));
            let (xbar, thetabar) = (None, &mut *shard.gradient);
            let run = |saved| {
                let tape = Tape { x, saved: Rows::new(saved, lanes), y };
                Backward { theta, tape, ybar, xbar, thetabar, scratch }
            };
            if self.activations == Storage::Full {
                self.network.vjp(run(saved));
                return Ok(());
            }
            stored("the activations", tape)?;
            self.network.vjp_compact(run(&[]), (tape, 0), RowsMut::new(saved, lanes));
            Ok(())
        })
    }

    /// Rows of a tile: inputs, saved rows or work of a compact tape, outputs, their cotangents,
    /// targets, losses, and work of the backward pass.
    fn rows(&self) -> [usize; 7] {
        let network = &self.network;
        let (outputs, targets) = (network.outputs(), self.targets.rows(network.outputs()));
        let full = self.activations == Storage::Full;
        let saved = if full { network.saved() } else { network.compact_work() };
        let losses = self.targets.times();
        [network.inputs(), saved, outputs, outputs, targets, losses, network.scratch()]
    }

    /// Rows of a compact tape.
    fn tape(&self) -> usize {
        if self.activations == Storage::Full { 0 } else { self.network.tape_rows() }
    }

    /// Lends a compact tape of `lanes` samples.
    fn with_tape<R>(&self, lanes: usize, with: impl FnOnce(&mut CompactVec<T>) -> R) -> R {
        let tapes = || self.tapes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tape = tapes().pop().unwrap_or_default();
        tape.reset(self.activations, self.tape() * lanes);
        let result = with(&mut tape);
        tapes().push(tape);
        result
    }

    /// Runs the forward pass on some samples, then `then` with its results.
    fn forward<R>(
        &self,
        theta: &[T],
        pass: Pass,
        samples: &[usize],
        then: impl FnOnce([&mut [T]; 7], &CompactVec<T>) -> R,
    ) -> R {
        let (network, lanes, rows) = (&self.network, samples.len(), self.rows());
        let work = |tape: &mut CompactVec<T>, memory: &mut [T]| {
            let [x, saved, y, ybar, target, losses, scratch] =
                split_mut(memory, rows.map(|rows| rows * lanes));
            let read = |at, few: &mut [T]| self.inputs.read(at, few);
            gather(read, network.inputs(), samples, x);
            let (input, out) = (Rows::new(x, lanes), RowsMut::new(y, lanes));
            let rows = RowsMut::new(saved, lanes);
            let run = Forward { pass, theta, x: input, saved: rows, y: out };
            if self.activations == Storage::Full {
                network.forward(run);
            } else {
                network.forward_compact(run, (&mut *tape, 0));
            }
            then([x, saved, y, ybar, target, losses, scratch], tape)
        };
        let len = rows.iter().sum::<usize>() * lanes;
        self.with_tape(lanes, |tape| self.memory.with(len, |memory| work(tape, memory)))
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for Supervised<T, L> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.network.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.network.parameters()
    }

    fn samples(&self) -> usize {
        self.samples
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        admit(self, theta, batch, thetabar.as_deref())?;
        let pass = batch.pass(thetabar.is_some());
        self.run(theta, batch, pass, thetabar.unwrap_or_default())
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        admit(self, theta, batch, None).ok()?;
        if let Some(parameter) = not_finite(self.blocks(), theta) {
            return Some(parameter);
        }
        batch.samples.chunks(self.lanes).enumerate().find_map(|(tile, samples)| {
            let (lanes, pass) = (samples.len(), pass.starting_at(tile * self.lanes));
            self.forward(theta, pass, samples, |[x, _, y, _, target, losses, _], _| {
                let mut own = vec![T::zero(); self.network.saved() * lanes];
                let run = Forward {
                    pass,
                    theta,
                    x: Rows::new(x, lanes),
                    saved: RowsMut::new(&mut own, lanes),
                    y: RowsMut::new(y, lanes),
                };
                self.network.forward(run);
                let [x, saved, y] = [&*x, &own, y].map(|rows| Rows::new(rows, lanes));
                if !finite(x) {
                    return Some("inputs".to_owned());
                }
                let layer = self.network.culprit(Tape { x, saved, y });
                layer.or_else(|| {
                    self.targets.evaluate(samples, y, target, losses, None).ok()?;
                    (!finite(Rows::new(losses, 1))).then(|| "targets".to_owned())
                })
            })
        })
    }
}

impl<T: Scalar> Targets<T> {
    /// These targets in row-major order, if they match the samples and the outputs.
    fn checked(self, samples: usize, outputs: usize) -> Result<Self, TrainingError> {
        match self {
            Self::Values(values, loss) => {
                loss.check()?;
                same_size("the targets' samples", values.nrows(), samples)?;
                same_size("the network's outputs", outputs, loss.predictions(values.ncols()))?;
                Ok(Self::Values(values.as_standard_layout().into_owned(), loss))
            }
            Self::Classes(classes) => {
                same_size("the targets' samples", classes.len(), samples)?;
                if let Some(class) = classes.iter().find(|class| **class >= outputs) {
                    same_size("a class of the targets", *class, outputs - 1)?;
                }
                Ok(Self::Classes(classes))
            }
            Self::ClassSeries(classes) => {
                let times = classes.ncols();
                same_size("the targets' samples", classes.nrows(), samples)?;
                same_size("the targets' times", times.min(1), 1)?;
                let logits = outputs / times;
                same_size("the network's outputs", outputs, logits.max(1) * times)?;
                if let Some(class) = classes.iter().find(|class| **class >= logits) {
                    same_size("a class of the targets", *class, logits - 1)?;
                }
                Ok(Self::ClassSeries(classes))
            }
        }
    }

    /// Rows of the targets of a tile.
    fn rows(&self, outputs: usize) -> usize {
        if let Self::Values(values, _) = self { values.ncols() } else { outputs }
    }

    /// Losses of a sample.
    fn times(&self) -> usize {
        if let Self::ClassSeries(classes) = self { classes.ncols() } else { 1 }
    }

    /// Writes each sample's losses, and the cotangent of y.
    fn evaluate(
        &self,
        samples: &[usize],
        y: Rows<'_, T>,
        target: &mut [T],
        losses: &mut [T],
        cotangent: Option<Cotangent<'_, T>>,
    ) -> Result<(), TrainingError> {
        let loss = match self {
            Self::Values(values, loss) => {
                let all = values.as_slice().unwrap_or_default();
                let read = |at: usize, few: &mut [T]| few.copy_from_slice(&all[at..][..few.len()]);
                gather(read, values.ncols(), samples, target);
                *loss
            }
            Self::Classes(classes) => {
                target.fill(T::zero());
                for (lane, sample) in samples.iter().enumerate() {
                    target[classes[*sample] * samples.len() + lane] = T::one();
                }
                Loss::CrossEntropy
            }
            Self::ClassSeries(classes) => {
                target.fill(T::zero());
                let lanes = samples.len();
                for (lane, sample) in samples.iter().enumerate() {
                    for (time, class) in classes.row(*sample).iter().enumerate() {
                        target[(class * classes.ncols() + time) * lanes + lane] = T::one();
                    }
                }
                Loss::CrossEntropy
            }
        };
        // The times of a sample are lanes of the loss.
        let lanes = samples.len() * self.times();
        let observed = Observations::new(Rows::new(target, lanes));
        Ok(loss.evaluate(y.with_lanes(lanes), observed, losses, cotangent)?)
    }
}

/// Features read together: a cache line of each sample.
const TOGETHER: usize = 16;

/// Gathers the features of some samples as rows.
fn gather<T: Scalar>(
    read: impl Fn(usize, &mut [T]),
    features: usize,
    samples: &[usize],
    rows: &mut [T],
) {
    let mut few = [T::zero(); TOGETHER];
    for (first, rows) in (0..).step_by(TOGETHER).zip(rows.chunks_mut(TOGETHER * samples.len())) {
        let few = &mut few[..rows.len() / samples.len()];
        for (lane, sample) in samples.iter().enumerate() {
            read(sample * features + first, few);
            let to = rows[lane..].iter_mut().step_by(samples.len());
            to.zip(&*few).for_each(|(to, from)| *to = *from);
        }
    }
}
