//! Catalogue: models of the literature as texts, each with its formula, parameters with unit and natural bounds, places where a
//! search for a start begins, source and example.
//!
//! ```
//! use hpfracc_fit::{Fit, Set, catalogue};
//!
//! let model = catalogue::find("mittag-leffler-relaxation")?; // y = c + a E(s, -(t/tau)^s)
//! let t: Vec<f64> = (0..60).map(|k| 0.01 * 1.17f64.powi(k)).collect();
//! let y = model.values(&[2.0, 1.0, 0.7, 0.5], &[t.clone()])?.swap_remove(0);
//! let found = Fit::new(Set::new("relaxation", &model).input(&t).response(&y))?.run()?;
//! assert!((found.estimate("s").unwrap().value - 0.7).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod circuit;
mod error;
mod files;
mod model;
mod model_text;
mod search;
mod sum;
mod transfer;

pub use circuit::circuit;
pub use error::CatalogueError;
pub use model::CatalogueModel;
pub use model_text::{Entry, ModelInput, ModelResponse, ParameterNote};
pub use sum::sum;
pub use transfer::transfer;

use circuit::{NAMED, described};
use files::FILES;
use hpfracc_equation::nearest;

/// Names of all models.
///
/// ```
/// use hpfracc_fit::catalogue;
///
/// for name in catalogue::names() {
///     assert!(!catalogue::entry(name)?.title.is_empty(), "{name}");
/// }
/// # Ok::<(), hpfracc_fit::CatalogueError>(())
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    let files = FILES.iter().map(|(name, _)| *name);
    files.chain(NAMED.iter().map(|named| named.name))
}

/// Model of this name.
///
/// # Errors
/// [`CatalogueError::UnknownModel`] with the nearest name.
pub fn find(name: &str) -> Result<CatalogueModel, CatalogueError> {
    CatalogueModel::new(entry(name)?)
}

/// Model of a text: a name, a sum of names, a circuit, or a fractional transfer function.
///
/// ```
/// use hpfracc_fit::catalogue;
///
/// for text in [
///     "cole-cole",
///     "debye + cole-cole",
///     "circuit R0-p(R1,CPE1)",
///     "transfer (b0 + b1 s^beta)/(1 + a1 s^alpha)",
/// ] {
///     assert!(catalogue::read(text).is_ok(), "{text}");
/// }
/// ```
///
/// # Errors
/// Those of [`find`], [`sum`], [`circuit`] and [`transfer`].
pub fn read(text: &str) -> Result<CatalogueModel, CatalogueError> {
    let text = text.trim();
    if let Some(elements) = text.strip_prefix("circuit ") {
        return circuit(elements.trim());
    }
    if let Some(quotient) = text.strip_prefix("transfer ") {
        let inner = quotient.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let parts = inner.and_then(|inner| inner.split_once(")/("));
        let (numerator, denominator) = parts.ok_or_else(|| CatalogueError::Text {
            text: text.to_owned(),
            column: 10,
            what: "this is no quotient in parentheses".to_owned(),
            help: "write `transfer (b0 + s^beta)/(1 + a1 s^alpha)`".to_owned(),
        })?;
        return transfer(numerator, denominator);
    }
    if text.contains('+') { sum(text) } else { find(text) }
}

/// Text and facts of the model of this name, without its derivatives.
///
/// # Errors
/// [`CatalogueError::UnknownModel`] with the nearest name.
pub fn entry(name: &str) -> Result<Entry, CatalogueError> {
    if let Some((name, text)) = FILES.iter().find(|(known, _)| *known == name) {
        return Entry::parse(name, text);
    }
    if let Some(named) = NAMED.iter().find(|known| known.name == name) {
        return Ok(Entry {
            name: name.to_owned(),
            title: named.title.to_owned(),
            about: named.about.to_owned(),
            source: named.source.to_owned(),
            ..described(named.circuit)?
        });
    }
    let hint = match nearest(name, names()) {
        Some(near) => format!(": did you mean `{near}`?"),
        None => format!(", only: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(CatalogueError::UnknownModel { name: name.to_owned(), hint })
}
