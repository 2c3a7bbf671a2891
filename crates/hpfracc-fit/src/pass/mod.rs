//! Passes over the data: the factor of [J r] at given unknowns, its gradient alone, and what single rows have.

mod gradient;
mod loss;
mod residual_sizes;
mod rows;
mod sandwich;
mod series;
mod task;

pub use loss::Loss;
pub(crate) use rows::OfRows;
pub(crate) use sandwich::Sandwich;

use crate::factor::{BLOCK, Factor, Part, TASK, Tree};
use crate::model::Bound;
use crate::parameters::{Layout, Parameter, Separated, Slopes};
use crate::{FitError, Set};
use hpfracc_communicator::{Message, Ranks};
use hpfracc_lanes::pulp::Arch;
use loss::ScaledLoss;
use std::ops::Range;
use task::Task;

/// Sets, parameters and loss: what is minimised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Objective<'a> {
    pub(crate) sets: &'a [Set<'a>],
    pub(crate) layout: &'a Layout,
    pub(crate) loss: Loss,
    /// Scale of the loss.
    pub(crate) scale: f64,
    /// How often each row of each set is there, in place of once.
    pub(crate) counts: Option<&'a [Vec<f64>]>,
    /// Euclidean norm of the weighted responses, the scale of residuals that are zero but for rounding.
    pub(crate) data_norm: f64,
    /// Ranks that share the rows.
    pub(crate) ranks: Ranks<'a>,
}

/// Set at given unknowns.
pub(crate) struct BoundSet<'a> {
    pub(crate) set: &'a Set<'a>,
    pub(crate) model: Box<dyn Bound + 'a>,
    /// The same at shifted unknowns, of which only values are computed.
    pub(crate) shifted: Option<Box<dyn Bound + 'a>>,
    /// For each parameter of the model, and then each of its mixed derivatives, columns of the matrix with factors: its
    /// derivatives with respect to the unknowns.
    pub(crate) slopes: Vec<Slopes>,
    /// Number of columns before the residuals.
    pub(crate) unknowns: usize,
    /// Whether the mixed derivatives are computed.
    pub(crate) mixed: bool,
    pub(crate) counts: Option<&'a [f64]>,
}

/// Sets at some unknowns, if no file has changed. None where a model has no values.
type BoundSets<'a> = Result<Option<Vec<BoundSet<'a>>>, FitError>;

