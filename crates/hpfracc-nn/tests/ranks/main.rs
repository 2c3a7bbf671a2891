//! Losses, gradients and trainings over ranks have the bits of one process.

mod models;
mod supervised;
mod trainings;

use hpfracc_communicator::{Communicator, Metered, Ranks, run_threads};
use hpfracc_nn::{Activation, Batch, Network, Objective, Scalar, TrainingError};

/// Numbers of ranks of all comparisons.
pub(crate) const SIZES: [usize; 5] = [1, 2, 3, 4, 7];

pub(crate) fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

/// Numbers that look random, in (-1, 1).
pub(crate) fn number(i: usize) -> f64 {
    (i as f64 * 12.9898 + 4.1).sin() * 0.9
}

pub(crate) fn parameters<T: Scalar>(objective: &dyn Objective<T>) -> Vec<T> {
    let mut theta = vec![T::zero(); objective.parameters()];
    objective.initialise(2, &mut theta);
    theta
}

pub(crate) fn bits<T: Scalar>(numbers: &[T]) -> Vec<u64> {
    numbers.iter().map(|x| x.widen().to_bits()).collect()
}

/// Bits of the loss in training, of the gradient and of the loss in evaluation.
type Bits = (u64, Vec<u64>, u64);

fn evaluated<T: Scalar>(
    objective: &dyn Objective<T>,
    samples: &[usize],
    ranks: Ranks<'_>,
) -> Result<Bits, TrainingError> {
    let theta = parameters(objective);
    let batch = Batch { scale: 4.0, ranks, ..Batch::new(samples, 3) };
    let mut gradient = vec![T::NAN; theta.len()];
    let loss = objective.gradient(&theta, batch, &mut gradient)?;
    let judged = objective.loss(&theta, batch)?;
    Ok((loss.to_bits(), bits(&gradient), judged.to_bits()))
}

/// Compares each rank of all numbers of ranks with one process.
pub(crate) fn same_bits<T: Scalar>(name: &str, objective: &dyn Objective<T>, samples: &[usize]) {
    let alone = evaluated(objective, samples, Ranks::ALONE).unwrap();
    assert!(f64::from_bits(alone.0).is_finite());
    let zero = alone.1.iter().filter(|g| f64::from_bits(**g) == 0.0).count();
    assert!(2 * zero <= alone.1.len(), "{name}: {zero} of {} are 0", alone.1.len());
    for size in SIZES {
        let found = run_threads(size, |ranks| evaluated(objective, samples, ranks.into()));
        for (rank, found) in found.unwrap().iter().enumerate() {
            assert!(*found == alone, "{name}: rank {rank} of {size}");
        }
    }
}

/// The largest number of bytes that a rank sends for a gradient, over the bytes of the gradient.
pub(crate) fn sent<T: Scalar>(objective: &dyn Objective<T>, samples: &[usize], size: usize) -> f64 {
    let theta = parameters(objective);
    let bytes = run_threads(size, |ranks| -> Result<_, TrainingError> {
        let metered = Metered::new(ranks);
        let batch = Batch { ranks: (&metered).into(), ..Batch::new(samples, 3) };
        objective.gradient(&theta, batch, &mut theta.clone())?;
        Ok(metered.traffic().bytes)
    });
    let most = bytes.unwrap().into_iter().max().unwrap();
    most as f64 / (theta.len() * size_of::<T>()) as f64
}

/// Messages of the errors of all ranks, in their order.
pub(crate) fn errors<R, E: ToString + Send>(
    size: usize,
    run: impl Fn(Ranks<'_>) -> Result<R, E> + Sync,
) -> Vec<String> {
    let found = run_threads(size, |ranks| -> Result<_, TrainingError> {
        let communicator: &dyn Communicator = ranks;
        Ok(run(communicator.into()).err().map(|error| error.to_string()))
    });
    found.unwrap().into_iter().map(|error| error.expect("an error on each rank")).collect()
}
