use super::task::Task;
use super::{Objective, tasks};
use crate::FitError;
use crate::factor::TASK;
use hpfracc_lanes::pulp::Arch;
use rayon::prelude::*;

impl Objective<'_> {
    /// Absolute values of all weighted residuals, without those of skipped rows, in any order: 8 bytes each and no more.
    /// None where a model has no values.
    pub(crate) fn residual_sizes(&self, unknowns: &[f64]) -> Result<Option<Vec<f64>>, FitError> {
        let Some(sets) = self.bind(unknowns, None)? else { return Ok(None) };
        let p = self.unknowns();
        let numbers = |set: &crate::Set<'_>| set.rows() * set.responses.len();
        let mut sizes = vec![f64::NAN; self.sets.iter().map(numbers).sum()];
        let mut rest = &mut sizes[..];
        for set in &sets {
            let (of_set, others) = std::mem::take(&mut rest).split_at_mut(numbers(set.set));
            rest = others;
            let tasks: Vec<Task<'_, '_>> = tasks(set).collect();
            let of_tasks = of_set.par_chunks_mut(set.set.responses.len() * TASK);
            of_tasks.zip(tasks).try_for_each(|(sizes, task)| {
                let (first, rows) = (task.rows.start, task.rows.len());
                task.blocks(Arch::new(), p + 1, |place, block| {
                    let sizes = &mut sizes[place.response * rows + place.first - first..];
                    let residuals = block.column(p).iter().zip(place.weights);
                    for (size, (residual, weight)) in sizes.iter_mut().zip(residuals) {
                        *size = if *weight == 0.0 { f64::NAN } else { residual.abs() };
                    }
                })
            })?;
        }
        sizes.retain(|size| !size.is_nan());
        Ok(Some(sizes))
    }
}
