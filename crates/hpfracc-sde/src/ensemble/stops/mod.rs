//! Collectors of the stops of paths.

mod first_passage;
mod stop_times;

pub use first_passage::{FirstPassage, FirstPassageTable, StopStatistics};
pub use stop_times::StopTimes;

use crate::error::in_range;
use crate::{Layout, SdeError};

/// Refuses problems without events.
fn admit_events(layout: &Layout) -> Result<(), SdeError> {
    let what = "the number of events that stop paths";
    let expected = "at least 1: stops are collected of problems with events";
    in_range(layout.events > 0, what, 0.0, expected)
}
