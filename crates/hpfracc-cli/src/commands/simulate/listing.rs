//! Models as text: the list, or one in full.

use crate::text::layout::wrapped;
use crate::text::rounded;
use hpfracc::sde::models::{Definition, Named};

/// Maximum number of characters in a line.
const WIDTH: usize = 100;
/// Column of the texts.
const INDENT: usize = 14;

/// All models, a paragraph each.
pub(super) fn list() -> String {
    let entry = |model: Named| {
        let Definition { name, title, equation, parameters, default_grid, .. } = model.definition();
        let parameters = parameters.iter().map(|p| format!("{}={}", p.name, rounded(p.default)));
        let parameters: Vec<String> = parameters.collect();
        let grid = format!("t1 {}, steps {}", rounded(default_grid.t1), default_grid.steps);
        let mut page = format!("{name}: {title}\n");
        page.extend(equation.iter().map(|line| format!("  {line}\n")));
        page + &line("parameters", &parameters.join(" ")) + &line("defaults", &grid)
    };
    let all: Vec<String> = Named::all().into_iter().map(entry).collect();
    all.join("\n") + "\nDetails of a model: hpfracc simulate MODEL --explain\n"
}

/// One model in full.
pub(super) fn of(definition: &Definition) -> String {
    let Definition { name, title, equation, scheme, observables, parameters, default_grid } =
        definition;
    let mut page = format!("{name}: {title}\n\n");
    page.extend(equation.iter().map(|equation| format!("  {equation}\n")));
    page.push('\n');
    page += &line("observables", &observables.join(", "));
    page += &line("scheme", scheme);
    page += &line(
        "defaults",
        &format!("t1 {}, steps {}", rounded(default_grid.t1), default_grid.steps),
    );
    page += "\nparameters\n";
    page.extend(parameters.iter().map(|parameter| {
        let meaning = parameter.meaning.trim_end_matches('.');
        let (range, default) = (parameter.range.text, rounded(parameter.default));
        line(parameter.name, &format!("{meaning}; {range}; default {default}"))
    }));
    page
}

/// Name with a wrapped text.
fn line(name: &str, text: &str) -> String {
    let lines = wrapped(text, WIDTH - INDENT);
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(lines).map(|(name, text)| format!("  {name:0$}{text}\n", INDENT - 2)).collect()
}
