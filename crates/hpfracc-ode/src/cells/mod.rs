//! The memory of a function that is linear between any nodes.

mod direct;
mod exponentials;
mod growing;
mod moments;

pub(super) use direct::add_cells;
pub(super) use exponentials::Exponentials;
pub(super) use moments::Moments;

use super::{Problem, System};
use crate::OdeError;
use crate::history::HistoryChoice;
use direct::Direct;
use growing::{Growing, Later};

/// The integral of all that is known, at times beyond it.
///
/// ```text
/// 1/Gamma(alpha) int_t0^t_n (t-s)^(alpha-1) f(s) ds,   t >= t_n, f linear between the nodes up to t_n
/// ```
///
/// Asking changes nothing, so that a step can be tried and rejected.
pub(super) trait CellMemory: Send + Sync {
    /// One more node, with f there.
    fn push(&mut self, t: f64, f: &[f64]);

    /// Adds the integral at t to the components of `out`.
    fn add_into(&self, t: f64, out: &mut [f64]);
}

/// The orders without repetition, each with its components.
pub(super) fn by_order(orders: &[f64], dim: usize) -> Vec<(f64, Vec<usize>)> {
    let mut found: Vec<(f64, Vec<usize>)> = Vec::new();
    for component in 0..dim {
        let alpha = orders[component.min(orders.len() - 1)];
        match found.iter_mut().find(|(order, _)| *order == alpha) {
            Some((_, components)) => components.push(component),
            None => found.push((alpha, vec![component])),
        }
    }
    found
}

/// What is known of the nodes in advance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The number of nodes, if that is known.
    pub(super) nodes: Option<usize>,
    /// The shortest step.
    pub(super) shortest: f64,
    /// The weights' error that goes unnoticed beside that of the steps, if there is one.
    pub(super) unnoticed: Option<f64>,
}

/// Sums over fewer cells are less work than the search for exponentials, of some 5 to 20 ms.
const EXPONENTIALS_FROM: usize = 1000;

/// What sums of exponentials can be asked for.
const SMALLEST_TOLERANCE: f64 = 1e-13;
const LARGEST_RATIO: f64 = 1e15;

/// The memory that a choice means on such nodes.
pub(super) fn memory(
    choice: HistoryChoice,
    problem: &Problem<dyn System + '_>,
    extent: Extent,
) -> Result<Box<dyn CellMemory>, OdeError> {
    let (orders, dim) = (problem.orders(), problem.dim());
    let span = problem.t1() - problem.t0();
    let tolerance = match (choice, extent.unnoticed) {
        (HistoryChoice::Direct, _) | (HistoryChoice::Exact, None) => None,
        (HistoryChoice::Blocked, _) => return Err(OdeError::UnequalSteps),
        (HistoryChoice::Exponentials { tolerance }, _) => {
            return Ok(Box::new(Exponentials::new(
                orders,
                dim,
                (extent.shortest, span),
                tolerance,
            )?));
        }
        (HistoryChoice::Within { tolerance }, _) if !(tolerance > 0.0 && tolerance.is_finite()) => {
            let (what, expected) = ("the tolerance of a history", "a positive finite number");
            return Err(OdeError::OutOfRange { what, value: tolerance, expected });
        }
        (HistoryChoice::Within { tolerance }, _) => Some(tolerance.min(0.1)),
        (HistoryChoice::Exact, Some(unnoticed)) => Some(unnoticed),
    };
    let worth = extent.nodes.is_none_or(|nodes| nodes >= EXPONENTIALS_FROM)
        && span / extent.shortest <= LARGEST_RATIO
        && orders.iter().all(|alpha| *alpha <= 2.0);
    let Some(tolerance) = tolerance.filter(|t| worth && *t >= SMALLEST_TOLERANCE) else {
        return Ok(Box::new(Direct::new(orders, dim, extent.nodes.unwrap_or(0))));
    };
    let interval = (extent.shortest, span);
    Ok(match extent.nodes {
        Some(_) => Box::new(Exponentials::new(orders, dim, interval, tolerance)?),
        None => Box::new(Growing::new(Later {
            orders: orders.to_vec(),
            dim,
            extent: interval,
            tolerance,
            from: EXPONENTIALS_FROM,
        })),
    })
}
