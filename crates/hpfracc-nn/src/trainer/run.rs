use super::agreement::agree_on;
use super::checkpoint::{self, Identity, Open, RunFolder};
use super::diagnosis;
use super::event::{Epoch, Event, Step};
use super::order::{draw_of_step, order_of_epoch};
use super::standardisation::Standardisation;
use super::state::{Best, End, State};
use super::{At, Parameters, TrainerError, Training};
use crate::checks::{at_least_one, same_size};
use crate::error::finite_loss;
use crate::{
    Batch, Objective, OrderEstimate, OutOfRange, Scalar, Scaled, TrainingError, clip_global_norm,
};
use hpfracc_checkpoint::Fingerprint;
use hpfracc_communicator::Ranks;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// Factor of the learning rate for orders after an estimate.
const AFTER_ESTIMATE: f64 = 0.1;

/// Seed of all validations.
const VALIDATION: u64 = u64::MAX;

/// Trains an objective with the settings of [`Training`].
///
/// The result depends on the seed and the settings only: shuffling and draws are functions of the
/// seed and the position, so that a training resumed from a checkpoint has the same bits as an
/// uninterrupted one, on any number of threads of one machine. Machines with registers of another
/// width sum in another order.
///
/// Over [`ranks`](Self::ranks), each rank calls [`run`](Self::run) with the same objective and
/// settings, and has the same result, with the bits of one process. Objectives share their
/// evaluations, with the costs that each documents, such as two gradients sent by a rank in a step
/// of [`Supervised`](crate::Supervised); the optimiser and the estimates of orders run on each
/// rank. Decisions take a few hundred bytes for a rank and step, and rank 0 sends the checkpoint
/// that is resumed. Only rank 0 opens the folder and has events of its files. Before the first
/// step, ranks with other settings, facts, numbers of samples, blocks of parameters or vector
/// instructions are refused.
///
/// ```
/// use hpfracc_nn::trainer::{Trainer, Training};
/// use hpfracc_nn::{Batch, Block, LossResult, Objective, ParameterBlock, Schedule};
/// use std::ops::ControlFlow;
///
/// /// The mean of (theta - x)^2 over some numbers x.
/// struct Mean(Vec<f64>);
///
/// impl Objective<f64> for Mean {
///     fn parameter_blocks(&self) -> Vec<ParameterBlock> {
///         vec![Block::new("mean", &[1]).filled(0.0)]
///     }
///     fn samples(&self) -> usize {
///         self.0.len()
///     }
///     fn evaluate(
///         &self,
///         theta: &[f64],
///         batch: Batch<'_>,
///         thetabar: Option<&mut [f64]>,
///     ) -> LossResult {
///         let n = batch.samples.len() as f64;
///         let errors = batch.samples.iter().map(|i| theta[0] - self.0[*i]);
///         if let Some(thetabar) = thetabar {
///             thetabar[0] = batch.scale * 2.0 * errors.clone().sum::<f64>() / n;
///         }
///         Ok(errors.map(|e| e * e).sum::<f64>() / n)
///     }
/// }
///
/// let objective = Mean(vec![1.0, 2.0, 6.0]);
/// let schedule = Schedule::Constant(0.1);
/// let training = Training { epochs: 300, schedule, ..Training::default() };
/// let trained = Trainer::new(&objective, training).run(|_| ControlFlow::Continue(()))?;
/// assert!((trained.parameters()[0] - 3.0).abs() < 1e-6);
/// # Ok::<(), hpfracc_nn::trainer::TrainerError>(())
/// ```
pub struct Trainer<'a, T: Scalar> {
    /// The objective.
    pub objective: &'a dyn Objective<T>,
    /// The settings.
    pub training: Training,
    /// An objective with the same parameters, whose mean loss validates, in batches of the same
    /// size.
    pub validation: Option<&'a dyn Objective<T>>,
    /// The folder of metrics and checkpoints.
    pub folder: Option<RunFolder>,
    /// Whether to resume from the newest intact checkpoint in the folder, or to start from the
    /// beginning if the folder has neither checkpoints nor metrics.
    pub resume: bool,
    /// Further facts that determine the result, by name, such as a checksum of the data: a
    /// checkpoint with other facts is rejected.
    pub facts: Vec<(String, String)>,
    /// The standardisation of the data, stored in checkpoints.
    pub standardisation: Option<Standardisation>,
    /// Ranks that train together; by default the process trains alone.
    pub ranks: Ranks<'a>,
}

