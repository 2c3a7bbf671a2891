//! Files, standard streams and the progress display.

mod files;
mod progress;
mod series_csv;
mod streams;

pub use files::{PendingFile, write_file};
pub(crate) use files::{publish, refuse_shared_files, refuse_unwritable};
pub(crate) use progress::Progress;
pub use series_csv::to_csv;
pub use streams::{diagnostic, write_stdout};
