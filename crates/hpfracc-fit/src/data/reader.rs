use super::{Column, Set, Source, Weighting};
use crate::SourceError;
use hpfracc_lanes::AlignedVec;
use std::ops::Range;

/// Rows that are read of a source at once.
pub(crate) const READ_ROWS: usize = 8192;

/// Rows of a set, read block by block, column by column.
pub(crate) struct Reader<'s, 'a> {
    set: &'s Set<'a>,
    tables: Vec<Table<'a>>,
    lanes: usize,
    /// Rows after which no more are read ahead.
    end: usize,
    columns: &'s mut ReaderColumns,
}

/// Columns of a block of rows, memory that readers use one after the other.
#[derive(Debug, Default)]
pub(crate) struct ReaderColumns {
    inputs: AlignedVec<f64>,
    responses: AlignedVec<f64>,
    /// Square roots of the weights of each response; 0 for rows that are skipped.
    weights: AlignedVec<f64>,
    /// Rows of each source that are in memory.
    ahead: Vec<Vec<f64>>,
}

/// Rows of a source that are in memory.
struct Table<'a> {
    source: &'a dyn Source,
    rows: Range<usize>,
}

impl<'s, 'a> Reader<'s, 'a> {
    /// Reader of the rows before `end`.
    pub(crate) fn new(set: &'s Set<'a>, end: usize, columns: &'s mut ReaderColumns) -> Self {
        let mut tables: Vec<Table<'a>> = vec![];
        for (_, _, column) in set.columns() {
            if let Column::Of { source, .. } = column
                && !tables.iter().any(|table| same(table.source, source))
            {
                tables.push(Table { source, rows: 0..0 });
            }
        }
        columns.ahead.resize(tables.len().max(columns.ahead.len()), vec![]);
        Self { set, tables, lanes: 0, end, columns }
    }

    /// All inputs.
    pub(crate) fn inputs(&self) -> &[f64] {
        &self.columns.inputs
    }

    /// All responses.
    pub(crate) fn responses(&self) -> &[f64] {
        &self.columns.responses
    }

    /// Square roots of the weights of all responses; 0 for rows that are skipped.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.columns.weights
    }

    /// A response.
    pub(crate) fn response(&self, k: usize) -> &[f64] {
        &self.responses()[k * self.lanes..][..self.lanes]
    }

    /// Square roots of the weights of a response.
    pub(crate) fn weight(&self, k: usize) -> &[f64] {
        &self.weights()[k * self.lanes..][..self.lanes]
    }

    /// Reads some rows.
    pub(crate) fn read(&mut self, rows: Range<usize>) -> Result<(), SourceError> {
        for (table, values) in self.tables.iter_mut().zip(&mut self.columns.ahead) {
            table.have(&rows, self.end, values)?;
        }
        self.lanes = rows.len();
        let (lanes, set) = (self.lanes, self.set);
        let ReaderColumns { inputs, responses, weights, ahead } = &mut *self.columns;
        let from = (&self.tables[..], &ahead[..]);
        inputs.set_len(set.inputs.len() * lanes);
        responses.set_len(set.responses.len() * lanes);
        weights.set_len(set.responses.len() * lanes);
        for (column, out) in set.inputs.iter().zip(inputs.chunks_exact_mut(lanes)) {
            copy(from, column, &rows, out);
        }
        let outs = responses.chunks_exact_mut(lanes).zip(weights.chunks_exact_mut(lanes));
        for ((response, weighting), (out, weights)) in set.responses.iter().zip(outs) {
            copy(from, response, &rows, out);
            match weighting {
                Weighting::Equal => weights.fill(1.0),
                Weighting::Sigma(column) => {
                    copy(from, column, &rows, weights);
                    weights.iter_mut().for_each(|weight| *weight = 1.0 / *weight);
                }
                Weighting::Weight(column) => {
                    copy(from, column, &rows, weights);
                    weights.iter_mut().for_each(|weight| *weight = weight.sqrt());
                }
            }
        }
        if set.skips {
            self.skip();
        }
        Ok(())
    }

    /// Gives rows that are not finite the weight 0.
    fn skip(&mut self) {
        let lanes = self.lanes;
        let ReaderColumns { inputs, responses, weights, .. } = &mut *self.columns;
        for lane in 0..lanes {
            let finite =
                |values: &[f64]| values.iter().skip(lane).step_by(lanes).all(|x| x.is_finite());
            // 1/sigma is 0 for an infinite sigma.
            let weighted = |values: &[f64]| {
                values.iter().skip(lane).step_by(lanes).all(|x| x.is_finite() && *x != 0.0)
            };
            if !(finite(inputs) && finite(responses) && weighted(weights)) {
                weights.iter_mut().skip(lane).step_by(lanes).for_each(|weight| *weight = 0.0);
            }
        }
    }

    /// The value of a column in a row among those that were read.
    pub(super) fn value(&self, column: &Column<'_>, row: usize) -> f64 {
        let mut value = [0.0];
        copy((&self.tables, &self.columns.ahead), column, &(row..row + 1), &mut value);
        value[0]
    }
}

impl Table<'_> {
    /// Reads ahead unless these rows are in memory.
    fn have(
        &mut self,
        rows: &Range<usize>,
        end: usize,
        values: &mut Vec<f64>,
    ) -> Result<(), SourceError> {
        if self.rows.start <= rows.start && rows.end <= self.rows.end {
            return Ok(());
        }
        self.rows = rows.start..end.min(rows.start + READ_ROWS.max(rows.len()));
        let numbers = self.rows.len() * self.source.columns();
        if values.capacity() < numbers {
            values.clear();
            values.reserve_exact(numbers);
        }
        values.resize(numbers, 0.0);
        self.source.read(self.rows.start, values)
    }
}

fn same(a: &dyn Source, b: &dyn Source) -> bool {
    std::ptr::addr_eq(a, b)
}

/// Writes rows of a column.
fn copy(
    (tables, ahead): (&[Table<'_>], &[Vec<f64>]),
    column: &Column<'_>,
    rows: &Range<usize>,
    out: &mut [f64],
) {
    match column {
        Column::Slice(values) => out.copy_from_slice(&values[rows.clone()]),
        Column::Of { source, column } => {
            let mut tables = tables.iter().zip(ahead);
            let Some((table, values)) = tables.find(|(table, _)| same(table.source, *source))
            else {
                return;
            };
            let stride = source.columns();
            let first = (rows.start - table.rows.start) * stride + column;
            let values = values[first..].iter().step_by(stride);
            out.iter_mut().zip(values).for_each(|(out, value)| *out = *value);
        }
    }
}
