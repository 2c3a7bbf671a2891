use hpfracc_lanes::{Rows, RowsMut};

/// Model for values of the parameters: `lanes` rows of data at a time.
pub trait Bound: Send + Sync {
    /// Writes the responses, a row of `out` each, for the rows of `inputs`.
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);

    /// Writes the responses, then the derivatives of the first response with respect to all parameters, then of the
    /// second.
    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>);

    /// Writes the responses, then the derivatives of the first response with respect to all parameters and its second
    /// derivatives with respect to the pairs of [`Separable::mixed`](super::Separable::mixed), then those of the second.
    /// Only models with that structure have it; by default the same as [`derivatives`](Self::derivatives).
    fn mixed(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.derivatives(inputs, out);
    }
}
