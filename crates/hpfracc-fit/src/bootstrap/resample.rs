use super::random::{Purpose, Random};
use super::{Resampling, Scheme};
use crate::FitError;
use crate::found::{Found, Levered};

/// What of the data does not change from replicate to replicate.
pub(super) struct Resampler<'f> {
    settings: &'f Resampling,
    /// For each set the rows that are used.
    used: Vec<Vec<usize>>,
    /// For each set and response the rows with their residuals, as these are drawn.
    rows: Vec<Vec<Vec<Levered>>>,
}

/// Data of a replicate.
pub(super) enum Replicate {
    /// Responses of each set.
    Responses(Vec<Vec<Vec<f64>>>),
    /// How often each row of each set is there.
    Counts(Vec<Vec<f64>>),
}

/// 1 - leverage of a row that determines a parameter alone: its residual is rounding, and stays as it is.
const ALONE: f64 = 1e-8;

impl<'f> Resampler<'f> {
    pub(super) fn new(found: &Found<'_>, settings: &'f Resampling) -> Result<Self, FitError> {
        let what = "standard errors for a bootstrap";
        let mut rows = found.leverages()?.ok_or(FitError::Empty { what })?;
        let used: Vec<Vec<usize>> = rows
            .iter()
            .map(|set| (0..set[0].len()).filter(|row| !set[0][*row].residual.is_nan()).collect())
            .collect();
        if let Scheme::Blocks { length } = settings.scheme {
            let shortest = used.iter().map(Vec::len).min().unwrap_or(0);
            if !(1..=shortest).contains(&length) {
                return Err(FitError::OutOfRange {
                    what: "the number of rows of a block",
                    value: length as f64,
                    expected: "a number from 1 to that of the rows of the shortest set",
                });
            }
        }
        for rows in rows.iter_mut().flatten() {
            // The data become fitted values.
            rows.iter_mut().for_each(|row| row.value += row.residual / row.weight);
            inflate(rows, settings.scheme == Scheme::Residual);
        }
        Ok(Self { settings, used, rows })
    }

    /// Data of a replicate.
    pub(super) fn replicate(&self, replicate: u32) -> Replicate {
        let random =
            |set: usize, purpose| Random::new(self.settings.seed, replicate, set as u32, purpose);
        let sets = 0..self.rows.len();
        match self.settings.scheme {
            Scheme::Residual => Replicate::Responses(
                sets.map(|set| self.responses(set, random(set, Purpose::Residual))).collect(),
            ),
            Scheme::Wild => Replicate::Responses(
                sets.map(|set| self.responses(set, random(set, Purpose::Wild))).collect(),
            ),
            Scheme::Pairs => Replicate::Counts(
                sets.map(|set| self.counts(set, random(set, Purpose::Pairs), 1)).collect(),
            ),
            Scheme::Blocks { length } => Replicate::Counts(
                sets.map(|set| self.counts(set, random(set, Purpose::Blocks), length)).collect(),
            ),
        }
    }

    /// Fitted values with other residuals. Rows that are not used are NaN, and stay unused.
    fn responses(&self, set: usize, random: Random) -> Vec<Vec<f64>> {
        let (rows, used) = (&self.rows[set], &self.used[set]);
        let mut columns: Vec<Vec<f64>> =
            rows.iter().map(|rows| rows.iter().map(|row| row.value).collect()).collect();
        for &row in used {
            let (from, sign) = match self.settings.scheme {
                Scheme::Wild => (row, random.sign(row)),
                _ => (used[random.below(row, used.len())], 1.0),
            };
            for (column, rows) in columns.iter_mut().zip(rows) {
                // A residual is the model less the data.
                column[row] -= sign * rows[from].residual / rows[row].weight;
            }
        }
        columns
    }

    /// How often each row is there in blocks of this length, the last of which may be cut.
    fn counts(&self, set: usize, random: Random, length: usize) -> Vec<f64> {
        let used = &self.used[set];
        let mut counts = vec![0.0; self.rows[set][0].len()];
        for (block, begin) in (0..used.len()).step_by(length).enumerate() {
            let first = random.below(block, used.len() + 1 - length);
            let rows = length.min(used.len() - begin);
            used[first..first + rows].iter().for_each(|row| counts[*row] += 1.0);
        }
        counts
    }
}

/// Divides residuals by the square roots of 1 - leverage, and subtracts their mean.
fn inflate(rows: &mut [Levered], centred: bool) {
    let (mut sum, mut count) = (0.0, 0.0);
    for row in rows.iter_mut() {
        let rest = 1.0 - row.leverage;
        row.residual /= if rest > ALONE { rest.sqrt() } else { 1.0 };
        if !row.residual.is_nan() {
            (sum, count) = (sum + row.residual, count + 1.0);
        }
    }
    if centred {
        rows.iter_mut().for_each(|row| row.residual -= sum / count);
    }
}
