use super::{DenseOutput, Trajectory};
use crate::OdeError;
use crate::history::HistoryChoice;
use std::sync::atomic::AtomicBool;

/// What goes with a solve without changing the equation or the scheme.
///
/// ```
/// use hpfracc_ode::history::HistoryChoice;
/// use hpfracc_ode::{AdamsBashforthMoulton, Keep, Options, Problem, Steps, solve};
///
/// // A history of constant memory, and the last node alone.
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let options = Options {
///     history: HistoryChoice::Exponentials { tolerance: 1e-10 },
///     keep: Keep::Last,
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
    /// How the memory is summed.
    pub history: HistoryChoice,
    /// Which nodes become part of the solution.
    pub keep: Keep,
    /// Called after each node.
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
    /// Once true, the solve ends after the next node with
    /// [`Status::Cancelled`](super::Status::Cancelled).
    pub cancel: Option<&'a AtomicBool>,
    /// What looks at the nodes, in this order: events, values at given times.
    pub observers: Vec<&'a mut dyn Observer>,
}

/// What is called is left out.
impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { history, keep, cancel, .. } = self;
        let mut shown = f.debug_struct("Options");
        shown.field("history", history).field("keep", keep).field("cancel", cancel);
        shown.finish_non_exhaustive()
    }
}

/// Which nodes a [`Solution`](super::Solution) has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keep {
    /// All.
    #[default]
    Nodes,
    /// The last one; [`SaveAt`](super::SaveAt) adds values at chosen times. Observers then want a scheme
    /// that knows its last step without the nodes before: [`ProductTrapezoid`](super::ProductTrapezoid)
    /// and [`AdamsBashforthMoulton`](super::AdamsBashforthMoulton) on steps that are not uniform, or
    /// [`Collocation`](super::Collocation); others refuse with
    /// [`OdeError::NeedsAllNodes`](crate::OdeError::NeedsAllNodes).
    Last,
}

/// How far a solve is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The time of the last node.
    pub t: f64,
    /// Where the interval ends.
    pub t1: f64,
    /// Steps taken.
    pub steps: usize,
}

/// Something that looks at a solve from node to node and may end it.
pub trait Observer {
    /// Called after each node, the first at t0 included, which is the last of `trajectory`. Between
    /// it and the node before, `dense` has the solution; with [`Keep::Last`] there are no others.
    ///
    /// # Errors
    /// Whatever ends the solve as a failure.
    fn node(
        &mut self,
        trajectory: &Trajectory,
        dense: &dyn DenseOutput,
    ) -> Result<Verdict, OdeError>;

    /// Called if the solve is stopped at a time before the last node that this observer saw, or at it.
    fn ended_at(&mut self, t: f64) {
        let _ = t;
    }
}

/// What an observer thinks of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The solve goes on.
    Continue,
    /// It ends at this time: that of the last node, or one between it and the node before, and then
    /// the last node is replaced by the solution there. The earliest of several counts.
    StopAt(f64),
}
