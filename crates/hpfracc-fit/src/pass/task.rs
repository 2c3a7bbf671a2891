use super::BoundSet;
use super::loss::ScaledLoss;
use crate::FitError;
use crate::data::{Reader, ReaderColumns};
use crate::factor::{BLOCK, Block, Factor, Part, Tree};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{AlignedVec, Rows, RowsMut, vectorised};
use std::cell::Cell;
use std::ops::Range;

/// Consecutive rows of a set.
pub(super) struct Task<'b, 'a> {
    pub(super) set: &'b BoundSet<'a>,
    pub(super) rows: Range<usize>,
}

/// Memory of a task.
#[derive(Default)]
struct Scratch {
    block: Block,
    columns: ReaderColumns,
    evaluated: Evaluated,
}

thread_local! {
    /// Memory of the last task of this thread. A task takes it, so that one within another has memory of its own.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Calls a function with the memory of this thread, which keeps it until it ends.
fn with_scratch<R>(call: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let result = call(&mut scratch);
    SCRATCH.set(Some(scratch));
    result
}

/// What the model has in a block of rows.
#[derive(Default)]
struct Evaluated {
    /// Responses and derivatives.
    model: AlignedVec<f64>,
    /// Responses at shifted unknowns.
    shifted: AlignedVec<f64>,
}

/// Rows of a block and their response.
pub(super) struct Place<'c> {
    /// First row.
    pub(super) first: usize,
    pub(super) response: usize,
    /// Numbers of the response.
    pub(super) data: &'c [f64],
    /// Square roots of the weights; 0 for rows that are skipped.
    pub(super) weights: &'c [f64],
}

impl Place<'_> {
    /// Rows of the set.
    pub(super) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.data.len()
    }
}

impl Task<'_, '_> {
    /// Calls a function with the rows [J r], or [J r shifted], of each block and response.
    pub(super) fn blocks(
        &self,
        arch: Arch,
        columns: usize,
        mut each: impl FnMut(&Place<'_>, &mut Block),
    ) -> Result<(), FitError> {
        with_scratch(|Scratch { block, columns: read, evaluated }| {
            block.set_columns(columns, self.set.unknowns + 2);
            self.evaluate((read, evaluated), |first, reader, evaluated| {
                for response in 0..self.set.set.responses.len() {
                    self.fill(arch, response, (reader, evaluated), block);
                    let (data, weights) = (reader.response(response), reader.weight(response));
                    each(&Place { first, response, data, weights }, block);
                }
                true
            })
        })
    }

    /// Factor and cost of the rows.
    pub(super) fn part(
        &self,
        arch: Arch,
        columns: usize,
        loss: ScaledLoss,
    ) -> Result<Option<Part>, FitError> {
        let mut tree = Tree::default();
        self.blocks(arch, columns, |place, block| {
            let counts = self.set.counts.map(|counts| &counts[place.rows()]);
            let cost = loss.apply(block, self.set.unknowns, place.data.len(), counts);
            let mut factor = Factor::zero(columns);
            block.reduce(arch, &mut factor);
            tree.push(Part { factor, cost });
        })?;
        Ok(tree.finish())
    }

    /// First row in which the model is not finite.
    pub(super) fn first_not_finite(&self) -> Result<Option<u64>, FitError> {
        let mut row = None;
        let (mut columns, mut evaluated) = (ReaderColumns::default(), Evaluated::default());
        self.evaluate((&mut columns, &mut evaluated), |first, reader, evaluated| {
            let lanes = reader.weight(0).len();
            let bad = |lane: &usize| {
                !evaluated.model.iter().skip(*lane).step_by(lanes).all(|x| x.is_finite())
            };
            let used = |lane: &usize| reader.weight(0)[*lane] > 0.0;
            let lane = (0..lanes).filter(used).find(bad);
            row = lane.map(|lane| (first + lane) as u64);
            row.is_none()
        })?;
        Ok(row)
    }

    /// Calls a function with each block of rows, its first row and the model there, while it returns true.
    fn evaluate(
        &self,
        (columns, evaluated): (&mut ReaderColumns, &mut Evaluated),
        mut each: impl FnMut(usize, &Reader<'_, '_>, &Evaluated) -> bool,
    ) -> Result<(), FitError> {
        let set = self.set.set;
        let mut reader = Reader::new(set, self.rows.end, columns);
        let responses = set.responses.len();
        for first in self.rows.clone().step_by(BLOCK) {
            let rows = first..self.rows.end.min(first + BLOCK);
            let lanes = rows.len();
            reader.read(rows)?;
            evaluated.model.set_len(responses * (1 + self.set.slopes.len()) * lanes);
            let inputs = || Rows::new(reader.inputs(), lanes);
            let out = RowsMut::new(&mut evaluated.model, lanes);
            match self.set.mixed {
                false => self.set.model.derivatives(inputs(), out),
                true => self.set.model.mixed(inputs(), out),
            }
            if let Some(shifted) = &self.set.shifted {
                evaluated.shifted.set_len(responses * lanes);
                shifted.values(inputs(), RowsMut::new(&mut evaluated.shifted, lanes));
            }
            if !each(first, &reader, evaluated) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the rows [J r], or [J r shifted], of a response.
    fn fill(
        &self,
        arch: Arch,
        response: usize,
        (reader, evaluated): (&Reader<'_, '_>, &Evaluated),
        block: &mut Block,
    ) {
        let (data, weights) = (reader.response(response), reader.weight(response));
        let (lanes, unknowns, responses) =
            (data.len(), self.set.unknowns, self.set.set.responses.len());
        block.set_rows(lanes);
        let row = |k: usize| &evaluated.model[k * lanes..][..lanes];
        for unknown in 0..unknowns {
            block.column(unknown).fill(0.0);
        }
        for (k, slopes) in self.set.slopes.iter().enumerate() {
            let derivative = row(responses + response * self.set.slopes.len() + k);
            for (unknown, slope) in slopes {
                add_product(arch, *slope, derivative, weights, block.column(*unknown));
            }
        }
        residuals(arch, (row(response), data), weights, block.column(unknowns));
        if self.set.shifted.is_some() {
            let shifted = &evaluated.shifted[response * lanes..][..lanes];
            residuals(arch, (shifted, data), weights, block.column(unknowns + 1));
        }
    }
}

/// Adds the weighted multiple of a derivative; rows of weight 0 do not count, whatever they have.
fn add_product(arch: Arch, slope: f64, derivative: &[f64], weights: &[f64], out: &mut [f64]) {
    vectorised(
        arch,
        #[inline(always)]
        || {
            for ((out, x), weight) in out.iter_mut().zip(derivative).zip(weights) {
                let product = slope * x * weight;
                *out += if *weight == 0.0 { 0.0 } else { product };
            }
        },
    );
}

/// Writes the weighted residuals, and zeros after them.
fn residuals(arch: Arch, (model, data): (&[f64], &[f64]), weights: &[f64], out: &mut [f64]) {
    let (out, rest) = out.split_at_mut(model.len());
    rest.fill(0.0);
    vectorised(
        arch,
        #[inline(always)]
        || {
            for (((out, model), data), weight) in out.iter_mut().zip(model).zip(data).zip(weights) {
                let residual = (model - data) * weight;
                *out = if *weight == 0.0 { 0.0 } else { residual };
            }
        },
    );
}
