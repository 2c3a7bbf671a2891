//! Latent stochastic equations on sequences.

use super::config::{Precision, Tables, check_steps, training};
use super::failure::{of_model, of_objective};
use super::parts::{
    Assembled, BatchMemory, Objectives, Parts, at_least_one, check_dt, check_numbers, json,
    parts_by_fraction, parts_of_samples, require_memory,
};
use crate::errors::input;
use hpfracc::ndarray::{Array3, Axis, s};
use hpfracc::nn::models::settings::{
    CheckpointSettings, LatentLossSettings, LatentSettings, SolverSettings,
};
use hpfracc::nn::models::{LatentFit, LatentFractionalSde, Solving, Windows};
use hpfracc::nn::trainer::{Standardisation, checksum};
use hpfracc::nn::{Batch, Layer, Loss, Network, Objective, Scalar};
use pyo3::prelude::*;

/// A latent equation with its solver and the units of its data.
pub(super) struct Latent {
    pub(super) model: LatentFractionalSde,
    solver: SolverSettings,
    loss: LatentLossSettings,
    dt: f64,
    /// Rows of a sequence.
    rows: usize,
    pub(super) standardisation: Standardisation,
}

/// Means of observations by path, row and component, and their standard deviations, if the loss has learned them.
pub(super) type Observations = (Array3<f64>, Option<Array3<f64>>);

