use super::Objective;
use super::task::Task;
use crate::{FitError, Set};
use hpfracc_communicator::Message;
use hpfracc_lanes::pulp::Arch;

/// Row of a response of a set.
pub(crate) struct Row<'r> {
    /// Gradient of the weighted residual.
    pub(crate) gradient: &'r [f64],
    /// Weighted residual; NaN if the row is skipped.
    pub(crate) residual: f64,
    /// Response.
    pub(crate) value: f64,
    /// Square root of the weight.
    pub(crate) weight: f64,
}

/// Values for all rows of all responses of all sets.
pub(crate) type OfRows<T> = Vec<Vec<Vec<T>>>;

impl Objective<'_> {
    /// Value of a function of each row. None where a model has no values.
    pub(crate) fn rows<T: Clone + Default + Message>(
        &self,
        unknowns: &[f64],
        of: impl Fn(&Row<'_>) -> T + Sync,
    ) -> Result<Option<OfRows<T>>, FitError> {
        let p = self.unknowns();
        let of_task = |task: &Task<'_, '_>| -> Result<Vec<Vec<T>>, FitError> {
            let responses = task.set.set.responses.len();
            let mut values = vec![vec![T::default(); task.rows.len()]; responses];
            let (first, mut gradient) = (task.rows.start, vec![0.0; p]);
            task.blocks(Arch::new(), p + 1, |place, block| {
                for (lane, row) in place.rows().enumerate() {
                    for (k, entry) in gradient.iter_mut().enumerate() {
                        *entry = block.column(k)[lane];
                    }
                    let (value, weight) = (place.data[lane], place.weights[lane]);
                    let residual = if weight == 0.0 { f64::NAN } else { block.column(p)[lane] };
                    values[place.response][row - first] =
                        of(&Row { gradient: &gradient, residual, value, weight });
                }
            })?;
            Ok(values)
        };
        let parts = self.of_tasks(self.bind(unknowns, None), of_task)?;
        let Some(parts) = parts else { return Ok(None) };
        let of_set = |(set, parts): (&Set<'_>, Vec<Vec<Vec<T>>>)| {
            let mut all = vec![vec![]; set.responses.len()];
            for part in parts {
                all.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
            }
            all
        };
        Ok(Some(self.sets.iter().zip(parts).map(of_set).collect()))
    }
}
