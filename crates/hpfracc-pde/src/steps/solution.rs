use hpfracc_ode::{Statistics, Status};

/// Fields at the saved times and at the last time reached.
#[derive(Debug, Clone)]
pub struct Solution {
    pub(crate) fields: usize,
    pub(crate) times: Vec<f64>,
    pub(crate) saved: Vec<Vec<f64>>,
    pub(crate) end: f64,
    pub(crate) last: Vec<f64>,
    pub(crate) statistics: Statistics,
    pub(crate) status: Status,
}

impl Solution {
    /// Saved times that were reached.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of all fields at each saved time, one field after the other.
    pub fn saved(&self) -> &[Vec<f64>] {
        &self.saved
    }

    /// Values of one field at a saved time.
    ///
    /// # Panics
    /// If there is no such time or field.
    pub fn field(&self, time: usize, field: usize) -> &[f64] {
        let values = &self.saved[time];
        let n = values.len() / self.fields;
        &values[field * n..(field + 1) * n]
    }

    /// Time of the last node.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Values of all fields at the last node.
    pub fn last(&self) -> &[f64] {
        &self.last
    }

    /// Statistics of the time steps.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// How the solve ended.
    pub fn status(&self) -> Status {
        self.status
    }
}
