use crate::factor::{BLOCK, Block};

/// Loss of a weighted residual r, from z = (r/scale)^2: the cost is the sum of scale^2 rho(z).
///
/// Losses other than the squares limit what outliers weigh. Their minimum is that of the sum of rho; rows are scaled
/// for the step so that the gradient is exact and the curvature keeps its positive part (Triggs et al. 2000, the
/// convention of SciPy).
///
/// | loss | rho(z) | |
/// |---|---|---|
/// | `Squares` | z | least squares, whatever the scale |
/// | `Huber` | z for z <= 1, else 2 sqrt(z) - 1 | squares, and linear beyond the scale |
/// | `SoftL1` | 2 (sqrt(1 + z) - 1) | smooth form of `Huber` |
/// | `Cauchy` | ln(1 + z) | |
/// | `Arctan` | atan(z) | bounded |
///
/// The scale is the residual at which outliers begin, in units of the standard deviation where that is known:
/// [`Fit::loss_scale`](crate::Fit::loss_scale).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Loss {
    /// Least squares.
    #[default]
    Squares,
    /// Squares, and linear beyond the scale.
    Huber,
    /// Smooth form of `Huber`.
    SoftL1,
    /// Logarithmic.
    Cauchy,
    /// Bounded.
    Arctan,
}

/// Loss with its scale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScaledLoss {
    pub(crate) loss: Loss,
    pub(crate) scale: f64,
}

impl Loss {
    /// rho, and its first two derivatives.
    fn rho(self, z: f64) -> [f64; 3] {
        match self {
            Self::Squares => [z, 1.0, 0.0],
            Self::Huber if z <= 1.0 => [z, 1.0, 0.0],
            Self::Huber => {
                let root = z.sqrt();
                [2.0 * root - 1.0, 1.0 / root, -0.5 / (z * root)]
            }
            Self::SoftL1 => {
                let root = (1.0 + z).sqrt();
                // 2 (root - 1) without cancellation.
                [2.0 * z / (1.0 + root), 1.0 / root, -0.5 / (root * root * root)]
            }
            Self::Cauchy => {
                let t = 1.0 + z;
                [z.ln_1p(), 1.0 / t, -1.0 / (t * t)]
            }
            Self::Arctan => {
                let t = 1.0 + z * z;
                [z.atan(), 1.0 / t, -2.0 * z / (t * t)]
            }
        }
    }
}

impl ScaledLoss {
    /// Half of the first two derivatives of scale^2 rho with respect to the residual: psi and its slope.
    pub(crate) fn psi(self, residual: f64) -> (f64, f64) {
        let z = (residual / self.scale).powi(2);
        let [_, first, second] = self.loss.rho(z);
        (residual * first, first + 2.0 * second * z)
    }

    /// Cost of a residual.
    pub(crate) fn cost(self, residual: f64) -> f64 {
        let square = self.scale * self.scale;
        square * self.loss.rho(residual * residual / square)[0]
    }

    /// Scales the rows of a block whose residuals are the column after those of the unknowns, and returns their cost. With
    /// counts each row is there so many times.
    pub(crate) fn apply(
        self,
        block: &mut Block,
        unknowns: usize,
        rows: usize,
        counts: Option<&[f64]>,
    ) -> f64 {
        if self.loss == Loss::Squares {
            if let Some(counts) = counts {
                for column in 0..block.columns() {
                    let column = block.column(column)[..rows].iter_mut();
                    column.zip(counts).for_each(|(entry, count)| *entry *= count.sqrt());
                }
            }
            return block.product(unknowns, unknowns);
        }
        let (mut by_row, mut cost) = ([0.0; BLOCK], 0.0);
        for (row, residual) in block.column(unknowns)[..rows].iter_mut().enumerate() {
            let z = (*residual / self.scale).powi(2);
            let [rho, first, second] = self.loss.rho(z);
            let count = counts.map_or(1.0, |counts| counts[row]);
            cost += count * self.scale * self.scale * rho;
            let curvature = (first + 2.0 * second * z).max(f64::EPSILON).sqrt();
            by_row[row] = curvature * count.sqrt();
            *residual *= first / curvature * count.sqrt();
        }
        for unknown in 0..unknowns {
            let column = block.column(unknown)[..rows].iter_mut();
            column.zip(&by_row).for_each(|(entry, factor)| *entry *= factor);
        }
        cost
    }
}
