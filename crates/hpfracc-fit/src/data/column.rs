use super::Source;

/// Column of numbers, in memory or of a [`Source`].
///
/// ```
/// use hpfracc_fit::Column;
/// use ndarray::arr2;
///
/// let table = arr2(&[[0.0, 1.0], [1.0, 3.0]]);
/// let y = Column::of(&table, 1);
/// let x: Column<'_> = (&[0.0, 1.0]).into();
/// assert_eq!(x.rows(), y.rows());
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Column<'a> {
    /// Numbers in memory.
    Slice(&'a [f64]),
    /// Column of a source.
    Of {
        /// Source.
        source: &'a dyn Source,
        /// Index of the column.
        column: usize,
    },
}

impl<'a> Column<'a> {
    /// Column of a source: a file, a spool, or an array with rows and columns.
    pub fn of(source: &'a dyn Source, column: usize) -> Self {
        Self::Of { source, column }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Slice(values) => values.len(),
            Self::Of { source, .. } => source.rows(),
        }
    }
}

impl<'a> From<&'a [f64]> for Column<'a> {
    fn from(values: &'a [f64]) -> Self {
        Self::Slice(values)
    }
}

impl<'a, const N: usize> From<&'a [f64; N]> for Column<'a> {
    fn from(values: &'a [f64; N]) -> Self {
        Self::Slice(values)
    }
}

impl<'a> From<&'a Vec<f64>> for Column<'a> {
    fn from(values: &'a Vec<f64>) -> Self {
        Self::Slice(values)
    }
}
