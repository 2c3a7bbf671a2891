//! Definition in full.

use crate::text::layout::wrapped;
use crate::text::shortest;
use hpfracc::operators::{Entry, Parameter};

/// Maximum number of characters in a line.
const WIDTH: usize = 100;
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
    page.extend(facts.map(|(name, text)| line(name, text)));
    page += "\nparameters\n";
    page += &line("alpha", "order; its range depends on the scheme");
    page.extend(definition.parameters.iter().map(|p| line(p.name, &of_parameter(p))));
    for entry in entries {
        page += &format!("\nscheme {}\n", entry.scheme);
        page.extend(
            [
                ("orders", entry.range.text),
                ("accuracy", entry.accuracy),
                ("cost", entry.cost),
                ("outside", entry.outside),
            ]
            .map(|(name, text)| line(name, text)),
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

/// Name with a wrapped text.
fn line(name: &str, text: &str) -> String {
    let lines = wrapped(text, WIDTH - INDENT);
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    // Names are indented by two.
    names.zip(lines).map(|(name, text)| format!("  {name:0$}{text}\n", INDENT - 2)).collect()
}
