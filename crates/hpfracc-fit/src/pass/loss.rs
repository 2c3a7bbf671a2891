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
/// | `Tukey` | c^2/3 (1 - (1 - z/c^2)^3) for z <= c^2, else c^2/3 | biweight: none of a residual beyond c = 4.685 scales |
///
/// `Tukey` has c for an efficiency of 95 % where the residuals are normal. It is not convex, and has many minima: a fit takes
/// the minimum of `SoftL1` of the same scale as its start. Source: Beaton and Tukey, Technometrics 16 (1974) 147, DOI
/// 10.1080/00401706.1974.10489171.
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
    /// Biweight, without any weight far from zero.
    Tukey,
}

/// Square of the residual of [`Loss::Tukey`] in scales, from which on it is constant.
const BIWEIGHT: f64 = 4.685 * 4.685;

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
            Self::Tukey if z < BIWEIGHT => {
                let (u, rest) = (z / BIWEIGHT, 1.0 - z / BIWEIGHT);
                // 1 - (1 - u)^3 without cancellation.
                [z * (1.0 - u + u * u / 3.0), rest * rest, -2.0 / BIWEIGHT * rest]
            }
            Self::Tukey => [BIWEIGHT / 3.0, 0.0, 0.0],
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
    /// counts each row occurs that number of times.
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
