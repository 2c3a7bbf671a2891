//! The report: one file of JSON, complete after every stage.

use super::process::{End, Ended};
use super::stages::{STAGES, Stage};
use crate::files::write;
use crate::run::Outcome;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(super) struct Report {
    path: PathBuf,
    limit: Duration,
    begun: u64,
    programs: Value,
    build_seconds: f64,
    /// Adapters, once a group of the benches has listed them.
    adapters: Option<Vec<Value>>,
    stages: Vec<Value>,
    failed: Vec<String>,
}

/// Group of the benches that lists the adapters.
const DEVICE: &str = "wgpu/device";

impl Report {
    pub(super) fn new(path: PathBuf, limit: Duration) -> Self {
        let begun = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self {
            path,
            limit,
            begun: begun.map_or(0, |since| since.as_secs()),
            programs: Value::Null,
            build_seconds: 0.0,
            adapters: None,
            stages: Vec::new(),
            failed: Vec::new(),
        }
    }

    pub(super) fn built(&mut self, programs: Value, after: Duration) {
        (self.programs, self.build_seconds) = (programs, after.as_secs_f64());
    }

    /// Adds the result of a stage: its outcome, its tests, groups of benches and figures.
    pub(super) fn add(&mut self, stage: &Stage, ended: Ended) {
        let outcome = match &ended.end {
            End::Passed => "passed",
            End::Failed(_) => "failed",
            End::TimeLimit(_) => "time limit",
            End::NotRun => "not run",
        };
        if matches!(ended.end, End::Failed(_)) {
            self.failed.push(format!("{}: {}", stage.name, ended.summary()));
        }
        let records = lines(&ended.folder.join("bench/bench.jsonl"));
        let groups: Vec<Value> = records.iter().map(|record| record["groups"][0].clone()).collect();
        if let Some(device) = groups.iter().find(|group| group["name"] == DEVICE) {
            self.adapters = Some(first_table(device));
        }
        self.stages.push(json!({
            "stage": stage.name,
            "program": stage.program,
            "arguments": stage.args,
            "outcome": outcome,
            "summary": ended.summary(),
            "seconds": ended.seconds,
            "tests": tests(&ended.output),
            "machine": records.first().map_or(Value::Null, |record| record["machine"].clone()),
            "groups": groups,
            "figures": lines(&ended.folder.join("figures.jsonl")),
            "output": ended.output,
        }));
    }

    /// Whether the adapters were listed, and there is none.
    pub(super) fn has_no_adapter(&self) -> bool {
        self.adapters.as_ref().is_some_and(Vec::is_empty)
    }

    pub(super) fn write(&self, elapsed: Duration) -> Outcome {
        let done = self.stages.iter().filter(|stage| stage["outcome"] != "not run").count();
        let not_run: Vec<&str> = STAGES
            .iter()
            .map(|stage| stage.name)
            .filter(|name| {
                !self.stages.iter().any(|s| s["stage"] == *name && s["outcome"] != "not run")
            })
            .collect();
        let report = json!({
            "begun_unix_seconds": self.begun,
            "seconds": elapsed.as_secs_f64(),
            "limit_seconds": self.limit.as_secs(),
            "build_seconds": self.build_seconds,
            "programs": self.programs,
            "adapters": self.adapters,
            "stages_run": done,
            "not_run": not_run,
            "stages": self.stages,
        });
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        // Complete or not at all: the machine may be taken away at any time.
        let new = self.path.with_extension("part");
        write(&new, text)?;
        std::fs::rename(&new, &self.path).map_err(|error| error.to_string())
    }

    /// Fails with the stages that failed.
    pub(super) fn outcome(&self) -> Outcome {
        if self.has_no_adapter() {
            return Err("there is no adapter, see the output in the report".to_owned());
        }
        if self.failed.is_empty() { Ok(()) } else { Err(self.failed.join("\n")) }
    }
}

/// Values in a file with one in each line; none if there is no file.
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Rows of the first table of a group, as objects.
fn first_table(group: &Value) -> Vec<Value> {
    let tables = group["found"].as_array().into_iter().flatten().map(|block| &block["table"]);
    let Some(table) = tables.into_iter().find(|table| table.is_object()) else { return Vec::new() };
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let columns = array(&table["columns"]);
    let object = |row: &Value| {
        let cells = array(row);
        let pairs = columns.iter().zip(&cells);
        let pairs = pairs.map(|(name, cell)| {
            (name.as_str().unwrap_or_default().to_owned(), cell["text"].clone())
        });
        Value::Object(pairs.collect::<Map<_, _>>())
    };
    array(&table["rows"]).iter().map(object).collect()
}

/// Names and outcomes of tests in the output of a test program.
fn tests(output: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut name = None;
    for line in output.lines() {
        if let Some((_, rest)) = line.split_once("test ")
            && let Some((test, end)) = rest.split_once(" ... ")
        {
            name = Some(test.to_owned());
            // Without output of the test, its end follows in the same line.
            if ["ok", "FAILED"].contains(&end) {
                found.extend(name.take().map(|name| json!({"test": name, "outcome": end})));
            }
        } else if ["ok", "FAILED"].contains(&line) {
            found.extend(name.take().map(|name| json!({"test": name, "outcome": line})));
        }
    }
    found.extend(name.map(|name| json!({"test": name, "outcome": "not finished"})));
    found
}

#[cfg(test)]
mod tests_of_reports {
    use super::*;

    #[test]
    fn outcomes_are_read_with_and_without_output() {
        let output = "running 3 tests\ntest a ... ok\ntest b ... fft: 1e-7\nmore\nFAILED\ntest c ... begun\n";
        let expected = [("a", "ok"), ("b", "FAILED"), ("c", "not finished")];
        let expected: Vec<Value> =
            expected.iter().map(|(name, end)| json!({"test": name, "outcome": end})).collect();
        assert_eq!(tests(output), expected);
    }

    #[test]
    fn rows_are_objects() {
        let table =
            json!({"columns": ["adapter", "driver"], "rows": [[{"text": "x"}, {"text": "y"}]]});
        let group = json!({"found": [{"note": "n"}, {"table": table}]});
        assert_eq!(first_table(&group), [json!({"adapter": "x", "driver": "y"})]);
    }
}
