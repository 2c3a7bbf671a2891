//! `cargo xtask figures --measure`: figures of accuracy, which tests write.

use super::record::ACCURACY;
use crate::files::{entries, has_extension, read, write};
use crate::run::{Outcome, cargo_command, finish, root};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Group, and the test that writes its rows.
const TESTS: [(&str, &str); 3] = [
    ("accuracy/operators", "-p hpfracc-operators --all-features --test interface -- rows"),
    ("accuracy/collocation", "-p hpfracc-ode --all-features --test schemes -- thirteen_digits"),
    ("accuracy/shaders", "-p hpfracc-wgpu --all-features --test parity --"),
];

/// Runs the tests of the groups whose names contain the filter, and adds their figures to the
/// record.
pub(super) fn measure(filter: &str) -> Outcome {
    let chosen: Vec<_> = TESTS.iter().filter(|(group, _)| group.contains(filter)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TESTS.iter().map(|(group, _)| *group).collect();
        return Err(format!("no group contains `{filter}`; there are {}", names.join(", ")));
    }
    let mut groups = newest()?;
    for (name, test) in chosen {
        let group = group(name, &rows(test)?)?;
        groups.retain(|old| old["name"] != *name);
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
fn rows(test: &str) -> Result<Vec<Value>, String> {
    let folder = root().join("target/figures");
    let file = folder.join("figures.jsonl");
    if file.exists() {
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut command = cargo_command();
    command.arg("test").args(test.split(' ')).arg("--test-threads=1");
    command.env("HPFRACC_RECORD", &folder).env("HPFRACC_REQUIRE_GPU", "1");
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
            Some((_, rows)) => rows.push(cells),
            None => tables.push((columns.clone(), vec![cells])),
        }
    }
    if tables.is_empty() {
        return Err(format!("the test of {name} has written no row"));
    }
    let table = |(columns, rows)| json!({"table": {"columns": columns, "rows": rows}});
    let found: Vec<Value> = tables.into_iter().map(table).collect();
    let program = json!({"commit": commit()});
    Ok(json!({"name": name, "date": today(), "program": program, "quick": false, "found": found}))
}

/// Commit, followed by `+` if files differ from it.
fn commit() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(root()).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.unwrap_or_default().trim().to_owned()
    };
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"]).is_empty();
    git(&["rev-parse", "--short=10", "HEAD"]) + if changed { "+" } else { "" }
}

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs() / 86_400))
}

/// Date of a day since 1970, such as 2026-01-31.
fn date(days: u64) -> String {
    let (mut year, mut left) = (1970, days);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    lengths[1] += u64::from(leap(year));
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, expected) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_819, "2027-01-01")]
        {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn rows_of_the_same_columns_are_a_table() {
        let row = |group: &str, column: &str, text: &str| json!({"group": group, "columns": ["what", column], "cells": [{"text": text}, {"text": "1"}]});
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
}
