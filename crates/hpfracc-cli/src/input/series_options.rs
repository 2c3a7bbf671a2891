use super::missing::Missing;

/// Columns, step size and treatment of missing values; the default takes unambiguous columns.
#[derive(Debug, Clone, Default)]
pub struct SeriesOptions {
    /// Value column; by default the only numeric one besides the time.
    pub column: Option<String>,
    /// Time column; by default the first one named t, time, date or year.
    pub time: Option<String>,
    /// Step size, overriding the time column.
    pub dt: Option<f64>,
    /// Treatment of missing values.
    pub missing: Missing,
}
