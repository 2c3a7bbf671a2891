//! Definition in full.

use crate::text::layout::paragraph;
use hpfracc::operators::{Entry, Parameter};
use hpfracc::types::shortest;

/// Column of the texts.
const INDENT: usize = 16;

pub(super) fn of(entries: &[Entry]) -> String {
    let definition = entries[0].definition;
    let facts = [
        ("formula", definition.formula),
        ("of constants", definition.of_constants),
        ("of powers", definition.of_powers),
        ("relation", definition.relation),
        ("source", definition.source),
    ];
    let mut page = format!("{}: {}\n\n", definition.name, definition.title);
    page.extend(facts.map(|(name, text)| paragraph(name, text, INDENT)));
    page += "\nparameters\n";
    page += &paragraph("alpha", "order; its range depends on the scheme", INDENT);
    page.extend(definition.parameters.iter().map(|p| paragraph(p.name, &of_parameter(p), INDENT)));
    for entry in entries {
        page += &format!("\nscheme {}\n", entry.scheme);
        page.extend(
            [
                ("orders", entry.range.text),
                ("accuracy", entry.accuracy),
                ("cost", entry.cost),
                ("outside", entry.outside),
            ]
            .map(|(name, text)| paragraph(name, text, INDENT)),
        );
    }
    page + "\nThe default scheme is the first one whose range contains the order. Accuracy: for smooth functions\n\
            at a fixed time, as a power of the step. Outside: the extension of the signal beyond its samples.\n"
}

fn of_parameter(parameter: &Parameter) -> String {
    let Parameter { meaning, range, default, example, .. } = *parameter;
    match default {
        Some(default) => format!("{meaning}; {range}; default {}", shortest(default)),
        None => format!("{meaning}; {range}; required, such as {}", shortest(example)),
    }
}
