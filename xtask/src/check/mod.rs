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
    run: fn() -> Ending,
}

/// Result of a part.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    /// Reason why nothing was checked.
    Skipped(String),
    /// Errors.
    Failed(String),
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        outcome.map_or_else(Self::Failed, |()| Self::Done)
    }
}

impl From<String> for Ending {
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

/// Part that was run.
struct Ran {
    name: &'static str,
    time: Duration,
    ending: Ending,
}

/// Runs the named parts, by default all, and prints the time and the result of each.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let mut ran = Vec::new();
    for part in chosen(names)? {
        eprintln!("==> check {}", part.name);
        let start = Instant::now();
        let ending = (part.run)();
        if let Ending::Skipped(why) | Ending::Failed(why) = &ending {
            eprintln!("check {}: {why}", part.name);
        }
        ran.push(Ran { name: part.name, time: start.elapsed(), ending });
    }
    eprint!("{}", table(&ran));
    together(&ran, !names.is_empty())
}

/// Errors of all parts. A skipped part is an error if it was requested by name.
fn together(ran: &[Ran], named: bool) -> Outcome {
    let wrong: Vec<String> = ran
        .iter()
        .filter_map(|Ran { name, ending, .. }| match ending {
            Ending::Failed(error) => Some(format!("check {name}: {error}")),
            Ending::Skipped(why) if named => Some(format!("check {name}: skipped: {why}")),
            Ending::Done | Ending::Skipped(_) => None,
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Part>, String> {
    if names.is_empty() {
        return Ok(PARTS.iter().collect());
    }
    let known = |name: &&str| PARTS.iter().find(|part| part.name == *name);
    let found = names.iter().map(|name| {
        known(name).ok_or_else(|| {
            let parts: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
            format!("check has no part `{name}`; it has {}", parts.join(", "))
        })
    });
    found.collect()
}

fn table(ran: &[Ran]) -> String {
    let line = |Ran { name, time, ending }: &Ran| {
        let ending = match ending {
            Ending::Done => "",
            Ending::Skipped(_) => "  skipped",
            Ending::Failed(_) => "  FAILED",
        };
        format!("{name:<9}{:>7.1} s{ending}\n", time.as_secs_f64())
    };
    ran.iter().map(line).collect()
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
        let ran = |name, millis, ending| Ran { name, time: Duration::from_millis(millis), ending };
        let ran = [
            ran("api", 1540, Ending::Skipped("other form".to_owned())),
            ran("features", 100_000, Ending::Done),
            ran("tests", 0, Ending::Failed("of two".to_owned())),
        ];
        assert_eq!(
            table(&ran),
            "api          1.5 s  skipped\nfeatures   100.0 s\ntests        0.0 s  FAILED\n"
        );
        assert_eq!(together(&ran[..2], false), Ok(()));
        assert_eq!(together(&ran, false).unwrap_err(), "check tests: of two");
        let named = together(&ran, true).unwrap_err();
        assert!(named.contains("api: skipped: other form") && named.contains("of two"), "{named}");
    }
}
