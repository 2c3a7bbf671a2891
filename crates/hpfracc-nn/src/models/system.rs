use super::checks::culprit;
use super::diffusion::DiffusionField;
use super::field::Field;
use crate::buffer_pool::BufferPool;
use crate::{Layer, Scalar};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp};
use ndarray::ArrayView2;

/// `dX = f(t, X) dt + g(t, X) dW` whose coefficients are networks, with parameters at hand: those
/// of the drift, then those of the diffusion. What a network has kept is computed again on the way
/// back.
#[derive(Debug)]
pub(super) struct NeuralSystem<'a, T, L> {
    pub(super) dim: usize,
    pub(super) noise_kind: NoiseKind,
    pub(super) drift: Field<'a, T, L>,
    pub(super) diffusion: DiffusionField<'a, T, L>,
    pub(super) pool: &'a BufferPool<T>,
    pub(super) parameters: usize,
}

impl<T: Scalar, L: Layer<T>> NeuralSystem<'_, T, L> {
    /// The first layer whose output is not finite at these initial values.
    pub(super) fn culprit(&self, starts: ArrayView2<'_, T>) -> Option<String> {
        let networks = [("drift", Some(&self.drift)), ("diffusion", self.diffusion.network())];
        culprit(networks, starts)
    }
}

impl<T: Scalar, L: Layer<T>> StochasticSystem<T> for NeuralSystem<'_, T, L> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        !matches!(self.diffusion, DiffusionField::Network(..))
    }

    fn commutative(&self) -> bool {
        self.additive()
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        self.pool.with(self.drift.rows() * x.lanes(), |rows| {
            let (mut work, _) = self.drift.work(rows, x.lanes());
            self.drift.write(t, x, &mut work, f.as_mut_slice());
        });
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        let rows = self.diffusion.rows() * x.lanes();
        self.pool.with(rows, |rows| self.diffusion.write(t, x, rows, g));
    }
}

impl<T: Scalar, L: Layer<T>> DifferentiableStochasticSystem<T> for NeuralSystem<'_, T, L> {
    fn parameters(&self) -> usize {
        self.parameters
    }

    #[inline(always)]
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        self.pool.with(self.drift.rows() * x.lanes(), |rows| {
            let (mut work, _) = self.drift.work(rows, x.lanes());
            self.drift.forward(t, x, &mut work);
            work.ybar.copy_from_slice(fbar.as_slice());
            let own = &mut thetabar[..self.drift.parameters()];
            self.drift.vjp(x, &mut work, xbar, own);
        });
    }

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        let rows = self.diffusion.rows() * x.lanes();
        let own = &mut thetabar[self.drift.parameters()..];
        self.pool.with(rows, |rows| self.diffusion.vjp(t, (x, gbar), rows, xbar, own));
    }
}
