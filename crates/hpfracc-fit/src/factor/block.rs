use super::Factor;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{AlignedVec, vectorised};

/// Rows of a block: enough for long loops, and few enough for the cache.
pub(crate) const BLOCK: usize = 512;

/// Partial sums of a product of columns: the same ones whatever the width of the registers.
const SUMS: usize = 16;

/// Block of at most [`BLOCK`] rows of a matrix, column by column, with rows of zeros after them.
#[derive(Debug, Default)]
pub(crate) struct Block {
    columns: usize,
    /// Rows with those of zeros, a multiple of [`SUMS`].
    rows: usize,
    values: AlignedVec<f64>,
}

impl Block {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, rows: BLOCK, values: AlignedVec::zeros(columns * BLOCK) }
    }

    /// Sets the number of columns, with memory for the most that follow; reuses the memory. The values are those of before,
    /// in other places.
    pub(crate) fn set_columns(&mut self, columns: usize, most: usize) {
        (self.columns, self.rows) = (columns, BLOCK);
        self.values.set_len(columns.max(most) * BLOCK);
    }

    /// Sets the number of rows; the values are those of before, in other places. Rows of zeros do not change sums: a short
    /// block has the bits of a long one.
    pub(crate) fn set_rows(&mut self, rows: usize) {
        self.rows = rows.next_multiple_of(SUMS).min(BLOCK);
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// A column.
    pub(crate) fn column(&mut self, k: usize) -> &mut [f64] {
        &mut self.values[k * self.rows..][..self.rows]
    }

    /// Product of two columns.
    pub(crate) fn product(&self, a: usize, b: usize) -> f64 {
        let column = |k: usize| &self.values[k * self.rows..][..self.rows];
        vectorised(
            Arch::new(),
            #[inline(always)]
            || product(column(a), column(b)),
        )
    }

    /// Writes the factor of the block; the block keeps no values.
    ///
    /// These are Householder's reflections of the block below rows of zeros, whose vectors are the columns
    /// themselves: each column is projected out of the later ones (Bjorck 1967).
    pub(crate) fn reduce(&mut self, arch: Arch, factor: &mut Factor) {
        let (columns, rows) = (self.columns, self.rows);
        let values = &mut self.values[..columns * rows];
        vectorised(
            arch,
            #[inline(always)]
            || {
                for k in 0..columns {
                    let (done, later) = values.split_at_mut((k + 1) * rows);
                    let column = &done[k * rows..];
                    let squares = product(column, column);
                    let norm = squares.sqrt();
                    factor.set(k, k, norm);
                    for (j, other) in later.chunks_exact_mut(rows).enumerate() {
                        let share =
                            if squares == 0.0 { 0.0 } else { product(column, other) / squares };
                        factor.set(k, k + 1 + j, share * norm);
                        for (other, x) in other.iter_mut().zip(column) {
                            *other = (-share).mul_add(*x, *other);
                        }
                    }
                }
            },
        );
    }
}

#[inline(always)]
fn product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    for (a, b) in a.chunks_exact(SUMS).zip(b.chunks_exact(SUMS)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum = a.mul_add(*b, *sum);
        }
    }
    let mut width = SUMS / 2;
    while width > 0 {
        for k in 0..width {
            sums[k] += sums[k + width];
        }
        width /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1/2 and 1/2.
    fn noise(k: usize) -> f64 {
        ((k as f64 * 12.9898).sin() * 43758.5453).fract() / 2.0
    }

    #[test]
    fn a_short_block_has_the_bits_of_a_long_one() {
        let factor = |length: usize| {
            let (mut block, mut factor) = (Block::new(3), Factor::zero(3));
            block.set_rows(length);
            for k in 0..3 {
                let column = block.column(k).iter_mut().enumerate();
                column.for_each(|(i, x)| *x = if i < 37 { noise(3 * i + k) } else { 0.0 });
            }
            let product = block.product(0, 2);
            block.reduce(Arch::new(), &mut factor);
            (product.to_bits(), factor)
        };
        assert_eq!(factor(37), factor(BLOCK));
    }

    #[test]
    fn a_block_has_the_factor_of_its_rows() {
        const COLUMNS: usize = 5;
        let mut block = Block::new(COLUMNS);
        let mut rows = vec![0.0; BLOCK * COLUMNS];
        for k in 0..COLUMNS {
            for (i, value) in block.column(k).iter_mut().enumerate() {
                *value = noise(i * COLUMNS + k) + k as f64;
                rows[i * COLUMNS + k] = *value;
            }
        }
        let expected = Factor::of(&rows, COLUMNS);
        let mut factor = Factor::zero(COLUMNS);
        block.reduce(Arch::new(), &mut factor);
        for i in 0..COLUMNS {
            for k in i..COLUMNS {
                let (found, expected) = (factor.product(i, k), expected.product(i, k));
                assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{i} {k}");
            }
        }
    }
}
