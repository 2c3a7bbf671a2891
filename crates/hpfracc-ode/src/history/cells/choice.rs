use super::direct::DirectSums;
use super::growing::{EXPONENTIALS_FROM, GrowingMemory};
use super::memory::{CellMemory, OrderGroup, moments_by_order};
use super::pieces::Pieces;
use super::sum_of_exponentials::{LARGEST_RATIO, SumOfExponentialsMemory};
use crate::history::HistoryChoice;
use crate::history::choice::checked_tolerance;
use crate::history::work::SMALLEST_TOLERANCE;
use crate::{OdeError, Problem, System};

/// Size of a mesh as far as it is known in advance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshExtent<'a> {
    /// Nodes; None for adaptive steps.
    pub(crate) nodes: Option<&'a [f64]>,
    /// Length of the shortest step; a lower bound for adaptive steps.
    pub(crate) min_step: f64,
    /// Relative error of the weights that is negligible next to the error of the steps, if the
    /// steps have a tolerance.
    pub(crate) negligible: Option<f64>,
}

/// Builds the memory on a mesh for a choice of history.
pub(crate) fn cell_memory(
    choice: HistoryChoice,
    problem: &Problem<dyn System + '_>,
    extent: MeshExtent<'_>,
) -> Result<Box<dyn CellMemory>, OdeError> {
    let (groups, dim) = (moments_by_order(problem), problem.dim());
    let nodes = extent.nodes.unwrap_or_default();
    let span = problem.t1() - problem.t0();
    // Adaptive steps may be shorter than the exponentials resolve until these replace the sums.
    let shortest = match extent.nodes {
        Some(_) => extent.min_step,
        None => extent.min_step.max(2.0 / LARGEST_RATIO * span),
    };
    let known = (shortest, span, nodes);
    let tolerance = match (choice, extent.negligible) {
        (HistoryChoice::Direct, _) | (HistoryChoice::Exact, None) => None,
        (HistoryChoice::Blocked, _) => return Err(OdeError::UnequalSteps),
        (HistoryChoice::Exponentials { tolerance }, _) => {
            return Ok(Box::new(exponentials(&groups, known, tolerance)?));
        }
        (HistoryChoice::SingleExponentials { tolerance }, _) => {
            let memory =
                SumOfExponentialsMemory::<f32>::new(Pieces::Linear, &groups, known, tolerance)?;
            return Ok(Box::new(memory));
        }
        (HistoryChoice::Within { tolerance }, _) => Some(checked_tolerance(tolerance)?),
        (HistoryChoice::Exact, Some(negligible)) => Some(negligible),
    };
    let worthwhile = extent.nodes.is_none_or(|nodes| nodes.len() >= EXPONENTIALS_FROM)
        && span / shortest <= LARGEST_RATIO
        && problem.orders().iter().all(|alpha| *alpha <= 2.0);
    let Some(tolerance) = tolerance.filter(|t| worthwhile && *t >= SMALLEST_TOLERANCE) else {
        return Ok(Box::new(DirectSums::new(groups, dim, nodes.len())));
    };
    Ok(match extent.nodes {
        Some(_) => Box::new(exponentials(&groups, known, tolerance)?),
        None => {
            let direct = DirectSums::new(groups.clone(), dim, EXPONENTIALS_FROM);
            let make = move || exponentials(&groups, (shortest, span, &[]), tolerance).ok();
            Box::new(GrowingMemory::new(direct, shortest, Box::new(make)))
        }
    })
}

/// Exponentials for a function that is linear in each cell.
fn exponentials(
    groups: &[OrderGroup],
    extent: (f64, f64, &[f64]),
    tolerance: f64,
) -> Result<SumOfExponentialsMemory, OdeError> {
    SumOfExponentialsMemory::new(Pieces::Linear, groups, extent, tolerance)
}
