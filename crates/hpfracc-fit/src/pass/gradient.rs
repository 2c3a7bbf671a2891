use super::Objective;
use super::task::Task;
use crate::FitError;
use hpfracc_lanes::pulp::Arch;

impl Objective<'_> {
    /// The cost, and half of its gradient. None where the model is not finite.
    pub(crate) fn cost_and_gradient(
        &self,
        unknowns: &[f64],
    ) -> Result<Option<(f64, Vec<f64>)>, FitError> {
        let p = self.unknowns();
        let of_task = |task: &Task<'_, '_>| -> Result<Vec<f64>, FitError> {
            let mut sums = vec![0.0; p + 1];
            task.blocks(Arch::new(), p + 1, |place, block| {
                let counts = task.set.counts.map(|counts| &counts[place.rows()]);
                sums[p] += self.scaled_loss().apply(block, p, place.data.len(), counts);
                (0..p).for_each(|k| sums[k] += block.product(k, p));
            })?;
            Ok(sums)
        };
        let sets = self.bind(unknowns, None);
        let Some(parts) = self.of_tasks(sets, of_task)? else { return Ok(None) };
        let mut gradient = vec![0.0; p + 1];
        for part in parts.iter().flatten() {
            gradient.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
        }
        let mut cost = gradient.pop().unwrap_or(0.0);
        for row in self.prior_rows(unknowns) {
            cost += row[p] * row[p];
            gradient.iter_mut().zip(&row).for_each(|(sum, slope)| *sum += slope * row[p]);
        }
        let finite = cost.is_finite() && gradient.iter().all(|x| x.is_finite());
        Ok(finite.then_some((cost, gradient)))
    }
}
