//! A training with its data: an objective in one of two precisions.

use super::config::{Precision, Tables, check_steps, training};
use super::controlled::Controlled;
use super::failure::of_setting;
use super::latent::Latent;
use super::parts::{
    Assembled, BatchMemory, Objectives, Parts, check_dt, json, parts_by_fraction, parts_of_samples,
    require_memory,
};
use crate::errors::{OrRaise, input};
use hpfracc::ndarray::{Array2, ArrayView2, Axis};
use hpfracc::nn::models::settings::{
    CheckpointSettings, LossSettings, ModelSettings, SolverSettings, WindowSettings,
};
use hpfracc::nn::models::{self, NeuralFractionalSde, SdeFit};
use hpfracc::nn::trainer::{Standardisation, Training, checksum};
use hpfracc::nn::{self, Layer, Network, Objective, Scalar, Shape, Supervised, Targets};
use pyo3::prelude::*;
use std::sync::Arc;

/// What is trained.
pub(super) enum Subject {
    /// An equation on the windows of a time series.
    Equation(Box<Equation>),
    /// A network on pairs of inputs and targets.
    Network(Network),
    /// A controlled equation on controls and responses.
    Controlled(Box<Controlled>),
    /// A latent equation on sequences.
    Latent(Box<Latent>),
}

/// A neural equation with its time series.
pub(super) struct Equation {
    pub(super) model: NeuralFractionalSde,
    pub(super) solver: SolverSettings,
    pub(super) loss: LossSettings,
    pub(super) dt: f64,
    /// Standardised values by row and component.
    pub(super) values: Array2<f64>,
    pub(super) standardisation: Standardisation,
    /// First held-out row.
    pub(super) held_out: usize,
}

pub(super) struct Problem {
    pub(super) objectives: Objectives,
    pub(super) subject: Subject,
    pub(super) training: Training,
    pub(super) checkpoints: CheckpointSettings,
    /// Inputs that determine the result besides the settings of the training.
    pub(super) facts: Vec<(String, String)>,
}

