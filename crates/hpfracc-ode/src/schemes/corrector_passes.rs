use super::newton::{Equations, Iterate};
use crate::error::all_finite;
use crate::{Node, OdeError, StabilityHint, Statistics};

/// Corrector passes `y = known + newest f(p)` from a predicted p.
pub(super) struct CorrectorPasses {
    pub(super) count: usize,
    /// Argument of the last pass, and its f.
    predicted: Vec<f64>,
    slope: Vec<f64>,
}

impl CorrectorPasses {
    pub(super) fn new(count: usize, dim: usize) -> Self {
        Self { count, predicted: vec![0.0; dim], slope: vec![0.0; dim] }
    }

    /// Replaces the predicted state of one step by the corrected one, and writes its f.
    pub(super) fn correct(
        &mut self,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        let Equations { problem, times, known, coupling } = *equations;
        let t = times[0];
        for _ in 0..self.count {
            self.predicted.copy_from_slice(at.y);
            problem.rhs(t, &self.predicted, &mut self.slope, at.statistics)?;
            for (i, y) in at.y.iter_mut().enumerate() {
                *y = known[i] + coupling[i] * self.slope[i];
            }
        }
        all_finite(at.y, t)?;
        problem.rhs(t, at.y, at.f, at.statistics)
    }

    /// Estimates the factor by which the last pass amplifies differences, from the corrected node and
    /// the predicted state: `|lambda| h^alpha/Gamma(alpha+2)` for the trapezoidal rule. Above 1 the
    /// scheme is unstable, and the hint of `statistics` is set.
    pub(super) fn check_stability(&self, newest: &[f64], node: &Node, statistics: &mut Statistics) {
        if self.count == 0 {
            return;
        }
        let (mut difference, mut amplified, mut size) = (0.0f64, 0.0f64, 0.0f64);
        for (i, y) in node.y.iter().enumerate() {
            difference = difference.max((y - self.predicted[i]).abs());
            amplified = amplified.max((newest[i] * (node.f[i] - self.slope[i])).abs());
            size = size.max(y.abs());
        }
        // Ignores differences of the size of rounding.
        if amplified > difference && difference > 1e-9 * size {
            let (t, excess) = (node.t, amplified / difference);
            let hint = statistics.stability.get_or_insert(StabilityHint { t, excess });
            hint.excess = hint.excess.max(excess);
        }
    }
}
