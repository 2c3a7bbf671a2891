//! Models of the literature, for `--list`.

use crate::Error;
use crate::error::FittingError;
use crate::text::layout::paragraph;
use hpfracc::fit::catalogue::{self, Entry};
use hpfracc::fit::{CatalogueModel, Model};
use hpfracc::types::shortest;

/// All models, or what is known of one, with a model file as an example.
pub(super) fn list(name: &str) -> Result<String, Error> {
    if name.is_empty() { all() } else { one(name) }
}

fn all() -> Result<String, Error> {
    let mut text = String::new();
    for name in catalogue::names() {
        let entry = catalogue::entry(name).map_err(FittingError::from)?;
        text += &format!("{name}: {}\n  {}\n", entry.title, entry.formula());
    }
    text += "\n`hpfracc fit --list NAME` describes one. Circuits are texts: \"circuit R0-p(R1,CPE1)-Wo2\", of\n\
             R, C, L, CPE, W, Wo, Ws, G (Gerischer) and ZARC, in series by - and in parallel by p(,); sums of spectra \n\
             are \"debye + cole-cole\", transfer functions \"transfer (b0 + b1 s^beta)/(1 + a1 s^alpha)\".\n";
    Ok(text)
}

fn one(name: &str) -> Result<String, Error> {
    let model = catalogue::read(name).map_err(FittingError::from)?;
    let entry = model.entry();
    let mut text = format!("{}: {}\n{}", entry.name, entry.title, paragraph("", &entry.about, 2));
    text += &format!("\n  {}\n", entry.text.trim_end().replace('\n', "\n  "));
    text += "\nInputs\n";
    for input in &entry.inputs {
        text += &format!("  {}{}\n", input.name, bracketed(input.unit.as_deref()));
    }
    text += "\nResponses\n";
    for response in &entry.responses {
        text += &match response.meaning == response.name {
            true => format!("  {}\n", response.name),
            false => format!("  {} = {}\n", response.name, response.meaning),
        };
    }
    text += "\nParameters\n";
    for line in parameters(&model, entry) {
        text += &format!("  {line}\n");
    }
    text += &format!("\nSource\n{}", paragraph("", &entry.source, 2));
    text += &format!("\nModel file\n{}", file(name, &model, entry));
    Ok(text)
}

/// Name, range, unit and meaning of each parameter and constant.
fn parameters(model: &CatalogueModel, entry: &Entry) -> Vec<String> {
    let mut lines = vec![];
    for declared in model.parameters() {
        let meaning = entry.note(&declared.name).map_or("", |note| note.meaning.as_str());
        let range = match (declared.lower, declared.upper) {
            (low, high) if low.is_infinite() && high.is_infinite() => String::new(),
            (low, high) if high.is_infinite() => format!(" from {}", bound(low)),
            (low, high) => format!(" from {} to {}", bound(low), bound(high)),
        };
        let unit = bracketed(declared.unit.as_deref());
        lines.push(format!("{}{unit}{range}: {meaning}", declared.name));
    }
    for note in entry.notes.iter().filter(|note| note.constant) {
        let value = shortest(note.example);
        lines.push(format!("{} = {value}, constant: {}", note.name, note.meaning));
    }
    lines
}

/// A bound that is next to a number is that number.
fn bound(x: f64) -> String {
    let near = |y: f64| x == y.next_up() || x == y.next_down();
    let round = [0.0, x.round()].into_iter().find(|y| near(*y));
    shortest(round.unwrap_or(x))
}

fn bracketed(unit: Option<&str>) -> String {
    unit.map_or_else(String::new, |unit| format!(" [{unit}]"))
}

/// Model file with all parameters.
fn file(name: &str, model: &CatalogueModel, entry: &Entry) -> String {
    let quoted = |names: Vec<&str>| format!("[\"{}\"]", names.join("\", \""));
    let responses = quoted(entry.responses.iter().map(|response| response.name.as_str()).collect());
    let mut text = format!("  model = \"{name}\"\n");
    let constants: Vec<String> = entry
        .notes
        .iter()
        .filter(|note| note.constant)
        .map(|note| format!("{} = {}", note.name, shortest(note.example)))
        .collect();
    if !constants.is_empty() {
        text += &format!("  constants = {{ {} }}\n", constants.join(", "));
    }
    text += &format!("\n  [data]\n  response = {responses}\n\n  [parameters]\n");
    for (declared, value) in model.parameters().iter().zip(model.example()) {
        text += &format!("  {} = {{ start = {} }}\n", declared.name, shortest(value));
    }
    text
}
