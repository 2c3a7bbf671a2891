//! Objectives of a training and its held-out part, and the checks that all trainings share.

use crate::errors::{Kind, input};
use hpfracc::nn::models::settings::{CheckpointSettings, SolverSettings};
use hpfracc::nn::trainer::{Training, split};
use hpfracc::nn::{Objective, Scalar};
use hpfracc::types::check_memory;
use pyo3::prelude::*;

/// Objectives of a training in a precision; `samples` are those of it that are trained.
pub(super) struct Parts<T: Scalar> {
    pub(super) training: Box<dyn Objective<T> + Send + Sync>,
    pub(super) validation: Option<Box<dyn Objective<T> + Send + Sync>>,
}

pub(super) enum Objectives {
    F32(Parts<f32>),
    F64(Parts<f64>),
}

/// Runs an expression with the objectives of either precision.
macro_rules! with_parts {
    ($objectives:expr, $parts:ident => $body:expr) => {
        match $objectives {
            $crate::training::parts::Objectives::F32($parts) => $body,
            $crate::training::parts::Objectives::F64($parts) => $body,
        }
    };
}
pub(super) use with_parts;

/// A training of an equation.
pub(super) struct Assembled<E> {
    pub(super) objectives: Objectives,
    pub(super) equation: E,
    pub(super) training: Training,
    pub(super) checkpoints: CheckpointSettings,
    /// Inputs that determine the result besides the settings of the training.
    pub(super) facts: Vec<(String, String)>,
}

/// Samples that are trained, and those held out: a fraction that the seed draws.
///
/// # Errors
/// `InputError` for a fraction that leaves one of them empty.
pub(super) fn parts_by_fraction(
    samples: usize,
    fraction: f64,
    seed: u64,
) -> PyResult<[Vec<usize>; 2]> {
    if fraction == 0.0 {
        return Ok([(0..samples).collect(), Vec::new()]);
    }
    let parts = split(samples, fraction, seed);
    parts.map(Into::into).map_err(|error| input(format!("validation: {error}")))
}

/// Objectives of the trained and of the held-out samples.
pub(super) fn parts_of_samples<T: Scalar>(
    [first, second]: &[Vec<usize>; 2],
    part: impl Fn(&[usize]) -> PyResult<Box<dyn Objective<T> + Send + Sync>>,
) -> PyResult<Parts<T>> {
    let validation = if second.is_empty() { None } else { Some(part(second)?) };
    Ok(Parts { training: part(first)?, validation })
}

pub(super) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).map_or_else(|error| error.to_string(), |value| value.to_string())
}

/// Sizes of the solves of a batch.
pub(super) struct BatchMemory {
    pub(super) parameters: usize,
    pub(super) samples: usize,
    pub(super) steps: f64,
    /// Numbers of the states of a sample.
    pub(super) numbers: f64,
}

/// Checks the memory of the training: the parameters with their gradient, the states of the optimiser, the best ones
/// and a checkpoint; and the states of a batch.
pub(super) fn require_memory(
    memory: &BatchMemory,
    solver: &SolverSettings,
    scalar: u64,
) -> PyResult<()> {
    let &BatchMemory { parameters, samples, steps, numbers } = memory;
    let require = |what: String, bytes: f64| {
        let refused = |error| Kind::Memory.error(format!("{what}: {error}"));
        check_memory(bytes / 8.0).map_err(refused)
    };
    require(format!("training {parameters} parameters"), 12.0 * scalar as f64 * parameters as f64)?;
    let bytes = (scalar + solver.bytes_of_state(scalar)) as f64;
    require(
        format!("a batch of {samples} samples of {steps} steps"),
        samples as f64 * numbers * bytes,
    )
}

/// # Errors
/// `InputError` for a step that is not positive and finite.
pub(super) fn check_dt(dt: f64) -> PyResult<()> {
    if dt > 0.0 && dt.is_finite() {
        return Ok(());
    }
    Err(input(format!("dt is {dt}, expected a finite number above 0")))
}

/// Checks a seed-like count.
pub(super) fn at_least_one(name: &str, count: usize) -> PyResult<()> {
    if count > 0 { Ok(()) } else { Err(input(format!("{name} is 0, expected at least 1"))) }
}

/// Checks that a product of sizes is at most 2^32.
pub(super) fn check_numbers(name: &str, sizes: &[usize]) -> PyResult<()> {
    let numbers = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    if numbers.is_some_and(|numbers| numbers as u64 <= 1 << 32) {
        return check_memory(3.0 * numbers.unwrap_or(0) as f64)
            .map_err(|error| Kind::Memory.error(format!("{name}: {error}")));
    }
    Err(input(format!("{name}: {sizes:?} make more than 2^32 numbers")))
}
