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
}

/// Action that an observer requests after a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ObserverAction {
    /// Continue.
    Continue,
    /// Stop at this time, that of the last node or one between the last two nodes; then the
    /// solution at that time replaces the last node. Of several requests the earliest wins.
    StopAt(f64),
}
