//! Figures that tests measure, for the pages: `cargo xtask figures --measure`.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Folder to which figures are written; unset in ordinary runs.
const FOLDER: &str = "HPFRACC_RECORD";

/// A number with its text in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    text: String,
    number: f64,
}

impl Figure {
    /// An error with two digits, such as `1.6e-15`; zero is `0`.
    pub fn error(error: f64) -> Self {
        let text = if error == 0.0 { "0".to_owned() } else { format!("{error:.1e}") };
        Self { text, number: error }
    }

    /// A number with a fixed number of decimals, such as an observed order.
    pub fn number(number: f64, decimals: usize) -> Self {
        Self { text: format!("{number:.decimals$}"), number }
    }

    /// Several numbers in one cell, separated by `separator`; its value is the largest.
    pub fn joined(figures: &[Self], separator: &str) -> Self {
        let texts: Vec<&str> = figures.iter().map(|figure| figure.text.as_str()).collect();
        let number = figures.iter().map(|figure| figure.number).fold(f64::NEG_INFINITY, f64::max);
        Self { text: texts.join(separator), number }
    }

    /// The same number with another text.
    pub fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

/// Prints a row of a table, and appends it to the record if the environment variable
/// `HPFRACC_RECORD` names a folder: the labels that identify the row, and its figures, all with the
/// names of their columns.
///
/// Rows of a group with the same columns form a table, in the order in which they are written. Of
/// rows with the same labels each column keeps the largest figure.
///
/// # Panics
/// If the file cannot be written.
pub fn record(group: &str, labels: &[(&str, &str)], figures: &[(&str, Figure)]) {
    let labelled = labels.iter().map(|(_, label)| (*label).to_owned());
    let figured = figures.iter().map(|(name, figure)| format!("{name}: {}", figure.text));
    println!("{group} | {}", labelled.chain(figured).collect::<Vec<_>>().join(" | "));
    let Some(folder) = folder() else { return };
    append(&folder, &line(group, labels, figures));
}

/// Whether `HPFRACC_RECORD` names a folder for the rows: tests take the sizes of the documentation.
pub fn is_recorded() -> bool {
    folder().is_some()
}

fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Row of the summary of accuracy: the largest error of a quantity, and the bound that was set for it
/// before it was measured.
///
/// # Panics
/// If the file cannot be written.
pub fn record_error(what: &str, error: f64, bound: f64) {
    let figures = [("largest error", Figure::error(error)), ("bound", Figure::error(bound))];
    record("accuracy/summary", &[("quantity", what)], &figures);
}

fn append(folder: &Path, line: &str) {
    std::fs::create_dir_all(folder).expect("the folder of the record can be created");
    let path = folder.join("figures.jsonl");
    let file = OpenOptions::new().create(true).append(true).open(&path);
    // One call, so that lines of concurrent tests do not mix.
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The row as a line of JSON, with cells as in the records of the benches.
fn line(group: &str, labels: &[(&str, &str)], figures: &[(&str, Figure)]) -> String {
    let columns = labels.iter().map(|(name, _)| name).chain(figures.iter().map(|(name, _)| name));
    let columns: Vec<String> = columns.map(|name| quoted(name)).collect();
    let labels =
        labels.iter().map(|(_, text)| format!("{{\"text\":{},\"is\":\"label\"}}", quoted(text)));
    let figures = figures.iter().map(|(_, Figure { text, number })| {
        let text = quoted(text);
        if number.is_finite() {
            format!("{{\"text\":{text},\"is\":\"number\",\"number\":{number:e}}}")
        } else {
            format!("{{\"text\":{text},\"is\":\"nothing\"}}")
        }
    });
    let cells: Vec<String> = labels.chain(figures).collect();
    let (group, columns, cells) = (quoted(group), columns.join(","), cells.join(","));
    format!("{{\"group\":{group},\"columns\":[{columns}],\"cells\":[{cells}]}}\n")
}

/// Text as a string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => write!(quoted, "\\u{:04x}", u32::from(c)).expect("writes to memory"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_line_of_json() {
        let both = Figure::joined(&[Figure::error(0.0), Figure::error(3.54e-8)], "/");
        let line = line(
            "a/b",
            &[("map", "fft \"f32\"\n")],
            &[("1", both), ("order", Figure::number(1.976, 2))],
        );
        let expected = concat!(
            r#"{"group":"a/b","columns":["map","1","order"],"cells":["#,
            r#"{"text":"fft \"f32\"\u000a","is":"label"},"#,
            r#"{"text":"0/3.5e-8","is":"number","number":3.54e-8},"#,
            r#"{"text":"1.98","is":"number","number":1.976e0}]}"#,
            "\n"
        );
        assert_eq!(line, expected);
    }

    #[test]
    fn numbers_that_json_lacks_are_nothing() {
        let line = line("a", &[], &[("x", Figure::error(f64::NAN))]);
        assert!(line.contains(r#"{"text":"NaN","is":"nothing"}"#), "{line}");
    }
}
