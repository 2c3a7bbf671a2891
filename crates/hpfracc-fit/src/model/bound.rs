use hpfracc_lanes::{Rows, RowsMut};

/// Model for values of the parameters: `lanes` rows of data at a time.
pub trait Bound: Send + Sync {
    /// Writes the responses, a row of `out` each, for the rows of `inputs`.
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);

    /// Writes the responses, then the derivatives of the first response with respect to all parameters, then of the
    /// second.
    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);
}
