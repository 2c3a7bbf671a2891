use super::Diffusion;
use super::checks::culprit;
use super::diffusion::Coefficient;
use super::field::Field;
use crate::buffer_pool::BufferPool;
use crate::{Layer, Pass, Scalar};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp};
use ndarray::ArrayView2;

/// `dX = f(t, X) dt + g(t, X) dW` whose coefficients are networks, with their parameters: those of
/// the drift, then those of the diffusion. Rows that a network saves are recomputed in the backward
/// pass.
#[derive(Debug)]
pub(super) struct NeuralSystem<'a, T, L> {
    pub(super) dim: usize,
    pub(super) noise_kind: NoiseKind,
    pub(super) drift: Coefficient<'a, T, L>,
    pub(super) diffusion: Coefficient<'a, T, L>,
    pub(super) pool: &'a BufferPool<T>,
}

impl<'a, T: Scalar, L: Layer<T>> NeuralSystem<'a, T, L> {
    /// A system with as many components as the drift has outputs; `theta` begins with its
    /// parameters.
    pub(super) fn new(
        (drift, diffusion): (&'a L, &'a Diffusion<L>),
        theta: &'a [T],
        pass: Pass,
        pool: &'a BufferPool<T>,
    ) -> Self {
        let dim = drift.outputs();
        let (of_drift, rest) = theta.split_at(drift.parameters());
        let of_diffusion = &rest[..diffusion.parameters(dim)];
        Self {
            dim,
            noise_kind: diffusion.noise_kind(dim),
            drift: Coefficient::Network(Field::new(drift, dim, of_drift, pass), None),
            diffusion: Coefficient::diffusion(diffusion, dim, of_diffusion, pass),
            pool,
        }
    }

    /// The first layer whose output is not finite at these initial values.
    pub(super) fn culprit(&self, starts: ArrayView2<'_, T>) -> Option<String> {
        let networks = [("drift", self.drift.network()), ("diffusion", self.diffusion.network())];
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
        self.diffusion.is_constant()
    }

    fn commutative(&self) -> bool {
        self.diffusion.is_constant()
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        let rows = self.drift.rows() * x.lanes();
        self.pool.with(rows, |rows| self.drift.write(t, x, rows, f));
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        let rows = self.diffusion.rows() * x.lanes();
        self.pool.with(rows, |rows| self.diffusion.write(t, x, rows, g));
    }
}

impl<T: Scalar, L: Layer<T>> DifferentiableStochasticSystem<T> for NeuralSystem<'_, T, L> {
    fn parameters(&self) -> usize {
        self.drift.parameters() + self.diffusion.parameters()
    }

    #[inline(always)]
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        let rows = self.drift.rows() * x.lanes();
        let own = &mut thetabar[..self.drift.parameters()];
        self.pool.with(rows, |rows| self.drift.vjp(t, (x, fbar), rows, xbar, own));
    }

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        let rows = self.diffusion.rows() * x.lanes();
        let own = &mut thetabar[self.drift.parameters()..];
        self.pool.with(rows, |rows| self.diffusion.vjp(t, (x, gbar), rows, xbar, own));
    }
}
