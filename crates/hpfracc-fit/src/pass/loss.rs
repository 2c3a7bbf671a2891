use crate::factor::{BLOCK, Block};

/// Loss of a weighted residual r, from z = (r/scale)^2: the cost is the sum of scale^2 rho(z).
///
/// Losses other than the squares limit what outliers weigh. Their minimum is that of the sum of rho; rows are scaled
/// for the step so that the gradient is exact and the curvature keeps its positive part (Triggs et al. 2000, the
/// convention of SciPy).
///
/// | loss | rho(z) |
/// |---|---|
/// | `Squares` | z |
/// | `Huber` | z for z <= 1, else 2 sqrt(z) - 1 |
/// | `SoftL1` | 2 (sqrt(1 + z) - 1) |
/// | `Cauchy` | ln(1 + z) |
/// | `Arctan` | atan(z) |
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Loss {
    /// Least squares.
    #[default]
    Squares,
    /// Squares, and linear beyond the scale.
    Huber {
        /// Residual at which outliers begin, in units of the standard deviation where that is known.
        scale: f64,
    },
    /// Smooth form of `Huber`.
    SoftL1 {
        /// As in `Huber`.
        scale: f64,
    },
    /// Logarithmic.
    Cauchy {
        /// As in `Huber`.
        scale: f64,
    },
    /// Bounded.
    Arctan {
        /// As in `Huber`.
        scale: f64,
    },
}

impl Loss {
    /// Scale of the residuals.
    pub fn scale(self) -> Option<f64> {
        match self {
            Self::Squares => None,
            Self::Huber { scale }
            | Self::SoftL1 { scale }
            | Self::Cauchy { scale }
            | Self::Arctan { scale } => Some(scale),
        }
    }

    /// rho, and its first two derivatives.
    pub(crate) fn rho(self, z: f64) -> [f64; 3] {
        match self {
            Self::Squares => [z, 1.0, 0.0],
            Self::Huber { .. } if z <= 1.0 => [z, 1.0, 0.0],
            Self::Huber { .. } => {
                let root = z.sqrt();
                [2.0 * root - 1.0, 1.0 / root, -0.5 / (z * root)]
            }
            Self::SoftL1 { .. } => {
                let root = (1.0 + z).sqrt();
                // 2 (root - 1) without cancellation.
                [2.0 * z / (1.0 + root), 1.0 / root, -0.5 / (root * root * root)]
            }
            Self::Cauchy { .. } => {
                let t = 1.0 + z;
                [z.ln_1p(), 1.0 / t, -1.0 / (t * t)]
            }
            Self::Arctan { .. } => {
                let t = 1.0 + z * z;
                [z.atan(), 1.0 / t, -2.0 * z / (t * t)]
            }
        }
    }

    /// Scales the rows of a block whose residuals are the column after those of the unknowns, and returns their cost.
    pub(crate) fn apply(self, block: &mut Block, unknowns: usize, rows: usize) -> f64 {
        let Some(scale) = self.scale() else {
            // The squares, with the sums of a column.
            return block.squares(unknowns);
        };
        let (mut by_row, mut cost) = ([0.0; BLOCK], 0.0);
        for (row, residual) in block.column(unknowns)[..rows].iter_mut().enumerate() {
            let z = (*residual / scale).powi(2);
            let [rho, first, second] = self.rho(z);
            cost += scale * scale * rho;
            let curvature = (first + 2.0 * second * z).max(f64::EPSILON);
            by_row[row] = curvature.sqrt();
            *residual *= first / by_row[row];
        }
        for unknown in 0..unknowns {
            let column = block.column(unknown)[..rows].iter_mut();
            column.zip(&by_row).for_each(|(entry, factor)| *entry *= factor);
        }
        cost
    }
}