impl<'a> Objective<'a> {
    /// Least squares of sets whose weighted responses have this norm.
    pub(crate) fn new(sets: &'a [Set<'a>], layout: &'a Layout, data_norm: f64) -> Self {
        let (loss, ranks) = (Loss::Squares, Ranks::ALONE);
        Self { sets, layout, loss, scale: 1.0, counts: None, data_norm, ranks }
    }
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
        let columns = self.unknowns() + 1 + usize::from(shifted.is_some());
        let sets = self.bind(unknowns, shifted);
        let Some(mut part) = self.part_of(sets, columns)? else { return Ok(None) };
        self.append_priors(unknowns, shifted, &mut part);
        Ok(Some(part).filter(Part::is_finite))
    }

    /// Factor of the first rows of each set, on this rank alone. None where the model is not finite.
    pub(crate) fn first_rows(&self, unknowns: &[f64]) -> Result<Option<Part>, FitError> {
        let Some(sets) = self.bind(unknowns, None)? else { return Ok(None) };
        let (columns, mut tree) = (self.unknowns() + 1, Tree::default());
        for set in &sets {
            let rows = 0..set.set.rows().min(BLOCK);
            let task = Task { set, rows };
            let part = task.part(Arch::new(), columns, self.scaled_loss())?;
            part.into_iter().for_each(|part| tree.push(part));
        }
        Ok(tree.finish().filter(Part::is_finite))
    }

    /// Factor of the columns of [`Separated`] where the linear unknowns are zero, and the cost there. None where the model is not
    /// finite.
    pub(crate) fn separated_part(
        &self,
        separated: &Separated,
        others: &[f64],
    ) -> Result<Option<Part>, FitError> {
        let unknowns = separated.join(&vec![0.0; separated.linear.len()], others);
        let mut sets = self.bind(&unknowns, None);
        let columns = separated.columns();
        for set in sets.iter_mut().flatten().flatten() {
            let columns = |of: &Slopes| -> Slopes {
                of.iter().filter_map(|(k, slope)| Some((separated.column(*k)?, *slope))).collect()
            };
            let pairs = set.set.model.separable().map_or(&[][..], |of| &of.mixed);
            let of_pair = |&(j, k): &(usize, usize)| -> Slopes {
                let (j, k) = (&set.slopes[j], &set.slopes[k]);
                let products =
                    j.iter().flat_map(|(j, a)| k.iter().map(move |(k, b)| (*j, *k, a * b)));
                products
                    .filter_map(|(j, k, slope)| Some((separated.mixed_column((j, k))?, slope)))
                    .collect()
            };
            let mixed: Vec<Slopes> = pairs.iter().map(of_pair).collect();
            set.slopes = set.slopes.iter().map(columns).chain(mixed).collect();
            (set.unknowns, set.mixed) = (separated.columns() - 1, true);
        }
        let Some(mut part) = self.part_of(sets, columns)? else { return Ok(None) };
        for row in self.prior_rows(&unknowns) {
            let mut entries = vec![0.0; columns];
            for (k, entry) in row[..row.len() - 1].iter().enumerate() {
                if let Some(column) = separated.column(k) {
                    entries[column] = *entry;
                }
            }
            entries[columns - 1] = row[row.len() - 1];
            part.cost += entries[columns - 1].powi(2);
            part.factor.append_rows(&entries);
        }
        Ok(Some(part).filter(Part::is_finite))
    }

    fn part_of(&self, sets: BoundSets<'_>, columns: usize) -> Result<Option<Part>, FitError> {
        let run = |task: &Task<'_, '_>| task.part(Arch::new(), columns, self.scaled_loss());
        let Some(parts) = self.of_tasks(sets, run)? else { return Ok(None) };
        let mut tree = Tree::default();
        parts.into_iter().flatten().flatten().for_each(|part| tree.push(part));
        let nothing = || Part { factor: Factor::zero(columns), cost: 0.0 };
        Ok(Some(tree.finish().unwrap_or_else(nothing)))
    }

    /// Results of all tasks, by set and in the order of the rows, on all ranks. None where a model has no values.
    fn of_tasks<R: Message>(
        &self,
        sets: BoundSets<'_>,
        of: impl Fn(&Task<'_, '_>) -> Result<R, FitError> + Sync,
    ) -> Result<Option<Vec<Vec<R>>>, FitError> {
        let Some(sets) = sets.transpose() else { return Ok(None) };
        let tasks: Vec<(usize, Range<usize>)> = self.tasks().collect();
        let run = |k: usize| {
            // An error here is one of all ranks.
            let sets = sets.as_ref().map_err(Clone::clone)?;
            let (number, rows) = tasks[k].clone();
            of(&Task { set: &sets[number], rows })
        };
        let mut all: Vec<Vec<R>> = self.sets.iter().map(|_| vec![]).collect();
        let results = self.ranks.map_equal(tasks.len(), run)?;
        results.into_iter().zip(&tasks).for_each(|(result, (set, _))| all[*set].push(result));
        Ok(Some(all))
    }

    /// Set and rows of each task.
    fn tasks(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.sets.iter().enumerate().flat_map(|(number, set)| {
            let rows = set.rows();
            (0..rows).step_by(TASK).map(move |first| (number, first..rows.min(first + TASK)))
        })
    }

    /// The loss of this scale.
    pub(crate) fn scaled_loss(&self) -> ScaledLoss {
        ScaledLoss { loss: self.loss, scale: self.scale }
    }

    /// The sets at some unknowns, if no file has changed. None where a model has no values.
    fn bind(&self, unknowns: &[f64], shifted: Option<&[f64]>) -> BoundSets<'_> {
        self.sets.iter().try_for_each(Set::unchanged)?;
        Ok(self.bind_models(unknowns, shifted).ok())
    }

    fn bind_models(
        &self,
        unknowns: &[f64],
        shifted: Option<&[f64]>,
    ) -> Result<Vec<BoundSet<'_>>, FitError> {
        let (values, slopes) = self.layout.values_and_slopes(unknowns);
        let shifted = shifted.map(|shifted| self.layout.values(shifted));
        let of_sets = &self.layout.parameters().of_sets;
        let bound = self.sets.iter().zip(of_sets).enumerate().map(|(number, (set, indices))| {
            let select = |values: &[f64]| indices.iter().map(|k| values[*k]).collect::<Vec<f64>>();
            let shifted = shifted.as_ref().map(|values| set.model.at(&select(values)));
            Ok(BoundSet {
                set,
                model: set.model.at(&select(&values))?,
                shifted: shifted.transpose()?,
                slopes: indices.iter().map(|k| slopes[*k].clone()).collect(),
                unknowns: self.unknowns(),
                mixed: false,
                counts: self.counts.map(|counts| &counts[number][..]),
            })
        });
        bound.collect()
    }

    fn append_priors(&self, unknowns: &[f64], shifted: Option<&[f64]>, part: &mut Part) {
        if !self.layout.has_priors() {
            return;
        }
        let shifted = shifted.map(|shifted| self.prior_rows(shifted));
        for (k, mut row) in self.prior_rows(unknowns).into_iter().enumerate() {
            part.cost += row[self.unknowns()].powi(2);
            row.extend(shifted.iter().map(|rows| rows[k][self.unknowns()]));
            part.factor.append_rows(&row);
        }
    }

    /// A row [J r] of r = (theta - mean)/sd for each normal prior.
    fn prior_rows(&self, unknowns: &[f64]) -> Vec<Vec<f64>> {
        let (values, slopes) = self.layout.values_and_slopes(unknowns);
        let row = |(k, parameter): (usize, &Parameter)| {
            let (mean, sd) = parameter.prior?;
            let mut row = vec![0.0; self.unknowns() + 1];
            slopes[k].iter().for_each(|(unknown, slope)| row[*unknown] = slope / sd);
            row[self.unknowns()] = (values[k] - mean) / sd;
            Some(row)
        };
        self.layout.parameters().all.iter().enumerate().filter_map(row).collect()
    }

    /// First set and row whose model is not finite.
    ///
    /// # Errors
    /// That of a model without values.
    pub(crate) fn first_not_finite(
        &self,
        unknowns: &[f64],
    ) -> Result<Option<(&str, u64)>, FitError> {
        let sets = self.bind_models(unknowns, None)?;
        for (number, rows) in self.tasks() {
            if let Some(row) = (Task { set: &sets[number], rows }).first_not_finite()? {
                return Ok(Some((self.sets[number].name.as_str(), row)));
            }
        }
        Ok(None)
    }
}
