//! Paths of a trained equation, in the units of the data.

use super::config::check_steps;
use super::failure::of_objective;
use super::parts::{at_least_one, check_numbers};
use super::problem::Equation;
use crate::errors::input;
use hpfracc::ndarray::{Array2, Array3, s};
use hpfracc::nn::models::PathLoss;
use hpfracc::nn::trainer::checksum;
use hpfracc::nn::{Layer, Loss, Network, Scalar};
use hpfracc::noise::{Normals, Purpose, Stream};
use pyo3::prelude::*;

/// Paths from given starts, or from a row of the data.
pub(super) struct Request {
    pub(super) starts: Option<Array2<f64>>,
    pub(super) row: Option<usize>,
    pub(super) rows: usize,
    pub(super) paths: usize,
    pub(super) seed: Option<u64>,
}

impl Request {
    /// Paths by start and path, row and component; those of a start follow each other.
    ///
    /// # Errors
    /// `InputError` for numbers outside their ranges, `SolverError` for a solve that fails.
    pub(super) fn run<T: Scalar>(
        &self,
        equation: &Equation,
        theta: &[T],
        seed_of_training: u64,
    ) -> PyResult<Array3<f64>>
    where
        Network: Layer<T>,
    {
        let (rows, paths) = (self.rows, self.paths);
        check_steps(&equation.solver, "rows", rows)?;
        at_least_one("paths", paths)?;
        let starts = self.standardised(equation)?;
        let components = starts.ncols();
        check_numbers("paths", &[starts.nrows(), paths, rows, components])?;
        let own = equation.model_parameters(theta)?;
        let solving = equation.solver.over(rows, equation.dt);
        let nodes: Vec<usize> = (1..=rows).map(|row| row * equation.solver.steps).collect();
        // Noise independent of that of training and validation.
        let seed = self.seed.unwrap_or_else(|| checksum(&seed_of_training.to_le_bytes()));
        let starts = starts.mapv(T::narrow);
        let simulated =
            equation.model.simulate(own, starts.view(), (&solving, &nodes), paths, seed);
        let mut values = simulated.map_err(of_objective)?.mapv(|x| x.widen());
        if let PathLoss::Each(Loss::GaussianLikelihood { floor }) = equation.loss.path_loss {
            let loss = theta.get(own.len()..).unwrap_or_default();
            let deviations: Vec<f64> =
                loss.iter().map(|log| log.widen().exp().hypot(floor)).collect();
            add_errors(&mut values, &deviations, seed);
        }
        let units = &equation.standardisation;
        for (i, (mean, deviation)) in units.mean.iter().zip(&units.deviation).enumerate() {
            values.slice_mut(s![.., .., i]).mapv_inplace(|x| mean + deviation * x);
        }
        Ok(values)
    }

    fn standardised(&self, equation: &Equation) -> PyResult<Array2<f64>> {
        let components = equation.values.ncols();
        if let Some(row) = self.row {
            let start = equation.values.row(row.min(equation.values.nrows() - 1));
            if let Some(component) = start.iter().position(|x| !x.is_finite()) {
                let message = format!("component {component} of row {row} is missing");
                return Err(input(format!("{message}: a forecast starts from a complete row")));
            }
            return Ok(Array2::from_shape_fn((1, components), |(_, i)| start[i]));
        }
        let Some(mut starts) = self.starts.clone() else {
            return Err(input("y0 is missing"));
        };
        if starts.ncols() != components {
            let found = starts.ncols();
            return Err(input(format!("y0 has {found} components, expected {components}")));
        }
        if let Some(value) = starts.iter().find(|value| !value.is_finite()) {
            return Err(input(format!("y0 has the value {value}, expected finite numbers")));
        }
        if let Some(values) = starts.as_slice_mut() {
            equation.standardisation.apply(values);
        }
        Ok(starts)
    }
}

impl Equation {
    /// The parameters of the model, without those of the loss.
    fn model_parameters<'a, T>(&self, theta: &'a [T]) -> PyResult<&'a [T]> {
        let own = self.model.parameters();
        theta.get(..own).ok_or_else(|| {
            input(format!("parameters has {} numbers, expected at least {own}", theta.len()))
        })
    }
}

/// Adds observation errors with the learned standard deviations.
fn add_errors(paths: &mut Array3<f64>, deviations: &[f64], seed: u64) {
    let normals = Normals::new(seed);
    for ((path, row, component), x) in paths.indexed_iter_mut() {
        // Streams other than those of the Brownian motion of the paths.
        let stream = Stream::new(Purpose::Parameters, component as u32);
        if let (Some(stream), Some(deviation)) = (stream, deviations.get(component)) {
            *x += deviation * normals.at::<f64>(stream, path as u64, row as u32);
        }
    }
}
