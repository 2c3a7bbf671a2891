use crate::data::{Column, READ_ROWS, Set};
use crate::factor::{BLOCK, Part, TASK};
use crate::{FitError, Loss};
use hpfracc_types::check_memory;

/// Bytes of small things that do not grow with the data: names, unknowns, steps.
const SMALL: usize = 2048;

/// Memory that a [`Fit`](super::Fit) takes beyond its data, by its kinds: within 15 %, or a few kilobytes for the smallest fits.
///
/// For steps without acceleration, which adds the values of the model for blocks of rows. The solutions of an
/// `EquationModel`, what functions in Rust allocate, and temporary files are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FitPlan {
    /// Threads that share the rows: those of the current pool, but not more than pieces of 131 072 rows.
    pub threads: usize,
    /// Bytes of a thread: blocks of 512 rows, and 8192 rows of each file or array with rows.
    pub bytes_per_thread: usize,
    /// Bytes for the factors of all pieces of 131 072 rows.
    pub factor_bytes: usize,
    /// Bytes of a thread for the covariance by a loss other than the squares: a second block of rows.
    pub sandwich_bytes: usize,
    /// Bytes for residuals: 8 for each where the loss is not the squares, whose spread is a median.
    pub residual_bytes: usize,
}

impl FitPlan {
    /// Bytes of all kinds.
    pub fn bytes(&self) -> usize {
        // Residuals and the factors of a sandwich are not there at the same time.
        let of_loss = self.residual_bytes.max(self.threads * self.sandwich_bytes);
        SMALL + self.threads * self.bytes_per_thread + self.factor_bytes + of_loss
    }

    /// Checks that memory can hold them.
    pub(super) fn check(&self) -> Result<(), FitError> {
        Ok(check_memory(self.bytes() as f64 / size_of::<f64>() as f64)?)
    }

    /// Plan of the sets of a fit with this number of unknowns.
    pub(super) fn new(sets: &[Set<'_>], unknowns: usize, loss: Loss) -> Self {
        let pieces: usize = sets.iter().map(|set| set.rows().div_ceil(TASK)).sum();
        let residuals: usize = sets.iter().map(|set| set.rows() * set.responses.len()).sum();
        let squares = loss == Loss::Squares;
        // With the column of the acceleration, which least squares alone have.
        let columns = unknowns + if squares { 2 } else { 1 };
        let part = size_of::<Part>() + 8 * columns * columns;
        // Factors of the blocks of a piece, merged in pairs, and one that is merged.
        let blocks = sets.iter().map(|set| set.rows().min(TASK).div_ceil(BLOCK)).max().unwrap_or(1);
        let levels = blocks.ilog2() as usize + 3;
        let task = size_of::<Result<Option<Part>, FitError>>() + 64;

        Self {
            threads: rayon::current_num_threads().min(pieces).max(1),
            bytes_per_thread: 8 * BLOCK * (unknowns + 2)
                + sets.iter().map(set_bytes).max().unwrap_or(0)
                + sets.iter().map(|set| set.model.bytes_per_thread()).sum::<usize>()
                + levels * part,
            factor_bytes: pieces * (factors_of(squares) * (part - size_of::<Part>() + task)),
            sandwich_bytes: if squares {
                0
            } else {
                8 * BLOCK * (unknowns + 1) + 2 * levels * part
            },
            residual_bytes: if squares { 0 } else { 8 * residuals },
        }
    }
}

/// Factors of a piece: a sandwich, which losses other than the squares have, has three.
fn factors_of(squares: bool) -> usize {
    if squares { 1 } else { 3 }
}

/// Bytes of a thread for the rows of a set.
fn set_bytes(set: &Set<'_>) -> usize {
    let lanes = set.rows().min(BLOCK);
    let (inputs, responses) = (set.inputs.len(), set.responses.len());
    // Inputs, responses, weights, and the model with its derivatives.
    let mixed = set.model.separable().map_or(0, |of| of.mixed.len());
    let columns = inputs + responses * (2 + 1 + set.model.parameters().len() + mixed);
    let mut sources: Vec<*const ()> = vec![];
    let mut ahead = 0;
    for (_, _, column) in set.columns() {
        if let Column::Of { source, .. } = column {
            let place = std::ptr::from_ref(source).cast::<()>();
            if !sources.contains(&place) {
                sources.push(place);
                ahead += set.rows().min(READ_ROWS) * source.columns();
            }
        }
    }
    8 * (lanes * columns + ahead)
}
