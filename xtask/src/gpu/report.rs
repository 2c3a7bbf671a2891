//! The report: one file of JSON, complete after every stage.

use super::process::{End, Ended};
use super::stages::{STAGES, Stage};
use crate::files::write;
use crate::run::{Outcome, now};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

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
        Self {
            path,
            limit,
            begun: now(),
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

    /// Adds the reason why the stages cannot run.
    pub(super) fn fail(&mut self, reason: String) {
        self.failed.push(reason);
    }

    /// Adds the result of a stage: its outcome, its tests, groups of benches and figures.
    pub(super) fn add(&mut self, stage: &Stage, ended: Ended) {
        let outcome = match &ended.end {
            End::Passed => "passed",
            End::Failed(_) => "failed",
            End::TimeLimit(_) => "time limit",
            End::NotRun => "not run",
        };
        if ended.end != End::Passed {
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
            "passed": self.failed.is_empty() && not_run.is_empty(),
            "failed": self.failed,
            "not_run": not_run,
            "stages": self.stages,
        });
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        // Complete or not at all: the machine may be taken away at any time.
        let new = self.path.with_extension("part");
        write(&new, text)?;
        std::fs::rename(&new, &self.path).map_err(|error| error.to_string())
    }

    /// Fails with the stages that did not pass.
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

    /// A stage that hangs, or that has no time, is a failure of the command and in the report.
    #[test]
    fn only_stages_that_pass_are_a_success() {
        let folder = std::env::temp_dir().join(format!("hpfracc-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("REPORT.json");
        let limit = Duration::from_secs(60);
        for (end, passed) in [
            (End::Passed, true),
            (End::TimeLimit(limit), false),
            (End::NotRun, false),
            (End::Failed("exit status: 1".to_owned()), false),
        ] {
            let mut report = Report::new(path.clone(), limit);
            for stage in STAGES {
                let end = if stage.name == STAGES[1].name { end.clone() } else { End::Passed };
                let (seconds, output, folder) = (1.0, String::new(), folder.clone());
                report.add(stage, Ended { end, seconds, output, folder });
            }
            report.write(limit).unwrap();
            let written: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            assert_eq!(report.outcome().is_ok(), passed, "{end:?}");
            assert_eq!(written["passed"], passed, "{end:?}");
            assert_eq!(written["failed"].as_array().unwrap().len(), usize::from(!passed));
        }
        let mut report = Report::new(path.clone(), limit);
        report.fail("`cargo build` was not finished within the time limit".to_owned());
        report.write(limit).unwrap();
        let written: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!((written["passed"].clone(), report.outcome().is_err()), (json!(false), true));
        assert_eq!(written["not_run"].as_array().unwrap().len(), STAGES.len());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn rows_are_objects() {
        let table =
            json!({"columns": ["adapter", "driver"], "rows": [[{"text": "x"}, {"text": "y"}]]});
        let group = json!({"found": [{"note": "n"}, {"table": table}]});
        assert_eq!(first_table(&group), [json!({"adapter": "x", "driver": "y"})]);
    }
}
