use crate::FitError;
use hpfracc_equation::{EquationError, NoComplexFunction};

/// Reason for which there is no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// Name that no model has.
    #[error("there is no model `{name}`{hint}")]
    UnknownModel {
        /// Name.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// Name that no constant of the model has.
    #[error("the model `{model}` has no constant `{name}`, only: {known}")]
    UnknownConstant {
        /// Name of the model.
        model: String,
        /// Name.
        name: String,
        /// Constants of the model.
        known: String,
    },
    /// Constant that is NaN or infinite.
    #[error("the constant `{name}` is {value}, expected a finite number")]
    Constant {
        /// Name.
        name: String,
        /// Value.
        value: f64,
    },
    /// Model that is not one of the angular frequency.
    #[error(
        "the model `{model}` has the input `{input}`, expected `omega`: only spectra have a frequency in hertz"
    )]
    NoSpectrum {
        /// Name of the model.
        model: String,
        /// Its input.
        input: String,
    },
    /// Text of a circuit or of a sum of relaxations that cannot be read.
    #[error("column {column}: {what}\n  {text}\n  {space:before$}^ {help}", space = "", before = *column - 1)]
    Text {
        /// Text.
        text: String,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong.
        what: String,
        /// What to write instead.
        help: String,
    },
    /// Description that lacks a line.
    #[error("the description of the model `{name}` lacks {what}")]
    Incomplete {
        /// Name of the model.
        name: String,
        /// What is missing.
        what: &'static str,
    },
    /// Formula that cannot be read.
    #[error(transparent)]
    Formula(#[from] EquationError),
    /// Function of a complex number.
    #[error(transparent)]
    Complex(#[from] NoComplexFunction),
    /// Formula without derivatives.
    #[error(transparent)]
    Model(#[from] FitError),
}
