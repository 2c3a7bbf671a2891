//! A training in a thread of its own, without the interpreter's lock; callbacks run in the thread of the caller.

use super::failure::of_trainer;
use super::parts::{Parts, with_parts};
use super::problem::Shared;
use crate::errors::Kind;
use crate::running::Cancel;
use crate::running::background::{Messages, conversing};
use hpfracc::nn::trainer::{
    End, Epoch, Event, RunFolder, Trained, Trainer, TrainerError, Training,
};
use hpfracc::nn::{Objective, OrderEstimate, Scalar};
use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// What a run needs besides the problem.
pub(super) struct Options {
    pub(super) training: Training,
    pub(super) folder: Option<PathBuf>,
    pub(super) resume: bool,
    pub(super) threads: Option<usize>,
    /// Whether the caller wants each epoch.
    pub(super) reports: bool,
}

/// What the thread of the training tells.
enum News {
    Epoch(Epoch),
    Resumed(u64, u64),
    Damaged(String),
}

type Thread = Messages<News, PyResult<Ended>>;

/// Parameters in either precision.
pub(super) enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

pub(super) trait Precise: Scalar + Element {
    fn numbers(values: Vec<Self>) -> Numbers;
}

impl Precise for f32 {
    fn numbers(values: Vec<Self>) -> Numbers {
        Numbers::F32(values)
    }
}

impl Precise for f64 {
    fn numbers(values: Vec<Self>) -> Numbers {
        Numbers::F64(values)
    }
}

/// A training that has ended, in either precision.
struct Ended {
    parameters: Numbers,
    last: Numbers,
    best: Option<(f64, u64)>,
    steps: u64,
    epochs: u64,
    end: End,
    orders: Vec<OrderEstimate>,
    history: History,
}

/// Numbers of each step and epoch of this run.
#[derive(Default)]
struct History {
    step: Vec<u64>,
    loss: Vec<f64>,
    norm: Vec<f64>,
    rate: Vec<f64>,
    epochs: Vec<Epoch>,
}

/// Events of the training thread to the caller.
struct Observer<'a> {
    cancel: &'a Cancel,
    caller: &'a Thread,
    answers: Receiver<bool>,
    reports: bool,
    history: History,
}

impl Observer<'_> {
    fn observe(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let told = match event {
            Event::Step(step) => {
                self.history.step.push(step.step);
                self.history.loss.push(step.loss);
                self.history.norm.push(step.norm.unwrap_or(f64::NAN));
                self.history.rate.push(step.rate);
                true
            }
            Event::Epoch(epoch) => {
                self.history.epochs.push(*epoch);
                // Without an answer the caller has left.
                !self.reports
                    || (self.caller.send(News::Epoch(*epoch))
                        && self.answers.recv().unwrap_or(false))
            }
            Event::Resumed { step, epoch } => self.caller.send(News::Resumed(*step, *epoch)),
            Event::Damaged { path, damage } => {
                let message = format!("{} {damage}; renamed and ignored", path.display());
                self.caller.send(News::Damaged(message))
            }
            _ => true,
        };
        if told && !self.cancel.requested() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Trains; `report(epoch)` of each epoch ends the training by `False`.
///
/// # Errors
/// Those of the training, exceptions of `report`, and of signal handlers (`KeyboardInterrupt`), after which the
/// training ends at its next step and writes its checkpoint.
pub(super) fn run(
    py: Python<'_>,
    problem: &Shared,
    options: Options,
    report: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyDict>> {
    let cancel = Arc::new(Cancel::default());
    let (answer, answers) = channel();
    let report: Option<Py<PyAny>> = report.map(|report| report.clone().unbind());
    let on = move |py: Python<'_>, news: Option<News>| {
        match news {
            None => {}
            Some(News::Epoch(epoch)) => {
                let go = report.as_ref().map_or(Ok(true), |report| told(py, report, &epoch))?;
                // After its end the training has no use for an answer.
                let _ = answer.send(go);
            }
            Some(News::Resumed(step, epoch)) => {
                warn(py, &format!("resumed after {step} steps, {epoch} epochs"), false)?;
            }
            Some(News::Damaged(message)) => warn(py, &message, true)?,
        }
        Ok(())
    };
    let (problem, of_thread, threads) = (Arc::clone(problem), Arc::clone(&cancel), options.threads);
    let work = move |caller: &Thread| {
        let reports = options.reports;
        let (cancel, history) = (&*of_thread, History::default());
        let observer = Observer { cancel, caller, answers, reports, history };
        in_pool(threads, || trained(&problem, options, observer))
    };
    match conversing(py, on, work) {
        Ok(result) => result.and_then(|ended| ended.into_dict(py)),
        Err(error) => {
            cancel.request();
            Err(error)
        }
    }
}

/// Whether the callback lets the training go on.
fn told(py: Python<'_>, report: &Py<PyAny>, epoch: &Epoch) -> PyResult<bool> {
    let Epoch { epoch, step, loss, validation, best } = *epoch;
    let answer = report.call1(py, (epoch, step, loss, validation, best))?;
    Ok(!answer.is(PyBool::new(py, false)))
}

/// Computes in a pool of this number of threads, or in the current one.
fn in_pool(
    threads: Option<usize>,
    train: impl FnOnce() -> PyResult<Ended> + Send,
) -> PyResult<Ended> {
    let Some(threads) = threads else { return train() };
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(train),
        Err(error) => Err(Kind::Input.error(format!("threads={threads}: {error}"))),
    }
}

