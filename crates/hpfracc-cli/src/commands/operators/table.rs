//! Table of schemes, grouped by definition.

use crate::text::layout;
use crate::text::layout::Column;
use hpfracc::operators::{Definition, Entry};

/// Widths that fit the longest words of the catalogue, 118 characters in total.
const COLUMNS: [Column; 5] = [
    Column { heading: "scheme", width: 17 },
    Column { heading: "range of alpha", width: 17 },
    Column { heading: "accuracy", width: 22 },
    Column { heading: "cost", width: 22 },
    Column { heading: "outside the signal", width: 28 },
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
    text + "\nThe default scheme of an operator is the first one whose range contains the order. Accuracy is for \
            smooth functions\nat a fixed time, as a power of the step. Formula, source and parameters: \
            hpfracc operators NAME\n"
}

/// Name, title and parameters.
fn heading(definition: &Definition) -> String {
    let names: Vec<&str> = definition.parameters.iter().map(|p| p.name).collect();
    let parameters =
        if names.is_empty() { String::new() } else { format!("; --set {}", names.join(", ")) };
    format!("\n{}: {}{parameters}\n", definition.name, definition.title)
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}
