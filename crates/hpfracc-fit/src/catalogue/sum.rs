use super::model_text::{Entry, ParameterNote, code};
use super::search::Search;
use super::{CatalogueError, CatalogueModel, entry};

/// Ratio of the examples of equal terms: time constants that a spectrum separates.
const RATIO: f64 = 100.0;

/// Sum of models that have an offset and a term, such as relaxations and correlations: `cole-cole + ohmic-conductivity`. The
/// offset is one parameter, and parameters of equal names get numbers, `tau_1` and `tau_2`.
///
/// ```
/// use hpfracc_fit::{Model, catalogue};
///
/// let model = catalogue::sum("debye + cole-cole")?;
/// let names: Vec<&str> = model.parameters().iter().map(|known| known.name.as_str()).collect();
/// assert_eq!(names, ["eps_inf", "delta_1", "tau_1", "delta_2", "tau_2", "alpha"]);
/// # Ok::<(), hpfracc_fit::CatalogueError>(())
/// ```
///
/// # Errors
/// [`CatalogueError::UnknownModel`], and [`CatalogueError::Text`] for a model that is no term of the sum.
pub fn sum(text: &str) -> Result<CatalogueModel, CatalogueError> {
    let mut terms: Vec<Term> = vec![];
    let mut start = 0;
    for name in text.split('+') {
        let refused = |what: String| CatalogueError::Text {
            text: text.to_owned(),
            column: text[..start].chars().count() + name.len() - name.trim_start().len() + 1,
            what,
            help: "only models of the same responses that begin with the same offset can be summed"
                .to_owned(),
        };
        let entry = entry(name.trim())?;
        let term = Term::new(entry).ok_or_else(|| {
            refused(format!("the formula of `{}` is not an offset and a term", name.trim()))
        })?;
        if let Some(first) = terms.first().filter(|first| !first.fits(&term)) {
            let (first, other) = (&first.entry.name, &term.entry.name);
            return Err(refused(format!("`{other}` is another quantity than `{first}`")));
        }
        terms.push(term);
        start += name.len() + 1;
    }
    CatalogueModel::new(joined(text, &terms))
}

/// Model of the form `response = offset + term`.
struct Term {
    entry: Entry,
    response: String,
    offset: String,
    term: String,
}

impl Term {
    fn new(entry: Entry) -> Option<Self> {
        let (response, value) = entry.formula().split_once(" = ")?;
        let (offset, term) = value.split_once(" + ")?;
        let is_parameter = entry.notes.iter().any(|note| note.name == offset);
        let definitions = entry.text.lines().count() > 1 + entry.notes.len();
        let (response, offset, term) = (response.into(), offset.into(), term.into());
        (is_parameter && !definitions).then_some(Self { entry, response, offset, term })
    }

    fn fits(&self, other: &Self) -> bool {
        let names = |term: &Self| {
            term.entry.inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>()
        };
        self.response == other.response
            && self.offset == other.offset
            && self.entry.responses == other.entry.responses
            && names(self) == names(other)
    }
}

fn joined(name: &str, terms: &[Term]) -> Entry {
    let first = &terms[0];
    let shared = |note: &ParameterNote| note.constant || note.name == first.offset;
    let count = |name: &str| {
        terms.iter().filter(|term| term.entry.notes.iter().any(|note| note.name == name)).count()
    };
    let mut formula = format!("{} = {}", first.response, first.offset);
    let (mut lines, mut notes): (Vec<String>, Vec<ParameterNote>) = (vec![], vec![]);
    for (k, term) in terms.iter().enumerate() {
        let mut value = term.term.clone();
        for (note, line) in term.entry.notes.iter().zip(term.entry.text.lines().skip(1)) {
            let (_, facts) = code(line).split_once(" = ").unwrap_or_default();
            let facts = facts.split_once(' ').map_or("", |(_, facts)| facts);
            let mut note = note.clone();
            if !shared(&note) && count(&note.name) > 1 {
                let numbered = format!("{}_{}", note.name, k + 1);
                value = renamed(&value, &note.name, &numbered);
                note.name = numbered;
                if matches!(note.search, Some(Search::Powers { .. })) {
                    note.example *= RATIO.powi(k as i32);
                }
            }
            if !notes.iter().any(|known| known.name == note.name) {
                lines.push(format!("{} = {:e} {facts}", note.name, note.example));
                notes.push(note);
            }
        }
        formula = format!("{formula} + {value}");
    }
    let mut sources: Vec<&str> = terms.iter().map(|term| term.entry.source.as_str()).collect();
    sources.dedup();
    let titles: Vec<&str> = terms.iter().map(|term| term.entry.title.as_str()).collect();
    Entry {
        name: name.to_owned(),
        title: titles.join(" + "),
        about: first.entry.about.clone(),
        source: sources.join("; "),
        notes,
        text: format!("{formula}\n{}\n", lines.join("\n")),
        ..first.entry.clone()
    }
}

/// Expression with another name in place of a name.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if end > 0 {
            out.push_str(if &rest[..end] == from { to } else { &rest[..end] });
        }
        rest = &rest[end..];
        let end = rest.find(is_name).unwrap_or(rest.len());
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out
}