impl Problem {
    /// An equation on a time series, as `hpfracc train` trains it.
    pub(super) fn of_series(text: &str, mut values: Array2<f64>, dt: f64) -> PyResult<Self> {
        let mut tables = Tables::read(text)?;
        let precision: Precision = tables.take_or_default("precision")?;
        let windows: WindowSettings = tables.take("windows")?;
        let (choice, solver): (ModelSettings, SolverSettings) =
            (tables.take("model")?, tables.take_or_default("solver")?);
        let loss: LossSettings = tables.take_or_default("loss")?;
        let checkpoints: CheckpointSettings = tables.take_or_default("checkpoints")?;
        let training = training(&mut tables, Some(&solver))?;
        check_steps(&solver, "windows: length", windows.length)?;
        check_dt(dt)?;
        let held_out = held_out(&windows, values.nrows())?;
        let components = values.ncols();
        let trained: Vec<f64> = values.iter().copied().take(held_out * components).collect();
        let standardisation = Standardisation::of(&trained, components)
            .map_err(|error| input(format!("data: {error}")))?;
        let Some(all) = values.as_slice_mut() else {
            return Err(input("data are not in rows"));
        };
        standardisation.apply(all);
        let model =
            choice.equation(components).map_err(|error| input(format!("model: {error}")))?;
        let steps = windows.length as f64 * solver.steps as f64;
        let memory = BatchMemory {
            parameters: model.parameters(),
            samples: training.batch.min(values.nrows()),
            steps,
            numbers: loss.paths as f64 * steps * model.dim() as f64,
        };
        require_memory(&memory, &solver, precision.bytes())?;
        let numbers = values.iter().chain([&dt]);
        let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
        let facts = [
            ("the checksum of the data", format!("{:016x}", checksum(&bytes))),
            ("[model]", json(&choice)),
            ("[windows]", json(&windows)),
            ("[solver]", json(&solver)),
            ("[loss]", json(&loss)),
        ];
        let (first, second) = values.view().split_at(Axis(0), held_out);
        let fit = SeriesFit { model: &model, solver: &solver, loss: &loss, windows: &windows, dt };
        let objectives = match precision {
            Precision::F32 => Objectives::F32(fit.parts(first, second)?),
            Precision::F64 => Objectives::F64(fit.parts(first, second)?),
        };
        let equation = Equation { model, solver, loss, dt, values, standardisation, held_out };
        Ok(Self {
            objectives,
            subject: Subject::Equation(Box::new(equation)),
            training,
            checkpoints,
            facts: facts.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }

    /// A network on pairs of inputs and targets.
    pub(super) fn supervised(text: &str, inputs: &Array2<f64>, goals: Goals) -> PyResult<Self> {
        let mut tables = Tables::read(text)?;
        let precision: Precision = tables.take_or_default("precision")?;
        let network: Network = tables.take("network")?;
        let loss: nn::Loss = tables.take_or_default("loss")?;
        let fraction: f64 = tables.take_or_default("validation")?;
        let checkpoints: CheckpointSettings = tables.take_or_default("checkpoints")?;
        let training = training(&mut tables, None)?;
        let samples = inputs.nrows();
        let split = parts_by_fraction(samples, fraction, training.seed)?;
        let numbers = inputs.iter().chain(goals.values());
        let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).chain(goals.bytes()).collect();
        let facts = [
            ("the checksum of the data", format!("{:016x}", checksum(&bytes))),
            ("the network", json(&network)),
            ("the loss", json(&loss)),
            ("the fraction of the validation", fraction.to_string()),
        ];
        let data = Pairs { network: &network, inputs, goals: &goals, loss };
        let objectives = match precision {
            Precision::F32 => Objectives::F32(data.parts(&split)?),
            Precision::F64 => Objectives::F64(data.parts(&split)?),
        };
        Ok(Self {
            objectives,
            subject: Subject::Network(network),
            training,
            checkpoints,
            facts: facts.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }

    /// The same of a controlled or latent equation.
    pub(super) fn of_equation<E>(
        of: Assembled<E>,
        subject: impl FnOnce(Box<E>) -> Subject,
    ) -> Self {
        let Assembled { objectives, equation, training, checkpoints, facts } = of;
        Self { objectives, subject: subject(Box::new(equation)), training, checkpoints, facts }
    }

    /// The equation, for what only an equation has.
    pub(super) fn equation(&self) -> PyResult<&Equation> {
        match &self.subject {
            Subject::Equation(equation) => Ok(equation),
            Subject::Network(_) => Err(input("a network without an equation has no such result")),
            Subject::Controlled(_) => Err(input("a controlled equation has no such result")),
            Subject::Latent(_) => Err(input("a latent equation has no such result")),
        }
    }

    /// The controlled equation.
    pub(super) fn controlled_equation(&self) -> PyResult<&Controlled> {
        match &self.subject {
            Subject::Controlled(equation) => Ok(equation),
            _ => Err(input("only a controlled equation responds to controls")),
        }
    }

    /// The latent equation.
    pub(super) fn latent_equation(&self) -> PyResult<&Latent> {
        match &self.subject {
            Subject::Latent(equation) => Ok(equation),
            _ => Err(input("only a latent equation has a prior and posteriors")),
        }
    }

    /// A seed, or one of that of the training whose noise is independent of that of training and validation.
    pub(super) fn seed(&self, seed: Option<u64>) -> u64 {
        seed.unwrap_or_else(|| checksum(&self.training.seed.to_le_bytes()))
    }

    /// Whether orders are learned.
    pub(super) fn learns_orders(&self) -> bool {
        match &self.subject {
            Subject::Equation(equation) => equation.model.learns_orders(),
            Subject::Network(_) => false,
            Subject::Controlled(equation) => equation.model.learns_orders(),
            Subject::Latent(equation) => equation.model.learns_orders(),
        }
    }

    /// Orders at parameters.
    pub(super) fn orders<T: Scalar>(&self, theta: &[T]) -> PyResult<Vec<f64>> {
        match &self.subject {
            Subject::Controlled(equation) => equation.model.order_values(theta).or_raise(),
            Subject::Latent(equation) => equation.model.order_values(theta).or_raise(),
            _ => {
                let model = &self.equation()?.model;
                let own = theta.get(..model.parameters()).unwrap_or(theta);
                model.order_values(own).or_raise()
            }
        }
    }

    /// Standardisation of the data.
    pub(super) fn standardisation(&self) -> Option<&Standardisation> {
        match &self.subject {
            Subject::Equation(equation) => Some(&equation.standardisation),
            Subject::Latent(equation) => Some(&equation.standardisation),
            Subject::Network(_) | Subject::Controlled(_) => None,
        }
    }
}

/// Targets of a network.
pub(super) enum Goals {
    Values(Array2<f64>),
    Classes(Vec<usize>),
}

impl Goals {
    fn values(&self) -> impl Iterator<Item = &f64> {
        match self {
            Self::Values(values) => Some(values.iter()),
            Self::Classes(_) => None,
        }
        .into_iter()
        .flatten()
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        let classes: &[usize] = match self {
            Self::Values(_) => &[],
            Self::Classes(classes) => classes,
        };
        classes.iter().flat_map(|class| class.to_le_bytes())
    }
}

/// A network with its pairs.
struct Pairs<'a> {
    network: &'a Network,
    inputs: &'a Array2<f64>,
    goals: &'a Goals,
    loss: nn::Loss,
}

impl Pairs<'_> {
    fn parts<T: Scalar>(&self, split: &[Vec<usize>; 2]) -> PyResult<Parts<T>>
    where
        Network: Layer<T>,
    {
        parts_of_samples(split, |rows| {
            let inputs = self.inputs.select(Axis(0), rows).mapv(T::narrow);
            let targets = match self.goals {
                Goals::Values(values) => {
                    Targets::Values(values.select(Axis(0), rows).mapv(T::narrow), self.loss)
                }
                Goals::Classes(classes) => {
                    Targets::Classes(rows.iter().map(|row| classes[*row]).collect())
                }
            };
            let fit = Supervised::new(self.network.clone(), inputs, targets);
            Ok(Box::new(fit.map_err(of_setting)?) as Box<dyn Objective<T> + Send + Sync>)
        })
    }
}

/// An equation on the parts of a series.
struct SeriesFit<'a> {
    model: &'a NeuralFractionalSde,
    solver: &'a SolverSettings,
    loss: &'a LossSettings,
    windows: &'a WindowSettings,
    dt: f64,
}

