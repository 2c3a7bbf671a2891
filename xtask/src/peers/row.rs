//! Row of a table: problem, size, library, method and result.

use serde_json::{Value, json};
use std::time::Duration;

/// Result of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measurement {
    Measured(Measured),
    /// Time limit that was exceeded.
    Beyond(Duration),
    /// Reason why the library is not on this machine.
    Absent(String),
    /// Message of a failed program.
    Failed(String),
}

/// Line of output of a program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    pub(super) version: String,
    /// Minimum of several calls.
    pub(super) seconds: f64,
    /// First call, with compilation.
    pub(super) first: f64,
    pub(super) error: Option<f64>,
    /// Loss of a training before the first step.
    pub(super) loss: Option<f64>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) problem: &'static str,
    pub(super) size: usize,
    pub(super) peer: &'static str,
    /// Name of the method, and its label for readers.
    pub(super) method: (&'static str, &'static str),
    pub(super) measurement: Measurement,
}

/// Parses a line of output.
///
/// # Errors
/// Message of a failed program, or the missing or wrong field with the line.
pub(super) fn parse(line: &str, problem: &str, size: usize) -> Result<Measured, String> {
    let wrong = |what: &str| format!("{what} in `{line}`");
    let value: Value = serde_json::from_str(line).map_err(|e| wrong(&e.to_string()))?;
    if value["problem"] != problem || value["size"] != size {
        return Err(wrong(&format!("not {problem} of size {size}")));
    }
    if let Some(reason) = value["failed"].as_str() {
        return Err(reason.to_owned());
    }
    let seconds = |key: &str| match value[key].as_f64() {
        Some(seconds) if seconds > 0.0 => Ok(seconds),
        _ => Err(wrong(&format!("no time `{key}`"))),
    };
    let number = |key: &str| match &value[key] {
        Value::Null => Ok(None),
        number => number.as_f64().map(Some).ok_or_else(|| wrong(&format!("no number `{key}`"))),
    };
    let version = value["version"].as_str().ok_or_else(|| wrong("no version"))?.to_owned();
    let (seconds, first) = (seconds("seconds")?, seconds("first")?);
    Ok(Measured { version, seconds, first, error: number("error")?, loss: number("loss")? })
}

impl Row {
    /// Row of the record.
    pub(super) fn json(&self) -> Value {
        let Self { problem, size, peer, method: (method, label), measurement } = self;
        let mut line = json!({
            "problem": problem, "size": size, "peer": peer, "method": method, "label": label,
        });
        match measurement {
            Measurement::Measured(Measured { version, seconds, first, error, loss }) => {
                line["version"] = json!(version);
                line["seconds"] = json!(seconds);
                line["first"] = json!(first);
                line["error"] = json!(error);
                line["loss"] = json!(loss);
            }
            Measurement::Beyond(limit) => line["beyond"] = json!(limit.as_secs_f64()),
            Measurement::Absent(reason) => line["absent"] = json!(reason),
            Measurement::Failed(reason) => line["failed"] = json!(reason),
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"problem":"relaxation","peer":"octave","version":"7.3.0","size":1000,
        "seconds":0.5,"first":0.75,"error":1e-6}"#;

    #[test]
    fn a_line_is_read_and_written() {
        let found = parse(LINE, "relaxation", 1000).unwrap();
        let (version, error) = ("7.3.0".to_owned(), Some(1e-6));
        let expected = Measured { version, seconds: 0.5, first: 0.75, error, loss: None };
        assert_eq!(found, expected);
        let row = |measurement| Row {
            problem: "relaxation",
            size: 1000,
            peer: "octave",
            method: ("plain", "plain sums"),
            measurement,
        };
        let line = row(Measurement::Measured(found)).json();
        assert_eq!((&line["seconds"], &line["loss"]), (&json!(0.5), &Value::Null));
        assert_eq!((&line["method"], &line["label"]), (&json!("plain"), &json!("plain sums")));
        let line = row(Measurement::Beyond(Duration::from_secs(30))).json();
        assert_eq!(line["beyond"], 30.0);
        assert_eq!(line["seconds"], Value::Null);
        assert_eq!(row(Measurement::Absent("no octave".into())).json()["absent"], "no octave");
    }

    #[test]
    fn an_error_may_be_unknown_and_the_rest_not() {
        let unknown = LINE.replace("1e-6", "null");
        assert_eq!(parse(&unknown, "relaxation", 1000).unwrap().error, None);
        let training = LINE.replace("error", "loss");
        assert_eq!(parse(&training, "relaxation", 1000).unwrap().loss, Some(1e-6));
        for (from, to, says) in [
            ("0.5", "0", "seconds"),
            ("0.75", "\"soon\"", "first"),
            ("1e-6", "\"small\"", "error"),
            // JSON has no NaN: a program reports it as a failure.
            ("1e-6", "NaN", "expected"),
            ("\"seconds\":0.5", "\"failed\":\"the error is nan\"", "the error is nan"),
            ("\"7.3.0\"", "7", "version"),
            ("1000", "100", "size 1000"),
            ("relaxation", "softmax", "not relaxation"),
            ("{", "", "line 1"),
        ] {
            let message = parse(&LINE.replace(from, to), "relaxation", 1000).unwrap_err();
            assert!(message.contains(says), "{message}");
        }
    }
}
