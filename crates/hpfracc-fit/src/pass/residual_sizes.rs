use super::Objective;
use super::task::Task;
use crate::FitError;
use hpfracc_lanes::pulp::Arch;
use rayon::prelude::*;

impl Objective<'_> {
    /// Absolute values of all weighted residuals, without those of skipped rows, in any order: 8 bytes each and no more, or 16
    /// over ranks. None where a model has no values.
    pub(crate) fn residual_sizes(&self, unknowns: &[f64]) -> Result<Option<Vec<f64>>, FitError> {
        let Some(sets) = self.ranks.all_ok(self.bind(unknowns, None))? else { return Ok(None) };
        let p = self.unknowns();
        let tasks: Vec<Task<'_, '_>> =
            self.tasks().map(|(set, rows)| Task { set: &sets[set], rows }).collect();
        let numbers = |task: &Task<'_, '_>| task.rows.len() * task.set.set.responses.len();
        let mut sizes = vec![f64::NAN; tasks.iter().map(numbers).sum()];
        let own = self.ranks.share(tasks.len());
        let first: usize = tasks[..own.start].iter().map(numbers).sum();
        let (mut rest, mut parts) = (&mut sizes[first..], vec![]);
        for task in &tasks[own] {
            let (part, others) = rest.split_at_mut(numbers(task));
            parts.push((task, part));
            rest = others;
        }
        let done = parts.into_par_iter().try_for_each(|(task, sizes)| {
            let (first, rows) = (task.rows.start, task.rows.len());
            task.blocks(Arch::new(), p + 1, |place, block| {
                let sizes = &mut sizes[place.response * rows + place.first - first..];
                let residuals = block.column(p).iter().zip(place.weights);
                for (size, (residual, weight)) in sizes.iter_mut().zip(residuals) {
                    *size = if *weight == 0.0 { f64::NAN } else { residual.abs() };
                }
            })
        });
        self.ranks.all_ok(done)?;
        self.exchange(&mut sizes, first)?;
        sizes.retain(|size| !size.is_nan());
        Ok(Some(sizes))
    }

    /// Gives all ranks the numbers of the others: those of this one begin at `first`.
    fn exchange(&self, numbers: &mut [f64], first: usize) -> Result<(), FitError> {
        if self.ranks.several().is_none() {
            return Ok(());
        }
        let own = numbers.to_vec();
        self.ranks.accumulate(numbers, |at, part| {
            let of_part = own[at..].iter().zip(part).enumerate();
            // Later ranks write what follows.
            of_part.filter(|(k, _)| at + k >= first).for_each(|(_, (own, x))| *x = *own);
        })?;
        Ok(())
    }
}
