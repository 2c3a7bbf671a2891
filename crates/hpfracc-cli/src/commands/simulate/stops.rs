//! Stops of paths: diagnostics, columns of the table, and the file of all.

use super::statistics::Statistics;
use crate::Error;
use crate::output::csv_bytes;
use crate::text::rounded;
use hpfracc::sde::{FirstPassageTable, StopStatistics};
use hpfracc::types::shortest;

/// Statement of an equation for a condition, such as `X = 1 rising`.
pub(super) fn statements(conditions: &[String]) -> String {
    conditions.iter().map(|condition| format!("\nwhen {condition}: stop")).collect()
}

/// What an event did, in words.
pub(super) fn report(table: &FirstPassageTable) -> impl Iterator<Item = String> {
    table.events.iter().zip(1..).map(|(event, number)| {
        let StopStatistics { stopped, mean, .. } = event;
        let count = format!("event {number} stopped {stopped} of {} paths", table.paths);
        if *stopped == 0 {
            return count;
        }
        let error = match event.standard_error() {
            error if error.is_finite() => format!(" +- {}", short(error)),
            _ => String::new(),
        };
        let quantiles = table.probabilities.iter().zip(&event.quantiles);
        let quantiles = quantiles.map(|(p, t)| format!("{} before {}", shortest(*p), short(*t)));
        let quantiles: Vec<String> = quantiles.collect();
        format!("{count}, at a mean time of {}{error}; {}", short(*mean), quantiles.join(", "))
    })
}

/// A number with four digits.
fn short(value: f64) -> String {
    rounded(format!("{value:.3e}").parse().unwrap_or(value))
}

/// Columns of the shares of paths that each event stopped up to each time.
pub(super) fn columns(table: &FirstPassageTable) -> impl Iterator<Item = (String, Vec<f64>)> {
    table.events.iter().zip(1..).map(|(event, number)| {
        let share = |stopped: &u64| *stopped as f64 / table.paths as f64;
        (format!("stopped({number})"), event.stopped_by.iter().map(share).collect())
    })
}

/// Event and time of the stop of each path, empty for a path that is not stopped.
pub(super) fn file(statistics: &Statistics) -> Result<Vec<u8>, Error> {
    let header = ["path", "event", "t"].map(str::to_owned).to_vec();
    let stops = statistics.stops.iter().flatten().enumerate();
    let rows = stops.map(|(path, stop)| match stop {
        Some(stop) => vec![path.to_string(), (stop.event + 1).to_string(), shortest(stop.t)],
        None => vec![path.to_string(), String::new(), String::new()],
    });
    csv_bytes("stops", std::iter::once(header).chain(rows))
}
