//! Series of a tile, stored with sixteen paths of one step next to each other.

use crate::noise::{Gaussian, Increments};
use crate::rows::add_scaled;
use hpfracc_lanes::RowsMut;
use hpfracc_types::Real;

/// Paths of a panel: a register of AVX-512 in single precision.
pub(super) const WIDTH: usize = 16;

/// The series of a tile by component, panel of [`WIDTH`] paths, step, and path. A panel of some
/// hundred steps stays in the nearest cache. Paths beyond those of the tile are zero.
#[derive(Debug, Clone)]
pub(super) struct Panels<T> {
    values: Vec<T>,
    steps: usize,
    lanes: usize,
}

impl<T: Real> Panels<T> {
    pub(super) fn zero(components: usize, steps: usize, lanes: usize) -> Self {
        let panels = components * lanes.div_ceil(WIDTH);
        Self { values: vec![T::zero(); panels * steps * WIDTH], steps, lanes }
    }

    /// The panels of a component: each has its steps in order, [`WIDTH`] paths a step.
    pub(super) fn of(&self, component: usize) -> std::slice::ChunksExact<'_, T> {
        let (panel, all) = self.lengths();
        self.values[component * all..][..all].chunks_exact(panel)
    }

    /// The same, to be written.
    pub(super) fn of_mut(&mut self, component: usize) -> std::slice::ChunksExactMut<'_, T> {
        let (panel, all) = self.lengths();
        self.values[component * all..][..all].chunks_exact_mut(panel)
    }

    fn lengths(&self) -> (usize, usize) {
        let panel = self.steps * WIDTH;
        (panel, panel * self.lanes.div_ceil(WIDTH))
    }

    /// Adds `scale` times a row to a step, from the path `first` on, which starts a panel; nothing
    /// if there is no such step.
    pub(super) fn add(&mut self, component: usize, first: usize, step: usize, scale: T, row: &[T]) {
        if step >= self.steps {
            return;
        }
        let panels = self.of_mut(component).skip(first / WIDTH);
        for (panel, row) in panels.zip(row.chunks(WIDTH)) {
            add_scaled(&mut panel[step * WIDTH..], scale, row);
        }
    }

    /// Zero everywhere, for the next paths.
    pub(super) fn clear(&mut self) {
        self.values.fill(T::zero());
    }
}

impl<T: Gaussian> Increments<T> for Panels<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let (panel, all) = self.lengths();
        for (component, series) in self.values.chunks_exact(all).enumerate() {
            for (panel, row) in series.chunks_exact(panel).zip(rows[component].chunks_mut(WIDTH)) {
                row.copy_from_slice(&panel[step * WIDTH..][..row.len()]);
            }
        }
    }
}
