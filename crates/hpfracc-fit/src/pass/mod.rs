//! Passes over the data: the factor of [J r] at given unknowns.

mod loss;
mod task;

pub use loss::Loss;

use crate::factor::{BLOCK, Factor, Part, Tree};
use crate::model::Bound;
use crate::parameters::{Layout, Slopes};
use crate::{FitError, Set};
use hpfracc_lanes::pulp::Arch;
use rayon::prelude::*;
use task::Task;

/// Rows of a task of a thread: whole blocks, so that the bits do not depend on the number of threads.
pub(crate) const TASK: usize = 256 * BLOCK;

/// Sets, parameters and loss: what is minimised.
#[derive(Debug)]
pub(crate) struct Objective<'a> {
    pub(crate) sets: &'a [Set<'a>],
    pub(crate) layout: &'a Layout,
    pub(crate) loss: Loss,
    /// Euclidean norm of the weighted responses, the scale of residuals that are zero but for rounding.
    pub(crate) data_norm: f64,
}

/// Set at given unknowns.
pub(crate) struct BoundSet<'a> {
    pub(crate) set: &'a Set<'a>,
    pub(crate) model: Box<dyn Bound + 'a>,
    /// The same at shifted unknowns, of which only values are computed.
    pub(crate) shifted: Option<Box<dyn Bound + 'a>>,
    /// For each parameter of the model its derivatives with respect to the unknowns.
    pub(crate) slopes: Vec<Slopes>,
    pub(crate) unknowns: usize,
}

impl Objective<'_> {
    /// Number of unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        self.layout.free().len()
    }

    /// Factor of [J r], of the Jacobian matrix and the weighted residuals, and the cost; with `shifted` unknowns a
    /// last column of their residuals. None where the model is not finite.
    pub(crate) fn part(
        &self,
        unknowns: &[f64],
        shifted: Option<&[f64]>,
    ) -> Result<Option<Part>, FitError> {
        self.sets.iter().try_for_each(Set::unchanged)?;
        let Some(sets) = self.bind(unknowns, shifted) else { return Ok(None) };
        let columns = self.unknowns() + 1 + usize::from(shifted.is_some());
        let tasks: Vec<Task<'_, '_>> = sets.iter().flat_map(tasks).collect();
        let run = |task: &Task<'_, '_>| task.run(Arch::new(), columns, self.loss);
        let parts: Vec<Result<Option<Part>, FitError>> = match &tasks[..] {
            [task] => vec![run(task)],
            tasks => tasks.par_iter().map(run).collect(),
        };
        let mut tree = Tree::default();
        for part in parts {
            if let Some(part) = part? {
                tree.push(part);
            }
        }
        let mut part = tree.finish().unwrap_or(Part { factor: Factor::zero(columns), cost: 0.0 });
        self.append_priors(unknowns, shifted, &mut part);
        Ok(Some(part).filter(|part| part.cost.is_finite() && part.factor.is_finite()))
    }

    fn bind(&self, unknowns: &[f64], shifted: Option<&[f64]>) -> Option<Vec<BoundSet<'_>>> {
        let (values, slopes) = self.layout.values_and_slopes(unknowns);
        let shifted = shifted.map(|shifted| self.layout.values(shifted));
        let of_sets = &self.layout.parameters().of_sets;
        let bound = self.sets.iter().zip(of_sets).map(|(set, indices)| {
            let select = |values: &[f64]| indices.iter().map(|k| values[*k]).collect::<Vec<f64>>();
            let shifted = match &shifted {
                Some(values) => Some(set.model.at(&select(values)).ok()?),
                None => None,
            };
            Some(BoundSet {
                set,
                model: set.model.at(&select(&values)).ok()?,
                shifted,
                slopes: indices.iter().map(|k| slopes[*k].clone()).collect(),
                unknowns: self.unknowns(),
            })
        });
        bound.collect()
    }

    /// A row (theta - mean)/sd for each normal prior.
    fn append_priors(&self, unknowns: &[f64], shifted: Option<&[f64]>, part: &mut Part) {
        let (values, slopes) = self.layout.values_and_slopes(unknowns);
        let shifted = shifted.map(|shifted| self.layout.values(shifted));
        for (k, parameter) in self.layout.parameters().all.iter().enumerate() {
            let Some((mean, sd)) = parameter.prior else { continue };
            let mut row = vec![0.0; part.factor.columns()];
            slopes[k].iter().for_each(|(unknown, slope)| row[*unknown] = slope / sd);
            row[self.unknowns()] = (values[k] - mean) / sd;
            if let Some(shifted) = &shifted {
                row[self.unknowns() + 1] = (shifted[k] - mean) / sd;
            }
            part.cost += row[self.unknowns()].powi(2);
            part.factor.append_rows(&row);
        }
    }

    /// First set and row whose model is not finite.
    pub(crate) fn first_not_finite(
        &self,
        unknowns: &[f64],
    ) -> Result<Option<(&str, u64)>, FitError> {
        let Some(sets) = self.bind(unknowns, None) else { return Ok(None) };
        for (bound, set) in sets.iter().zip(self.sets) {
            for task in tasks(bound) {
                if let Some(row) = task.first_not_finite()? {
                    return Ok(Some((set.name.as_str(), row)));
                }
            }
        }
        Ok(None)
    }
}

fn tasks<'b, 'a>(set: &'b BoundSet<'a>) -> impl Iterator<Item = Task<'b, 'a>> {
    let rows = set.set.rows();
    (0..rows).step_by(TASK).map(move |first| Task { set, rows: first..rows.min(first + TASK) })
}
