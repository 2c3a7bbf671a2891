//! CSV files, their columns and time axes, missing values, and parameters `NAME=VALUE`.

mod cell_format;
mod clock;
pub(crate) mod columns;
mod csv_rows;
mod csv_table;
pub(crate) mod dates;
mod mesh_series;
mod missing;
pub(crate) mod named_values;
mod series;
mod series_options;
pub(crate) mod time_axis;
mod time_format;

pub use cell_format::is_missing;
pub(crate) use cell_format::{Cell, CellFormat};
pub use clock::ClockFormat;
pub(crate) use csv_rows::{CsvRow, CsvRows};
pub use csv_table::CsvTable;
pub use missing::Missing;
pub use series::Series;
pub(crate) use series::too_few;
pub use series_options::SeriesOptions;
pub(crate) use time_axis::TimeAxis;
pub use time_format::TimeFormat;
