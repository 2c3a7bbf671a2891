use crate::history::{History, HistoryChoice, Kernel};
use crate::{Observer, OdeError, SaveNodes};
use hpfracc_backend::Autotuner;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Options of a solve: history, autotuner, stored nodes, progress, cancellation, observers.
///
/// ```
/// use hpfracc_ode::history::HistoryChoice;
/// use hpfracc_ode::{AdamsBashforthMoulton, SaveNodes, Options, Problem, Steps, solve};
///
/// // A history of constant memory; only the last node is stored.
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let options = Options {
///     history: HistoryChoice::Exponentials { tolerance: 1e-10 },
///     save_nodes: SaveNodes::Last,
///     ..Options::default()
/// };
/// let scheme = AdamsBashforthMoulton::default();
/// let solution = solve(&problem, &scheme, &Steps::Uniform(5000), options)?;
/// assert_eq!(solution.times(), [1.0]);
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Options<'a> {
    /// Algorithm for the sum over the history.
    pub history: HistoryChoice,
    /// Autotuner that learns which algorithm is fastest for a size of solve, such as the `Machine`
    /// of the facade or its experience. Used for [`HistoryChoice::Exact`] and
    /// [`HistoryChoice::Within`] on uniform steps, from some 60 microseconds of sums on: it
    /// chooses the algorithm, and a solve that reaches its end records the time of its sums.
    /// Results of several solves then agree within rounding, or within the tolerance, but not to
    /// the bit. None: thresholds measured on one machine.
    pub autotuner: Option<Arc<dyn Autotuner>>,
    /// Nodes that the solution stores.
    pub save_nodes: SaveNodes,
    /// Largest number of attempts of an adaptive scheme, accepted and rejected steps together, at
    /// least 1: a solve that needs more ends with
    /// [`OdeError::TooManySteps`](crate::OdeError::TooManySteps) and the partial solution. None: a
    /// million, or 50 000 where the time of a step grows with the number of steps before it
    /// ([`Collocation`](crate::Collocation), and histories on a mesh that are summed directly), so
    /// that a solve of one component ends within a minute or so. Fixed steps have no limit.
    pub max_steps: Option<usize>,
    /// Called after each node.
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
    /// When set to true, the solve ends after the next node with
    /// [`Status::Cancelled`](crate::Status::Cancelled).
    pub cancel: Option<&'a AtomicBool>,
    /// Observers, called in this order: events, values at requested times.
    pub observers: Vec<&'a mut dyn Observer>,
}

impl Options<'_> {
    /// Builds the history of a scheme: `capacity` samples of `dim` components.
    ///
    /// # Errors
    /// Those of [`HistoryChoice::build`].
    pub fn build_history(
        &self,
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
    ) -> Result<Box<dyn History>, OdeError> {
        self.history.build_tuned(kernels, (dim, capacity), self.autotuner.as_ref())
    }

    /// The same history and autotuner alone.
    pub(crate) fn of_history(&self) -> Options<'static> {
        let autotuner = self.autotuner.clone();
        Options { history: self.history, autotuner, ..Options::default() }
    }

    /// Options for histories whose weights are tables, which have no sum of exponentials.
    pub(crate) fn exact(&self) -> Options<'static> {
        Options { history: self.history.exact(), ..self.of_history() }
    }
}

debug_fields!(Options<'a> { history, save_nodes, max_steps, cancel });

/// Progress of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time of the last node.
    pub t: f64,
    /// End of the interval.
    pub t1: f64,
    /// Number of steps taken.
    pub steps: usize,
}
