use crate::FitError;
use crate::Found;
use crate::found::RefitFailure;

/// How well a model predicts rows that are left out of its fit.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossValidation {
    /// Root of the mean cost of a row that was left out: of the squares of weighted residuals, or of their losses.
    pub error: f64,
    /// The same for each block.
    pub blocks: Vec<f64>,
}

impl Found<'_> {
    /// Leaves out one block of consecutive rows of each set after the other, and predicts it by a fit to the others.
    ///
    /// Blocks as many as rows leave out one row each. Long blocks are needed where errors are correlated; at the ends of the
    /// inputs they measure how the model extrapolates.
    ///
    /// Cost: a fit for each block, from the estimates. Memory: 16 bytes for each row and thread.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for a number of blocks below 2 or above the rows of a set, and [`FitError::Undefined`] if the fit
    /// without a block has no result; [`FitError::Cancelled`].
    pub fn cross_validation(&self, blocks: usize) -> Result<CrossValidation, FitError> {
        let residuals =
            self.objective_over_ranks().rows(&self.minimum.unknowns, |row| row.residual)?;
        let residuals = residuals.unwrap_or_default();
        let used: Vec<Vec<usize>> = residuals
            .iter()
            .map(|set| (0..set[0].len()).filter(|row| !set[0][*row].is_nan()).collect())
            .collect();
        let shortest = used.iter().map(Vec::len).min().unwrap_or(0);
        if !(2..=shortest).contains(&blocks) {
            return Err(FitError::OutOfRange {
                what: "the number of blocks of a cross-validation",
                value: blocks as f64,
                expected: "a number from 2 to that of the rows of the shortest set",
            });
        }
        let what = "the cross-validation";
        let of_block = |block: usize| -> Result<(f64, f64), FitError> {
            if self.session.is_cancelled() {
                return Err(FitError::Cancelled { what });
            }
            let held = |rows: &[usize]| {
                let ends = [block, block + 1].map(|block| block * rows.len() / blocks);
                rows[ends[0]..ends[1]].to_vec()
            };
            let held: Vec<Vec<usize>> = used.iter().map(|rows| held(rows)).collect();
            let counts = residuals.iter().zip(&held).map(|(set, held)| {
                let mut counts = vec![1.0; set[0].len()];
                held.iter().for_each(|row| counts[*row] = 0.0);
                counts
            });
            let counts: Vec<Vec<f64>> = counts.collect();
            let failed = |reason: String| FitError::Undefined { what, reason };
            let reason = || format!("the fit without block {block} has no minimum");
            let refit = self.refit(&self.sets, Some(&counts), self.session.cancel)?;
            let (_, minimum) = refit.map_err(|failure| match failure {
                RefitFailure::Cancelled => FitError::Cancelled { what },
                _ => failed(reason()),
            })?;
            let objective = self.objective();
            let others = objective.rows(&minimum.unknowns, |row| row.residual)?;
            let others = others.ok_or_else(|| failed(reason()))?;
            let (mut cost, mut count) = (0.0, 0.0);
            for (set, held) in others.iter().zip(&held) {
                for (response, row) in set.iter().flat_map(|r| held.iter().map(move |row| (r, row)))
                {
                    cost += objective.scaled_loss().cost(response[*row]);
                    count += 1.0;
                }
            }
            Ok((cost, count))
        };
        let all = self.session.ranks.map(blocks, of_block)?;
        let (cost, count) = all.iter().fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        let blocks = all.iter().map(|(cost, count)| (cost / count).sqrt()).collect();
        Ok(CrossValidation { error: (cost / count).sqrt(), blocks })
    }
}
