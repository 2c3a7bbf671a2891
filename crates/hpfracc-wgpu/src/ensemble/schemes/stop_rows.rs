//! Rows of the state for events that stop paths.

use super::super::PathStops;
use super::StateRow;

/// Names of the rows that say where a path stopped: the event, counted from 1, or 0; the share of the step; halves of
/// its number, which are exact in single precision.
pub(in super::super) const STOP: [&str; 4] = ["stopped", "share", "step_high", "step_low"];

/// Rows of the stop, and of the values of the events at the last node.
pub(super) fn stop_rows(stops: Option<&PathStops>) -> Vec<StateRow> {
    let Some(stops) = stops else { return vec![] };
    let names = STOP.iter().map(|name| (*name).to_owned());
    let values = (0..stops.directions.len()).map(|k| format!("g{k}"));
    names.chain(values).map(StateRow::zero).collect()
}
