//! All that has to hold before a change goes in, part by part.

pub(crate) mod api;
mod docs;
mod features;
mod lints;
mod minimal;
mod package;
mod suite;

use crate::run::Outcome;
use std::time::{Duration, Instant};

/// A part that can be run alone.
struct Part {
    name: &'static str,
    run: fn() -> Outcome,
}

/// What is soonest done stands first.
const PARTS: [Part; 7] = [
    Part { name: "lints", run: lints::check },
    Part { name: "docs", run: docs::check },
    Part { name: "api", run: api::check },
    Part { name: "features", run: features::check },
    Part { name: "minimal", run: minimal::check },
    Part { name: "package", run: package::check },
    Part { name: "tests", run: suite::check },
];

/// Runs the parts that are named, or all of them where none is, and tells how long each took.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let parts = chosen(names)?;
    let mut times = Vec::new();
    for part in parts {
        eprintln!("==> check {}", part.name);
        let start = Instant::now();
        (part.run)().map_err(|error| format!("check {}: {error}", part.name))?;
        times.push((part.name, start.elapsed()));
    }
    eprint!("{}", table(&times));
    Ok(())
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

fn table(times: &[(&str, Duration)]) -> String {
    let line =
        |(name, time): &(&str, Duration)| format!("{name:<9}{:>7.1} s\n", time.as_secs_f64());
    times.iter().map(line).collect()
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
    fn times_stand_below_each_other() {
        let times = [("api", Duration::from_millis(1540)), ("features", Duration::from_secs(100))];
        assert_eq!(table(&times), "api          1.5 s\nfeatures   100.0 s\n");
    }
}
