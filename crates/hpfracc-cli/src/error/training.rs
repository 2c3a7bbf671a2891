use hpfracc::nn::models::ModelError;
use hpfracc::nn::trainer::{RecordError, TrainerError};
use hpfracc::nn::{self, NetworkError};
use thiserror::Error;

/// What `hpfracc train` refuses.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A configuration that is not one.
    #[error("{name}: line {line}: {reason}")]
    Config {
        /// The file as it was named.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A number of the configuration outside its range.
    #[error("{key} is {value}, expected {expected}")]
    Setting {
        /// Its key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The range, in words.
        expected: &'static str,
    },
    /// A record that is a folder, a pipe or a device, where it is only looked at.
    #[error("{name}: the record is no regular file")]
    NoFile {
        /// What it is called.
        name: String,
    },
    /// A record that cannot be read as the configuration says.
    #[error("{}", by_keys(&error.to_string()))]
    Data {
        /// The error in the words of commands that have options where this one has keys: not its source, whose
        /// words would be added.
        error: Box<super::Error>,
    },
    /// A record shorter than a window.
    #[error(
        "{name}: {part} of the record has {rows} rows, fewer than the {window} of a window (its start, \
         and [windows] length)"
    )]
    TooShort {
        /// The file of the record.
        name: String,
        /// Which part of it.
        part: &'static str,
        /// Its rows.
        rows: usize,
        /// Rows of a window.
        window: usize,
    },
    /// Columns whose rows are not the same.
    #[error("{name}: columns `{first}` and `{second}` do not have values at the same times")]
    Columns {
        /// The file.
        name: String,
        /// A column.
        first: String,
        /// Another one.
        second: String,
    },
    /// A result of an earlier training.
    #[error("{path} is there already: --resume goes on, --out names another folder")]
    Occupied {
        /// The file.
        path: String,
    },
    /// Networks that cannot be put together.
    #[error("[model]: {0}")]
    Network(#[from] NetworkError),
    /// An equation, windows or a loss that do not fit.
    #[error("{section}: {source}")]
    Model {
        /// The section of the configuration.
        section: &'static str,
        /// What is wrong there.
        source: Box<ModelError>,
    },
    /// A record that cannot be standardised.
    #[error("{name}: {source}")]
    Record {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: RecordError,
    },
    /// The training did not begin, or not go on.
    #[error("train: {0}")]
    Trainer(#[from] TrainerError),
    /// The forecast failed.
    #[error("forecast: {0}")]
    Forecast(#[from] nn::TrainingError),
}

/// The same with keys in the place of options.
pub(crate) fn by_keys(text: &str) -> String {
    let pairs = [
        ("--missing interpolate", "[data] missing = \"interpolate\""),
        ("--missing drop", "[data] missing = \"drop\""),
        ("--column", "[data] columns"),
        ("--time", "[data] time"),
        ("--dt", "[data] dt"),
    ];
    pairs.iter().fold(text.to_owned(), |text, (option, key)| text.replace(option, key))
}

impl TrainingError {
    /// Value of a key of the configuration outside its range.
    pub(crate) fn setting(
        key: &'static str,
        value: impl ToString,
        expected: &'static str,
    ) -> super::Error {
        Self::Setting { key, value: value.to_string(), expected }.into()
    }

    /// Of a section of the configuration.
    pub(crate) fn of(section: &'static str) -> impl FnOnce(ModelError) -> Self {
        move |error| Self::Model { section, source: Box::new(error) }
    }

    /// 1 if the system failed, 2 if the input or a parameter is wrong.
    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Self::Trainer(TrainerError::File { .. })) { 1 } else { 2 }
    }
}

/// What is refused, on the way to the command's own error.
macro_rules! through {
    ($($error:ty),*) => {
        $(impl From<$error> for super::Error {
            fn from(error: $error) -> Self {
                TrainingError::from(error).into()
            }
        })*
    };
}

through!(TrainerError, nn::TrainingError);
