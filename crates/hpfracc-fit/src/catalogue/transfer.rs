use super::model_text::{Entry, ModelInput, ModelResponse, ParameterNote};
use super::search::Search;
use super::{CatalogueError, CatalogueModel};
use hpfracc_equation::{Binary, Formula, Node};

/// Orders at which a search begins.
const ORDERS: [f64; 3] = [0.5, 1.0, 1.5];
/// Range of the orders.
const ORDER_RANGE: &str = "in [0, 4]";
/// Coefficients at which a search begins.
const COEFFICIENTS: [f64; 3] = [0.1, 1.0, 10.0];

/// Fractional transfer function of a numerator and a denominator in `s`, with any of its coefficients and orders unknown, as a
/// model of its frequency response `H(i omega)`. Names in an exponent of `s` are orders, between 0 and 4.
///
/// ```
/// use hpfracc_fit::{Model, catalogue};
///
/// let model = catalogue::transfer("b0 + b1 s^beta", "1 + a1 s^alpha")?;
/// let names: Vec<&str> = model.parameters().iter().map(|known| known.name.as_str()).collect();
/// assert_eq!(names, ["b0", "b1", "beta", "a1", "alpha"]);
/// assert_eq!(model.parameters()[4].upper, 4.0);
/// # Ok::<(), hpfracc_fit::CatalogueError>(())
/// ```
///
/// # Errors
/// [`CatalogueError::Formula`] for a text that is no expression, and [`CatalogueError::Complex`] for a function that has no
/// complex value.
pub fn transfer(numerator: &str, denominator: &str) -> Result<CatalogueModel, CatalogueError> {
    let mut notes: Vec<ParameterNote> = vec![];
    for text in [numerator, denominator] {
        if let Some(at) = text.find(['\n', ';', '#', '=']) {
            return Err(CatalogueError::Text {
                text: text.lines().next().unwrap_or_default().to_owned(),
                column: text[..at].chars().count() + 1,
                what: "this ends the expression".to_owned(),
                help: "write one expression in s".to_owned(),
            });
        }
        for (name, is_order) in parameters(&Formula::parse(text, &["s"])?) {
            if !notes.iter().any(|note| note.name == name) {
                notes.push(note(name, is_order, notes.len()));
            }
        }
    }
    let mut lines = vec![format!("H = ({numerator})/({denominator})")];
    for note in &notes {
        let range = if note.meaning == "order" { ORDER_RANGE } else { "" };
        lines.push(format!("{} = {} {range}", note.name, note.example));
    }
    lines.push("s = i omega".to_owned());
    let response = |name: &str, meaning: &str| ModelResponse {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
    };
    CatalogueModel::new(Entry {
        name: format!("({numerator})/({denominator})"),
        title: "Fractional transfer function".to_owned(),
        about: "Frequency response H(i omega) of a ratio of polynomials in powers of s.".to_owned(),
        source: "Podlubny, IEEE Trans. Autom. Control 44 (1999) 208, DOI 10.1109/9.739144"
            .to_owned(),
        inputs: vec![ModelInput {
            name: "omega".to_owned(),
            unit: Some("rad/s".to_owned()),
            low: 0.01,
            high: 100.0,
            equal_ratios: true,
        }],
        responses: vec![response("real", "Re H"), response("imaginary", "Im H")],
        notes,
        text: lines.join("\n") + "\n",
    })
}

/// Names of the parameters, and whether they are in an exponent.
fn parameters(formula: &Formula) -> Vec<(String, bool)> {
    let graph = formula.graph();
    let exponents: Vec<usize> = graph
        .nodes()
        .iter()
        .filter_map(|node| match node {
            Node::Binary(Binary::Power, _, exponent) => Some(exponent.index()),
            _ => None,
        })
        .collect();
    let in_exponent = |variable: u32| {
        let depends = graph.depends(|known| known == variable);
        exponents.iter().any(|exponent| depends[*exponent])
    };
    let pairs = formula.parameters().iter().zip(formula.parameter_variables());
    pairs.map(|(known, variable)| (known.name().to_owned(), in_exponent(variable))).collect()
}

/// Parameter, with an example that differs from that of the earlier ones.
fn note(name: String, is_order: bool, earlier: usize) -> ParameterNote {
    let k = earlier as f64;
    let (meaning, grid, example) = if is_order {
        ("order", ORDERS, 0.5 + 0.25 * k)
    } else {
        ("coefficient", COEFFICIENTS, 1.0 + 0.5 * k)
    };
    let search = Some(Search::Values(grid.to_vec()));
    ParameterNote { name, meaning: meaning.to_owned(), constant: false, example, search }
}
