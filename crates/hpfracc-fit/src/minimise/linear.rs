use crate::factor::{Factor, triangularise};

/// Linear least squares of a factor [J r] in a box.
pub(crate) struct Linearised<'a> {
    factor: &'a Factor,
    unknowns: &'a [f64],
    bounds: &'a [(f64, f64)],
    /// Unknowns that no bound holds: all but those on a bound against which the gradient pushes.
    free: Vec<usize>,
}

impl<'a> Linearised<'a> {
    pub(crate) fn new(factor: &'a Factor, unknowns: &'a [f64], bounds: &'a [(f64, f64)]) -> Self {
        let free = (0..unknowns.len()).filter(|&k| {
            let (lower, upper) = bounds[k];
            let gradient = factor.product(k, unknowns.len());
            let held = unknowns[k] <= lower && gradient > 0.0
                || unknowns[k] >= upper && gradient < 0.0
                || lower == upper;
            !held
        });
        Self { factor, unknowns, bounds, free: free.collect() }
    }

    /// Minimiser of `|J s + r|^2 + damping |D s|^2` in the box, but that unknowns which met a bound on the way stay there.
    /// None if the matrix is singular.
    pub(crate) fn step(&self, damping: f64, scale: &[f64]) -> Option<Vec<f64>> {
        let p = self.unknowns.len();
        let mut free = self.free.clone();
        let mut residuals: Vec<f64> =
            (0..self.factor.columns()).map(|row| self.factor.entry(row, p)).collect();
        let mut fixed = vec![0.0; p];
        loop {
            let mut step = solve(self.factor, &residuals, &free, (damping, scale))?;
            let outside = |k: usize| {
                let (moved, (lower, upper)) = (self.unknowns[k] + step[k], self.bounds[k]);
                (moved < lower || moved > upper).then(|| moved.clamp(lower, upper))
            };
            let met: Vec<(usize, f64)> =
                free.iter().filter_map(|&k| outside(k).map(|bound| (k, bound))).collect();
            if met.is_empty() {
                step.iter_mut().zip(&fixed).for_each(|(step, fixed)| *step += fixed);
                return Some(step);
            }
            for (k, bound) in met {
                free.retain(|other| *other != k);
                fixed[k] = bound - self.unknowns[k];
                for (row, residual) in residuals.iter_mut().enumerate().take(k + 1) {
                    *residual += self.factor.entry(row, k) * fixed[k];
                }
            }
        }
    }

    /// Whether a step moves an unknown onto its bound.
    pub(crate) fn meets_a_bound(&self, step: &[f64]) -> bool {
        self.free.iter().any(|&k| {
            let (moved, (lower, upper)) = (self.unknowns[k] + step[k], self.bounds[k]);
            moved <= lower || moved >= upper
        })
    }

    /// Minimiser of `|J a + b|^2 + damping |D a|^2` over the free unknowns, for the columns J of another factor and the
    /// vector b in its coordinates.
    pub(crate) fn solve(
        &self,
        factor: &Factor,
        b: &[f64],
        damping: f64,
        scale: &[f64],
    ) -> Option<Vec<f64>> {
        solve(factor, b, &self.free, (damping, scale))
    }

    /// Decrease of `|r|^2` by a step, to first order in the residuals.
    pub(crate) fn decrease(&self, step: &[f64]) -> f64 {
        let p = step.len();
        let row = |row: usize| -> f64 {
            let along: f64 = (row.min(p)..p).map(|k| self.factor.entry(row, k) * step[k]).sum();
            -along * (2.0 * self.factor.entry(row, p) + along)
        };
        (0..=p).map(row).sum()
    }

    /// Relative offset of the free unknowns for a number of residuals.
    pub(crate) fn offset(&self, residuals: u64) -> f64 {
        if self.free.is_empty() {
            return 0.0;
        }
        let count = self.free.len();
        let columns: Vec<usize> = self.free.iter().copied().chain([self.unknowns.len()]).collect();
        let factor = self.factor.select(&columns);
        let tangential: f64 = (0..count).map(|row| factor.entry(row, count).powi(2)).sum();
        let freedom = residuals.saturating_sub(count as u64).max(1) as f64;
        let normal = factor.entry(count, count).powi(2) / freedom;
        (tangential / count as f64 / normal).sqrt()
    }
}

/// Minimiser over some unknowns, zero for the others.
fn solve(
    factor: &Factor,
    b: &[f64],
    free: &[usize],
    (damping, scale): (f64, &[f64]),
) -> Option<Vec<f64>> {
    let count = free.len();
    let columns = count + 1;
    let mut rows = Vec::with_capacity((factor.columns() + count) * columns);
    for row in 0..factor.columns() {
        rows.extend(free.iter().map(|&k| factor.entry(row, k)));
        rows.push(b[row]);
    }
    if damping > 0.0 {
        for (position, &k) in free.iter().enumerate() {
            rows.extend(
                (0..columns).map(
                    |column| {
                        if column == position { damping.sqrt() * scale[k] } else { 0.0 }
                    },
                ),
            );
        }
    }
    triangularise(&mut rows, columns);
    let mut step = vec![0.0; scale.len()];
    for position in (0..count).rev() {
        let row = &rows[position * columns..][..columns];
        let later: f64 = (position + 1..count).map(|column| row[column] * step[free[column]]).sum();
        if row[position] == 0.0 {
            return None;
        }
        step[free[position]] = (-row[count] - later) / row[position];
    }
    step.iter().all(|s| s.is_finite()).then_some(step)
}

/// The nearest point of a box.
pub(crate) fn clamped(x: &[f64], bounds: &[(f64, f64)]) -> Vec<f64> {
    x.iter().zip(bounds).map(|(x, (lower, upper))| x.max(*lower).min(*upper)).collect()
}
