use super::missing::Missing;

/// What to take from a record; the default asks for whatever is not in doubt.
#[derive(Debug, Clone, Default)]
pub struct SeriesOptions {
    /// The column to read: by default the only numeric one that is not the time.
    pub column: Option<String>,
    /// The time column: by default the first one named t, time, date or year.
    pub time: Option<String>,
    /// The step, whatever the time column says.
    pub dt: Option<f64>,
    /// What to do with missing values.
    pub missing: Missing,
}
