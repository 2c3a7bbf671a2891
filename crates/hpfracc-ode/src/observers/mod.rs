//! Observers of a solve: event location and values at requested times.

mod bracketing;
mod event_location;
mod save_at;

pub use event_location::{Event, EventHit};
pub use save_at::SaveAt;

use crate::{DenseOutput, OdeError, Trajectory};

/// Callback that sees each node of a solve and can stop it.
pub trait Observer {
    /// Called after each node, including the first at t0; the node is the last of `trajectory`.
    /// `dense` is the dense output between the last two nodes; with
    /// [`SaveNodes::Last`](crate::SaveNodes::Last) there are no others.
    ///
    /// # Errors
    /// An error ends the solve as a failure.
    fn node(
        &mut self,
        trajectory: &Trajectory,
        dense: &dyn DenseOutput,
    ) -> Result<ObserverAction, OdeError>;

    /// Called if the solve is stopped at a time t, at or before the last node that this observer
    /// saw.
    fn ended_at(&mut self, t: f64) {
        let _ = t;
    }

    /// Assigns the new state of a jump that this observer requested, in place of the state before.
    fn jump(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }

    /// Called after a jump that any observer requested: the last two nodes are those before and after
    /// it, at the same time, and what was seen of later times is void.
    ///
    /// # Errors
    /// An error ends the solve as a failure.
    fn jumped(&mut self, trajectory: &Trajectory) -> Result<(), OdeError> {
        self.ended_at(trajectory.times()[trajectory.times().len() - 1]);
        Ok(())
    }
}

/// Action that an observer requests after a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ObserverAction {
    /// Continue.
    Continue,
    /// Stop at this time, that of the last node or one between the last two nodes; then the
    /// solution at that time replaces the last node. Of several requests the earliest wins.
    StopAt(f64),
    /// Continue from another state at this time, that of the last node or one between the last two
    /// nodes: [`Observer::jump`] assigns it. Of several requests the earliest wins, and a stop at the
    /// same time.
    ///
    /// The order of the equation gives a jump its meaning: with jumps Delta at times t_e,
    ///
    #[doc = formula!("jump", r"y(t) = g(t) + \sum_{t_e \le t} \Delta_e + I^\alpha f (t)")]
    ///
    /// so that the memory of f since t0 continues, derivatives of orders above 1 do not jump, and at
    /// order 1 it is a restart. The time of a jump is a node twice, before and after it; dense output
    /// at that time is the state after it.
    ///
    /// The step must end at t_e: graded, given and adaptive steps of
    /// [`ProductTrapezoid`](crate::ProductTrapezoid) and
    /// [`AdamsBashforthMoulton`](crate::AdamsBashforthMoulton), graded and given ones of
    /// [`L1`](crate::L1), and [`Collocation`](crate::Collocation). On equal steps, and in delay
    /// equations, the solve ends with [`OdeError::NoJumps`].
    JumpAt(f64),
}