/// The settings, without the objectives.
impl<T: Scalar> std::fmt::Debug for Trainer<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { training, folder, resume, facts, .. } = self;
        let mut shown = f.debug_struct("Trainer");
        shown.field("training", training).field("folder", folder);
        shown.field("resume", resume).field("facts", facts).finish_non_exhaustive()
    }
}

/// Result of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained<T> {
    /// The parameters after the last step.
    pub theta: Vec<T>,
    /// Parameters with the smallest validation loss, if any were validated.
    pub best: Option<Best<T>>,
    /// Steps taken or skipped.
    pub steps: u64,
    /// Epochs finished.
    pub epochs: u64,
    /// Reason for the end.
    pub end: End,
    /// Estimates of the learned orders before the training, with their standard errors; empty if
    /// none were made. An order that is not
    /// [identifiable](OrderEstimate::identifiable) says little.
    pub orders: Vec<OrderEstimate>,
}

impl<T> Trained<T> {
    /// The best parameters of the validations, or the last ones without validation.
    pub fn parameters(&self) -> &[T] {
        self.best.as_ref().map_or(&self.theta, |best| &best.theta)
    }
}

impl<'a, T: Scalar> Trainer<'a, T> {
    /// A training without files and validation; the other fields are set by `..Trainer::new(..)`.
    pub fn new(objective: &'a dyn Objective<T>, training: Training) -> Self {
        Self {
            objective,
            training,
            validation: None,
            folder: None,
            resume: false,
            facts: Vec::new(),
            standardisation: None,
            ranks: Ranks::ALONE,
        }
    }

