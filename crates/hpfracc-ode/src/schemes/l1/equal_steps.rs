use super::stepper::Memory;
use super::weights::{l1_newest, l1_row};
use crate::history::{History, Kernel};
use crate::{OdeError, Setup, UniformGrid};

/// Equal steps: a convolution.
pub(super) struct Equal {
    grid: UniformGrid,
    history: Box<dyn History>,
    newest: Vec<f64>,
}

impl Equal {
    pub(super) fn new(setup: &Setup<'_>, grid: UniformGrid) -> Result<Self, OdeError> {
        let rows = setup.problem.orders().iter().map(|&alpha| l1_row(alpha, grid));
        let history = setup.history(&[Kernel::per_component(rows)], grid.n())?;
        let orders = (0..setup.problem.dim()).map(|i| setup.problem.order(i));
        let newest = orders.map(|alpha| l1_newest(alpha, grid.h())).collect();
        Ok(Self { grid, history, newest })
    }
}

impl Memory for Equal {
    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        self.history.push(change)
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError> {
        self.history.sum_into(0, sum)?;
        newest.copy_from_slice(&self.newest);
        Ok(self.grid.t(next))
    }
}
