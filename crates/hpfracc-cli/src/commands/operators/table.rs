//! A line for each scheme, under the name of its definition.

use crate::text::layout;
use crate::text::layout::Column;
use hpfracc::operators::{Definition, Entry};

/// Widths at which the longest words of the catalogue stay whole, in 118 characters together.
const COLUMNS: [Column; 5] = [
    Column { heading: "scheme", width: 17 },
    Column { heading: "range of alpha", width: 17 },
    Column { heading: "accuracy", width: 22 },
    Column { heading: "cost", width: 22 },
    Column { heading: "outside the record", width: 28 },
];

pub(super) fn of(definitions: &[&[Entry]]) -> String {
    let entries = || definitions.iter().copied().flatten();
    let cells = entries().map(|e| [e.scheme, e.range.text, e.accuracy, e.cost, e.outside]);
    let (head, rows) = layout::table(&COLUMNS, cells);
    let mut text = indented(&head);
    let mut last: Option<&Definition> = None;
    for (entry, row) in entries().zip(rows) {
        let definition = entry.definition;
        if last != Some(definition) {
            text += &heading(definition);
            last = Some(definition);
        }
        text += &indented(&row);
    }
    text + "\nThe usual scheme of an operator is its first one whose range holds the order. Accuracy is for \
            smooth functions\nat a fixed time, as a power of the step. Formula, source and parameters: \
            hpfracc operators NAME\n"
}

/// Name, title and parameters.
fn heading(definition: &Definition) -> String {
    let names: Vec<&str> = definition.parameters.iter().map(|p| p.name).collect();
    let parameters =
        if names.is_empty() { String::new() } else { format!("; --param {}", names.join(", ")) };
    format!("\n{}: {}{parameters}\n", definition.name, definition.title)
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}
