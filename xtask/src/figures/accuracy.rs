//! `cargo xtask figures --measure`: figures of accuracy, which tests write.

use super::record::ACCURACY;
use crate::files::{entries, has_extension, read, write};
use crate::run::{Outcome, cargo_command, finish, first_line, now, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Tests, and the groups whose rows they write; several tests may write to one group.
const TESTS: [(&str, &[&str]); 16] = [
    ("-p hpfracc-special --test mittag_leffler_table -- one_by_one", &["summary"]),
    ("-p hpfracc-operators --lib -- columns_agree", &["summary"]),
    ("-p hpfracc-operators --test schemes -- weights_agree", &["summary"]),
    ("-p hpfracc-operators --test schemes -- orders_at_the_end", &["summary"]),
    ("-p hpfracc --test machine -- transforms_agree", &["summary"]),
    ("-p hpfracc --test rounded --", &["summary"]),
    ("-p hpfracc-operators --test interface -- rows", &["operators"]),
    ("-p hpfracc-ode --test schemes -- thirteen_digits", &["collocation"]),
    ("-p hpfracc-ode --test schemes -- orders", &["orders"]),
    (
        "-p hpfracc-sde --test sde --",
        &[
            "strong_orders",
            "adaptive_strong_orders",
            "fractional_strong",
            "fractional_refined",
            "near_cells",
            "near_cell_covariances",
            "continuum",
            "distributions",
            "stochastic_gradients",
        ],
    ),
    ("-p hpfracc-nn --test supervised_allocations --", &["training_memory"]),
    ("-p hpfracc-nn --test model_allocations --", &["training_memory"]),
    ("-p hpfracc-wgpu --test parity --", &["shaders"]),
    ("-p hpfracc-examples --example learn_order --", &["trainings"]),
    ("-p hpfracc-examples --example forecast_sunspots --", &["trainings"]),
    ("-p hpfracc-examples --example learn_diffusion --", &["trainings"]),
];

/// Paths of tests of distributions: a million, some minutes.
const PATHS: (&str, &str) = ("HPFRACC_TEST_PATHS", "1000000");

/// Names of the groups begin with it.
const PREFIX: &str = "accuracy/";

/// Runs the tests of the groups whose names contain the filter, and adds their figures to the
/// record.
pub(super) fn measure(filter: &str) -> Outcome {
    let filter = filter.strip_prefix(PREFIX).unwrap_or(filter);
    let names: BTreeSet<&str> = TESTS.iter().flat_map(|(_, groups)| *groups).copied().collect();
    let is_chosen = |group: &&str| group.contains(filter);
    if !names.iter().any(is_chosen) {
        let names: Vec<&str> = names.into_iter().collect();
        return Err(format!("no group contains `{filter}`; there are {}", names.join(", ")));
    }
    check_committed()?;
    let mut rows = Vec::new();
    for (test, _) in TESTS.iter().filter(|(_, groups)| groups.iter().any(is_chosen)) {
        rows.extend(rows_of(test)?);
    }
    let mut groups = newest()?;
    for name in names.iter().copied().filter(is_chosen) {
        let group = group(&format!("{PREFIX}{name}"), &rows)?;
        groups.retain(|old| old["name"] != group["name"]);
        groups.push(group);
    }
    groups.sort_by_key(|group| group["name"].as_str().unwrap_or_default().to_owned());
    let lines: Vec<String> = groups.iter().map(Value::to_string).collect();
    let text = format!("{{\"groups\":[\n{}\n]}}\n", lines.join(",\n"));
    let path = folder().join(format!("{}.json", today()));
    write(&path, text)?;
    eprintln!("record: {}", path.display());
    Ok(())
}

fn folder() -> PathBuf {
    root().join("benches/record").join(ACCURACY)
}

/// Groups of the newest record.
fn newest() -> Result<Vec<Value>, String> {
    let folder = folder();
    let mut files = if folder.is_dir() { entries(&folder)? } else { Vec::new() };
    files.retain(|file| has_extension(file, &["json"]));
    let Some(file) = files.last() else { return Ok(Vec::new()) };
    let record: Value =
        serde_json::from_str(&read(file)?).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(record["groups"].as_array().cloned().unwrap_or_default())
}

/// Runs a test, one function after the other, and returns the rows that it writes.
fn rows_of(test: &str) -> Result<Vec<Value>, String> {
    let folder = root().join("target/figures");
    let file = folder.join("figures.jsonl");
    if file.exists() {
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut command = cargo_command();
    command.arg("test").args(test.split(' ')).arg("--test-threads=1");
    command.env("HPFRACC_RECORD", &folder).env("HPFRACC_REQUIRE_GPU", "1").env(PATHS.0, PATHS.1);
    finish(command, &format!("cargo test {test}"))?;
    let line = |line: &str| serde_json::from_str(line).map_err(|error| error.to_string());
    read(&file)?.lines().map(line).collect()
}

/// Group with a table for each set of columns, as in the records of the benches.
fn group(name: &str, rows: &[Value]) -> Result<Value, String> {
    let mut tables: Vec<(Value, Vec<Value>)> = Vec::new();
    for row in rows.iter().filter(|row| row["group"] == name) {
        let (columns, cells) = (&row["columns"], row["cells"].clone());
        match tables.iter_mut().find(|(known, _)| known == columns) {
            Some((_, rows)) => add(cells, rows),
            None => tables.push((columns.clone(), vec![cells])),
        }
    }
    if tables.is_empty() {
        return Err(format!("the test of {name} has written no row"));
    }
    let table = |(columns, rows)| json!({"table": {"columns": columns, "rows": rows}});
    let found: Vec<Value> = tables.into_iter().map(table).collect();
    let program = json!({"commit": first_line("git", &["rev-parse", "--short=10", "HEAD"])});
    Ok(json!({"name": name, "date": today(), "program": program, "quick": false, "found": found}))
}

/// Adds a row to those of a table: where one has the same labels, the larger figures remain.
fn add(cells: Value, rows: &mut Vec<Value>) {
    let labels = |row: &Value| -> Vec<Value> {
        let cells = row.as_array().into_iter().flatten();
        cells.filter(|cell| cell["is"] == "label").cloned().collect()
    };
    let Some(same) = rows.iter_mut().find(|row| labels(row) == labels(&cells)) else {
        return rows.push(cells);
    };
    let kept = same.as_array_mut().into_iter().flatten();
    for (kept, new) in kept.zip(cells.as_array().into_iter().flatten()) {
        if new["number"].as_f64() > kept["number"].as_f64() {
            *kept = new.clone();
        }
    }
}

/// Refuses files that differ from the commit, except records: the figures are those of the commit.
fn check_committed() -> Outcome {
    let args = ["status", "--porcelain", "--untracked-files=no", "--", ".", ":!benches/record"];
    if first_line("git", &["rev-parse", "HEAD"]).is_empty() {
        return Err("git does not name the commit of the figures".to_owned());
    }
    refuse(&first_line("git", &args))
}

fn refuse(first_change: &str) -> Outcome {
    match first_change {
        "" => Ok(()),
        change => Err(format!("commit first: figures are those of a commit, and `{change}`")),
    }
}

/// Current date in UTC, such as 2026-01-31.
fn today() -> String {
    date(now())
}

/// Date of a number of seconds since 1970.
fn date(seconds: u64) -> String {
    let time = chrono::DateTime::from_timestamp(seconds as i64, 0);
    time.unwrap_or_default().date_naive().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (day, expected) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_819, "2027-01-01")] {
            assert_eq!(date(86_400 * day + 86_399), expected);
        }
    }

    #[test]
    fn changed_files_are_refused() {
        assert_eq!(refuse(""), Ok(()));
        assert!(refuse(" M src/lib.rs").is_err_and(|said| said.contains("src/lib.rs")));
    }

    #[test]
    fn rows_of_the_same_columns_are_a_table() {
        let row = |group: &str, column: &str, text: &str| {
            let label = json!({"text": text, "is": "label"});
            let number = json!({"text": "1", "is": "number", "number": 1.0});
            json!({"group": group, "columns": ["what", column], "cells": [label, number]})
        };
        let rows = [row("a", "x", "p"), row("b", "x", "q"), row("a", "y", "r"), row("a", "x", "s")];
        let group = group("a", &rows).unwrap();
        let tables: Vec<usize> = group["found"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| table["table"]["rows"].as_array().unwrap().len())
            .collect();
        assert_eq!(tables, [2, 1]);
        assert!(super::group("c", &rows).is_err_and(|message| message.contains("no row")));
    }

    #[test]
    fn the_largest_figures_of_rows_with_the_same_labels_remain() {
        let row = |label: &str, numbers: [f64; 2]| {
            let label = json!({"text": label, "is": "label"});
            let [a, b] = numbers.map(|number| json!({"is": "number", "number": number}));
            json!([label, a, b])
        };
        let mut rows = Vec::new();
        for (label, numbers) in [("p", [1.0, 5.0]), ("q", [9.0, 9.0]), ("p", [2.0, 4.0])] {
            add(row(label, numbers), &mut rows);
        }
        assert_eq!(rows, [row("p", [2.0, 5.0]), row("q", [9.0, 9.0])]);
    }
}
