use super::StartCorrection;
use crate::error::{demand, fits};
use crate::{Number, Result};

/// A causal convolution over steps of any length: the last cell exactly, all earlier cells through
/// a sum of exponentials (SOE).
///
/// ```text
/// y[0]   = 0                                                               and the start corrections
/// y[n+1] = near[n] . (left_n, rise_n)
///        + sum_k weights[k] int_(x_0)^(x_n) u^power exp(-rates[k] u) g(s) ds,   u = x_(n+1) - s
///        + sum_c column_c[n+1] * (stencil_c . f)                           the start corrections
/// ```
///
/// g is a line on each cell, from `left_n` to `left_n + rise_n`, given by [`CellLine`] as a map of
/// the samples at its ends. The map takes O(N K) work and no backend; it is computed in double
/// precision whatever the scalar.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Exponentials<N = f64> {
    /// The N - 1 distances of neighbouring points, in the variable of the kernel.
    pub steps: Vec<f64>,
    /// The interpolant on each cell.
    pub lines: Vec<CellLine>,
    /// For each cell: weights of its line's left value and of its rise at the point where it ends.
    pub near: Vec<[N; 2]>,
    /// Power of the distance in front of the exponentials, 0 or 1.
    pub power: usize,
    /// The rates, decreasing, none negative.
    pub rates: Vec<f64>,
    /// One weight for each rate.
    pub weights: Vec<N>,
    /// Corrections of rank one.
    pub starts: Vec<StartCorrection<N>>,
}

/// A line on the cell between two points, as a map of the samples f there: its value on the left
/// and its rise to the right, each as `a f_left + b (f_right - f_left)`.
///
/// Differences are taken of the samples, not of products with them, and lose nothing to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellLine {
    /// a and b of the value on the left.
    pub left: [f64; 2],
    /// a and b of the rise.
    pub rise: [f64; 2],
}

impl CellLine {
    /// The samples' own line.
    pub(crate) const THROUGH_SAMPLES: Self = Self { left: [1.0, 0.0], rise: [0.0, 1.0] };

    /// The sample on the left, all over the cell.
    pub(crate) const LEFT_SAMPLE: Self = Self { left: [1.0, 0.0], rise: [0.0; 2] };

    /// The slope of the samples' line over a cell of length h.
    pub(crate) fn slope(h: f64) -> Self {
        Self { left: [0.0, h.recip()], rise: [0.0; 2] }
    }

    /// Left value and rise.
    #[inline(always)]
    pub(crate) fn of(&self, f0: f64, f1: f64) -> (f64, f64) {
        let difference = f1 - f0;
        let [left, rise] = [self.left, self.rise].map(|[a, b]| a * f0 + b * difference);
        (left, rise)
    }

    /// The transpose of [`CellLine::of`].
    #[inline(always)]
    pub(crate) fn transpose<N: Number>(&self, left: N, rise: N) -> (N, N) {
        let of_difference = left * self.left[1] + rise * self.rise[1];
        (left * self.left[0] + rise * self.rise[0] - of_difference, of_difference)
    }
}

impl<N: Number> Exponentials<N> {
    /// The same with one more start correction.
    pub(crate) fn with_start(mut self, column: Vec<N>, stencil: Vec<f64>) -> Self {
        self.starts.push(StartCorrection { column, stencil });
        self
    }

    pub(super) fn map<M>(self, f: impl Fn(N) -> M + Copy) -> Exponentials<M> {
        let Self { steps, lines, near, power, rates, weights, starts } = self;
        Exponentials {
            steps,
            lines,
            near: near.into_iter().map(|near| near.map(f)).collect(),
            power,
            rates,
            weights: weights.into_iter().map(f).collect(),
            starts: starts.into_iter().map(|start| start.map(f)).collect(),
        }
    }
}

impl Exponentials {
    /// Number of points.
    pub(crate) fn n(&self) -> usize {
        self.steps.len() + 1
    }

    /// Checks that the parts fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        let cells = self.steps.len();
        fits("the number of steps", cells, cells.max(1))?;
        fits("the number of lines", self.lines.len(), cells)?;
        fits("the number of nearest weights", self.near.len(), cells)?;
        fits("the power of the distance", self.power, self.power.min(1))?;
        fits("the number of weights", self.weights.len(), self.rates.len())?;
        self.starts.iter().try_for_each(|start| start.check(self.n()))?;
        for &h in &self.steps {
            demand(("a step of a memory", h, h.is_finite() && h > 0.0, "positive and finite"))?;
        }
        let falling = self.rates.windows(2).find(|pair| pair[0] < pair[1]);
        let outside = self.rates.iter().find(|p| !(p.is_finite() && **p >= 0.0));
        match outside.or(falling.map(|pair| &pair[1])) {
            None => Ok(()),
            Some(&rate) => demand(("a rate", rate, false, "finite, not negative and not rising")),
        }
    }
}
