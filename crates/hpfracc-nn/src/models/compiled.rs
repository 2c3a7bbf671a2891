//! Solves that are compiled with this crate, once for each scalar, and not again wherever there is a model:
//! a solve with its gradient is written out for every instruction set, which takes a compiler a minute.

use super::solving::{Job, Kept, Solving, Wanted};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::Gaussian;
use hpfracc_sde::{
    DifferentiableStochasticSystem, NoiseKind, PathLoss, StochasticGradient, StochasticSystem,
};
use ndarray::Array3;
use pulp::Arch;

/// A scalar whose solves are compiled here. Sealed: nobody else can name it.
pub trait Compiled: Gaussian {
    /// The values at the nodes, by path, node and component.
    ///
    /// # Errors
    /// Those of [`Ensemble::solve`](hpfracc_sde::Ensemble::solve).
    fn paths(
        job: &Job<'_, Self>,
        solving: &Solving,
        system: &dyn DifferentiableStochasticSystem<Self>,
    ) -> Result<Array3<Self>, SdeError>;

    /// The gradient of a loss.
    ///
    /// # Errors
    /// Those of [`EnsembleGradient`](hpfracc_sde::EnsembleGradient).
    fn gradient(
        job: &Job<'_, Self>,
        solving: &Solving,
        system: &dyn DifferentiableStochasticSystem<Self>,
        loss: &dyn PathLoss<Self>,
        wanted: Wanted,
        kept: &Kept<Self>,
    ) -> Result<StochasticGradient<Self>, SdeError>;
}

macro_rules! compiled {
    ($scalar:ident) => {
        impl Compiled for $scalar {
            fn paths(
                job: &Job<'_, Self>,
                solving: &Solving,
                system: &dyn DifferentiableStochasticSystem<Self>,
            ) -> Result<Array3<Self>, SdeError> {
                job.paths_of(solving, system)
            }

            fn gradient(
                job: &Job<'_, Self>,
                solving: &Solving,
                system: &dyn DifferentiableStochasticSystem<Self>,
                loss: &dyn PathLoss<Self>,
                wanted: Wanted,
                kept: &Kept<Self>,
            ) -> Result<StochasticGradient<Self>, SdeError> {
                job.gradient_of(solving, system, loss, wanted, kept)
            }
        }
    };
}

compiled!(f32);
compiled!(f64);

/// A system whose functions choose the instruction set themselves: what calls them is compiled elsewhere.
pub(super) struct Vectorised<S>(pub(super) S);

impl<T: Gaussian, S: StochasticSystem<T>> StochasticSystem<T> for Vectorised<S> {
    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn noise_kind(&self) -> NoiseKind {
        self.0.noise_kind()
    }

    fn additive(&self) -> bool {
        self.0.additive()
    }

    fn additive_in(&self, noise: usize) -> bool {
        self.0.additive_in(noise)
    }

    fn commutative(&self) -> bool {
        self.0.commutative()
    }

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
}

impl<T: Gaussian, S: DifferentiableStochasticSystem<T>> DifferentiableStochasticSystem<T>
    for Vectorised<S>
{
    fn parameters(&self) -> usize {
        self.0.parameters()
    }

    fn drift_vjp(
        &self,
        t: f64,
        x: Rows<'_, T>,
        fbar: Rows<'_, T>,
        xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.drift_vjp(t, x, fbar, xbar, thetabar),
        );
    }

    fn diffusion_vjp(
        &self,
        t: f64,
        x: Rows<'_, T>,
        gbar: Rows<'_, T>,
        xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        Arch::new().dispatch(
            #[inline(always)]
            || self.0.diffusion_vjp(t, x, gbar, xbar, thetabar),
        );
    }
}
