//! A line for each scheme.

use crate::columns_of_text::{self, Column};
use hpfracc::operators::Entry;

/// Widths at which the longest words of the catalogue stay whole, in 118 characters together.
const COLUMNS: [Column; 6] = [
    Column { heading: "operator", width: 27 },
    Column { heading: "scheme", width: 17 },
    Column { heading: "range of alpha", width: 16 },
    Column { heading: "parameters", width: 13 },
    Column { heading: "accuracy", width: 15 },
    Column { heading: "cost", width: 18 },
];

pub(super) fn of(definitions: &[&[Entry]]) -> String {
    let rows = definitions.iter().flat_map(|entries| {
        entries.iter().enumerate().map(|(k, entry)| {
            let definition = entry.definition;
            let names: Vec<&str> = definition.parameters.iter().map(|p| p.name).collect();
            // The name once, as in a printed table.
            let of_first = |text: String| if k == 0 { text } else { String::new() };
            [
                of_first(definition.name.to_owned()),
                entry.scheme.to_owned(),
                entry.range.text.to_owned(),
                of_first(names.join(", ")),
                entry.accuracy.to_owned(),
                entry.cost.to_owned(),
            ]
        })
    });
    columns_of_text::table(&COLUMNS, rows)
        + "\nThe usual scheme of an operator is its first one whose range holds the order.\n\
           Accuracy is for smooth functions at a fixed time, as a power of the step.\n\
           hpfracc operators NAME has the formula, the parameters, and what lies outside the record.\n"
}