impl Latent {
    /// A latent equation on sequences by sample, row and component: those from `held_out` on are held out, or a
    /// fraction that is drawn.
    pub(super) fn assembled(
        text: &str,
        mut sequences: Array3<f64>,
        held_out: Option<usize>,
        dt: f64,
    ) -> PyResult<Assembled<Self>> {
        let mut tables = Tables::read(text)?;
        let precision: Precision = tables.take_or_default("precision")?;
        let choice: LatentSettings = tables.take("model")?;
        let solver: SolverSettings = tables.take_or_default("solver")?;
        let loss: LatentLossSettings = tables.take_or_default("loss")?;
        let fraction: f64 = tables.take_or_default("validation")?;
        let checkpoints: CheckpointSettings = tables.take_or_default("checkpoints")?;
        let training = training(&mut tables, Some(&solver))?;
        let (samples, rows, components) = sequences.dim();
        check_steps(&solver, "the number of rows after the first", rows - 1)?;
        check_dt(dt)?;
        if loss.observation == Loss::CrossEntropy {
            return Err(input(
                "loss: observation is cross-entropy, of probabilities, which are not standardised; expected \
                 gaussian-likelihood, mean-square, mean-absolute or huber",
            ));
        }
        let split = match held_out {
            Some(first) => [(0..first).collect(), (first..samples).collect()],
            None => parts_by_fraction(samples, fraction, training.seed)?,
        };
        let standardisation = standardised(&mut sequences, &split[0])?;
        let model = choice.equation(rows * components, loss.observation.predictions(components));
        let model = model.map_err(|error| input(format!("model: {error}")))?;
        let steps = (rows - 1) as f64 * solver.steps as f64;
        let state = (model.latent() + model.context() + 1) as f64;
        let memory = BatchMemory {
            parameters: model.parameters(),
            samples: training.batch.min(samples),
            steps,
            numbers: steps * state * loss.paths as f64,
        };
        require_memory(&memory, &solver, precision.bytes())?;
        let numbers = sequences.iter().chain([&dt]);
        let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
        let facts = [
            ("the checksum of the data", format!("{:016x}", checksum(&bytes))),
            ("[model]", json(&choice)),
            ("[solver]", json(&solver)),
            ("[loss]", json(&loss)),
            ("the number of held-out sequences", split[1].len().to_string()),
        ];
        let latent = Latent { model, solver, loss, dt, rows, standardisation };
        let objectives = match precision {
            Precision::F32 => Objectives::F32(latent.parts(&sequences, &split)?),
            Precision::F64 => Objectives::F64(latent.parts(&sequences, &split)?),
        };
        Ok(Assembled {
            objectives,
            equation: latent,
            training,
            checkpoints,
            facts: facts.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }
}

/// Standardises sequences by the moments of the trained ones.
fn standardised(sequences: &mut Array3<f64>, trained: &[usize]) -> PyResult<Standardisation> {
    let components = sequences.dim().2;
    let own: Vec<f64> = sequences.select(Axis(0), trained).into_iter().collect();
    let units = Standardisation::of(&own, components);
    let units = units.map_err(|error| input(format!("data: {error}")))?;
    let all = sequences.as_slice_mut().ok_or_else(|| input("data are not in rows"))?;
    units.apply(all);
    Ok(units)
}

impl Latent {
    fn nodes(&self, rows: usize) -> Vec<usize> {
        (0..rows).map(|row| row * self.solver.steps).collect()
    }

    fn solving(&self, rows: usize) -> Solving {
        self.solver.over(rows - 1, self.dt)
    }

    fn fit<T: Scalar>(&self, sequences: Array3<T>, paths: usize) -> PyResult<LatentFit<T>>
    where
        Network: Layer<T>,
    {
        let windows = Windows::without_starts(&self.nodes(self.rows), sequences)
            .map_err(|error| input(format!("data: {error}")))?;
        let (model, solving) = (self.model.clone(), self.solving(self.rows));
        let mut fit = LatentFit::new(model, solving, windows, self.loss.observation, paths)
            .map_err(of_model)?;
        fit.set_kl_weight(self.loss.kl_weight).map_err(of_model)?;
        Ok(fit)
    }

    fn parts<T: Scalar>(
        &self,
        sequences: &Array3<f64>,
        split: &[Vec<usize>; 2],
    ) -> PyResult<Parts<T>>
    where
        Network: Layer<T>,
    {
        parts_of_samples(split, |samples| {
            let own = sequences.select(Axis(0), samples).mapv(T::narrow);
            let fit = self.fit(own, self.loss.paths)?;
            Ok(Box::new(fit) as Box<dyn Objective<T> + Send + Sync>)
        })
    }

    /// Decoded paths of the posterior of each sequence; those of a sequence follow each other.
    ///
    /// # Errors
    /// `InputError` for sizes that do not match, `SolverError` for a solve that fails.
    pub(super) fn reconstruct<T: Scalar>(
        &self,
        theta: &[T],
        mut sequences: Array3<f64>,
        paths: usize,
        seed: u64,
    ) -> PyResult<Observations>
    where
        Network: Layer<T>,
    {
        let (samples, rows, components) = sequences.dim();
        let expected = (self.rows, self.standardisation.mean.len());
        if (rows, components) != expected {
            let (found, expected) =
                ((samples, rows, components), (samples, expected.0, expected.1));
            return Err(input(format!("x has the shape {found:?}, expected {expected:?}")));
        }
        at_least_one("paths", paths)?;
        check_numbers("paths", &[samples, paths, rows, components])?;
        if let Some(values) = sequences.as_slice_mut() {
            self.standardisation.apply(values);
        }
        let fit = self.fit(sequences.mapv(T::narrow), paths)?;
        let all: Vec<usize> = (0..samples).collect();
        let decoded = fit.reconstruct(theta, Batch::new(&all, seed)).map_err(of_objective)?;
        Ok(self.in_units(&decoded))
    }

    /// Decoded paths of the prior.
    ///
    /// # Errors
    /// `InputError` for numbers outside their ranges, `SolverError` for a solve that fails.
    pub(super) fn sample<T: Scalar>(
        &self,
        theta: &[T],
        rows: usize,
        paths: usize,
        seed: u64,
    ) -> PyResult<Observations>
    where
        Network: Layer<T>,
    {
        at_least_one("paths", paths)?;
        if rows < 2 {
            return Err(input(format!("rows is {rows}, expected at least 2")));
        }
        check_steps(&self.solver, "rows", rows - 1)?;
        check_numbers("paths", &[paths, rows, self.standardisation.mean.len()])?;
        let (solving, nodes) = (self.solving(rows), self.nodes(rows));
        let decoded = self.model.simulate(theta, (&solving, &nodes), paths, seed);
        Ok(self.in_units(&decoded.map_err(of_objective)?))
    }

    fn in_units<T: Scalar>(&self, decoded: &Array3<T>) -> Observations {
        let Standardisation { mean, deviation } = &self.standardisation;
        let components = mean.len();
        let mut means = decoded.slice(s![.., .., ..components]).mapv(|x| x.widen());
        for (i, (mean, deviation)) in mean.iter().zip(deviation).enumerate() {
            means.slice_mut(s![.., .., i]).mapv_inplace(|x| mean + deviation * x);
        }
        let Loss::GaussianLikelihood { floor } = self.loss.observation else {
            return (means, None);
        };
        let logarithms = decoded.slice(s![.., .., components..]);
        let mut deviations = logarithms.mapv(|log| log.widen().exp().hypot(floor));
        for (i, deviation) in deviation.iter().enumerate() {
            deviations.slice_mut(s![.., .., i]).mapv_inplace(|x| deviation * x);
        }
        (means, Some(deviations))
    }
}
