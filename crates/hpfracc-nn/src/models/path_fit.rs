use super::field::Field;
use super::solving::PathSolve;
use super::window_loss::{Shares, WindowLoss};
use super::{ModelError, Solving, Windows};
use crate::buffer_pool::BufferPool;
use crate::{Batch, Layer, Loss, Scalar};
use hpfracc_communicator::Ranks;
use hpfracc_sde::GradientWorkspace;
use hpfracc_sde::noise::Noise;
use ndarray::Array2;

/// The parts that all fits of equations share: discretisation, data and work memory.
#[derive(Debug)]
pub(super) struct PathFit<T: Scalar> {
    pub(super) solving: Solving,
    pub(super) windows: Windows<T>,
    /// Paths of each sample.
    pub(super) paths: usize,
    pub(super) pool: BufferPool<T>,
    pub(super) workspace: GradientWorkspace<T>,
}

impl<T: Scalar> PathFit<T> {
    /// Error for nodes of the windows after the last step.
    pub(super) fn new(
        solving: Solving,
        windows: Windows<T>,
        paths: usize,
    ) -> Result<Self, ModelError> {
        solving.check(windows.nodes())?;
        let (pool, workspace) = (BufferPool::default(), GradientWorkspace::new());
        Ok(Self { solving, windows, paths, pool, workspace })
    }

    pub(super) fn solve<'a>(
        &'a self,
        starts: &'a Array2<T>,
        orders: Option<&'a [f64]>,
        (noise, ranks): (&'a dyn Noise<T>, Ranks<'a>),
    ) -> PathSolve<'a, T> {
        let (starts, nodes) = (starts.view(), self.windows.nodes());
        PathSolve { solving: &self.solving, starts, orders, noise, nodes, ranks }
    }

    /// Times of the nodes of the windows.
    pub(super) fn times(&self) -> Vec<f64> {
        self.solving.times(self.windows.nodes())
    }

    /// The loss of each path: a mean over its observed values.
    pub(super) fn window_loss<'a, L: Layer<T>>(
        &'a self,
        batch: Batch<'a>,
        loss: Loss,
        log_deviations: &'a [T],
        readout: Option<Field<'a, T, L>>,
    ) -> WindowLoss<'a, T, L> {
        WindowLoss {
            windows: &self.windows,
            samples: batch.samples,
            paths: self.paths,
            loss,
            log_deviations,
            readout,
            pool: &self.pool,
            sums: false,
            added: None,
            scale: batch.scale,
            shares: Shares::default(),
            ranks: batch.ranks,
        }
    }
}
