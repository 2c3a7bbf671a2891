//! Models as text: the list, or one in full.

use crate::text::layout::paragraph;
use crate::text::rounded;
use hpfracc::sde::models::{DefaultGrid, Definition, Named};

/// Column of the texts.
const INDENT: usize = 14;

/// All models, a paragraph each.
pub(super) fn list() -> String {
    let listed = |model: Named| {
        let Definition { name, title, equation, parameters, default_grid, .. } = model.definition();
        let parameters = parameters.iter().map(|p| format!("{}={}", p.name, rounded(p.default)));
        let parameters: Vec<String> = parameters.collect();
        let mut page = format!("{name}: {title}\n");
        page.extend(equation.iter().map(|line| format!("  {line}\n")));
        page + &paragraph("parameters", &parameters.join(" "), INDENT) + &defaults(&default_grid)
    };
    let all: Vec<String> = Named::all().into_iter().map(listed).collect();
    all.join("\n") + "\nDetails of a model: hpfracc simulate MODEL --explain\n"
}

/// One model in full.
pub(super) fn of(definition: &Definition) -> String {
    let Definition { name, title, equation, scheme, observables, parameters, default_grid } =
        definition;
    let mut page = format!("{name}: {title}\n\n");
    page.extend(equation.iter().map(|equation| format!("  {equation}\n")));
    page.push('\n');
    page += &paragraph("observables", &observables.join(", "), INDENT);
    page += &paragraph("scheme", scheme, INDENT);
    page += &defaults(default_grid);
    page += "\nparameters\n";
    // Two spaces before a name, and two after it.
    let longest = parameters.iter().map(|parameter| parameter.name.len() + 4).max();
    let indent = longest.unwrap_or(0).max(INDENT);
    page.extend(parameters.iter().map(|parameter| {
        let meaning = parameter.meaning.trim_end_matches('.');
        let (range, default) = (parameter.range.text, rounded(parameter.default));
        paragraph(parameter.name, &format!("{meaning}; {range}; default {default}"), indent)
    }));
    page
}

fn defaults(grid: &DefaultGrid) -> String {
    paragraph("defaults", &format!("t1 {}, steps {}", rounded(grid.t1), grid.steps), INDENT)
}
