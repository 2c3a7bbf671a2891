use super::{BoundSet, Loss};
use crate::data::{Set, Weighting};
use crate::factor::{BLOCK, Block, Factor, Part, Tree};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{AlignedVec, Rows, RowsMut, vectorised};
use std::ops::Range;

/// Consecutive rows of a set.
pub(super) struct Task<'b, 'a> {
    pub(super) set: &'b BoundSet<'a>,
    pub(super) rows: Range<usize>,
}

/// Columns of a block of rows.
#[derive(Default)]
struct Columns {
    inputs: AlignedVec<f64>,
    /// Responses and derivatives of the model.
    model: AlignedVec<f64>,
    /// Responses at shifted unknowns.
    shifted: AlignedVec<f64>,
    /// Square roots of the weights; 0 for rows that are skipped.
    weights: AlignedVec<f64>,
}

impl Task<'_, '_> {
    /// Factor and cost of the rows.
    pub(super) fn run(&self, arch: Arch, columns: usize, loss: Loss) -> Option<Part> {
        let (mut scratch, mut block, mut tree) =
            (Columns::default(), Block::new(columns), Tree::default());
        for first in self.rows.clone().step_by(BLOCK) {
            let rows = first..self.rows.end.min(first + BLOCK);
            self.evaluate(rows.clone(), &mut scratch);
            for response in 0..self.set.set.responses.len() {
                self.weigh(rows.clone(), response, &mut scratch);
                let cost = self.fill(arch, (rows.clone(), response), loss, &scratch, &mut block);
                let mut factor = Factor::zero(columns);
                block.reduce(arch, &mut factor);
                tree.push(Part { factor, cost });
            }
        }
        tree.finish()
    }

    /// First row in which the model is not finite.
    pub(super) fn first_not_finite(&self) -> Option<u64> {
        let mut scratch = Columns::default();
        for first in self.rows.clone().step_by(BLOCK) {
            let rows = first..self.rows.end.min(first + BLOCK);
            self.evaluate(rows.clone(), &mut scratch);
            let lanes = rows.len();
            let bad = |lane: &usize| {
                !scratch.model.iter().skip(*lane).step_by(lanes).all(|x| x.is_finite())
            };
            let used = |lane: &usize| self.is_used(first + lane);
            if let Some(lane) = (0..lanes).filter(used).find(bad) {
                return Some((first + lane) as u64);
            }
        }
        None
    }

    /// Whether a row is finite.
    fn is_used(&self, row: usize) -> bool {
        let set = self.set.set;
        let weight = |weighting: &Weighting<'_>| match weighting {
            Weighting::Equal => true,
            Weighting::Sigma(column) | Weighting::Weight(column) => column[row].is_finite(),
        };
        set.inputs.iter().all(|column| column[row].is_finite())
            && set.responses.iter().all(|(column, by)| column[row].is_finite() && weight(by))
    }

    fn evaluate(&self, rows: Range<usize>, scratch: &mut Columns) {
        let (set, lanes) = (self.set.set, rows.len());
        scratch.inputs.set_zeros(set.inputs.len() * lanes);
        for (to, from) in scratch.inputs.chunks_exact_mut(lanes).zip(&set.inputs) {
            to.copy_from_slice(&from[rows.clone()]);
        }
        let responses = set.responses.len();
        scratch.model.set_zeros(responses * (1 + self.set.slopes.len()) * lanes);
        let inputs = || Rows::new(&scratch.inputs[..], lanes);
        self.set.model.derivatives(inputs(), RowsMut::new(&mut scratch.model, lanes));
        if let Some(shifted) = &self.set.shifted {
            scratch.shifted.set_zeros(responses * lanes);
            shifted.values(inputs(), RowsMut::new(&mut scratch.shifted, lanes));
        }
    }

    fn weigh(&self, rows: Range<usize>, response: usize, scratch: &mut Columns) {
        let set = self.set.set;
        scratch.weights.set_zeros(rows.len());
        match set.responses[response].1 {
            Weighting::Equal => scratch.weights.fill(1.0),
            Weighting::Sigma(column) => {
                let pairs = scratch.weights.iter_mut().zip(&column[rows.clone()]);
                pairs.for_each(|(weight, sigma)| *weight = 1.0 / sigma);
            }
            Weighting::Weight(column) => {
                let pairs = scratch.weights.iter_mut().zip(&column[rows.clone()]);
                pairs.for_each(|(weight, given)| *weight = given.sqrt());
            }
        }
        if set.skips {
            for (weight, row) in scratch.weights.iter_mut().zip(rows) {
                if !self.is_used(row) {
                    *weight = 0.0;
                }
            }
        }
    }

    /// Writes the rows [J r], or [J r shifted], of a response, and returns their cost.
    fn fill(
        &self,
        arch: Arch,
        (rows, response): (Range<usize>, usize),
        loss: Loss,
        scratch: &Columns,
        block: &mut Block,
    ) -> f64 {
        let (lanes, unknowns, responses) =
            (rows.len(), self.set.unknowns, self.set.set.responses.len());
        let (data, weights) = (&self.set.set.responses[response].0[rows], &scratch.weights[..]);
        let row = |k: usize| &scratch.model[k * lanes..][..lanes];
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
            let shifted = &scratch.shifted[response * lanes..][..lanes];
            residuals(arch, (shifted, data), weights, block.column(unknowns + 1));
        }
        loss.apply(block, unknowns, lanes)
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

/// Sum of the weighted squares of a response.
pub(super) fn squares(set: &Set<'_>, response: usize) -> f64 {
    let (data, weighting) = set.responses[response];
    let weight = |row: usize| match weighting {
        Weighting::Equal => 1.0,
        Weighting::Sigma(column) => 1.0 / (column[row] * column[row]),
        Weighting::Weight(column) => column[row],
    };
    let square = |row: usize| data[row] * data[row] * weight(row);
    (0..data.len()).map(square).filter(|square| square.is_finite()).sum()
}
