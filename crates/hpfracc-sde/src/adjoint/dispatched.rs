use crate::noise::Gaussian;
use crate::system::of_inner_system;
use crate::{
    DifferentiableStochasticSystem, Layout, NoiseKind, PathLoss, SavedStates, SdeError,
    StochasticSystem, Vjp,
};
use hpfracc_lanes::{Rows, RowsMut};
use pulp::Arch;

/// A system or a loss that chooses the instruction set in each of its functions, for callers that
/// are compiled for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dispatched<'a, S>(pub(crate) &'a S);

impl<T: Gaussian, S: StochasticSystem<T>> StochasticSystem<T> for Dispatched<'_, S> {
    of_inner_system!(self => self.0);

    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.drift(t, x, f),
        );
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.diffusion(t, x, g),
        );
    }

    fn coefficients(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>, g: RowsMut<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.coefficients(t, x, f, g),
        );
    }
}

impl<T, S> DifferentiableStochasticSystem<T> for Dispatched<'_, S>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
{
    fn parameters(&self) -> usize {
        self.0.parameters()
    }

    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.drift_vjp(t, x, fbar, to),
        );
    }

    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.diffusion_vjp(t, x, gbar, to),
        );
    }
}

impl<T: Gaussian, L: PathLoss<T>> PathLoss<T> for Dispatched<'_, L> {
    fn check(&self, layout: &Layout) -> Result<(), SdeError> {
        self.0.check(layout)
    }

    fn scale(&self, paths: usize) -> f64 {
        self.0.scale(paths)
    }

    fn evaluate(&self, saved: SavedStates<'_, T>, losses: &mut [T], xbar: RowsMut<'_, T>) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.evaluate(saved, losses, xbar),
        );
    }
}
