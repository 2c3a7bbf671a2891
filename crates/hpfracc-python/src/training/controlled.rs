//! Neural controlled equations on responses to controls.

use super::config::{Precision, Tables, check_steps, training};
use super::failure::{of_model, of_objective};
use super::parts::{
    Assembled, BatchMemory, Objectives, Parts, check_dt, json, parts_by_fraction, parts_of_samples,
    require_memory,
};
use crate::errors::input;
use hpfracc::ndarray::{Array3, Axis, s};
use hpfracc::nn::models::settings::{CheckpointSettings, ControlledSettings, SolverSettings};
use hpfracc::nn::models::{CdeFit, Controls, NeuralCde, Windows};
use hpfracc::nn::trainer::checksum;
use hpfracc::nn::{Layer, Loss, Network, Objective, Scalar};
use pyo3::prelude::*;

/// A controlled equation, its solver and the rows at which it responds.
pub(super) struct Controlled {
    pub(super) model: NeuralCde,
    solver: SolverSettings,
    dt: f64,
    /// Rows of a control after the first.
    rows: usize,
    /// Rows of the responses.
    observed: Vec<usize>,
}

impl Controlled {
    /// A controlled equation: controls by sample, row and channel, and responses by sample, observed row and
    /// component.
    pub(super) fn assembled(
        text: &str,
        controls: &Array3<f64>,
        responses: &Array3<f64>,
        observed: Vec<usize>,
        dt: f64,
    ) -> PyResult<Assembled<Self>> {
        let mut tables = Tables::read(text)?;
        let precision: Precision = tables.take_or_default("precision")?;
        let choice: ControlledSettings = tables.take("model")?;
        let solver: SolverSettings = tables.take_or_default("solver")?;
        let loss: Loss = tables.take_or_default("loss")?;
        let fraction: f64 = tables.take_or_default("validation")?;
        let checkpoints: CheckpointSettings = tables.take_or_default("checkpoints")?;
        let training = training(&mut tables, Some(&solver))?;
        let (samples, rows, channels) = controls.dim();
        check_steps(&solver, "the number of rows after the first", rows - 1)?;
        check_dt(dt)?;
        let model = choice.equation(channels, loss.predictions(responses.dim().2));
        let model = model.map_err(|error| input(format!("model: {error}")))?;
        let scalar = precision.bytes();
        let steps = (rows - 1) as f64 * solver.steps as f64;
        let memory = BatchMemory {
            parameters: model.parameters(),
            samples: training.batch.min(samples),
            steps,
            numbers: steps * model.dim() as f64,
        };
        require_memory(&memory, &solver, scalar)?;
        let numbers = controls.iter().chain(responses.iter()).chain([&dt]);
        let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
        let facts = [
            ("the checksum of the data", format!("{:016x}", checksum(&bytes))),
            ("[model]", json(&choice)),
            ("[solver]", json(&solver)),
            ("the loss", json(&loss)),
            ("the rows of the responses", json(&observed)),
            ("the fraction of the validation", fraction.to_string()),
        ];
        let controlled = Controlled { model, solver, dt, rows: rows - 1, observed };
        let data = (controls, responses, loss);
        let split = parts_by_fraction(samples, fraction, training.seed)?;
        let objectives = match precision {
            Precision::F32 => Objectives::F32(controlled.parts(data, &split)?),
            Precision::F64 => Objectives::F64(controlled.parts(data, &split)?),
        };
        Ok(Assembled {
            objectives,
            equation: controlled,
            training,
            checkpoints,
            facts: facts.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }
}

impl Controlled {
    fn nodes(&self) -> Vec<usize> {
        self.observed.iter().map(|row| row * self.solver.steps).collect()
    }

    /// Controls at the nodes of the solve, linear between rows.
    fn controls<T: Scalar>(&self, rows: &Array3<f64>) -> PyResult<Controls<T>> {
        let (samples, count, channels) = rows.dim();
        let nodes = (count - 1) * self.solver.steps + 1;
        let mut values = Array3::from_elem((samples, nodes, channels), T::narrow(f64::NAN));
        let steps = self.solver.steps;
        values.slice_mut(s![.., ..;steps, ..]).assign(&rows.mapv(T::narrow));
        Controls::new(values).map_err(|error| input(format!("controls: {error}")))
    }

    fn parts<T: Scalar>(
        &self,
        (controls, responses, loss): (&Array3<f64>, &Array3<f64>, Loss),
        split: &[Vec<usize>; 2],
    ) -> PyResult<Parts<T>>
    where
        Network: Layer<T>,
    {
        parts_of_samples(split, |samples| {
            let of = |values: &Array3<f64>| values.select(Axis(0), samples);
            let observed = of(responses).mapv(T::narrow);
            let windows = Windows::without_starts(&self.nodes(), observed)
                .map_err(|error| input(format!("y: {error}")))?;
            let solving = self.solver.over(self.rows, self.dt);
            let data = (self.controls(&of(controls))?, windows);
            let fit = CdeFit::new(self.model.clone(), solving, data, loss).map_err(of_model)?;
            Ok(Box::new(fit) as Box<dyn Objective<T> + Send + Sync>)
        })
    }

    /// Responses to controls, by sample, observed row and output.
    ///
    /// # Errors
    /// `InputError` for sizes that do not match, `SolverError` for a solve that fails.
    pub(super) fn respond<T: Scalar>(
        &self,
        theta: &[T],
        controls: &Array3<f64>,
    ) -> PyResult<Array3<f64>>
    where
        Network: Layer<T>,
    {
        let (_, rows, channels) = controls.dim();
        if rows != self.rows + 1 {
            return Err(input(format!("x has {rows} rows, expected {}", self.rows + 1)));
        }
        if channels != self.model.channels() {
            let expected = self.model.channels();
            return Err(input(format!("x has {channels} channels, expected {expected}")));
        }
        let controls = self.controls::<T>(controls)?;
        let solving = self.solver.over(self.rows, self.dt);
        let found = self.model.respond(theta, &controls, (&solving, &self.nodes()));
        Ok(found.map_err(of_objective)?.mapv(|x| x.widen()))
    }
}
