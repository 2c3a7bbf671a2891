//! `cargo xtask check`: all checks of a change, in parts.

pub(crate) mod api;
mod docs;
mod features;
mod lints;
mod minimal;
mod package;
mod suite;

use crate::run::Outcome;
use std::time::{Duration, Instant};

/// Part that can be run alone.
struct Part {
    name: &'static str,
    run: fn() -> Status,
}

/// Status of a part after its run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Done,
    /// Reason why nothing was checked.
    Skipped(String),
    /// Errors.
    Failed(String),
}

impl From<Outcome> for Status {
    fn from(outcome: Outcome) -> Self {
        outcome.map_or_else(Self::Failed, |()| Self::Done)
    }
}

impl From<String> for Status {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// Parts, the fastest first.
const PARTS: [Part; 7] = [
    Part { name: "lints", run: || lints::check().into() },
    Part { name: "docs", run: || docs::check().into() },
    Part { name: "api", run: api::check },
    Part { name: "features", run: || features::check().into() },
    Part { name: "minimal", run: || minimal::check().into() },
    Part { name: "package", run: || package::check().into() },
    Part { name: "tests", run: || suite::check().into() },
];

/// Result and time of a part.
struct PartResult {
    name: &'static str,
    time: Duration,
    status: Status,
}

/// Runs the named parts, by default all, and prints the time and the result of each.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let mut results = Vec::new();
    for part in chosen(names)? {
        eprintln!("==> check {}", part.name);
        let start = Instant::now();
        let status = (part.run)();
        if let Status::Skipped(why) | Status::Failed(why) = &status {
            eprintln!("check {}: {why}", part.name);
        }
        results.push(PartResult { name: part.name, time: start.elapsed(), status });
    }
    eprint!("{}", table(&results));
    summary(&results, !names.is_empty())
}

/// Errors of all parts. A skipped part is an error if it was requested by name.
fn summary(results: &[PartResult], named: bool) -> Outcome {
    let wrong: Vec<String> = results
        .iter()
        .filter_map(|PartResult { name, status, .. }| match status {
            Status::Failed(error) => Some(format!("check {name}: {error}")),
            Status::Skipped(why) if named => Some(format!("check {name}: skipped: {why}")),
            Status::Done | Status::Skipped(_) => None,
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Part>, String> {
    if names.is_empty() {
        return Ok(PARTS.iter().collect());
    }
    let part = |name: &&str| PARTS.iter().find(|part| part.name == *name);
    let parts = names.iter().map(|name| {
        part(name).ok_or_else(|| {
            let parts: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
            format!("check has no part `{name}`; it has {}", parts.join(", "))
        })
    });
    parts.collect()
}

fn table(results: &[PartResult]) -> String {
    let line = |PartResult { name, time, status }: &PartResult| {
        let status = match status {
            Status::Done => "",
            Status::Skipped(_) => "  skipped",
            Status::Failed(_) => "  FAILED",
        };
        format!("{name:<9}{:>7.1} s{status}\n", time.as_secs_f64())
    };
    results.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_chosen_by_name() {
        let names = |chosen: &[&str]| -> Vec<&str> {
            super::chosen(chosen).unwrap().iter().map(|part| part.name).collect()
        };
        assert_eq!(names(&["package", "api"]), ["package", "api"]);
        assert_eq!(names(&[]).len(), PARTS.len());
        let error = chosen(&["api", "lint"]).err().unwrap();
        assert!(error.contains("`lint`") && error.contains("lints, docs"), "{error}");
    }

    #[test]
    fn times_are_aligned() {
        let result =
            |name, millis, status| PartResult { name, time: Duration::from_millis(millis), status };
        let results = [
            result("api", 1540, Status::Skipped("other form".to_owned())),
            result("features", 100_000, Status::Done),
            result("tests", 0, Status::Failed("of two".to_owned())),
        ];
        assert_eq!(
            table(&results),
            "api          1.5 s  skipped\nfeatures   100.0 s\ntests        0.0 s  FAILED\n"
        );
        assert_eq!(summary(&results[..2], false), Ok(()));
        assert_eq!(summary(&results, false).unwrap_err(), "check tests: of two");
        let named = summary(&results, true).unwrap_err();
        assert!(named.contains("api: skipped: other form") && named.contains("of two"), "{named}");
    }
}
