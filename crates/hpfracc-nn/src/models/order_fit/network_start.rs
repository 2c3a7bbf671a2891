//! The network at the start of a training: one that has learned the drift of the estimate.

use crate::{
    Adam, Batch, Layer, Loss, Objective, Optimiser, Scalar, Schedule, Supervised, Targets,
    TrainingError,
};
use ndarray::Array2;

/// Steps of the fit.
const STEPS: u64 = 600;

/// Fits a network to values of a drift at points, by steps with all points at once: cheap beside a
/// training, as no equation is solved. If a step fails, the parameters remain as they were before.
pub(in super::super) fn fit_network<T: Scalar, L: Layer<T>>(
    network: &L,
    points: Array2<T>,
    drift: Array2<T>,
    theta: &mut [T],
) -> Result<(), TrainingError> {
    let all: Vec<usize> = (0..points.nrows()).collect();
    let objective = Supervised::new(network, points, Targets::Values(drift, Loss::MeanSquare))?;
    let schedule = Schedule::Cosine { from: 0.02, to: 1e-4, steps: STEPS };
    let Ok(mut optimiser) = Optimiser::Adam(Adam::default()).state(theta.len()) else {
        return Ok(());
    };
    let mut gradient = vec![T::zero(); theta.len()];
    for step in 0..STEPS {
        objective.gradient(theta, Batch::new(&all, step), &mut gradient)?;
        if optimiser.step(schedule.rate(step), theta, &gradient).is_err() {
            break;
        }
    }
    Ok(())
}
