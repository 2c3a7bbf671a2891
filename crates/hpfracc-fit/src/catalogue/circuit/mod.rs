//! Impedances of circuits written as text.

mod elements;
mod named;
mod parser;

pub(super) use named::NAMED;

use super::model_text::{Entry, ModelInput, ModelResponse, ParameterNote};
use super::search::Search;
use super::{CatalogueError, CatalogueModel};
use elements::Element;
use parser::{Circuit, read};

/// Impedance of a circuit: elements in series, `R0-C1`, and in parallel, `p(R1,CPE1)`.
///
/// | element | impedance | parameters of `X1` |
/// |---|---|---|
/// | `R` | R | `R1` |
/// | `C` | 1/(i omega C) | `C1` |
/// | `L` | i omega L | `L1` |
/// | `CPE`, constant phase element | 1/(Q (i omega)^n) | `CPE1_Q`, `CPE1_n` |
/// | `W`, Warburg, semi-infinite | A (1 - i)/sqrt(omega) | `W1_A` |
/// | `Wo`, Warburg, open end (finite space) | R coth(sqrt(i omega tau))/sqrt(i omega tau) | `Wo1_R`, `Wo1_tau` |
/// | `Ws`, Warburg, shorted end (finite length) | R tanh(sqrt(i omega tau))/sqrt(i omega tau) | `Ws1_R`, `Ws1_tau` |
/// | `G`, Gerischer | R/sqrt(1 + i omega tau) | `G1_R`, `G1_tau` |
/// | `ZARC` | R/(1 + (i omega tau)^n) | `ZARC1_R`, `ZARC1_tau`, `ZARC1_n` |
///
/// Every element has a number of its own. The input is the angular frequency `omega`; [`CatalogueModel::in_hertz`] makes it a
/// frequency. The responses are the real and the imaginary part, which is negative for a capacitance.
///
/// ```
/// use hpfracc_fit::{Model, catalogue};
///
/// let model = catalogue::circuit("R0-p(R1,C1)")?;
/// assert_eq!(model.entry().formula(), "Z = R0 + 1/(1/R1 + i omega C1)");
/// let z = model.values(&[10.0, 100.0, 1e-6], &[vec![1e4]])?;
/// assert!((z[0][0] - 60.0).abs() < 1e-12 && (z[1][0] + 50.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CatalogueError::Text`] with the place of what is wrong.
pub fn circuit(text: &str) -> Result<CatalogueModel, CatalogueError> {
    CatalogueModel::new(described(text)?)
}

/// Text of the model of a circuit.
pub(super) fn described(text: &str) -> Result<Entry, CatalogueError> {
    let circuit = read(text)?;
    let (mut notes, mut lines, mut symbols) = (vec![], vec![], vec![]);
    circuit.elements(true, &mut |element, in_series| {
        for parameter in element.kind.parameters {
            let name = element.parameter(parameter.symbol);
            let linear = in_series && parameter.linear;
            let range = match parameter.symbol {
                "n" => "in (0, 1]",
                _ if linear => "in [0, inf)",
                _ => "in (0, inf)",
            };
            let unit = match parameter.unit {
                "" => String::new(),
                unit => format!("[{unit}]"),
            };
            let earlier = symbols.iter().filter(|known| **known == parameter.symbol).count() as i32;
            symbols.push(parameter.symbol);
            let example = parameter.example * parameter.ratio.powi(earlier);
            lines.push(format!("{name} = {example:e} {range} {unit}"));
            notes.push(ParameterNote {
                name,
                meaning: format!(
                    "{} of {}{}",
                    parameter.meaning, element.kind.name, element.number
                ),
                constant: false,
                example,
                search: Search::read(parameter.search, &["omega"]),
            });
        }
    });
    let response = |name: &str, meaning: &str| ModelResponse {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
    };
    Ok(Entry {
        name: text.to_owned(),
        title: "Impedance of a circuit".to_owned(),
        about: format!("Impedance of the circuit {text}."),
        source: "Lasia, Electrochemical Impedance Spectroscopy and its Applications, Springer, New York (2014), DOI 10.1007/978-1-4614-8933-7".to_owned(),
        inputs: inputs(),
        responses: vec![response("real", "Re Z"), response("imaginary", "Im Z")],
        notes,
        text: format!("Z = {}\n{}\n", circuit.impedance(), lines.join("\n")),
    })
}

fn inputs() -> Vec<ModelInput> {
    let (name, unit) = ("omega".to_owned(), Some("rad/s".to_owned()));
    vec![ModelInput { name, unit, low: 0.01, high: 1e5, equal_ratios: true }]
}

impl Circuit {
    /// Calls a function with each element and whether nothing is in parallel with it.
    fn elements(&self, in_series: bool, each: &mut dyn FnMut(&Element, bool)) {
        match self {
            Self::Element(element) => each(element, in_series),
            Self::Series(parts) => parts.iter().for_each(|part| part.elements(in_series, each)),
            Self::Parallel(parts) => parts.iter().for_each(|part| part.elements(false, each)),
        }
    }

    /// Formula of the impedance, a sum.
    fn impedance(&self) -> String {
        match self {
            Self::Element(element) => element.formula(element.kind.impedance),
            Self::Series(parts) => joined(parts, Self::impedance),
            Self::Parallel(parts) => format!("1/({})", joined(parts, Self::admittance)),
        }
    }

    /// Formula of the inverse of the impedance, a sum.
    fn admittance(&self) -> String {
        match self {
            Self::Element(element) => element.formula(element.kind.admittance),
            Self::Series(parts) => format!("1/({})", joined(parts, Self::impedance)),
            Self::Parallel(parts) => joined(parts, Self::admittance),
        }
    }
}

fn joined(parts: &[Circuit], formula: fn(&Circuit) -> String) -> String {
    parts.iter().map(formula).collect::<Vec<_>>().join(" + ")
}
