//! Factors of a product and the term that it is added to.

/// The left factor of a product, `rows x inner`; an element lies at `row * down + column * along`.
#[derive(Debug, Clone, Copy)]
pub struct Left<'a, T> {
    /// Elements.
    pub values: &'a [T],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns: the dimension that is summed over.
    pub inner: usize,
    /// Distance from one row to the next.
    pub down: usize,
    /// Distance from one column to the next.
    pub along: usize,
}

impl<'a, T> Left<'a, T> {
    /// A matrix by rows.
    pub fn new(values: &'a [T], rows: usize, inner: usize) -> Self {
        Self { values, rows, inner, down: inner, along: 1 }
    }

    /// The transpose of a matrix by rows, which has `inner` rows.
    pub fn transposed(values: &'a [T], rows: usize, inner: usize) -> Self {
        Self { values, rows, inner, down: 1, along: rows }
    }

    /// The block of `rows` rows from `first_row` and `inner` columns from `first`.
    pub(super) fn part(&self, first_row: usize, rows: usize, first: usize, inner: usize) -> Self {
        let values = &self.values[first_row * self.down + first * self.along..];
        Self { values, rows, inner, ..*self }
    }
}

/// The right factor of a product, `inner x columns`; rows may overlap, as the shifted signals of a
/// convolution do.
///
/// Rows come in groups `group` numbers apart. Within a group each begins `step` after the one
/// before it; where `rest` is not 0, a phase grows by it with each row, and whenever the phase
/// reaches `phases`, it starts again and the row begins `back` numbers earlier.
#[derive(Debug, Clone, Copy)]
pub struct Right<'a, T> {
    /// Elements.
    pub values: &'a [T],
    /// Number of columns.
    pub columns: usize,
    /// Rows of a group.
    pub per_group: usize,
    /// Distance from one group to the next.
    pub group: usize,
    /// Distance from one row of a group to the next.
    pub step: usize,
    /// Growth of the phase from row to row.
    pub rest: usize,
    /// Phase at which the row moves back.
    pub phases: usize,
    /// Distance by which it does.
    pub back: usize,
}

impl<'a, T> Right<'a, T> {
    /// A matrix by rows.
    pub fn new(values: &'a [T], columns: usize) -> Self {
        let per_group = usize::MAX;
        Self { values, columns, per_group, group: 0, step: columns, rest: 0, phases: 1, back: 0 }
    }

    /// Other values as a matrix by rows with the same number of columns.
    pub fn matrix<'b>(&self, values: &'b [T]) -> Right<'b, T> {
        Right::new(values, self.columns)
    }

    pub(super) fn is_matrix(&self) -> bool {
        self.per_group == usize::MAX
    }

    /// Index of the first element of a row.
    #[inline(always)]
    pub fn start(&self, row: usize) -> usize {
        let (group, within) = (row / self.per_group, row % self.per_group);
        let wraps = within * self.rest / self.phases;
        group * self.group + within * self.step - wraps * self.back
    }
}

/// The term that a product is added to.
#[derive(Debug, Clone, Copy)]
pub enum Base<'a, T> {
    /// A number for each row, such as a bias.
    Rows(&'a [T]),
    /// The values of `out`.
    Present,
}