    /// Trains until all epochs or steps are done, early stopping ends the training, or the
    /// observer, which receives all events, breaks. A stopped training can be resumed. An epoch cut
    /// short by the number of steps is not validated. Collective: an observer that breaks on one
    /// rank ends the training on all of them, after the same step.
    ///
    /// # Errors
    /// [`TrainerError`], on all ranks if on one; for a loss, a gradient or a parameter that is not
    /// finite with epoch, batch, samples, and the first such layer or block of parameters.
    pub fn run(
        &self,
        mut observer: impl FnMut(&Event<'_>) -> ControlFlow<()>,
    ) -> Result<Trained<T>, TrainerError> {
        let Self { objective, training, ranks, .. } = self;
        let (identity, mut state, orders) = ranks.all_ok(self.prepared())?;
        let settings = (training, self.folder.as_ref(), self.resume);
        agree_on(*ranks, self.facts(), settings, (&identity, &state.theta))?;
        let mut flow = ControlFlow::Continue(());
        let folder = self.opened(&identity, &mut state, &mut |event| {
            if observer(event).is_break() {
                flow = ControlFlow::Break(());
            }
        })?;
        let gradient = vec![T::zero(); state.theta.len()];
        let batches = (objective.samples().div_ceil(training.batch)) as u64;
        let clock = (Instant::now(), 0);
        let estimated = !orders.is_empty() && orders.iter().all(OrderEstimate::identifiable);
        let order_rate = if estimated { AFTER_ESTIMATE } else { 1.0 };
        let order_rate = training.orders.rate.unwrap_or(order_rate);
        let of = self;
        let mut run =
            Run { of, identity, state, folder, gradient, batches, order_rate, clock, flow };
        let end = run.all(&mut observer)?;
        let State { theta, best, step: steps, epoch: epochs, .. } = run.state;
        Ok(Trained { theta, best, steps, epochs, end, orders })
    }

    /// Identity and initial state of a valid training, with estimates of the learned orders.
    fn prepared(&self) -> Result<(Identity, State<T>, Vec<OrderEstimate>), TrainerError> {
        self.training.check()?;
        self.check_objectives()?;
        let (identity, copies) = (self.identity()?, usize::from(self.folder.is_some()));
        let mut state = State::start(self.objective, &self.training, copies)?;
        let orders = self.estimate_orders(&mut state.theta)?;
        Ok((identity, state, orders))
    }

    /// The folder, on rank 0. If it has a checkpoint, that is then the state on all ranks.
    /// Collective.
    fn opened(
        &self,
        identity: &Identity,
        state: &mut State<T>,
        tell: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<Open>, TrainerError> {
        let Self { folder, ranks, training, .. } = self;
        let Some(folder) = folder else { return Ok(None) };
        let mut opened = None;
        let newest = ranks.from_first(|| {
            let open = opened.insert(folder.open(self.resume)?);
            let resumed = open.resume((identity, training), state, tell)?;
            let sent = resumed && ranks.several().is_some();
            Ok::<_, TrainerError>(sent.then(|| checkpoint::write(identity, state)))
        })?;
        let received = newest
            .filter(|_| !ranks.is_first())
            .map(|bytes| checkpoint::read(identity, training, &folder.checkpoints(), &bytes));
        if let Some(received) = ranks.all_ok(received.transpose().map_err(TrainerError::from))? {
            *state = received;
        }
        Ok(opened)
    }

    /// Estimates the learned orders, and warns of those that are not identifiable.
    fn estimate_orders(&self, theta: &mut [T]) -> Result<Vec<OrderEstimate>, TrainerError> {
        if !self.training.orders.estimate {
            return Ok(Vec::new());
        }
        let all: Vec<usize> = (0..self.objective.samples()).collect();
        let orders = self.objective.estimate_orders(&all, theta)?;
        for estimate in orders.iter().filter(|estimate| !estimate.identifiable()) {
            let OrderEstimate { order, standard_error, .. } = estimate;
            tracing::warn!(order, standard_error, "the order is not identifiable from the data");
        }
        Ok(orders)
    }

    fn check_objectives(&self) -> Result<(), TrainerError> {
        let parameters = self.objective.parameters();
        for objective in std::iter::once(self.objective).chain(self.validation) {
            at_least_one("the number of samples", objective.samples() as u64)?;
            let found = objective.parameters();
            same_size("the validation objective", found, parameters)
                .map_err(TrainingError::Size)?;
        }
        match (self.training.patience, self.validation) {
            (Some(patience), None) => {
                let expected = "none without a validation objective";
                Err(OutOfRange::new("patience", patience, expected).into())
            }
            _ => Ok(()),
        }
    }

    /// Settings, data and other facts that determine the result.
    fn facts(&self) -> Vec<(String, String)> {
        let samples = |objective: &dyn Objective<T>| objective.samples().to_string();
        let judged = self.validation.map_or("none".to_owned(), samples);
        let mut facts = self.training.facts();
        facts.push(("the number of samples".to_owned(), samples(self.objective)));
        facts.push(("the number of samples to judge by".to_owned(), judged));
        facts.extend(self.facts.iter().cloned());
        facts
    }

    fn identity(&self) -> Result<Identity, TrainerError> {
        let (blocks, standardisation) = (self.objective.blocks(), self.standardisation.clone());
        let facts = Fingerprint::new(self.facts())?;
        Ok(Identity { scalar: T::NAME, blocks, facts, standardisation })
    }

    /// The trained parameters, with the metadata needed to use them.
    pub fn parameters(&self, trained: &Trained<T>) -> Parameters<T> {
        Parameters {
            blocks: self.objective.blocks(),
            standardisation: self.standardisation.clone(),
            theta: trained.parameters().to_vec(),
        }
    }
}

/// A running training.
struct Run<'a, T: Scalar> {
    of: &'a Trainer<'a, T>,
    identity: Identity,
    state: State<T>,
    /// The folder, on rank 0.
    folder: Option<Open>,
    gradient: Vec<T>,
    /// Batches of an epoch.
    batches: u64,
    /// Factor of the learning rate for the orders.
    order_rate: f64,
    /// Time of the start, and samples processed since.
    clock: (Instant, u64),
    flow: ControlFlow<()>,
}

type Observer<'a> = dyn FnMut(&Event<'_>) -> ControlFlow<()> + 'a;

