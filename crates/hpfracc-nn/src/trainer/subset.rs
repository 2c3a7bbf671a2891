use super::{TrainerError, order_of_epoch};
use crate::{Batch, Block, Objective, Scalar, TrainingError};

/// Some samples of an objective as an objective of their own, to train with some and to judge by others.
///
/// Random numbers are those of the samples by their numbers in the whole.
#[derive(Debug, Clone)]
pub struct Subset<'a, O: ?Sized> {
    objective: &'a O,
    samples: Vec<usize>,
}

/// The numbers 0 to n - 1 in two parts at random, the second of which has `fraction` of them, rounded to
/// whole samples.
///
/// # Errors
/// [`TrainerError::Setting`] unless both parts have a sample.
pub fn split(n: usize, fraction: f64, seed: u64) -> Result<(Vec<usize>, Vec<usize>), TrainerError> {
    let second = (fraction * n as f64).round();
    if !(second >= 1.0 && second < n as f64) {
        let expected = format!("such that of {n} samples both parts have one");
        return Err(TrainerError::setting("the fraction to judge by", fraction, &expected));
    }
    let mut first = order_of_epoch(seed, u64::MAX, n);
    let mut second = first.split_off(n - second as usize);
    first.sort_unstable();
    second.sort_unstable();
    Ok((first, second))
}

impl<'a, O: ?Sized> Subset<'a, O> {
    /// The samples with these numbers.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for a number that no sample has.
    pub fn new<T: Scalar>(objective: &'a O, samples: Vec<usize>) -> Result<Self, TrainingError>
    where
        O: Objective<T>,
    {
        let expected = objective.samples();
        match samples.iter().find(|sample| **sample >= expected) {
            None => Ok(Self { objective, samples }),
            Some(&found) => {
                Err(TrainingError::Size { what: "a sample's number".to_owned(), found, expected })
            }
        }
    }

    fn numbers(&self, batch: Batch<'_>) -> Vec<usize> {
        batch.samples.iter().map(|sample| self.samples[*sample]).collect()
    }
}

impl<T: Scalar, O: Objective<T> + ?Sized> Objective<T> for Subset<'_, O> {
    fn blocks(&self) -> Vec<Block> {
        self.objective.blocks()
    }

    fn parameters(&self) -> usize {
        self.objective.parameters()
    }

    fn samples(&self) -> usize {
        self.samples.len()
    }

    fn initialise(&self, seed: u64, theta: &mut [T]) {
        self.objective.initialise(seed, theta);
    }

    fn loss(&self, theta: &[T], batch: Batch<'_>) -> Result<f64, TrainingError> {
        let samples = self.numbers(batch);
        self.objective.loss(theta, Batch { samples: &samples, ..batch })
    }

    fn gradient(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: &mut [T],
    ) -> Result<f64, TrainingError> {
        let samples = self.numbers(batch);
        self.objective.gradient(theta, Batch { samples: &samples, ..batch }, thetabar)
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>) -> Option<String> {
        let samples = self.numbers(batch);
        self.objective.culprit(theta, Batch { samples: &samples, ..batch })
    }
}
