//! Files, standard streams and the progress display.

mod csv_bytes;
#[cfg(feature = "commands")]
mod progress;
mod series_csv;
mod streams;
mod targets;

pub(crate) use csv_bytes::{csv_bytes, csv_of_columns};
#[cfg(feature = "commands")]
pub(crate) use progress::Progress;
pub use series_csv::to_csv;
#[cfg(feature = "commands")]
pub use streams::write_answer;
pub use streams::{diagnostic, write_stdout};
#[cfg(feature = "commands")]
pub(crate) use streams::{json, silence};
pub(crate) use targets::{publish, refuse_shared_files, refuse_unwritable};