impl<T: Scalar> Run<'_, T> {
    fn all(&mut self, observer: &mut Observer<'_>) -> Result<End, TrainerError> {
        let training = &self.of.training;
        let mut order = Vec::new();
        loop {
            let cancelled = self.of.ranks.any(self.flow.is_break())?.then_some(End::Cancelled);
            if self.state.batch == self.batches && cancelled.is_none() {
                self.end_epoch(observer)?;
                order.clear();
                continue;
            }
            if let Some(end) = self.state.end(training).or(cancelled) {
                // The end of an epoch is saved already.
                if self.state.batch > 0 {
                    self.save(observer)?;
                }
                return Ok(end);
            }
            if order.is_empty() {
                order =
                    order_of_epoch(training.seed, self.state.epoch, self.of.objective.samples());
            }
            let first = self.state.batch as usize * training.batch;
            let last = order.len().min(first + training.batch);
            self.step(&order[first..last], observer)?;
            if self.of.folder.as_ref().is_some_and(|folder| folder.due(self.state.step)) {
                self.save(observer)?;
            }
        }
    }

    fn step(&mut self, samples: &[usize], observer: &mut Observer<'_>) -> Result<(), TrainerError> {
        let Training { seed, clip, schedule, .. } = &self.of.training;
        let Trainer { objective, ranks, .. } = *self.of;
        let state = &mut self.state;
        let scale = state.scale.map_or(1.0, |scale| scale.scale());
        let batch = Batch { samples, draw: draw_of_step(*seed, state.step), scale, ranks };
        let (epoch, number) = (state.epoch, state.batch);
        let broken = |theta: &[T], source| {
            let samples = samples.to_vec();
            let at = At { epoch, batch: number, validation: false, samples, culprit: None };
            diagnosis::of_batch(objective, theta, batch, at, source)
        };
        self.gradient.fill(T::zero());
        let loss = objective.evaluate(&state.theta, batch, Some(&mut self.gradient));
        let mut loss = ranks.all_ok(loss);
        if let (Err(error), true) = (&loss, scale > 1.0)
            && ranks.any(diagnosis::is_of_cotangents(error))?
        {
            // The gradient overflowed within the model: skip the step, but report the loss.
            self.gradient.fill(T::narrow(f64::INFINITY));
            loss = ranks.all_ok(objective.loss(&state.theta, batch));
        }
        let loss = loss.and_then(finite_loss).map_err(|e| broken(&state.theta, e))?;
        if scale <= 1.0 {
            let blocks = &self.identity.blocks;
            diagnosis::finite(blocks, "the gradient of", &self.gradient)
                .map_err(|e| broken(&state.theta, e))?;
        }
        let scaled = match &mut state.scale {
            Some(scale) => scale.unscale(&mut self.gradient)?,
            None => Scaled::Take,
        };
        let rate = schedule.rate(state.optimiser.steps());
        let norm = match scaled {
            Scaled::Skip => None,
            Scaled::Take => {
                // With the largest number as the limit the gradient does not change.
                let norm = clip_global_norm(&mut self.gradient, clip.unwrap_or(f64::MAX))?;
                let orders = objective.orders();
                let before = state.theta[orders.clone()].to_vec();
                state.optimiser.step(rate, &mut state.theta, &self.gradient)?;
                // A step is proportional to its rate.
                for (order, before) in state.theta[orders].iter_mut().zip(before) {
                    *order = before + T::narrow(self.order_rate) * (*order - before);
                }
                diagnosis::finite(&self.identity.blocks, "after the step", &state.theta)
                    .map_err(|e| broken(&state.theta, e))?;
                Some(norm)
            }
        };
        let (step, batch) = (state.step, number);
        let n = samples.len() as u64;
        state.sum += loss * n as f64;
        state.samples += n;
        (state.step, state.batch) = (step + 1, batch + 1);
        self.clock.1 += n;
        let samples_per_second = self.clock.1 as f64 / self.clock.0.elapsed().as_secs_f64();
        let batches = self.batches;
        let record = Step { step, epoch, batch, batches, loss, norm, rate, samples_per_second };
        self.write(&record)?;
        self.tell(observer, &Event::Step(record));
        Ok(())
    }

    fn end_epoch(&mut self, observer: &mut Observer<'_>) -> Result<(), TrainerError> {
        let Training { validate_every, epochs, steps, .. } = self.of.training;
        let epoch = self.state.epoch;
        let last = epoch + 1 == epochs || steps == Some(self.state.step);
        let judge = (epoch + 1).is_multiple_of(validate_every) || last;
        let validation = match self.of.validation {
            Some(validation) if judge => Some(self.judge(validation)?),
            _ => None,
        };
        let state = &mut self.state;
        let smallest = state.best.as_ref().map_or(f64::INFINITY, |best| best.loss);
        let best = validation.is_some_and(|loss| loss < smallest);
        if let Some(loss) = validation {
            state.stale = if best { 0 } else { state.stale + 1 };
            if best {
                state.best = Some(Best { theta: state.theta.clone(), loss, epoch });
            }
        }
        let loss = state.sum / state.samples as f64;
        let record = Epoch { epoch, step: state.step, loss, validation, best };
        (state.epoch, state.batch, state.sum, state.samples) = (epoch + 1, 0, 0.0, 0);
        self.write(&record)?;
        self.save(observer)?;
        self.tell(observer, &Event::Epoch(record));
        Ok(())
    }

    /// The mean loss of all samples of the validation objective.
    fn judge(&self, validation: &dyn Objective<T>) -> Result<f64, TrainerError> {
        let (theta, epoch) = (&self.state.theta, self.state.epoch);
        let all: Vec<usize> = (0..validation.samples()).collect();
        let mut sum = 0.0;
        for (number, samples) in all.chunks(self.of.training.batch).enumerate() {
            let ranks = self.of.ranks;
            let batch = Batch { ranks, ..Batch::new(samples, VALIDATION) };
            let loss = ranks.all_ok(validation.loss(theta, batch)).and_then(finite_loss);
            let loss = loss.map_err(|source| {
                let (number, samples) = (number as u64, samples.to_vec());
                let at = At { epoch, batch: number, validation: true, samples, culprit: None };
                diagnosis::of_batch(validation, theta, batch, at, source)
            })?;
            sum += samples.len() as f64 * loss;
        }
        Ok(sum / all.len() as f64)
    }

    /// Writes a line of the metrics. Collective.
    fn write(&mut self, record: &impl Serialize) -> Result<(), TrainerError> {
        self.in_folder(|folder, _, _| folder.metrics.write(record)).map(|_| ())
    }

    /// Writes a checkpoint. Collective.
    fn save(&mut self, observer: &mut Observer<'_>) -> Result<(), TrainerError> {
        if let Some(path) = self.in_folder(Open::save)? {
            self.tell(observer, &Event::Saved { path: &path });
        }
        Ok(())
    }

    /// Runs `write` with the folder, if there is one: on rank 0, whose error is that of all ranks.
    /// Collective.
    fn in_folder<R>(
        &mut self,
        write: impl FnOnce(&mut Open, &Identity, &mut State<T>) -> Result<R, TrainerError>,
    ) -> Result<Option<R>, TrainerError> {
        let Self { of, identity, state, folder, .. } = self;
        let mut result = None;
        if of.folder.is_some() {
            of.ranks.from_first(|| match folder {
                Some(folder) => write(folder, identity, state).map(|written| {
                    result = Some(written);
                }),
                None => Ok(()),
            })?;
        }
        Ok(result)
    }

    fn tell(&mut self, observer: &mut Observer<'_>, event: &Event<'_>) {
        if observer(event).is_break() {
            self.flow = ControlFlow::Break(());
        }
    }
}