/// A warning for a damaged file; other news go to the logger `hpfracc`.
fn warn(py: Python<'_>, message: &str, damage: bool) -> PyResult<()> {
    if damage {
        py.import("warnings")?.call_method1("warn", (message,))?;
    } else {
        let logger = py.import("logging")?.call_method1("getLogger", ("hpfracc",))?;
        logger.call_method1("info", (message,))?;
    }
    Ok(())
}

fn trained(problem: &Shared, options: Options, observer: Observer<'_>) -> PyResult<Ended> {
    with_parts!(&problem.objectives, parts => train(problem, parts, options, observer))
}

fn train<T: Precise>(
    problem: &Shared,
    parts: &Parts<T>,
    options: Options,
    mut observer: Observer<'_>,
) -> PyResult<Ended> {
    let folder = options.folder.map(|path| RunFolder {
        every: problem.checkpoints.every,
        keep: problem.checkpoints.keep,
        ..RunFolder::new(path)
    });
    let validation = parts.validation.as_ref();
    let trainer = Trainer {
        validation: validation.map(|validation| &**validation as &dyn Objective<T>),
        folder,
        resume: options.resume,
        facts: problem.facts.clone(),
        standardisation: problem.standardisation().cloned(),
        ..Trainer::new(&*parts.training, options.training)
    };
    let trained: Result<Trained<T>, TrainerError> = trainer.run(|event| observer.observe(event));
    let Trained { theta, best, steps, epochs, end, orders } = trained.map_err(of_trainer)?;
    let of_best = best.as_ref().map(|best| (best.loss, best.epoch));
    let parameters = best.map_or_else(|| theta.clone(), |best| best.theta);
    Ok(Ended {
        parameters: T::numbers(parameters),
        last: T::numbers(theta),
        best: of_best,
        steps,
        epochs,
        end,
        orders,
        history: observer.history,
    })
}

impl Numbers {
    pub(super) fn into_array(self, py: Python<'_>) -> Bound<'_, PyAny> {
        match self {
            Self::F32(values) => values.into_pyarray(py).into_any(),
            Self::F64(values) => values.into_pyarray(py).into_any(),
        }
    }
}

impl Ended {
    fn into_dict(self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let result = PyDict::new(py);
        result.set_item("parameters", self.parameters.into_array(py))?;
        result.set_item("last", self.last.into_array(py))?;
        result.set_item("best", self.best)?;
        result.set_item("steps", self.steps)?;
        result.set_item("epochs", self.epochs)?;
        let end = match self.end {
            End::Epochs => "epochs",
            End::Steps => "steps",
            End::Patience => "patience",
            End::Cancelled => "cancelled",
        };
        result.set_item("end", end)?;
        result.set_item("orders", estimates(&self.orders))?;
        let History { step, loss, norm, rate, epochs } = self.history;
        result.set_item("step", step.into_pyarray(py))?;
        result.set_item("step_loss", loss.into_pyarray(py))?;
        result.set_item("gradient_norm", norm.into_pyarray(py))?;
        result.set_item("rate", rate.into_pyarray(py))?;
        let of = |value: fn(&Epoch) -> f64| -> Vec<f64> { epochs.iter().map(value).collect() };
        let numbers: Vec<u64> = epochs.iter().map(|epoch| epoch.epoch).collect();
        result.set_item("epoch", numbers.into_pyarray(py))?;
        result.set_item("loss", of(|epoch| epoch.loss).into_pyarray(py))?;
        let validation = of(|epoch| epoch.validation.unwrap_or(f64::NAN));
        result.set_item("validation", validation.into_pyarray(py))?;
        Ok(result.unbind())
    }
}

/// Order, standard error, and the change by half the step.
pub(super) fn estimates(orders: &[OrderEstimate]) -> Vec<(f64, f64, Option<f64>, bool)> {
    let of = |estimate: &OrderEstimate| {
        let OrderEstimate { order, standard_error, half_step_change } = *estimate;
        (order, standard_error, half_step_change, estimate.identifiable())
    };
    orders.iter().map(of).collect()
}
