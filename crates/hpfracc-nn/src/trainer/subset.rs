use super::{TrainerError, order_of_epoch};
use crate::checks::in_range;
use crate::{
    Batch, LossResult, Objective, OrderEstimate, ParameterBlock, Pass, Scalar, SizeMismatch,
    TrainingError,
};
use std::ops::Range;
use std::sync::Mutex;

/// A subset of the samples of an objective, as an objective: for training and validation sets.
///
/// Random numbers depend on the positions in a batch, as for all objectives.
#[derive(Debug)]
pub struct Subset<'a, O: ?Sized> {
    objective: &'a O,
    samples: Vec<usize>,
    /// Indices of the current batch, reused to avoid allocations at each step.
    numbers: Mutex<Vec<usize>>,
}

/// Splits the indices 0 to n - 1 at random into a training set and a held-out set with `fraction`
/// of them, rounded to whole samples.
///
/// # Errors
/// [`TrainerError::OutOfRange`] unless both sets have a sample.
pub fn split(n: usize, fraction: f64, seed: u64) -> Result<(Vec<usize>, Vec<usize>), TrainerError> {
    let second = (fraction * n as f64).round();
    let expected = format_args!("such that of {n} samples both parts have one");
    let holds = second >= 1.0 && second < n as f64;
    in_range(holds, "the fraction to judge by", fraction, expected)?;
    let mut first = order_of_epoch(seed, u64::MAX, n);
    let mut second = first.split_off(n - second as usize);
    first.sort_unstable();
    second.sort_unstable();
    Ok((first, second))
}

impl<'a, O: ?Sized> Subset<'a, O> {
    /// The samples with these indices.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for an index out of range.
    pub fn new<T: Scalar>(objective: &'a O, samples: Vec<usize>) -> Result<Self, TrainingError>
    where
        O: Objective<T>,
    {
        let expected = objective.samples();
        if let Some(&found) = samples.iter().find(|sample| **sample >= expected) {
            let what = "a sample's number".to_owned();
            return Err(SizeMismatch { what, found, expected }.into());
        }
        Ok(Self { objective, samples, numbers: Mutex::default() })
    }

    /// Evaluates with the indices of a batch's samples in the whole objective.
    fn in_whole<R>(&self, batch: Batch<'_>, ask: impl FnOnce(Batch<'_>) -> R) -> R {
        // A concurrent evaluation on another thread uses its own memory.
        let (mut own, mut new) = (self.numbers.try_lock(), Vec::new());
        let numbers = own.as_deref_mut().unwrap_or(&mut new);
        numbers.clear();
        numbers.extend(batch.samples.iter().map(|sample| self.samples[*sample]));
        ask(Batch { samples: numbers, ..batch })
    }
}

impl<T: Scalar, O: Objective<T> + ?Sized> Objective<T> for Subset<'_, O> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.objective.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.objective.parameters()
    }

    fn initialise(&self, seed: u64, theta: &mut [T]) {
        self.objective.initialise(seed, theta);
    }

    fn samples(&self) -> usize {
        self.samples.len()
    }

    fn orders(&self) -> Range<usize> {
        self.objective.orders()
    }

    fn estimate_orders(
        &self,
        samples: &[usize],
        theta: &mut [T],
    ) -> Result<Vec<OrderEstimate>, TrainingError> {
        let all = |batch: Batch<'_>| self.objective.estimate_orders(batch.samples, theta);
        self.in_whole(Batch::new(samples, 0), all)
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        self.in_whole(batch, |batch| self.objective.evaluate(theta, batch, thetabar))
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        self.in_whole(batch, |batch| self.objective.culprit(theta, batch, pass))
    }
}