impl SeriesFit<'_> {
    fn parts<T: Scalar>(
        &self,
        first: ArrayView2<'_, f64>,
        second: ArrayView2<'_, f64>,
    ) -> PyResult<Parts<T>>
    where
        Network: Layer<T>,
    {
        let part = |rows: ArrayView2<'_, f64>| -> PyResult<Box<dyn Objective<T> + Send + Sync>> {
            let (length, stride) = (self.windows.length, self.windows.stride);
            let rows = rows.mapv(T::narrow);
            let windows = models::Windows::cut(rows.view(), (length, stride), self.solver.steps)
                .map_err(|error| input(format!("windows: {error}")))?;
            let solving = self.solver.over(length, self.dt);
            let (loss, paths) = (self.loss.path_loss, self.loss.paths);
            let fit = SdeFit::new(self.model.clone(), solving, windows, loss, paths)
                .map_err(|error| input(format!("loss: {error}")))?;
            Ok(Box::new(fit))
        };
        let validation = if second.nrows() == 0 { None } else { Some(part(second)?) };
        Ok(Parts { training: part(first)?, validation })
    }
}

/// First held-out row; checks that both parts are as long as a window.
fn held_out(windows: &WindowSettings, rows: usize) -> PyResult<usize> {
    let fraction = windows.validation;
    if !(0.0..1.0).contains(&fraction) {
        let message = format!("windows: validation is {fraction}, expected 0 to below 1");
        return Err(input(message));
    }
    let held = (fraction * rows as f64).round() as usize;
    let window = windows.length.saturating_add(1);
    let first = rows - held;
    let short = |part: &str, rows: usize| {
        Err(input(format!("{part} has {rows} rows, and a window has {window}")))
    };
    match held {
        _ if first < window => short("the training part of the data", first),
        1.. if held < window => short("the held-out part of the data", held),
        _ => Ok(first),
    }
}

/// A problem that several threads may use.
pub(super) type Shared = Arc<Problem>;

/// Whether the numbers of a network are those of its shape.
pub(super) fn network(text: &str) -> PyResult<Network> {
    let network: Network =
        serde_json::from_str(text).map_err(|error| input(format!("network: {}", place(&error))))?;
    if network.inputs() == 0 { Err(input("a network without inputs")) } else { Ok(network) }
}

/// Message of a JSON error without its position, which is none of the caller's text.
fn place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or(&message).to_owned()
}
