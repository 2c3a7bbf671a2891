use super::CatalogueError;
use super::search::Search;
use std::str::Lines;

/// Input of a model, with the range of an example.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelInput {
    /// Name.
    pub name: String,
    /// Unit of the example.
    pub unit: Option<String>,
    /// First value of the example.
    pub low: f64,
    /// Last value of the example.
    pub high: f64,
    /// Whether the example has equal ratios, for a logarithmic axis, in place of equal differences.
    pub equal_ratios: bool,
}

impl ModelInput {
    /// Value of the example at a share of its range.
    pub fn at(&self, share: f64) -> f64 {
        if self.equal_ratios {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + (self.high - self.low) * share
        }
    }
}

/// Response of a model: the formula, or a part of its complex value.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelResponse {
    /// Name.
    pub name: String,
    /// What it is in the formula, such as `-Im eps`.
    pub meaning: String,
}

/// What is known of a parameter, or of a constant: a number of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterNote {
    /// Name.
    pub name: String,
    /// Meaning.
    pub meaning: String,
    /// Whether it is a constant of the experiment, which is not fitted.
    pub constant: bool,
    /// Value of the example.
    pub example: f64,
    /// Where the search for a start begins.
    pub(super) search: Option<Search>,
}

/// Model of the catalogue as a text, read from a file of the folder `catalogue`.
///
/// ```text
/// hpfracc model 1
/// # Title
/// # What it is, in one line or more.
/// # Source: author, journal, year, DOI
/// # Input: omega from 0.01 to 100 [rad/s], equal ratios
/// # Response: eps_real = Re eps
/// # Response: eps_loss = -Im eps
/// eps = eps_inf + delta/(1 + (i omega tau)^alpha)
/// tau = 1 in (0, inf) [s]  # relaxation time; search omega^-1
/// ```
///
/// After the formula come its parameters, each with an example of its value, the range, the unit, the meaning and where a
/// search for a start begins, and definitions. A search is a list of numbers, or a product of powers of an input, of `size`,
/// the norm of the responses, and of constants. A parameter between 0 and infinity, without both, is a positive scale, whose
/// logarithm is fitted; with `; constant` it is a number of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Description: one or more sentences.
    pub about: String,
    /// Publications that the model is from.
    pub source: String,
    /// Inputs.
    pub inputs: Vec<ModelInput>,
    /// Responses.
    pub responses: Vec<ModelResponse>,
    /// Parameters and constants.
    pub notes: Vec<ParameterNote>,
    /// Formula, parameters and definitions, without the head.
    pub text: String,
}

impl Entry {
    /// Parameter or constant of this name.
    pub fn note(&self, name: &str) -> Option<&ParameterNote> {
        self.notes.iter().find(|note| note.name == name)
    }

    /// The formula.
    pub fn formula(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// Reads a text.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, CatalogueError> {
        let lacks = |what| CatalogueError::Incomplete { name: name.to_owned(), what };
        let mut lines = text.lines();
        if lines.next() != Some("hpfracc model 1") {
            return Err(lacks("the line `hpfracc model 1`"));
        }
        let title = comment(&mut lines).ok_or(lacks("a title"))?.to_owned();
        let mut about = String::new();
        let source = loop {
            let line = comment(&mut lines).ok_or(lacks("a source"))?;
            if let Some(source) = line.strip_prefix("Source: ") {
                break source.to_owned();
            }
            if !about.is_empty() {
                about.push(' ');
            }
            about.push_str(line);
        };
        let (mut inputs, mut responses) = (vec![], vec![]);
        let mut rest = lines.clone();
        while let Some(line) = comment(&mut lines) {
            if let Some(input) = line.strip_prefix("Input: ") {
                inputs.push(read_input(input).ok_or(lacks("a range of an input"))?);
            } else if let Some((name, meaning)) =
                line.strip_prefix("Response: ").and_then(|response| response.split_once(" = "))
            {
                let (name, meaning) = (name.to_owned(), meaning.to_owned());
                responses.push(ModelResponse { name, meaning });
            } else {
                return Err(lacks("an input or response in the last lines of its head"));
            }
            rest = lines.clone();
        }
        let text: String = rest.map(|line| format!("{line}\n")).collect();
        let (first, _) = text.split_once(" = ").ok_or(lacks("a formula"))?;
        if responses.is_empty() {
            let name = first.to_owned();
            responses.push(ModelResponse { name: name.clone(), meaning: name });
        }
        let notes = text.lines().filter_map(|line| note(line, &inputs)).collect();
        let name = name.to_owned();
        Ok(Self { name, title, about, source, inputs, responses, notes, text })
    }
}

/// Text of a line that is a comment.
fn comment<'a>(lines: &mut Lines<'a>) -> Option<&'a str> {
    lines.next()?.strip_prefix("# ")
}

/// `omega from 0.01 to 100 [rad/s], equal ratios`
fn read_input(text: &str) -> Option<ModelInput> {
    let (text, equal_ratios) = match text.strip_suffix(", equal ratios") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (text, unit) = match text.strip_suffix(']').and_then(|text| text.split_once(" [")) {
        Some((text, unit)) => (text, Some(unit.to_owned())),
        None => (text, None),
    };
    let (name, range) = text.split_once(" from ")?;
    let (low, high) = range.split_once(" to ")?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    Some(ModelInput { name: name.to_owned(), unit, low, high, equal_ratios })
}

/// `tau = 1 in (0, inf) [s]  # relaxation time; search 1/omega`
fn note(line: &str, inputs: &[ModelInput]) -> Option<ParameterNote> {
    let (code, comment) = line.split_once('#')?;
    let (name, value) = code.split_once(" = ")?;
    let mut parts = comment.split(';').map(str::trim);
    let meaning = parts.next()?.to_owned();
    let (mut constant, mut search) = (false, None);
    for part in parts {
        constant |= part == "constant";
        if let Some(text) = part.strip_prefix("search ") {
            let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
            search = Some(Search::read(text, &names)?);
        }
    }
    let example = value.split_whitespace().next()?.parse().ok()?;
    Some(ParameterNote { name: name.to_owned(), meaning, constant, example, search })
}

/// Line of the text without its comment.
pub(super) fn code(line: &str) -> &str {
    line.split_once('#').map_or(line, |(code, _)| code).trim_end()
}
