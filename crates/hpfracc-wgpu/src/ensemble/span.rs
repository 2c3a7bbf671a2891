//! Number of steps, or of paths, of a dispatch.

use crate::recurrence::SPAN;
use std::time::Duration;

/// Steps of the first dispatch, before the time of a step is known.
pub(crate) const FIRST_SPAN: u32 = 16;

/// Time of a dispatch. Drivers reset a device after two seconds, browsers earlier.
pub(crate) const DISPATCH: Duration = Duration::from_millis(50);

/// Steps of the next dispatch after one of this number of steps and this time.
pub(crate) fn next_span(steps: u32, time: Duration) -> u32 {
    let per_step = time.as_secs_f64() / f64::from(steps);
    let wanted = DISPATCH.as_secs_f64() / per_step.max(1e-9);
    // A first dispatch includes what a driver does once.
    (wanted.min(8.0 * f64::from(steps)) as u32).clamp(1, SPAN as u32)
}
