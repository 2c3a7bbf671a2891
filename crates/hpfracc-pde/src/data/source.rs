use crate::error::{PdeError, Result};
use crate::{Points, Site};
use hpfracc_spatial::reductions::for_blocks;
use std::sync::Arc;

/// Values s(t, x) of a source.
#[derive(Clone)]
pub(crate) enum SourceValues<'a> {
    Constant(Arc<[f64]>),
    Function(Arc<dyn Fn(&Site<'_>) -> f64 + Send + Sync + 'a>),
}

/// Source of a field, times an amplitude.
#[derive(Clone)]
pub(crate) struct Source<'a> {
    pub(crate) field: usize,
    /// Index of its amplitude among the parameters.
    pub(crate) amplitude: usize,
    pub(crate) values: SourceValues<'a>,
}

impl Source<'_> {
    /// Adds a multiple of the source to the right-hand side of the field.
    pub(crate) fn add(&self, t: f64, factor: f64, points: &Points, f: &mut [f64]) {
        for_blocks(f.len(), [f], |block, [f]| {
            let mut cursor = points.cursor(block.start);
            for (index, f) in block.zip(f) {
                *f += factor
                    * match &self.values {
                        SourceValues::Constant(values) => values[index],
                        SourceValues::Function(s) => s(&Site { t, index, x: cursor.x() }),
                    };
                cursor.advance();
            }
        });
    }

    /// Refuses a value that is not finite at a time and position.
    pub(crate) fn check(&self, t: f64, index: usize, points: &Points) -> Result<()> {
        let point = points.at(index);
        let value = match &self.values {
            SourceValues::Constant(values) => values[index],
            SourceValues::Function(s) => s(&Site { t, index, x: &point }),
        };
        if value.is_finite() {
            return Ok(());
        }
        Err(PdeError::SourceNotFinite { field: self.field, t, index, point, value })
    }

    /// Whether the values do not depend on time.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.values, SourceValues::Constant(_))
    }
}
