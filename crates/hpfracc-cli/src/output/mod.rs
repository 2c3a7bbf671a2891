//! Files, standard streams and the progress display.

mod files;
#[cfg(feature = "commands")]
mod progress;
mod series_csv;
mod streams;

pub use files::{PendingFile, write_file};
pub(crate) use files::{publish, refuse_shared_files, refuse_unwritable};
#[cfg(feature = "commands")]
pub(crate) use progress::Progress;
pub use series_csv::to_csv;
pub use streams::{diagnostic, write_stdout};
