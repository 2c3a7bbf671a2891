//! `hpfracc operators`: the catalogue as a table.

use crate::Error;
use crate::args::OperatorsArgs;
use crate::output::write_stdout;
use hpfracc::operators::{Entry, catalogue};
use serde::Serialize;

const HEADINGS: [&str; 5] =
    ["operator", "scheme", "range of alpha", "order of accuracy", "outside the record"];

pub(crate) fn run(args: &OperatorsArgs) -> Result<(), Error> {
    let text = if args.json { as_json()? } else { as_table() };
    write_stdout(text.as_bytes())
}

fn cells(entry: &Entry) -> [&'static str; 5] {
    [entry.definition.name, entry.scheme, entry.range.text, entry.accuracy, entry.outside]
}

fn as_table() -> String {
    let rows: Vec<[&str; 5]> = catalogue().map(cells).collect();
    let mut widths = HEADINGS.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    let line = |row: &[&str; 5]| {
        let padded: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let rule = widths.map(|width| "-".repeat(width));
    let mut table = line(&HEADINGS) + &line(&rule.each_ref().map(String::as_str));
    let mut operator = "";
    for row in &rows {
        // The name once, as in a printed table.
        let mut row = *row;
        if row[0] == operator {
            row[0] = "";
        } else {
            operator = row[0];
        }
        table += &line(&row);
    }
    table
        + "\nThe usual scheme of an operator is its first one whose range holds the order.\n\
           Accuracy is for smooth functions at a fixed time, as a power of the step.\n"
}

#[derive(Serialize)]
struct Listed {
    operator: &'static str,
    scheme: &'static str,
    alpha: &'static str,
    accuracy: &'static str,
    outside: &'static str,
}

fn as_json() -> Result<String, Error> {
    let entries: Vec<Listed> = catalogue()
        .map(cells)
        .map(|[operator, scheme, alpha, accuracy, outside]| Listed {
            operator,
            scheme,
            alpha,
            accuracy,
            outside,
        })
        .collect();
    serde_json::to_string_pretty(&entries)
        .map(|text| text + "\n")
        .map_err(|error| Error::Write { name: "<stdout>".to_owned(), source: error.into() })
}
