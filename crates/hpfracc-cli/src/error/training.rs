use hpfracc::nn;
use hpfracc::nn::models::ModelError;
use hpfracc::nn::trainer::{RecordError, TrainerError};
use thiserror::Error;

/// Error of `hpfracc train`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// Malformed configuration.
    #[error("{name}: line {line}: {reason}")]
    Config {
        /// File as named on the command line.
        name: String,
        /// Line, from 1.
        line: usize,
        /// Reason.
        reason: String,
    },
    /// Value of the configuration outside its range.
    #[error("{key} is {value}, expected {expected}")]
    Setting {
        /// Key.
        key: &'static str,
        /// Value.
        value: String,
        /// Range, in words.
        expected: &'static str,
    },
    /// Data file that is a folder, a pipe or a device, in a check without side effects.
    #[error("{name}: the data file is not a regular file")]
    NoFile {
        /// Name of the file.
        name: String,
    },
    /// Data file that does not fit the configuration.
    #[error("{}", by_keys(&error.to_string()))]
    Data {
        /// Error whose message names options; the message here names keys instead. It is not a
        /// source, because the chain of sources would repeat it.
        error: Box<super::Error>,
    },
    /// Time series shorter than a window.
    #[error(
        "{name}: {part} has {rows} rows, fewer than the {window} of a window (initial row \
         and [windows] length)"
    )]
    TooShort {
        /// Data file.
        name: String,
        /// Part of the time series.
        part: &'static str,
        /// Rows of the part.
        rows: usize,
        /// Rows of a window.
        window: usize,
    },
    /// Columns with values at different times.
    #[error("{name}: columns `{first}` and `{second}` do not have values at the same times")]
    Columns {
        /// The file.
        name: String,
        /// First column.
        first: String,
        /// Second column.
        second: String,
    },
    /// Result of an earlier training.
    #[error(
        "{path} already exists: continue the training with --resume or choose another folder with --out"
    )]
    Occupied {
        /// The file.
        path: String,
    },
    /// Equation, windows or loss that do not fit together.
    #[error("{section}: {source}")]
    Model {
        /// Section of the configuration.
        section: &'static str,
        /// Error of the model.
        source: Box<ModelError>,
    },
    /// Data that cannot be standardised.
    #[error("{name}: {source}")]
    Record {
        /// The file.
        name: String,
        /// Reason.
        source: RecordError,
    },
    /// Training that a GPU does not take, or failure of the device.
    #[cfg(feature = "gpu")]
    #[error("--backend: {0}")]
    Gpu(#[from] hpfracc::gpu::GpuNetworkError),
    /// Failure of the trainer.
    #[error("train: {0}")]
    Trainer(#[from] TrainerError),
    /// Failure of the forecast.
    #[error("forecast: {0}")]
    Forecast(#[from] nn::TrainingError),
}

/// Message with keys of the configuration in place of command-line options.
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
    /// Error for a value outside its range.
    pub(crate) fn setting(
        key: &'static str,
        value: impl ToString,
        expected: &'static str,
    ) -> super::Error {
        Self::Setting { key, value: value.to_string(), expected }.into()
    }

    /// Error of a section of the configuration.
    pub(crate) fn of(section: &'static str) -> impl FnOnce(ModelError) -> Self {
        move |error| Self::Model { section, source: Box::new(error) }
    }

    /// Exit code: 1 for an I/O error or a device that fails, 2 for wrong input or a wrong parameter.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Trainer(TrainerError::File { .. }) => 1,
            #[cfg(feature = "gpu")]
            Self::Gpu(hpfracc::gpu::GpuNetworkError::Gpu(_)) => 1,
            _ => 2,
        }
    }
}

convert_through!(TrainingError: TrainerError, nn::TrainingError);
